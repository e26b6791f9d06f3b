# awk -v wanted=PART -v level=N -v lab=01 -f hint.awk HINTS.md: prints the N-th hint for a part, given by number or
# name; without PART, lists the parts. A part is a heading "## 2 · apply_naive", and a hint is one of its <details>.
# Exit status 2: no such part or hint.

/^## [0-9]+ / {
  part = $2
  heading = substr($0, 4)
  hints = open = 0
  parts = parts "\n  " heading
  here = wanted != "" && (wanted == part || (wanted !~ /^[0-9]+$/ && index(heading, wanted)))
  if (here && !found) {
    found = part
    text = "Lab " lab ", part " heading "\n"
  }
  next
}

found != part || found == "" { next }

/<summary>/ {
  hints++
  title = $0
  gsub(/.*<summary>|<\/summary>.*/, "", title)
  open = hints == level
  if (open)
    text = text "\nHint " level ": " title "\n"
  next
}

/<\/details>/ { open = 0 }

open { text = text $0 "\n" }

hints > 0 { most = hints }

END {
  if (wanted == "") {
    print "Parts of lab " lab "; ./kit hint " lab " PART opens the first hint:" parts
    exit
  }
  if (!found) {
    gsub(/\n  /, "; ", parts)
    print "kit: hint: no part '" wanted "' in lab " lab "; the parts are:" substr(parts, 2) >"/dev/stderr"
    exit 2
  }
  if (level < 1 || level > most) {
    print "kit: hint: no hint " level " for part " found " of lab " lab "; it has " most + 0 " hints" >"/dev/stderr"
    exit 2
  }
  printf "%s", text
  if (level < most)
    printf "More: ./kit hint %s %s %d\n", lab, found, level + 1
}
