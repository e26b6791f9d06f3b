/* A bar for a measured value. */
#include "html_measure.h"
#include "html_text.h"

#include <math.h>
#include <stdlib.h>

static double place(double value, double least, double most) {
  return 10 + 340 * fmin(fmax((value - least) / (most - least), 0), 1);
}

static char *value_text(const struct report_item *line) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    error_die("no memory for a report");
  standing_put_change(stream, line->previous, line->measured);
  if (line->has_limits)
    standing_put_measure(stream, line->measured, line->unit, line->none_at, line->full_at);
  else
    fprintf(stream, "%.4g %s", line->measured, line->unit);
  if (line->formula[0])
    fprintf(stream, " (%s)", line->formula);
  if (fclose(stream) != 0)
    error_die("no memory for a report");
  return text;
}

static json_t *bar_members(const struct report_item *line) {
  static const char *const ends[] = {"no points", "full marks"};
  const double none = line->none_at, full = line->full_at, at = line->measured;
  const bool rising = full > none;
  if (!line->has_limits || !(fabs(full - none) > 0) || !isfinite(full - none))
    return NULL;
  const double slack = 0.15 * fabs(full - none);
  const double least = fmin(fmin(none, full), at) - slack, most = fmax(fmax(none, full), at) + slack;
  return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "none_at", html_text("%.4g", none),
                   "full_at", html_text("%.4g", full), "measured", html_text("%.4g", at), "unit", line->unit,
                   "none", html_text("%.1f", place(none, least, most)), "full",
                   html_text("%.1f", place(full, least, most)), "edge", rising ? "350.0" : "10.0", "mark",
                   html_text("%.1f", place(at, least, most)), "left",
                   html_text("%s at %.4g", ends[!rising], fmin(none, full)), "right",
                   html_text("%s at %.4g", ends[rising], fmax(none, full)));
}

json_t *html_measure(const struct report_item *line) {
  if (!line->has_measured || !isfinite(line->measured))
    return NULL;
  char *text = value_text(line);
  json_t *measure = json_pack("{s:s, s:o?}", "value", text, "bar", bar_members(line));
  free(text);
  return measure;
}
