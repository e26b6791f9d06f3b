# Sourced by ./kit for `./kit trace`: runs a program on the simulated GPU and shows what one warp did. ./kit trace
# --help prints the lines below that begin with "trace:".
#
# trace: LAB/PART runs your program of the lab on a small grid, with the kernel of that part: 02/masked or 02/2. LAB
# trace: alone lists the parts. PROGRAM is any program made by ./kit nvcc.
# trace:
# trace:   --block X[,Y[,Z]]  the block; default: the warp is chosen among the first 16 blocks
# trace:   --warp N           the warp in its block, from 0; default: one with the most different instructions
# trace:   --launch N         the launch of the kernel, from 1; default: 1
# trace:   --kernel NAME      another kernel; default for PROGRAM: the first one that it launches
# trace:   --nx N, --ny N     another grid for a lab's part
# trace:   --out FILE.html    the page; default: results/trace_NAME.html
# trace:
# trace: The page needs no network. Exit status: 0, or 2 for bad usage or a program that does not run.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

tracing=$root/commands/trace

# part_row 02/masked | 02/2: the part's line of the table; a counter item or a number stands for its part.
part_row() { # part_row LAB_NUMBER PART
  local row number
  if row=$(grep -m 1 "^$1/$2 " "$tracing/parts"); then
    echo "$row"
    return
  fi
  number=$2
  [[ $number =~ ^[0-9]+$ ]] ||
    number=$(rubric_items "$1" | awk -F'\t' -v id="$1/$2" '$1 == id { print $3 }')
  [[ -n $number ]] || return 1
  while read -r row; do
    if rubric_items "$1" | awk -F'\t' -v id="${row%% *}" -v part="$number" '$1 == id && $3 == part { found = 1 } END { exit !found }'; then
      echo "$row"
      return
    fi
  done < <(grep "^$1/" "$tracing/parts")
  return 1
}

list_parts() { awk -v lab="$1/" 'index($1, lab) == 1 && $2 != "-" { print "  " $1 }' "$tracing/parts"; }

# Sets program, arguments, kernel and name.
trace_part() { # trace_part LAB/PART [--nx N] [--ny N]
  local lab row
  lab=$(lab_folder "${1%%/*}") || no_lab trace "${1%%/*}"
  if [[ $1 != */?* ]]; then
    echo "parts of lab ${lab%%_*} with a kernel:"
    list_parts "${lab%%_*}"
    exit
  fi
  row=$(part_row "${lab%%_*}" "${1#*/}") || die "trace: no part '$1'; ./kit trace ${lab%%_*} lists the parts"
  local part planned rest
  read -r part planned rest <<<"$row"
  [[ $planned != - ]] || die "trace: $part has no kernel: $rest"
  if [[ -z $kernel ]]; then
    kernel=$planned
  fi
  read -ra arguments <<<"$rest"
  arguments+=("${@:2}")
  program=$build/labs/$lab/${lab#*_}.sim name=${part/\//_}
  make_targets "labs_${lab}_sim" simgpu-device || die "labs/$lab does not compile yet"
}

run_traced() { # run_traced KERNEL ARGUMENT...
  local status=0
  SIMGPU_TRACE=$scratch/trace SIMGPU_TRACE_KERNEL=$1 SIMGPU_TRACE_LAUNCH=$launch SIMGPU_TRACE_BLOCK=$block \
    SIMGPU_TRACE_WARP=$warp "$program" "${@:2}" </dev/null >"$scratch/out" 2>"$scratch/err" || status=$?
  if [[ ! -s $scratch/trace ]]; then
    cat "$scratch/err" >&2
    die "trace: ${program##*/} launched no kernel (exit status $status)"
  fi
  grep -v '^simgpu-device: SIMGPU' "$scratch/err" >&2 || true
}

launched() { awk -F '\t' '$1 == "launched" { print $3 }' "$scratch/trace"; }

# The kernel that the program launched and the table of parts does not name.
other_kernel() {
  launched | grep -vxFf <(awk '!/^#/ { print $2 }' "$tracing/parts"; echo unpack_kernel) || true
}

complain_about_choice() {
  local what
  what=$(head -n 1 "$scratch/trace")
  case $what in
    launched*)
      if [[ -z $kernel ]] || launched | grep -xF -- "$kernel" >/dev/null; then
        die "trace: --launch $launch: expected at most $(awk -F '\t' -v k="$kernel" '(k == "" && NR == 1) || $3 == k { print $2 }' \
          "$scratch/trace"), the launches of ${kernel:-$(launched | head -n 1)}"
      fi
      die "trace: ${program##*/} did not launch ${kernel/#\*/the kernel of this part}; choose one with --kernel: $(launched | paste -sd ' ')"
      ;;
    outside*)
      read -r _ grid warps <<<"$what"
      die "trace: --block ${block:-0} --warp ${warp:-0}: expected a block within the grid of $grid blocks, and a warp from 0 to $((warps - 1))"
      ;;
  esac
}

