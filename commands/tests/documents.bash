# Sourced by tests: finds dead links, unknown commands and missing paths in the documents under the working folder.
# shellcheck shell=bash

documents() { find . -name .git -prune -o -path ./build -prune -o -name '*.md' -print; }

dead_links() { # prints dead links
  local file link
  documents | while read -r file; do
    { grep -oE '\]\([^)#]+' "$file" || true; } | sed 's/^](//' | { grep -vE '^[a-z]+:' || true; } | while read -r link; do
      [[ -e $(dirname "$file")/$link ]] || echo "$file: $link"
    done
  done
}

unknown_commands() { # prints commands of ./kit that its help does not list
  local known
  known=$(./kit help | sed -n 's/^  \([a-z]*\) .*/\1/p')
  documents | xargs grep -oHE '\./kit (--offline )?[a-z]+' | sort -u | while IFS=: read -r file command; do
    grep -qx "${command##* }" <<<"$known" || echo "$file: $command"
  done
}

# shellcheck disable=SC2016 # backticks, not commands
missing_paths() { # missing_paths DOCUMENT: prints paths in backticks that do not exist; ignores paths with NAME
  grep -oE '`[^`]+`' "$1" | tr -d '`' | tr ' ' '\n' | grep -E '^[a-z.][^:]*/' | grep -vE 'NAME|^build/|^\./kit' | sort -u |
    while read -r path; do
      [[ -e $path ]] || echo "$1: $path"
    done
}
