#!/usr/bin/env bash
# Runs once, as root, when Gradescope makes the image. checkerboard/ lies beside this file in the zip.
# nvcc comes from NVIDIA's packages for Ubuntu 22.04 (the base image to choose): the compiler alone, no driver. Their
# cuda-keyring.deb (https://developer.nvidia.com/cuda-downloads: Ubuntu 22.04, deb network) lies in the zip, too.
set -euo pipefail

keyring=$(realpath "$(dirname "$0")")/cuda-keyring.deb
apt-get update
apt-get install -y --no-install-recommends cmake make gcc g++ pkg-config check libjansson-dev libconfig-dev ca-certificates
if ! command -v nvcc /usr/local/cuda/bin/nvcc >/dev/null; then
  if [[ ! -f $keyring ]]; then
    echo "setup.sh: $keyring: expected the keyring of https://developer.nvidia.com/cuda-downloads" >&2
    exit 2
  fi
  dpkg -i "$keyring"
  apt-get update
  apt-get install -y --no-install-recommends cuda-nvcc-13-0 cuda-cudart-dev-13-0
fi
cd "${CHECKERBOARD:-/autograder/source/checkerboard}"
cmake --preset sim -DCMAKE_CUDA_COMPILER="$(command -v nvcc /usr/local/cuda/bin/nvcc | head -n 1)"
cmake --build build/sim --parallel 2 --target grading # now, not while a student waits