parse_trace() {
  local option
  while (($#)); do
    case $1 in
      --block | --warp | --launch | --kernel | --nx | --ny | --out)
        option=$1
        [[ -n ${2-} ]] || die "trace: $option: expected a value"
        case $option in
          --block) [[ $2 =~ ^[0-9]{1,9}(,[0-9]{1,9}){0,2}$ ]] || die "trace: --block: expected X, X,Y or X,Y,Z, from 0, got '$2'" ;;
          --warp) [[ $2 =~ ^([0-9]|[12][0-9]|3[01])$ ]] || die "trace: --warp: expected 0 to 31, got '$2'" ;;
          --launch) [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die "trace: --launch: expected a number from 1, got '$2'" ;;
          --nx | --ny) [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die "trace: $option: expected a number of grid points, got '$2'" ;;
          --out) [[ $2 == *.html ]] || die "trace: --out: expected a name that ends with .html, got '$2'" ;;
        esac
        case $option in
          --nx | --ny) sizes+=("$option" "$2") ;;
          *) printf -v "${option#--}" %s "$2" ;;
        esac
        shift 2
        ;;
      *)
        take_word trace 'part or program' wanted "$1"
        shift
        # what follows a program's name belongs to the program
        if [[ ! $wanted =~ ^[0-9]{1,2}(_[a-z0-9_]+)?(/[A-Za-z0-9_]*)?$ ]]; then
          arguments=("$@")
          return
        fi
        ;;
    esac
  done
}

command_trace() {
  local wanted='' block='' warp='' launch=1 kernel='' out='' sizes=() arguments=() program name scratch=$build/trace
  parse_trace "$@"
  [[ -n $wanted ]] || die "trace: expected LAB/PART or PROGRAM; the labs are: $(lab_names)"
  if [[ $wanted =~ ^[0-9]{1,2}(_[a-z0-9_]+)?(/|$) ]]; then
    need_nvcc
    need "${compilers[@]}"
    trace_part "$wanted" "${sizes[@]}"
  else
    [[ ${#sizes[@]} -eq 0 ]] || die "trace: ${sizes[0]}: expected LAB/PART; write a program's own options after its name"
    program=$(type -P -- "$wanted") || die "trace: $wanted: expected LAB/PART or a program made by ./kit nvcc"
    name=${wanted##*/}
    build_or_die simgpu-device
  fi
  [[ -n $out ]] || { mkdir -p "$(results_parent)/results" && out=$(results_parent)/results/trace_$name.html; }
  [[ -w $(dirname "$out") && ! -d $out ]] || die "trace: --out $out: expected a file in a folder that you can write to"
  mkdir -p "$scratch"
  rm -f "$scratch/trace"
  run_traced "$kernel" "${arguments[@]}"
  if [[ $kernel == '*' && $(other_kernel | wc -l) == 1 ]]; then
    kernel=$(other_kernel)
    run_traced "$kernel" "${arguments[@]}"
  fi
  complain_about_choice
  trace_show "$out" || die "trace: $out: cannot write"
}

width() { if [[ -t 1 ]]; then tput cols 2>/dev/null || echo 80; else echo 132; fi; }

trace_awk() { LC_ALL=C awk -v columns="$(width)" -v form="$1" -f "$tracing/trace.awk" "$scratch/trace"; }

trace_show() { # trace_show FILE.html
  trace_awk text
  trace_awk json >"$scratch/json"
  awk -v data="$scratch/json" '$0 == "@TRACE@" { while ((getline line < data) > 0) print line; next } { print }' \
    "$tracing/page.html" >"$1" && printf 'wrote %s\n' "$1"
}
