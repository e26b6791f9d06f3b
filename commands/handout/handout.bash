# Sourced by ./kit for `./kit handout`: makes the students' copy from a commit. commands/handout/files lists its files.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

list=commands/handout/files
manifest=.kit/manifest

parse_handout() { # parse_handout ARGUMENT...: sets folder, commit and publish
  local wanted=HEAD
  folder='' publish=''
  while (($#)); do
    case $1 in
      --from | --publish)
        [[ -n ${2-} ]] || die "handout: $1: expected $([[ $1 == --from ]] && echo 'a commit' || echo 'a URL or a path')"
        if [[ $1 == --from ]]; then wanted=$2; else publish=$2; fi
        shift
        ;;
      *) take_word handout 'new folder' folder "$1" ;;
    esac
    shift
  done
  expect_new handout "$folder"
  commit=$(commit_of handout "$wanted") || exit
}

kit_git() { git -C "$root" "$@"; }

# The list, without comments, as pathspecs.
listed() { grep -v -e '^#' -e '^ *$' "$kit/$list"; }

# Names of the commit's files that match the list. Only git can interpret a pathspec.
files_of_commit() {
  GIT_INDEX_FILE=$work/index kit_git read-tree "$commit"
  local specs
  readarray -t specs < <(listed)
  GIT_INDEX_FILE=$work/index GIT_GLOB_PATHSPECS=1 kit_git ls-files -- "${specs[@]}"
}

# Every line of the list must match something, and every lab that the build names must exist.
refuse_missing() {
  local spec lab
  while read -r spec; do
    [[ $spec == :!* ]] || GIT_INDEX_FILE=$work/index GIT_GLOB_PATHSPECS=1 \
      kit_git ls-files --error-unmatch -- "$spec" >/dev/null 2>&1 ||
      die "handout: commit ${commit:0:10} has no $spec, which $list names: add it to git and commit, or remove it from the list"
  done < <(listed)
  while read -r lab; do
    [[ -d $kit/labs/$lab ]] ||
      die "handout: commit ${commit:0:10} has no labs/$lab, which labs/CMakeLists.txt names: add it to git and commit"
  done < <(sed -n 's/^add_lab(\([^ ]*\) .*/\1/p' "$kit/labs/CMakeLists.txt")
}

