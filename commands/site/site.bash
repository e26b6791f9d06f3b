# Sourced by ./kit for `./kit site`: makes the static site of the project from its documents. ./kit site --help prints
# the lines below that begin with "site:".
#
# site: DIR is site, unless you name another new folder. index.html is the front page. There are pages for the labs, the
# site: theory, the simulated GPU and the documents of docs, a trace that one can step through, reports of a right, a
# site: wrong and a slow submission of lab 01, and the book as a tagged PDF. The search needs no network. No page has a
# site: solution: the reports leave the submissions' lines out. None loads anything from elsewhere.
# site:
# site:   --no-samples  without the trace and the reports, which need the CUDA compiler, and without the book
# site:
# site: It needs pandoc, and Chromium for the book. Exit status: 1 if a link is dead.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

# shellcheck source=commands/book/book.bash
source "$root/commands/book/book.bash"

parse_site() { # parse_site ARGUMENT...: sets folder and samples
  folder='' samples=1
  while (($#)); do
    case $1 in
      --no-samples) samples='' ;;
      *) take_word site 'new folder' folder "$1" ;;
    esac
    shift
  done
  folder=$(realpath -m "${folder:-$root/site}")
  expect_new site "$folder"
}

# The pages in their order: GROUP|PATH|TITLE.
site_pages() {
  local lab number
  printf '%s\n' 'Start|README.md|Checkerboard' 'Start|docs/cuda_programs.md|Your own program' 'Start|docs/action.md|In GitHub Actions' 'Start|docs/install.md|What a machine needs' \
    'Start|docs/arm64.md|The kit on arm64' 'Start|docs/ladder.md|The ladder, measured' 'Start|docs/comparison.md|What else there is' 'Start|instructor/ADOPT.md|Adopt it in a course'
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

site_samples() { # PATH|TITLE
  printf '%s\n' 'samples/trace.html|Trace of a warp' 'samples/right.html|Report: right' 'samples/wrong.html|Report: wrong' \
    'samples/slow.html|Report: slow' 'checkerboard.pdf|The book as PDF'
}

# The list of pages, for a page that is so many folders down.
site_list() { # site_list UP PATH
  local group path title last='' samples=''
  while IFS='|' read -r group path title; do
    [[ $group == "$last" ]] || printf '%s<p>%s</p><ul>\n' "${last:+</ul>}" "$group"
    last=$group
    printf '<li><a href="%s%s"%s>%s</a></li>\n' "$1" "$(file_of_page "$path")" "$([[ $path != "$2" ]] || echo ' aria-current="page"')" "$title"
  done <"$work/pages"
  while IFS='|' read -r path title; do
    [[ ! -f $out/$path ]] || samples+=$(printf '<li><a href="%s%s">%s</a></li>' "$1" "$path" "$title")
  done < <(site_samples)
  [[ -z $samples ]] || printf '</ul><p>Samples</p><ul>%s' "$samples"
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

# make_report NAME [MUTANT]: the report of lab 01's solution, or of a mutant of it, without its lines
make_report() {
  local solution=solutions/01_stencil/stencil.cu file=$work/$1.cu
  if (($# == 1)); then
    cp "$solution" "$file"
  else
    "$build/grading/mutants/splice" "$solution" "grading/mutants/01_stencil/$2.cu" "$file"
  fi
  "$build/grading/grade" --lab 01 --seed 1 --out "$work/$1" "$file" >"$work/said" ||
    die "site: the report $1 was not made: $(tail -n 1 "$work/said")"
  sed 's#<td><code>.*</code></td></tr>$#<td class="soft">a line of the submission, left out here</td></tr>#' "$work/$1/report.html" \
    >"$out/samples/$1.html"
}

make_samples() {
  # shellcheck disable=SC2034 # with_tests: for build.bash, and splice
  local with_tests=1
  build_or_die grading splice
  mkdir "$out/samples"
  make_report right
  make_report wrong factor_forgotten
  make_report slow lanes_down_a_column
  { "$root/kit" nvcc "$root/commands/site/sample.cu" -o "$work/sample" && "$root/kit" trace --out "$out/samples/trace.html" "$work/sample"; } \
    >"$work/said" || die "site: the trace of the sample was not made: $(tail -n 1 "$work/said")"
}

make_book() {
  local browser
  if browser=$(find_browser); then
    make_html "$work/book.html" && make_pdf "$work/book.html" "$out/checkerboard.pdf"
  else
    say "without Chromium the site has no PDF of the book; run: $(install_command chromium)"
  fi
}

command_site() {
  local folder samples pandoc version work out path title status=0 group
  parse_site "$@"
  need_pandoc
  if [[ -n $samples ]]; then
    need_nvcc
    need "${compilers[@]}" pkg-config check jansson libconfig nettle
  fi
  version=$(command_version | cut -d ' ' -f 2)
  work_beside site "$folder"
  out=$work/site
  mkdir -p "$out/docs"
  cd "$root" || exit
  site_pages >"$work/pages"
  [[ -z $samples ]] || { make_samples && make_book; }
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
