#include "outcomes.h"
#include "output.h"

#include <string.h>

/* Length in bytes of the UTF-8 character at text, or 0 if it is invalid: Unicode 15, table 3-7. */
static int utf8_length(const unsigned char *text) {
  const unsigned char c = text[0], next = c ? text[1] : 0;
  const int length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) || (c == 0xf0 && next < 0x90) ||
      (c == 0xf4 && next > 0x8f))
    return 0;
  for (int n = 1; n < length; n++)
    if ((text[n] & 0xc0) != 0x80)
      return 0;
  return length;
}

void outcomes_put_string(FILE *stream, const char *text) {
  putc('"', stream);
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    const int length = utf8_length(at);
    if (*at == '"' || *at == '\\')
      fprintf(stream, "\\%c", *at);
    else if (*at == '\n')
      fputs("\\n", stream);
    else if (length == 0 || *at < 0x20 || *at == 0x7f)
      putc('?', stream);
    else
      fwrite(at, 1, (size_t)length, stream);
    at += length ? length : 1;
  }
  putc('"', stream);
}

static void put_outcome(FILE *stream, const struct outcome *outcome) {
  fputs("{\"name\": ", stream);
  outcomes_put_string(stream, outcome->name);
  fputs(", \"verdict\": ", stream);
  outcomes_put_string(stream, outcome->verdict);
  fputs(", \"message\": ", stream);
  outcomes_put_string(stream, outcome->message);
  if (outcome->printed[0]) {
    fputs(", \"printed\": ", stream);
    outcomes_put_string(stream, outcome->printed);
  }
  fputs(", \"remarks\": [", stream);
  if (outcome->remark[0])
    outcomes_put_string(stream, outcome->remark);
  putc(']', stream);
  if (outcome->shown[0]) {
    fputs(", \"shown\": ", stream);
    outcomes_put_string(stream, outcome->shown);
  }
  if (outcome->counted[0]) {
    fprintf(stream, ", \"per\": %.17g, \"counted\": ", outcome->per);
    outcomes_put_string(stream, outcome->counted);
  }
  putc('}', stream);
}

void outcomes_write(const char *path, const char *suite, int count, const struct outcome *outcomes) {
  struct output out;
  struct error error;
  if (!output_open(&out, path, &error))
    error_die("--outcomes %s", error.text);
  fputs("{\"suite\": ", out.stream);
  outcomes_put_string(out.stream, suite);
  fputs(", \"tests\": [", out.stream);
  for (int n = 0; n < count; n++) {
    fputs(n ? ",\n  " : "\n  ", out.stream);
    put_outcome(out.stream, &outcomes[n]);
  }
  fputs("\n]}\n", out.stream);
  if (!output_commit(&out, &error))
    error_die("--outcomes %s", error.text);
}
