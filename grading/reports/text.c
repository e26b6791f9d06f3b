#include "text.h"
#include "error.h"
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Length of the UTF-8 sequence at bytes (RFC 3629: no overlong forms, no surrogates), 0 if it is none. */
static size_t sequence_length(const unsigned char *bytes, size_t left) {
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = bytes[0] < 0x80    ? 1
                  : bytes[0] >= 0xf0 ? 4
                  : bytes[0] >= 0xe0 ? 3
                  : bytes[0] >= 0xc0 ? 2
                                     : 0;
  if (length < 2 || length > left)
    return length == 1;
  unsigned long point = bytes[0] & (0xffu >> (length + 1));
  for (size_t k = 1; k < length; k++) {
    if ((bytes[k] & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (bytes[k] & 0x3f);
  }
  bool surrogate = point >= 0xd800 && point <= 0xdfff, noncharacter = point == 0xfffe || point == 0xffff;
  bool control = point >= 0x80 && point < 0xa0;
  bool valid = point >= least[length] && point <= 0x10ffff && bytes[0] < 0xf8;
  return valid && !surrogate && !noncharacter && !control ? length : 0;
}

static bool is_text(unsigned char byte) {
  return (byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t';
}

char *text_clean(const char *bytes, size_t length, size_t limit) {
  char *text = NULL;
  size_t size, used = 0, k = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    error_die("no memory for a text of %zu bytes", length);
  while (k < length && used < limit) {
    size_t step = sequence_length((const unsigned char *)bytes + k, length - k);
    bool keep = step > 1 || (step == 1 && is_text((unsigned char)bytes[k]));
    if (used + (keep ? step : sizeof replacement - 1) > limit)
      break;
    if (bytes[k] == '\r' && k + 1 < length && bytes[k + 1] == '\n')
      ; /* the end of a line on other systems */
    else if (keep)
      used += fwrite(bytes + k, 1, step, out);
    else
      used += fwrite(replacement, 1, sizeof replacement - 1, out);
    k += keep ? step : 1;
  }
  if (k < length)
    fprintf(out, "\n[%zu more bytes]", length - k);
  if (fclose(out) != 0)
    error_die("no memory for a text of %zu bytes", length);
  return text;
}

/* Escapes > too, since text must not contain ]]>, and white space in attributes, since parsers turn it into blanks. */
void text_put_escaped(FILE *out, const char *text, bool in_attribute) {
  static const char *const entities[] = {
      ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (in_attribute && (c == '\n' || c == '\t'))
      fprintf(out, "&#%d;", c);
    else if (c < sizeof entities / sizeof entities[0] && entities[c])
      fputs(entities[c], out);
    else
      putc(c, out);
  }
}
