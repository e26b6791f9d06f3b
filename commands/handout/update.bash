# Sourced by ./kit for `./kit update`: brings a student's copy to a newer version. .kit/manifest lists the files of the
# kit; all others are the student's. New files are staged first, then moved into place one by one. The manifest comes
# last, so an interrupted update can be run again.
# shellcheck shell=bash disable=SC2154 # root, build, offline: set by ./kit

manifest=.kit/manifest
staged=$root/.kit/staged

declare -A old_sum new_sum own_sum # path: SHA-256 in the old manifest, in the new one, of the file in this copy

manifest_value() { sed -n "s/^# $2 //p" "$1"; } # manifest_value FILE version|commit|time|source

edition() { # edition MANIFEST: prints the version and date, for messages
  local time
  time=$(manifest_value "$1" time)
  printf '%s of %s (commit %.10s)' "$(manifest_value "$1" version)" "$(date -u -d "@$time" +%F)" "$(manifest_value "$1" commit)"
}

# The sources of a newer copy. Each function sets source to a folder.

unpack_source() { # unpack_source ARCHIVE
  local format
  case $1 in
    *.zip)
      need cmake # it unpacks the file
      (cd "$work" && cmake -E tar xf "$1") >/dev/null 2>&1 || format='.zip file'
      ;;
    *) tar -xzf "$1" -C "$work" 2>/dev/null || format='.tar.gz file' ;;
  esac
  [[ -z ${format-} ]] || die "update: $1: cannot unpack it: expected a complete $format"
}

clone_source() { # clone_source URL
  has git || die "update: git not found, which $1 needs: install git, or download an archive of the copy and give that as SOURCE"
  [[ -z $offline || -d $1 ]] || die "update: $1: downloads are off (--offline)"
  local said
  said=$(GIT_TERMINAL_PROMPT=0 git clone --quiet --depth 1 -- "$1" "$work/clone" 2>&1) ||
    die "update: $1: cannot clone it: $(tail -n 1 <<<"$said"); is it a git repository, and is there a network?"
}

find_source() { # find_source SOURCE
  local found
  if [[ -f $1/$manifest ]]; then
    source=$(realpath "$1")
    return
  fi
  case $1 in
    *.tar.gz | *.tgz | *.zip)
      [[ -f $1 ]] || die "update: $1: no such file"
      unpack_source "$(realpath "$1")"
      ;;
    *)
      [[ -d $1 || $1 == *:* ]] || die "update: $1: expected a folder, a .tar.gz or .zip file, or a git repository"
      [[ ! -d $1 || -e $1/.git || -f $1/HEAD ]] || die "update: $1: expected a copy made by ./kit handout: it has no $manifest"
      clone_source "$1"
      ;;
  esac
  # an archive may contain the copy as a single folder
  found=$(find "$work" -maxdepth 4 -path "*/$manifest" | head -n 1)
  [[ -n $found ]] || die "update: $1: expected a copy made by ./kit handout: it has no $manifest"
  source=${found%/"$manifest"}
}

