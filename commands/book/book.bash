# Sourced by ./kit for `./kit book`: makes one HTML or PDF file of the students' documents.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

parse_book() { # parse_book ARGUMENT...: sets format and file
  format=html file=''
  while (($#)); do
    case $1 in
      --pdf) format=pdf ;;
      *) take_word book file file "$1" ;;
    esac
    shift
  done
  file=${file:-$root/book/checkerboard.$format}
  [[ $file == /* ]] || file=$PWD/$file
  [[ $file == *.$format ]] || die "book: $file: expected a name that ends in .$format"
  [[ ! -d $file ]] || die "book: $file is a folder: expected a file"
}

oldest_pandoc=2.17 # the first whose filters can write MathML

need_pandoc() { # sets pandoc
  find_pandoc >/dev/null || need pandoc
  pandoc=$(find_pandoc)
  local version
  version=$(first_line "$pandoc" --version)
  if [[ ! $version =~ ^pandoc[^\ ]*\ ([0-9]+)\.([0-9]+) ]] || ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] < 2017)); then
    die "book: $pandoc is '$version', and the book needs pandoc $oldest_pandoc or newer; run: python3 -m pip install pypandoc_binary"
  fi
}

# The documents in their order, as book.lua reads them. In a student's copy, the README is the students' own.
book_documents() {
  local readme=commands/handout/student_README.md lab page
  [[ -f $readme ]] || readme=README.md
  echo "$readme|page|The kit"
  [[ ! -f labs/CUDA.md ]] || echo 'labs/CUDA.md|page|'
  [[ ! -f labs/CXX.md ]] || echo 'labs/CXX.md|page|'
  for lab in labs/[0-9]*_*; do
    [[ ! -f $lab/README.md ]] || echo "$lab/README.md|$((10#$(tr -dc 0-9 <<<"${lab%%_*}")))|"
    [[ ! -f $lab/THEORY.md ]] || echo "$lab/THEORY.md|theory|"
    [[ ! -f $lab/MORE.md ]] || echo "$lab/MORE.md|more|"
  done
  for page in labs/*.md; do
    [[ $page =~ ^labs/(CUDA|CXX|GLOSSARY).md$ ]] || echo "$page|page|"
  done
  [[ ! -f labs/GLOSSARY.md ]] || echo 'labs/GLOSSARY.md|page|'
}

make_html() { # make_html FILE: status 1 if a link leads nowhere
  KIT_BOOK=$(book_documents) "$pandoc" --quiet --from markdown --to html5 --mathml --toc --toc-depth=3 --wrap=none \
    --metadata title=Checkerboard --metadata "subtitle=Handouts and theory of the labs, version $(command_version | cut -d " " -f 2)" \
    --template "$root/commands/book/book.html" --lua-filter "$root/commands/book/book.lua" --output "$1" /dev/null 2>"$1.faults" ||
    die "book: pandoc fails: $(tail -n 1 "$1.faults")"
  ! grep . "$1.faults" >&2
}

make_pdf() { # make_pdf HTML FILE
  local options=(--headless --disable-gpu --no-pdf-header-footer --generate-pdf-document-outline)
  ((EUID != 0)) || options+=(--no-sandbox) # it refuses root, and the page is the kit's own
  "$browser" "${options[@]}" --user-data-dir="$work/browser" --print-to-pdf="$2" "file://$1" >"$work/said" 2>&1 || true
  [[ -s $2 ]] || die "book: $browser makes no PDF: $(tail -n 1 "$work/said")"
}

command_book() {
  local format file pandoc status=0 browser=''
  parse_book "$@"
  need_pandoc
  [[ $format == html ]] || browser=$(find_browser) ||
    die "book: --pdf needs Chromium or Chrome; run: $(install_command chromium), or make the HTML file and print it in a browser"
  mkdir -p "$(dirname "$file")" || die "book: cannot make the folder of $file"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$root" || exit
  make_html "$work/book.html" || status=1
  if [[ $format == pdf ]]; then
    make_pdf "$work/book.html" "$work/book.pdf"
  fi
  mv "$work/book.$format" "$file" || die "book: cannot write $file"
  echo "wrote $file"
  return "$status"
}
