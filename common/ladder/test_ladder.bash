#!/usr/bin/env bash
# test_ladder.bash BUILD: the rungs at a small size: same bits, and lanes, sectors and modelled times that improve from
# rung to rung, in the order that an H200 measured.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 device=sim
say() { echo "$*"; }
die() { say "$@" && exit 2; }
# shellcheck source=common/ladder/run.bash
source "$root/common/ladder/run.bash"
ladder_n=1024

out=$(mktemp -d)
scratch=$out
trap 'rm -rf "$out"' EXIT
climb sim
ladder_csv >"$out/ladder.csv"
compare_rungs
awk_kit "$ladder/ladder_table.awk" "$out/ladder.csv"

awk_kit "$ladder/test_ladder.awk" "$out/ladder.csv"
