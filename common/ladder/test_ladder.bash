#!/usr/bin/env bash
# test_ladder.bash BUILD: ./kit run's tables of the solutions. Every rung gives the bits of the host's reference; lanes,
# sectors and modelled times improve from rung to rung, in the order that an H200 measured; all figures are those of
# reference.csv, and README.md shows no others.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 device=sim tree=solutions
say() { echo "$*"; }
die() { say "$@" && exit 2; }
# shellcheck source=common/ladder/run.bash
source "$root/common/ladder/run.bash"
out=$(mktemp -d)
scratch=$out/scratch
cd "$out"

run_tables
trap 'rm -rf "$out"' EXIT
conclude
awk_kit "$ladder/test_ladder.awk" results/ladder/ladder.csv
# All but modelled times are equal; these follow the instructions that this version of nvcc emits, within 1 %.
if ! diff <(grep ',model,' "$reference" | cut -d, -f 1-13) <(sed 1d results/figures.csv | cut -d, -f 1-13) ||
  ! paste -d, <(grep ',model,' "$reference" | cut -d, -f 14-) <(sed 1d results/figures.csv | cut -d, -f 14-) | awk -F, '
    { for (i = 1; i <= NF / 2; i++) if (($i != "") != ($(NF / 2 + i) != "") || ($i - $(NF / 2 + i)) ^ 2 > (0.01 * $i) ^ 2) exit 1 }'; then
  echo 'reference.csv (<) differs from what ./kit run computes (>): run ./kit run --save-reference, if that is meant'
  exit 1
fi
awk_kit "$ladder/test_readme.awk" "$reference" "$root/README.md"
awk -F, -v OFS=, '$1 == "convergence" { $12++ } 1' "$reference" >other.csv
cp "$reference" before.csv && reference=$out/other.csv
save_reference
cmp <(grep ',model,' other.csv) <(sed 1d results/figures.csv)
cmp <(grep -v ',model,' before.csv) <(grep -v ',model,' other.csv)