# A written part would reach the students as part of the skeleton.
refuse_written() {
  local file said solution
  while read -r file; do
    solution=$kit/solutions/${file#labs/}
    [[ -f $solution ]] || solution=$kit/$file
    said=$(awk -f "$kit/commands/course/blocks.awk" -f "$kit/commands/handout/skeleton.awk" "$kit/$file" "$solution") ||
      die "handout: $file of commit ${commit:0:10} is not a skeleton: $said; --from COMMIT takes another commit"
  done < <(grep '^labs/[0-9].*\.cu$' "$work/files")
}

warn_of_changes() {
  local specs changed
  readarray -t specs < <(listed)
  changed=$({
    GIT_GLOB_PATHSPECS=1 kit_git diff --name-only "$commit" -- "${specs[@]}" "$list"
    GIT_GLOB_PATHSPECS=1 kit_git ls-files --others --exclude-standard -- "${specs[@]}"
    kit_git ls-files --others --exclude-standard -- labs
  } | sort -u | paste -sd' ')
  [[ -z $changed ]] || say "copied from commit ${commit:0:10}; your working tree differs in: $changed"
}

# The README of the copy must not name a lab that students get later.
write_readme() {
  local lab
  mv "$copy/commands/handout/student_README.md" "$copy/README.md"
  for lab in $(withheld_labs); do
    sed -i "/^| \[$lab\]/d" "$copy/README.md"
  done
}

# The comments that check the numbers of a page hold answers, and a terminal shows them.
remove_checks() {
  local page
  while read -r page; do
    awk '/^ *<!-- check/ { inside = 1 } !inside { print } /-->/ { inside = 0 }' "$page" >"$work/page"
    cat "$work/page" >"$page"
  done < <(find "$copy/labs" -name '*.md')
}

withheld_labs() { comm -23 <(labs_of "$kit") <(labs_of "$copy"); }

labs_of() { (cd "$1/labs" && printf '%s\n' [0-9]*_*); }

items() { awk -f "$root/grading/rubric/items.awk" "$1"/grading/rubric/*.cfg | wc -l; } # items TREE: of its rubrics

# Looks for answers in other files: kernels, text, tests of hidden items. Sets checked.
refuse_leaks() {
  local nvcc status=0
  checked='not checked: nvcc or solutions not found'
  [[ -d $kit/solutions ]] && nvcc=$(find_nvcc) || return 0
  "$kit/commands/handout/leaks.bash" "$copy" "$nvcc" >&2 || status=$?
  ((status != 1)) || die 'handout: the copy would contain the answers above; no copy was made'
  ((status == 0)) || die 'handout: cannot check whether the copy contains answers; no copy was made'
  checked='none found in the copy'
}

# Keeps the labs' files as they are for ./kit reset. A copy need not be a git repository.
store_skeletons() {
  local file
  while read -r file; do
    mkdir -p "$copy/.kit/skeletons/$(basename "$(dirname "$file")")"
    cp "$copy/$file" "$copy/.kit/skeletons/${file#labs/}"
  done < <(grep '^labs/[0-9][^/]*/[^/]*\.cu$' "$work/files")
}

# Writes the file that ./kit update reads: input for sha256sum --check, with the version in its comments.
write_manifest() {
  mkdir -p "$copy/${manifest%/*}"
  (
    cd "$copy" || exit
    printf '# The files of the kit: ./kit update replaces these files and no others.\n'
    printf '# version %s\n# commit %s\n# time %s\n' "$(version_of "$copy")" "$commit" "$(kit_git show -s --format=%ct "$commit")"
    [[ -z $publish ]] || printf '# source %s\n' "$publish"
    find . -type f ! -path "./$manifest" -printf '%P\0' | sort -z | xargs -0 sha256sum --
  ) >"$work/manifest"
  mv "$work/manifest" "$copy/$manifest"
}

version_of() { sed -n 's/^project(checkerboard VERSION \([0-9.]*\).*/\1/p' "$1/CMakeLists.txt"; }

report_handout() {
  local withheld
  withheld=$(withheld_labs | paste -sd' ')
  cat <<EOT
Made $folder from commit ${commit:0:10}, version $(version_of "$copy"): $(find "$copy" -type f | wc -l) files.
  labs          $(labs_of "$copy" | paste -sd' ')${withheld:+; left out: $withheld}
  hidden items  $(($(items "$kit") - $(items "$copy"))) left out
  answers       $checked
Next:
  cd $folder && ./kit check 01                 # the first thing that a student sees
  git init && git add . && git commit -m "Checkerboard $(version_of "$copy")"
  Push it, or pack the folder into an archive. Students update with: ./kit update ${publish:-URL}
EOT
}

command_handout() {
  local folder publish commit work kit copy checked
  parse_handout "$@"
  work_beside handout "$folder"
  kit=$work/kit copy=$work/copy
  mkdir "$kit" "$copy"
  kit_git archive "$commit" | tar -x -C "$kit"
  [[ -f $kit/$list ]] || die "handout: commit ${commit:0:10} has no $list, the list of files for students"
  files_of_commit >"$work/files"
  refuse_missing
  refuse_written
  tar -c -C "$kit" --files-from="$work/files" | tar -x -C "$copy"
  write_readme
  remove_checks
  "$kit/commands/handout/hide.bash" "$copy" || exit 2
  refuse_leaks
  store_skeletons
  write_manifest
  warn_of_changes
  report_handout >"$work/report"
  mv -T "$copy" "$folder"
  cat "$work/report"
}
