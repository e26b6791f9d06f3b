# Checks the colours of a page: awk -f contrast.awk -v inks='ink soft' -v grounds='paper card' PAGE prints each text
# colour whose contrast with a ground is below 4.5, as WCAG 2.2 computes it, for each :root block with colours.

function light(hex,    i, part, sum) {
  if (length(hex) == 3) gsub(/./, "&&", hex)
  for (i = 1; i <= 3; i++) {
    part = (16 * index(digits, substr(hex, 2 * i - 1, 1)) + index(digits, substr(hex, 2 * i, 1)) - 17) / 255
    sum += weight[i] * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ^ 2.4)
  }
  return sum + 0.05
}

function check(    i, k, ink, ground, ratio) {
  for (i = 1; i <= number_of_inks; i++)
    for (k = 1; k <= number_of_grounds; k++) {
      if (!(names[i] in colour) || !(backs[k] in colour)) {
        print FILENAME ":" FNR ": no colour " names[i] " or " backs[k]
        continue
      }
      ink = light(colour[names[i]])
      ground = light(colour[backs[k]])
      ratio = ink > ground ? ink / ground : ground / ink
      if (ratio < 4.5)
        printf "%s:%d: %s on %s has a contrast of %.2f: expected at least 4.5\n", FILENAME, FNR, names[i], backs[k], ratio
    }
}

BEGIN {
  digits = "0123456789abcdef"
  split("0.2126 0.7152 0.0722", weight, " ")
  number_of_inks = split(inks, names, " ")
  number_of_grounds = split(grounds, backs, " ")
}
/:root \{/ { inside = 1 }
inside {
  line = $0
  while (match(line, /--[a-z-]+: #[0-9a-f]+/)) {
    split(substr(line, RSTART + 2, RLENGTH - 2), pair, ": #")
    colour[pair[1]] = pair[2]
    line = substr(line, RSTART + RLENGTH)
  }
}
inside && /}/ { check(); blocks++; inside = 0 }
END { if (!blocks) print FILENAME ": no block of colours" }
