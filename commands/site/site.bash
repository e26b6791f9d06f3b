# Sourced by ./kit for `./kit site`: makes the static site of the project from its documents. ./kit site --help prints the lines
# below that begin with "site:".
#
# site: DIR is site, unless you name another new folder. index.html is the front page. There are pages for the labs, the theory,
# site: the simulated GPU and the documents of docs, and a trace that one can step through. The search needs no network. No page
# site: has a solution, and none loads anything from elsewhere.
# site:
# site:   --no-samples  without the trace, which needs the CUDA compiler
# site:
# site: It needs pandoc. Exit status: 1 if a link is dead.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

# shellcheck source=commands/book/book.bash
source "$root/commands/book/book.bash"

parse_site() { # parse_site ARGUMENT...: sets folder and samples
  folder='' samples=1
  while (($#)); do
    case $1 in
      --no-samples) samples='' ;;
      -*) die "site: unknown option '$1'; see ./kit site --help" ;;
      *)
        [[ -z $folder ]] || die "site: expected one new folder, got '$folder' and '$1'"
        folder=$1
        ;;
    esac
    shift
  done
  folder=$(realpath -m "${folder:-$root/site}")
  [[ ! -e $folder ]] || die "site: $folder exists: expected a new folder"
}

# The pages in their order: GROUP|PATH|TITLE.
site_pages() {
  local lab number
  printf '%s\n' 'Start|README.md|Checkerboard' 'Start|docs/cuda_programs.md|Your own program' 'Start|docs/install.md|What a machine needs' \
    'Start|docs/ladder.md|The ladder, measured' 'Start|docs/comparison.md|What else there is' 'Start|instructor/ADOPT.md|Adopt it in a course'
  for lab in labs/[0-9]*_*; do
    number=${lab#labs/} number=${number%%_*}
    printf '%s\n' "Labs|$lab/README.md|Lab $number" "Labs|$lab/THEORY.md|Theory of lab $number"
    [[ ! -f $lab/MORE.md ]] || echo "Labs|$lab/MORE.md|More on lab $number"
  done
  printf '%s\n' 'Labs|labs/CUDA.md|CUDA in this kit' 'Labs|labs/GPU.md|A real GPU' 'Labs|labs/GLOSSARY.md|Glossary' \
    'Simulated GPU|simgpu/README.md|The simulated GPU'
  for page in execution counters checks model toolkit runtime instructions matrices native; do
    echo "Simulated GPU|simgpu/docs/$page.md|${page^}"
  done
  printf '%s\n' 'Project|CONTRIBUTING.md|Contribute' 'Project|CHANGELOG.md|Changes' 'Project|docs/releases.md|Releases' \
    'Project|SECURITY.md|Security' 'Project|CODE_OF_CONDUCT.md|Code of conduct'
}

file_of_page() { if [[ $1 == README.md ]]; then echo index.html; else echo "${1%.md}.html"; fi; }

# The list of pages, for a page that is so many folders down.
site_list() { # site_list UP PATH
  local group path title last=''
  while IFS='|' read -r group path title; do
    [[ $group == "$last" ]] || printf '%s<p>%s</p><ul>\n' "${last:+</ul>}" "$group"
    last=$group
    printf '<li><a href="%s%s"%s>%s</a></li>\n' "$1" "$(file_of_page "$path")" "$([[ $path != "$2" ]] || echo ' aria-current="page"')" "$title"
  done <"$work/pages"
  [[ ! -d $out/samples ]] || printf '</ul><p>Samples</p><ul><li><a href="%ssamples/trace.html">Trace of a warp</a></li>' "$1"
  echo '</ul>'
}

make_page() { # make_page PATH TITLE
  local file up
  file=$(file_of_page "$1")
  up=$(sed 's#[^/]*$##; s#[^/]*/#../#g' <<<"$file")
  mkdir -p "$(dirname "$out/$file")"
  KIT_BOOK=$(cut -d '|' -f 2 "$work/pages" | sed 's/$/|page|/') KIT_SITE_PAGE=$1 "$pandoc" --quiet --from markdown --to html5 --mathml --toc \
    --toc-depth=3 --wrap=none --metadata "title=$2" --variable "site=Checkerboard $version" --variable "pages=$(site_list "$up" "$1")" \
    --variable "up=$up" --template "$root/commands/book/book.html" --lua-filter "$root/commands/book/book.lua" \
    --output "$out/$file" /dev/null 2>"$work/faults" || die "site: $1: pandoc fails: $(tail -n 1 "$work/faults")"
  ! grep . "$work/faults" >&2
}

# No report of a lab is among them: it would show a part of a solution.
make_samples() {
  mkdir "$out/samples"
  { "$root/kit" nvcc "$root/commands/site/sample.cu" -o "$work/sample" && "$root/kit" trace --out "$out/samples/trace.html" "$work/sample"; } \
    >"$work/said" || die "site: the trace of the sample was not made: $(tail -n 1 "$work/said")"
}

command_site() {
  local folder samples pandoc version work out path title status=0 group
  parse_site "$@"
  need_pandoc
  if [[ -n $samples ]]; then
    need_nvcc
    need "${compilers[@]}" pkg-config
  fi
  version=$(command_version | cut -d ' ' -f 2)
  mkdir -p "$(dirname "$folder")" || die "site: cannot make the folder of $folder"
  work=$(mktemp -d)
  # shellcheck disable=SC2064 # work is local
  trap "$(printf 'rm -rf %q' "$work")" EXIT
  out=$work/site
  mkdir -p "$out/docs"
  cd "$root" || exit
  site_pages >"$work/pages"
  [[ -z $samples ]] || make_samples
  cp -r docs/figures "$out/docs"
  while IFS='|' read -r group path title; do
    make_page "$path" "$title" || status=1
  done <"$work/pages"
  (cd "$out" && cut -d '|' -f 2 "$work/pages" | while read -r path; do file_of_page "$path"; done | xargs awk -f "$root/commands/site/search.awk") \
    >"$out/search.js"
  mv -T "$out" "$folder"
  echo "wrote $folder/index.html"
  return "$status"
}
