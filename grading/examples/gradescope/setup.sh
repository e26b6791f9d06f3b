#!/usr/bin/env bash
# Runs once, as root, when Gradescope makes the image. checkerboard/ lies beside this file in the zip.
# nvcc comes from NVIDIA's packages for Ubuntu 22.04 (the base image to choose): the compiler alone, no driver.
set -euo pipefail

apt-get update
apt-get install -y --no-install-recommends cmake make gcc g++ pkg-config check libjansson-dev libconfig-dev curl ca-certificates
if ! command -v nvcc /usr/local/cuda/bin/nvcc >/dev/null; then
  curl -fsSLo /root/cuda-keyring.deb \
    https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64/cuda-keyring_1.1-1_all.deb
  dpkg -i /root/cuda-keyring.deb
  apt-get update
  apt-get install -y --no-install-recommends cuda-nvcc-13-0 cuda-cudart-dev-13-0
fi
cd "${CHECKERBOARD:-/autograder/source/checkerboard}"
cmake --preset sim -DCMAKE_CUDA_COMPILER="$(command -v nvcc /usr/local/cuda/bin/nvcc | head -n 1)"
cmake --build build/sim --parallel 2 --target grading # now, not while a student waits
