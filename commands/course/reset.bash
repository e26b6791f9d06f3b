# Sourced by ./kit for `./kit reset`: restores the skeleton of a lab or of one of its parts.
# shellcheck shell=bash disable=SC2154 # root, students_labs: set by ./kit

# shellcheck source=commands/course/course.bash
source "$root/commands/course/course.bash"

# Writes the skeleton: the file that ./kit handout stored in a student's copy, or that of the last commit.
write_skeleton() { # write_skeleton LAB NAME TARGET
  local stored=$root/.kit/skeletons/$1/$2
  if [[ -f $stored ]]; then
    cat "$stored" >"$3"
  else
    [[ ! -e $root/.kit/manifest && -e $root/.git ]] && has git && git -C "$root" show "HEAD:labs/$1/$2" >"$3" 2>/dev/null
  fi
}

# A name for the present text that no file has.
kept_name() { # kept_name FILE
  local name=$1.before-reset n=1
  while [[ -e $name ]]; do
    n=$((n + 1))
    name=$1.before-reset-$n
  done
  echo "$name"
}

command_reset() {
  [[ $# -eq 1 ]] || die "reset: expected one LAB or LAB/PART, got '$*'"
  local lab part='' file work said kept
  lab=$(lab_folder "${1%%/*}") || die "reset: no lab '${1%%/*}'; the labs are: $(lab_names)"
  [[ $1 != */* ]] || part=$(part_of_item "${lab%%_*}" "${1#*/}")
  [[ $1 != */* || $part =~ ^[0-9]+$ ]] || die "reset: no part '${1#*/}' in lab ${lab%%_*}: expected an item such as $(item_names "$lab" | sed "s|^|${lab%%_*}/|; q"), or the number of a TODO"
  file=$students_labs/$lab/${lab#*_}.cu
  work=$(mktemp -d)
  # shellcheck disable=SC2064 # work is local
  trap "$(printf 'rm -rf %q' "$work")" EXIT
  write_skeleton "$lab" "${file##*/}" "$work/skeleton" ||
    die "reset: this copy has no skeleton of labs/$lab/${file##*/}: take the file from the place that your copy came from"
  [[ -f $file ]] || part='' # nothing to keep
  if [[ -n $part ]]; then
    said=$(awk -v part="$part" -f "$course/blocks.awk" -f "$course/reset.awk" "$work/skeleton" "$file" 2>&1 >"$work/new") || die "reset: labs/$lab/${file##*/}: $said"
  else
    mv "$work/skeleton" "$work/new"
  fi
  if cmp -s "$work/new" "$file"; then
    echo "labs/$lab/${file##*/}: nothing to reset"
    return
  fi
  if [[ -f $file ]]; then
    kept=$(kept_name "$file")
    cp -p "$file" "$kept" || die "reset: cannot write $kept: nothing was changed"
    echo "your text is now $(shown_lab "$kept")"
  fi
  cat "$work/new" >"$file" || die "reset: cannot write $file"
  echo "restored ${part:+part $part of }$(shown_lab "$file")"
}

shown_lab() { printf '%s' "${1#"$root/"}"; }
