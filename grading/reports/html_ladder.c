/* The ladders: each rung's fraction of the bandwidth of a copy, beside the reference's. A result may come from
 * anybody, so nothing here trusts a type or a number. */
#include "html_ladder.h"
#include "html_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 400 }; /* of a rung's bars, which are stretched to their cell */

/* 0 if there is none, and limited to a plausible value. */
static double fraction(const json_t *rung, const char *key) {
  return fmin(fmax(json_number_value(json_object_get(rung, key)), 0), 999);
}

static bool is_told(const json_t *rung) { return json_is_string(json_object_get(rung, "message")); }

/* The fraction that the whole width represents: at least a copy. */
static double scale_of(const json_t *rungs) {
  double most = 1;
  size_t n;
  json_t *rung;
  json_array_foreach((json_t *)rungs, n, rung)
    most = fmax(most, fmax(fraction(rung, "of_copy"), fraction(rung, "reference")));
  return 1.05 * most;
}

static json_t *number(double value, const char *otherwise) {
  return value > 0 ? html_text("%.2f", value) : json_string(otherwise);
}

/* The bars in words. */
static json_t *title(double reached, double reference) {
  char text[96] = "this submission: no value";
  if (reached > 0)
    snprintf(text, sizeof text, "this submission %.2f", reached);
  if (reference > 0)
    snprintf(text + strlen(text), sizeof text - strlen(text), ", the reference %.2f", reference);
  return html_text("%s of copy bandwidth", text);
}

/* The submission's bar is filled, the reference's is an outline; a dashed line through all rungs marks a copy. */
static json_t *rung_members(const json_t *rung, double scale) {
  const char *lab = json_string_value(json_object_get(rung, "lab"));
  const double reached = fraction(rung, "of_copy"), reference = fraction(rung, "reference");
  return json_pack("{s:o, s:o, s:o, s:o, s:o?, s:o, s:o, s:o, s:o}", "rung", html_text_of(rung, "rung"),
                   "lab", html_text("%02ld", lab ? strtol(lab, NULL, 10) : 0), "title",
                   title(reached, reference), "width", html_text("%.1f", WIDTH * reached / scale),
                   "reference_width", reference > 0 ? html_text("%.1f", WIDTH * reference / scale) : NULL,
                   "copy", html_text("%.1f", WIDTH / scale), "message", html_text_of(rung, "message"),
                   "submission", number(reached, is_told(rung) ? "not yet" : "–"), "reference",
                   number(reference, "–"));
}

static json_t *ladder_members(const json_t *ladder) {
  const char *clock = json_string_value(json_object_get(ladder, "clock"));
  const bool measured = clock && strcmp(clock, "GPU") == 0;
  const json_t *rungs = json_object_get(ladder, "rungs");
  json_t *list = json_array(), *rung;
  size_t n;
  json_array_foreach((json_t *)rungs, n, rung)
    json_array_append_new(list, rung_members(rung, scale_of(rungs)));
  return json_pack("{s:o, s:s, s:o, s:s, s:o}", "work", html_text_of(ladder, "work"), "clock",
                   measured ? "measured" : "model", "bytes",
                   html_text("%.4g", fmin(json_number_value(json_object_get(ladder, "bytes")), 1e6)), "times",
                   measured ? "times measured on a GPU by the grader's clock"
                            : "modelled times of an NVIDIA H200, not measured",
                   "rungs", list);
}

json_t *html_ladder_list(const struct report *report) {
  json_t *list, *ladder;
  size_t n;
  if (json_array_size(report->ladders) == 0)
    return NULL;
  list = json_array();
  json_array_foreach((json_t *)report->ladders, n, ladder)
    json_array_append_new(list, ladder_members(ladder));
  return json_pack("{s:o}", "list", list);
}
