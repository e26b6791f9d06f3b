#!/usr/bin/env bash
# test_run.bash BUILD: ./kit run in a student's copy that is half written: labs 01 and 02 are right, 03 is wrong, 04 does
# not compile, 05 and 06 are skeletons. The programs are those of BUILD; a stub of the compiler fails for lab 04.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
built=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
root=$copy build=$copy/build device=sim tree=labs
mkdir "$build"
: >"$build/CMakeCache.txt"
ln -s "$top/common" "$top/labs" "$copy"
ln -s "$built/common" "$build"
failures=0

say() { echo "kit: $*" >>"$copy/said"; }
die() { say "$@" && exit 2; }
build_or_die() { make_targets "$@" || die 'the build failed'; }
make_targets() {
  if [[ " $* " == *" labs_${broken-none}_sim "* ]]; then
    echo "$root/labs/$broken/${broken#*_}.cu(7): error: expected a \";\"" >&2
    echo '1 error detected' >&2
    return 1
  fi
}

# shellcheck source=common/ladder/run.bash
source "$top/common/ladder/run.bash"
ladder_n=512 stencil_n=100
figures_of_reference=$(sed 's/,4096,model/,512,model/; s/^stencil,\([a-z]*\),NVIDIA H200,1000/stencil,\1,NVIDIA H200,100/' "$reference")
reference=$copy/reference.csv
echo "$figures_of_reference" >"$reference"

program() { # program LAB TREE: the student's is that of this tree
  mkdir -p "$build/labs/$1"
  ln -sf "$built/$2/$1/${1#*_}.sim" "$build/labs/$1"
}

# expect_row WORDS ...: a row of the table; white space is one blank
expect_row() {
  local words
  for words; do
    if ! tr -s ' ' <"$copy/out" | grep -qF -- "$words"; then
      echo "./kit run: expected the words '$words'"
      failures=$((failures + 1))
    fi
  done
}

expect_status() { # expect_status STATUS, of build_programs, run_tables and conclude in a new process
  local status=0
  (
    cd "$copy"
    : >said
    build_programs 01_stencil 02_masked_redblack 03_compressed 04_split_layout 05_sor_omega 06_pcg
    run_tables
    conclude
  ) >"$copy/out" 2>"$copy/err" || status=$?
  if [[ $status -ne $1 || -s $copy/err ]]; then
    echo "./kit run: expected status $1 and no other errors, got status $status and:"
    cat "$copy/err"
    failures=$((failures + 1))
  fi
}

for lab in 01_stencil 02_masked_redblack 03_compressed 04_split_layout 05_sor_omega 06_pcg; do
  program "$lab" labs
done
expect_status 0
expect_row 'naive yours not written yet (lab 01, part 2): ./kit next' ' reference 1.5e-07 0.97 4.23 29.52 8.0' \
  'masked yours not written yet (lab 02, part 3): ./kit next' ' reference 0.50 4.17 15.36 1.56 0.1353 0.35 1.00' \
  'SOR optimal yours not written yet (lab 05, part 4): ./kit next' ' reference 211 29.4 6.4293' \
  'Next: lab 01, part 1 is not written yet: ./kit next shows where'

# Lab 03 sweeps another u: the same work, other bits.
program 01_stencil solutions
program 02_masked_redblack solutions
rm "$build/labs/03_compressed/compressed.sim"
printf '#!/bin/sh\nexec "%s" "$@" --seed 2\n' "$built/solutions/03_compressed/compressed.sim" >"$build/labs/03_compressed/compressed.sim"
chmod +x "$build/labs/03_compressed/compressed.sim"
broken=04_split_layout
expect_status 1
expect_row 'marching yours 1.1e-07 ' 'masked yours 0.50 ' \
  'compressed yours wrong result after 7 sweeps on device sim: ./kit check 03' \
  'fused yours lab 04 does not compile' 'Gauss-Seidel yours not written yet (lab 05, part 4): ./kit next' \
  'Jacobi yours 11657 ' 'Next: lab 05, part 4 is not written yet'
if [[ $(<"$copy/said") != 'kit: lab 04 does not compile: labs/04_split_layout/split_layout.cu(7): error: expected a ";"' ]]; then
  echo './kit run: expected one line with the first error of lab 04, got:'
  cat "$copy/said"
  failures=$((failures + 1))
fi
if [[ $(cut -d, -f 2 "$copy/results/figures.csv" | paste -sd ' ') != 'name csr naive tiled marching masked Jacobi natural-order SSOR-PCG' ]]; then
  echo './kit run: expected figures of what is right alone, got:'
  cat "$copy/results/figures.csv"
  failures=$((failures + 1))
fi

# Endless loops, crashes, wrong kernels of lab 01, solvers that do not converge, and a wrong claim of one.
stub() { # stub LAB <body
  rm "$build/labs/$1/${1#*_}.sim"
  cat >"$build/labs/$1/${1#*_}.sim"
  chmod +x "$build/labs/$1/${1#*_}.sim"
}
broken=none
job_limit=2
stub 01_stencil <<END
#!/bin/sh
"$built/solutions/01_stencil/stencil.sim" "\$@"
[ "\$1" != compare ] || sed -i 's/1\.[0-9]*e-07,1/nan,0/' "\${*##* }"
#!/bin/sh
"$built/solutions/01_stencil/stencil.sim" "\$@" || exit
for last; do :; done
[ "\$1" != compare ] || sed -i '/naive/s/1\.[0-9]*e-07,1/nan,0/' "\$last"
END
stub 02_masked_redblack <<<$'#!/bin/sh\nexec sleep 60'
stub 03_compressed <<<$'#!/bin/sh\necho "compressed: CUDA error 700: an illegal address" >&2\nexit 1'
stub 05_sor_omega <<<$'#!/bin/sh\necho "double: limit reached after 9 sweeps, 1.0 ms"\nexit 1'
stub 06_pcg <<<$'#!/bin/sh\nprintf "cg: converged after 9 iterations, 1.0 ms\\nrelative residual 1e-7; recomputed on the host: 1.0e-2\\n"'
expect_status 1
expect_row 'naive yours wrong result: ./kit check 01/naive' 'csr yours 0.0e+00' \
  'masked yours stopped after 2 s: ./kit check 02' \
  'compressed yours failed: compressed: CUDA error 700: an illegal address: ./kit check 03' \
  'SOR 1.5 yours failed: double: limit reached after 9 sweeps, 1.0 ms: ./kit check 05' \
  'CG yours wrong result: the relative residual of u is 1.0e-2: ./kit check 06'

((failures == 0)) || cat "$copy/out"
exit $((failures > 0))
