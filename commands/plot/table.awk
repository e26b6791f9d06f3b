# Functions for tables on a terminal. Run awk with LC_ALL=C: they count bytes.

function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "–" }

function or_dash(text) { return text == "" ? "–" : text }

# Right-aligned; continuation bytes of UTF-8 take no column.
function pad(text, width,    seen) {
  seen = text
  gsub(/[\200-\277]/, "", seen)
  return sprintf("%" (width - length(seen)) "s%s", "", text)
}
