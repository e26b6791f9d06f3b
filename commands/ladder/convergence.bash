# Sourced by run.bash: runs all solvers of labs 05 and 06 to the same tolerance, for one table and one picture.
# shellcheck shell=bash disable=SC2154 # set by ./kit and run.bash

convergence_n=66
convergence_tolerance=1e-6 # the programs' default

# Name, lab, bytes that an iteration must move per grid point (0: on the host), arguments. SOR checks the residual after
# every sweep, as CG does after every iteration, so that times are comparable.
all_solvers() {
  cat <<'END'
Jacobi|06_pcg|0|--method jacobi
Gauss-Seidel|05_sor_omega|32|solve --omega 1 --check-every 1
SOR 1.5|05_sor_omega|32|solve --omega 1.5 --check-every 1
SOR 1.8|05_sor_omega|32|solve --omega 1.8 --check-every 1
SOR 1.9|05_sor_omega|32|solve --omega 1.9 --check-every 1
SOR optimal|05_sor_omega|32|solve --check-every 1
CG|06_pcg|64|--method fused
red-black SSOR-PCG|06_pcg|152|--method pcg --omega 1
reduced CG|06_pcg|32|--method reduced
natural-order SSOR-PCG|06_pcg|0|--method natural
END
}

solvers() { # the solvers whose lab exists
  local name lab rest
  all_solvers | while IFS='|' read -r name lab rest; do
    ! has_lab "$lab" || echo "$name|$lab|$rest"
  done
}

queue_convergence() {
  local name lab bytes arguments
  while IFS='|' read -r name lab bytes arguments; do
    # shellcheck disable=SC2086 # a list of words
    job "$name" "$lab" "$(lab_program "$lab" "$device")" $arguments --nx "$convergence_n" --history "$scratch/$name.history"
  done < <(solvers)
}

# A solver reports that it has converged; the program computes the residual of its u again.
solver_outcome() { # solver_outcome NAME LAB
  local said residual
  said=$(outcome "$1" "$2")
  if [[ -z $said ]]; then
    residual=$(sed -n 's/.*recomputed on the host: //p' "$scratch/$1.out")
    LC_ALL=C awk -v r="$residual" -v t="$convergence_tolerance" 'BEGIN { exit !(r ~ /^[0-9]/ && r <= 1.01 * t) }' ||
      said="wrong result: the relative residual of u is ${residual:-missing}: $(look_at "$2")"
  fi
  echo "$said"
}

# The iterations come from the history, which the picture shows: a solver of lab 05 may run one more stretch.
solver_figures() { # solver_figures NAME BYTES
  local ms
  ms=$(sed -n 's/.* after [0-9]* [a-z]*, \([0-9.]*\) ms$/\1/p' "$scratch/$1.out" | head -n 1)
  LC_ALL=C awk -F, -v name="$1" -v bytes="$2" -v n="$convergence_n" -v place="$(place_of "$convergence_n")" -v ms="$ms" \
    -v tolerance="$convergence_tolerance" 'NR > 1 && $3 <= tolerance {
      printf "convergence,%s,%s,,,,,,%d,%s,%s,\n", name, place, $2, bytes ? sprintf("%.6f", $2 * bytes * n * n / 1e6) : "", ms
      exit
    }' "$scratch/$1.history"
}

show_convergence() { # show_convergence OUT: prints the table and writes the histories of all solvers to one file
  local name lab bytes arguments
  [[ -n $(solvers) ]] || return 0
  echo method,iteration,relative_residual >"$1/history.csv"
  while IFS='|' read -r name lab bytes arguments; do
    note convergence "$name" "$(solver_outcome "$name" "$lab")"
    has_figures convergence "$name" || continue
    solver_figures "$name" "$bytes" >>"$figures"
    sed -n "2,\$s/^[^,]*,/$name,/p" "$scratch/$name.history" >>"$1/history.csv"
  done < <(solvers)
  printf '\nConvergence: f = 1 on %d x %d points, double, to a relative residual of %s. %s\n' \
    "$convergence_n" "$convergence_n" "$convergence_tolerance" "$(clock_words)"
  printf "Jacobi and natural-order SSOR-PCG are the kit's own host code, without a time. A solve of lab 05 runs one more\n"
  printf 'sweep than it needs, because the device works while the host reads the residual.\n\n'
  show_table convergence "$convergence_n"
}

queue_convergence_picture() { # queue_convergence_picture OUT
  [[ ! -f $1/history.csv || $(wc -l <"$1/history.csv") -lt 2 ]] || picture convergence.py "$1/history.csv" "$1/convergence.png" "$convergence_tolerance"
}