read_sums() { # read_sums ARRAY MANIFEST
  local -n sums=$1
  local line
  while IFS= read -r line; do
    [[ $line != \#* ]] || continue
    [[ $line =~ ^([0-9a-f]{64})\ [\ *]([A-Za-z0-9_.][^\\]*)$ && /${BASH_REMATCH[2]}/ != */../* && /${BASH_REMATCH[2]}/ != */.git/* ]] ||
      die "update: $2: '$line': expected a SHA-256 sum and a path in the copy"
    # shellcheck disable=SC2034,SC2004 # a reference to the caller's associative array
    sums[${BASH_REMATCH[2]}]=${BASH_REMATCH[1]}
  done <"$2"
}

# Refuses a copy that is incomplete or was changed after ./kit handout made it.
verify_source() { # verify_source SOURCE
  local path bad
  read_sums new_sum "$source/$manifest"
  [[ -n ${new_sum[kit]-} && -n $(manifest_value "$source/$manifest" time) ]] ||
    die "update: $1: its $manifest is incomplete: expected one made by ./kit handout"
  for path in "${!new_sum[@]}"; do
    [[ -f $source/$path && ! -L $source/$path ]] || die "update: $1: $path is missing: expected all files that its $manifest names"
  done
  bad=$(cd "$source" && LC_ALL=C sha256sum --check --quiet --strict "$manifest" 2>/dev/null | head -n 1) || true
  [[ -z $bad ]] || die "update: $1: ${bad%: FAILED*} does not match its $manifest: expected an unchanged copy made by ./kit handout"
}

refuse_older() { # refuse_older SOURCE FORCE
  local ours=$root/$manifest theirs=$source/$manifest versions
  versions=$(printf '%s\n' "$(manifest_value "$ours" version)" "$(manifest_value "$theirs" version)" | sort -CV && echo fine)
  [[ -n $2 || ($versions == fine && $(manifest_value "$theirs" time) -ge $(manifest_value "$ours" time)) ]] ||
    die "update: $1 is older, $(edition "$theirs"), than this copy, $(edition "$ours"): use --force to update anyway"
}

# Reads the sums of the files in this copy, and refuses when a folder or a file blocks a new one.
look_at_copy() {
  local path sum folder
  for path in "${!new_sum[@]}"; do
    folder=$root/$path
    [[ ! -d $folder ]] || die "update: $path is a folder: expected a file; move it away"
    while [[ $folder != "$root" ]]; do
      folder=${folder%/*}
      [[ ! -e $folder || -d $folder ]] || die "update: ${folder#"$root"/} is a file: expected a folder; move it away"
    done
  done
  while read -r sum path; do
    own_sum[$path]=$sum
  done < <(cd "$root" && printf '%s\0' "${!new_sum[@]}" "${!old_sum[@]}" | sort -zu | xargs -0 sha256sum -- 2>/dev/null)
}

die_unchanged() { die "update: cannot write to $root/.kit: nothing was changed"; }

# Stages all new files before anything changes. They get the current date, so that the next build sees them.
stage() {
  local path
  rm -rf "$staged"
  for path in "${!new_sum[@]}"; do
    [[ ${own_sum[$path]-} != "${new_sum[$path]}" ]] || continue
    { mkdir -p "$staged/$(dirname "$path")" && cp --preserve=mode "$source/$path" "$staged/$path"; } 2>/dev/null || die_unchanged
  done
  { mkdir -p "$staged" && cp "$source/$manifest" "$staged/.manifest"; } 2>/dev/null || die_unchanged
  # keep the source of updates if the new copy names none
  if [[ -z $(manifest_value "$staged/.manifest" source) && -n $(manifest_value "$root/$manifest" source) ]]; then
    sed -i "1a # source $(manifest_value "$root/$manifest" source)" "$staged/.manifest"
  fi
}

is_student_work() { [[ $1 == labs/*/*.cu ]]; }

changed_by_student() { # a file in this copy that differs from the kit's old and new versions
  [[ -n ${own_sum[$1]-} && ${own_sum[$1]} != "${old_sum[$1]-}" && ${own_sum[$1]} != "${new_sum[$1]-}" ]]
}

keep_as() { # keep_as FILE NAME: copies it, and backs up an older file of that name
  cmp -s "$1" "$2" || cp -p --backup=numbered -T "$1" "$2"
}

put_in_place() { # put_in_place PATH: moves the staged file
  local path=$1 target=$root/$1
  if changed_by_student "$path" && is_student_work "$path"; then
    [[ ${new_sum[$path]} != "${old_sum[$path]-}" ]] || return 0 # the skeleton has not changed
    keep_as "$staged/$path" "$target.new"
    notes+=("$path: your file stays; the new skeleton is $path.new: diff -u $path $path.new")
    return
  fi
  if changed_by_student "$path"; then
    keep_as "$target" "$target.yours"
    notes+=("$path: you changed this file of the kit; your version is now $path.yours")
  fi
  mkdir -p "$(dirname "$target")"
  mv -f "$staged/$path" "$target"
  [[ $path != kit ]] || chmod +x "$target"
  if [[ -n ${own_sum[$path]-} ]]; then replaced=$((replaced + 1)); else added=$((added + 1)); fi
}

remove_vanished() {
  local path
  for path in "${!old_sum[@]}"; do
    [[ -z ${new_sum[$path]-} && -n ${own_sum[$path]-} ]] || continue
    if changed_by_student "$path"; then
      notes+=("$path: no longer in the kit, but you changed it, so it stays")
    else
      rm -f "$root/$path"
      (cd "$root" && rmdir -p --ignore-fail-on-non-empty "$(dirname "$path")" 2>/dev/null) || true
      removed=$((removed + 1))
    fi
  done
}

apply() {
  local path notes=() replaced=0 added=0 removed=0 before
  before=$(edition "$root/$manifest")
  while read -r path; do
    put_in_place "$path"
  done < <(cd "$staged" && find . -type f ! -path ./.manifest -printf '%P\n' | sort)
  remove_vanished
  mv -f "$staged/.manifest" "$root/$manifest"
  rm -f "$build/kit.configured" # there may be a new lab
  rm -rf "$staged"
  printf 'from  %s\nto    %s\nfiles: %d replaced, %d new, %d removed\n' "$before" "$(edition "$root/$manifest")" \
    "$replaced" "$added" "$removed"
  ((!${#notes[@]})) || printf '%s\n' "${notes[@]}" | sort
}

command_update() {
  local wanted='' force='' work source
  while (($#)); do
    case $1 in
      --force) force=1 ;;
      *) take_word update SOURCE wanted "$1" ;;
    esac
    shift
  done
  [[ -f $root/$manifest ]] || die "update: $root has no $manifest: expected a copy made by ./kit handout"
  wanted=${wanted:-$(manifest_value "$root/$manifest" source)}
  [[ -n $wanted ]] || die 'update: which newer copy? Expected ./kit update SOURCE: a folder, a .tar.gz or .zip file, or a git repository; this copy names none itself'
  [[ -w $root/.kit && -w $root ]] || die "update: $root is not writable"
  work=$(mktemp -d)
  # shellcheck disable=SC2064 # work is local
  trap "$(printf 'rm -rf %q %q' "$work" "$staged")" EXIT
  read_sums old_sum "$root/$manifest"
  find_source "$wanted"
  verify_source "$wanted"
  refuse_older "$wanted" "$force"
  look_at_copy
  stage
  apply
}
