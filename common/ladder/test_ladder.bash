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
if ! diff <(grep ',model,' "$reference") <(sed 1d results/figures.csv); then
  echo 'reference.csv (<) differs from what ./kit run computes (>): run ./kit run --save-reference, if that is meant'
  exit 1
fi
awk_kit "$ladder/test_readme.awk" "$reference" "$root/README.md"
awk -F, -v OFS=, '$1 == "convergence" { $12++ } 1' "$reference" >other.csv
cp "$reference" before.csv && reference=$out/other.csv
save_reference
cmp before.csv other.csv
