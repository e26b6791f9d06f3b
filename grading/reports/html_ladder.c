/* The ladders: what each rung's kernel reaches of the bandwidth of a copy, beside the reference's. A result
 * may be anybody's, so nothing here trusts a type or a number. */
#include "html.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 400, HEIGHT = 24 }; /* of a rung's bars, which are stretched to their cell */

/* 0 where there is none; no larger than anybody would believe. */
static double fraction(const json_t *rung, const char *key) {
  return fmin(fmax(json_number_value(json_object_get(rung, key)), 0), 999);
}

static bool is_told(const json_t *rung) { return json_is_string(json_object_get(rung, "message")); }

/* What the whole width stands for: a copy at least. */
static double scale_of(const json_t *rungs) {
  double most = 1;
  size_t n;
  json_t *rung;
  json_array_foreach((json_t *)rungs, n, rung) most =
      fmax(most, fmax(fraction(rung, "of_copy"), fraction(rung, "reference")));
  return 1.05 * most;
}

/* The submission's bar is filled, the reference's an outline, a copy a dashed line through all rungs. */
static void put_bars(FILE *out, const json_t *rung, double scale) {
  const double reached = fraction(rung, "of_copy"), reference = fraction(rung, "reference");
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\"><title>", WIDTH, HEIGHT);
  html_put_member(out, rung, "rung");
  fputs(reached > 0 ? ": this submission " : ": this submission has none", out);
  if (reached > 0)
    fprintf(out, "%.2f", reached);
  if (reference > 0)
    fprintf(out, ", the reference %.2f", reference);
  fputs(" of copy bandwidth</title>", out);
  fprintf(out, "<rect y=\"3\" width=\"%.1f\" height=\"10\" fill=\"var(--mark)\"/>", WIDTH * reached / scale);
  if (reference > 0)
    fprintf(out,
            "<rect y=\"15.5\" width=\"%.1f\" height=\"5\" fill=\"none\" stroke=\"var(--soft)\" "
            "vector-effect=\"non-scaling-stroke\"/>",
            WIDTH * reference / scale);
  fprintf(out,
          "<path d=\"M%.1f 0V%d\" stroke=\"var(--ink)\" stroke-dasharray=\"3 3\" "
          "vector-effect=\"non-scaling-stroke\"/></svg>",
          WIDTH / scale, HEIGHT);
}

static void put_number(FILE *out, double value, const char *otherwise) {
  fputs("<td class=\"number\">", out);
  if (value > 0)
    fprintf(out, "%.2f", value);
  else
    fputs(otherwise, out);
  fputs("</td>", out);
}

static void put_rung(FILE *out, const json_t *rung, double scale) {
  const char *lab = json_string_value(json_object_get(rung, "lab"));
  fputs("<tr><th scope=\"row\">", out);
  html_put_member(out, rung, "rung");
  fprintf(out, " <span class=\"soft\">lab %02ld", lab ? strtol(lab, NULL, 10) : 0);
  fputs("</span></th><td class=\"bar\">", out);
  put_bars(out, rung, scale);
  if (is_told(rung)) {
    fputs("<p class=\"soft\">", out);
    html_put_member(out, rung, "message");
    fputs("</p>", out);
  }
  fputs("</td>", out);
  put_number(out, fraction(rung, "of_copy"), is_told(rung) ? "not yet" : "–");
  put_number(out, fraction(rung, "reference"), "–");
  fputs("</tr>\n", out);
}

static void put_ladder(FILE *out, const json_t *ladder) {
  const char *clock = json_string_value(json_object_get(ladder, "clock"));
  const bool measured = clock && strcmp(clock, "GPU") == 0;
  const json_t *rungs = json_object_get(ladder, "rungs");
  const double bytes = json_number_value(json_object_get(ladder, "bytes"));
  size_t n;
  json_t *rung;
  fputs("<h3>The ladder: ", out);
  html_put_member(out, ladder, "work");
  fprintf(out, " <span class=\"clock\">%s</span></h3>\n<p class=\"soft\">%.4g bytes a point; %s</p>\n",
          measured ? "measured" : "model", fmin(bytes, 1e6),
          measured ? "times measured on a GPU, by the grader's clock"
                   : "times of the model of an NVIDIA H200, not measured");
  fputs("<table class=\"ladder\">\n<thead><tr><th scope=\"col\">rung</th><th scope=\"col\">of copy</th>"
        "<th scope=\"col\" class=\"number\">submission</th><th scope=\"col\" class=\"number\">reference</th>"
        "</tr></thead>\n<tbody>\n",
        out);
  json_array_foreach((json_t *)rungs, n, rung) put_rung(out, rung, scale_of(rungs));
  fputs("</tbody>\n</table>\n", out);
}

void html_put_ladders(FILE *out, const struct report *report) {
  size_t n;
  json_t *ladder;
  json_array_foreach((json_t *)report->ladders, n, ladder) put_ladder(out, ladder);
  if (n > 0)
    fputs("<p class=\"soft\">Of copy: the fewest bytes that the work must move, over the time of a rung's "
          "kernels, as a "
          "fraction of the bandwidth of a copy. Filled bars: this submission. Outlined bars: the reference. "
          "Dashed "
          "line: as fast as a copy. –: no figure, as for labs that were not graded here.</p>\n",
          out);
}
