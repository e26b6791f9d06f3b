# Sourced by ./kit for `./kit measure`: runs a lab's measurements, keeps their files and draws their pictures.
# shellcheck shell=bash disable=SC2154 # root, build, compilers, device: set by ./kit

# shellcheck source=commands/course/course.bash
source "$root/commands/course/course.bash"

# The lines of commands/course/measurements of a lab. With WORDS, those that have this name, or else this command; an
# option --of selects further.
measurements() { # measurements 05 [WORDS...]
  awk -v lab="$1" -v wanted="${2-}" -v words=" ${*:3} " '
    $1 != lab { next }
    wanted == "" { print; next }
    $2 == wanted { named = named $0 "\n" }
    $6 == wanted { commanded = commanded $0 "\n" }
    END {
      all = named != "" ? named : commanded
      if (!match(words, / --of [a-z]+ /)) {
        printf "%s", all
        exit
      }
      of = substr(words, RSTART, RLENGTH)
      count = split(all, lines, "\n")
      for (n = 1; n < count; n++)
        if (index(lines[n] " ", of))
          print lines[n]
    }' "$course/measurements"
}

names_of() { measurements "$1" | cut -d' ' -f2 | paste -sd' '; }

shown() { printf '%s' "${1#"$PWD"/}"; } # a path in the working folder, without the folder

draw_file() { # draw_file PYTHON PICTURE[:ARGUMENT] FILE: draws FILE.png, or FILE.gif if it moves
  local picture=${2%%:*} more=()
  [[ $2 != *:* || ($2 == *.npy && ! -f ${2#*:}) ]] || more=("${2#*:}")
  if [[ $picture == animation ]]; then
    draw "$1" animation "${3%.*}.gif" "${more[@]}" "$3"
  else
    draw "$1" "$picture" "$3" "${3%.*}.png" "${more[@]}"
  fi
}

# measure FOLDER LINE OPTION...: runs a measurement with these options after its own.
measure() {
  local folder=$1 name lab file picture words target output='' python status=0
  read -r _ name lab file picture words <<<"$2"
  lab=$(lab_folder "$lab")
  read -ra words <<<"$words"
  case $file in
    csv) output=--csv ;;
    npy) output=--out ;;
    frames) output=--frames file=npy ;;
  esac
  target=$folder/$name.$file
  printf '\n$ ./kit lab %s\n' "${lab%%_*} ${words[*]}${3+ ${*:3}}"
  rm -f "$target" "$folder/$name".{png,gif}
  "$build/labs/$lab/${lab#*_}.$device" "${words[@]}" "${@:3}" ${output:+"$output" "$target"} || status=$?
  [[ $status -eq 0 || ($status -eq 3 && -f $target) ]] || return 1 # 3: a table lacks the parts that are not written yet
  [[ -n $output ]] || return 0
  if [[ $picture != - ]] && python=$(find_plot_python); then
    (cd "$folder" && draw_file "$python" "$picture" "$name.$file") || return 1
    printf 'wrote %s and %s\n' "$(shown "$target")" "$(shown "$(echo "$folder/$name".[pg][ni][gf])")"
  else
    printf 'wrote %s\n' "$(shown "$target")"
  fi
}

command_measure() {
  [[ $# -gt 0 ]] || die "measure: which lab? one of: $(lab_names)"
  local lab device=sim number folder line lines failed='' targets
  lab=$(lab_folder "$1") || die "measure: no lab '$1'; the labs are: $(lab_names)"
  number=${lab%%_*}
  shift
  if [[ ${1-} == --device ]]; then
    parse_device sim "${@:1:2}"
    shift 2
  fi
  readarray -t lines < <(measurements "$number" "$@")
  ((${#lines[@]})) || die "measure: lab $number has no measurement '$*': expected one of $(names_of "$number")"
  need_nvcc
  need "${compilers[@]}"
  want 'without Matplotlib there are tables but no pictures' matplotlib
  folder=$(results_parent)/results/$number
  mkdir -p "$folder"
  readarray -t targets < <(printf '%s\n' "${lines[@]}" | cut -d' ' -f3 | sort -u)
  for line in "${targets[@]}"; do
    make_targets "labs_$(lab_folder "$line")_$device" || die "labs/$(lab_folder "$line") does not compile yet"
  done
  for line in "${lines[@]}"; do
    measure "$folder" "$line" "${@:2}" || failed+=" $(cut -d' ' -f2 <<<"$line")"
  done
  [[ -z $failed ]] || say "measure: no result of:$failed"
  [[ -z $failed ]]
}
