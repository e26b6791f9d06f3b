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

# Terms that have another name in these documents, and claims about GPUs that are wrong.
wrong_terms() {
  local wrong="Tflop|Gauss-Seidel[^=]|row-by-row order|natural order\\b|red-black order\\b|an own\\b|gets own\\b|[0-9] of copy([^ ]| [^b]|$)"
  wrong+="|no multiple|execute an instruction together|may not return, because|undefined, often a hang|cuda/cuda-c-programming-guide"
  documents | grep -v '^./simgpu/' | xargs grep -nE "$wrong" | grep -v 'it equals the result in the natural order' || true
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

# The handouts show lines of a check of the skeleton. This prints the shown lines that disagree with the rubrics
# (points, needs) or with the parts that the suites expect of the skeletons, which the tests lab_*_skeleton check.
wrong_skeleton_lines() {
  awk -f grading/rubric/items.awk grading/rubric/*.cfg | awk '
    FILENAME ~ /CMakeLists/ {
      for (; match($0, /[0-9][0-9]\/[a-z0-9_]+=[0-9]/); $0 = substr($0, RSTART + RLENGTH)) {
        split(substr($0, RSTART, RLENGTH), pair, "=")
        part[pair[1]] = pair[2]
      }
      next
    }
    FILENAME == "-" {
      split($0, item, "\t")
      points[item[1]] = item[4]
      need[item[1]] = item[7]
      sub(/ .*/, "", need[item[1]])
      next
    }
    /Before you write anything/ { awaited = 1 }
    /^```/ { shown = awaited && !shown; awaited = awaited && shown; next }
    !shown { next }
    {
      count++
      says = points[$1] > 0 ? "failed" : "passed$"
      if (need[$1]) says = "skipped( [(]bonus[)])?: counts when " need[$1] " passes$"
      else if ($1 in part) says = "not written yet( [(]bonus[)])?: [a-z_0-9]+: TODO[(]" part[$1] "[)]$"
      if (!($1 in points) || $2 != (points[$1] > 0 ? "0/" points[$1] : "—") || $0 !~ says) print FILENAME ": " $0
    }
    END { if (count < 20) print "only " count + 0 " lines of a check of a skeleton in the handouts: expected more than 20" }' \
    grading/suites/CMakeLists.txt - labs/*/README.md
}

# ./kit measure does what the section "Measure" of a handout prints: each measurement is there, by its name in
# backticks, or by its command with its picture, and each indented command of the section is a measurement.
# Prints what disagrees.
wrong_measurements() {
  awk '
    /^[0-9][0-9] / && FILENAME ~ /measurements$/ {
      command = "./kit lab " $3
      for (n = 6; n <= NF; n++) command = command " " $n
      wanted[$1 " " command] = $5
      name[$1 " " command] = "`" $2 "`"
      sub(/:.*/, "", wanted[$1 " " command])
      next
    }
    FNR == 1 { lab = substr(FILENAME, 6, 2); within = 0 }
    FILENAME ~ /\/README\.md$/ && /^## / { within = $0 == "## Measure" }
    within { section[lab] = section[lab] $0 "\n" }
    within && /^    \.\/kit lab / && !/--device/ {
      command = substr($0, 5)
      sub(/ (--csv|--out|--frames|&&) .*/, "", command)
      if (!((lab " " command) in wanted)) print FILENAME ": not measured: " command
    }
    END {
      for (key in wanted) {
        text = section[substr(key, 1, 2)]
        gsub(/[ \n]+/, " ", text)
        if (index(text, name[key])) continue
        if (!index(text, substr(key, 4))) print "measured, but not in the handout: lab " key
        if (wanted[key] != "-" && !index(text, "./kit plot " wanted[key] " ")) print "no ./kit plot " wanted[key] " in the handout: lab " key
      }
    }' commands/course/measurements labs/*/README.md
}

# Hours of the parts in the handouts: those of the guides are the same, and they are near the rule of
# instructor/README.md: ¼, 1 or 2 hours for the idea, and one hour per 20 lines. Prints what disagrees.
wrong_hours() {
  awk '
    function hours(text) {
      gsub(/ ?half/, "0.5", text)
      gsub(/½/, ".5", text)
      gsub(/¼/, ".25", text)
      return text + 0
    }
    FNR == 1 { lab = FILENAME; gsub(/[^0-9]/, "", lab); lab = substr(lab, 1, 2) }
    FILENAME ~ /^instructor/ {
      if (/^\| [1-9] .*\| *[0-9½¼]+ \|$/) { split($0, cell, "|"); of_guide[lab "." substr($2, 1, 1)] = hours(cell[3] "") }
      next
    }
    /^## / { within = $0 == "## Parts"; part = "" }
    !within { next }
    /^[1-9]\. \*\*/ { part = lab "." substr($1, 1, 1); text = "" }
    part { text = text " " $0 }
    part && match(text, /\([^)]* hours?[^)]*\)/) {
      text = substr(text, RSTART, RLENGTH)
      rule = text ~ /hard/ ? 2 : text ~ /medium/ ? 1 : 0.25
      match(text, /[0-9]+ lines?/)
      rule += substr(text, RSTART, RLENGTH) / 20
      match(text, /(half an|[0-9½¼]+) hour/)
      stated = hours(substr(text, RSTART, RLENGTH) "")
      count++
      if (stated != of_guide[part]) print "part " part ": " stated " hours in the handout, " of_guide[part] " in the guide"
      if ((stated < rule / 1.4 || stated > 1.75 * rule) && (stated - rule) ^ 2 > 0.49)
        print "part " part ": " stated " hours, where the rule of instructor/README.md gives " rule
      part = ""
    }
    END { if (count < 30) print count + 0 " parts with hours in the handouts: expected more than 30" }' \
    instructor/labs/0*.md labs/*/README.md
}
