#include "ladder.h"
#include "result.h"

#include <math.h>
#include <string.h>

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

static json_t *find(const json_t *list, const char *key, const char *value) {
  size_t n;
  json_t *one;
  json_array_foreach((json_t *)list, n, one) {
    if (strcmp(text(one, key), value) == 0)
      return one;
  }
  return NULL;
}

/* The rungs of the work; creates the ladder if it is missing. */
static json_t *rungs_of(json_t *ladders, const struct rubric_item *item, const char *clock) {
  json_t *ladder = find(ladders, "work", item->work);
  if (!ladder) {
    ladder =
        json_pack("{s:s, s:f, s:s, s:[]}", "work", item->work, "bytes", item->bytes, "clock", clock, "rungs");
    json_array_append_new(ladders, ladder);
  }
  return json_object_get(ladder, "rungs");
}

static json_t *fraction(double value) { return json_real(floor(1e4 * value + 0.5) / 1e4); }

/* The fraction that it reaches, or the reason why it is unknown. */
static json_t *rung_json(const struct rubric_item *item, const char *lab, double of_copy, double reference,
                         const char *message) {
  json_t *rung = json_pack("{s:s, s:s}", "rung", item->title, "lab", lab);
  if (of_copy > 0 && isfinite(of_copy))
    json_object_set_new(rung, "of_copy", fraction(of_copy));
  else if (message[0])
    json_object_set_new(rung, "message", result_string(message));
  if (reference > 0 && isfinite(reference))
    json_object_set_new(rung, "reference", fraction(reference));
  return rung;
}

/* The lab shows the compiler's message, so a rung does not repeat it. */
static const char *message_of(const json_t *judged) {
  const char *verdict = result_verdict(judged);
  return verdict && strcmp(verdict, "COMPILE") == 0 ? "it does not compile" : text(judged, "message");
}

/* The result that gives the rung's height by the model: its own or its counter item's. NULL: there is none. */
static const json_t *judged_item(const struct judge_lab *labs, int count, const struct installation_lab *lab,
                                 const struct rubric_item *rung) {
  const struct rubric_item *item = rung->counter ? rubric_find(&lab->rubric, rung->counter) : rung;
  for (int n = 0; n < count; n++)
    if (labs[n].lab == lab)
      return labs[n].items[item - lab->rubric.items];
  return NULL;
}

static bool is_modelled(const struct rubric_item *item) { return item->kind == RUBRIC_RUNG && item->counter; }

json_t *ladder_modelled(const struct installation *kit, const struct judge_lab *labs, int count) {
  json_t *ladders = json_array();
  for (int n = 0; n < count; n++)
    for (int k = 0; k < labs[n].lab->rubric.count; k++)
      if (is_modelled(&labs[n].lab->rubric.items[k]) &&
          judged_item(&labs[n], 1, labs[n].lab, &labs[n].lab->rubric.items[k]))
        rungs_of(ladders, &labs[n].lab->rubric.items[k], "model");
  for (int n = 0; n < kit->count; n++)
    for (int k = 0; k < kit->labs[n].rubric.count; k++) {
      const struct rubric_item *item = &kit->labs[n].rubric.items[k];
      const json_t *judged = judged_item(labs, count, &kit->labs[n], item);
      if (is_modelled(item) && find(ladders, "work", item->work))
        json_array_append_new(rungs_of(ladders, item, "model"),
                              rung_json(item, kit->labs[n].name, number(judged, "measured"), item->reference,
                                        message_of(judged)));
    }
  return ladders;
}

/* An untrusted time is not shown. */
static bool is_trusted(const json_t *timed) {
  const char *verdict = result_verdict(timed);
  return strcmp(verdict, "PASS") == 0 || strcmp(verdict, "WRONG") == 0;
}

json_t *ladder_measured(const struct installation *kit, const json_t *labs) {
  json_t *ladders = json_array();
  for (int n = 0; n < kit->count; n++)
    for (int k = 0; k < kit->labs[n].rubric.count; k++) {
      const struct rubric *rubric = &kit->labs[n].rubric;
      const struct rubric_item *rung = &rubric->items[k];
      const struct rubric_item *time = rung->time ? rubric_find(rubric, rung->time) : NULL;
      const json_t *lab = find(labs, "lab", kit->labs[n].name);
      const json_t *timed = time ? find(json_object_get(lab, "items"), "id", time->id) : NULL;
      if (!timed)
        continue;
      const json_t *ms = json_object_get(timed, "milliseconds");
      const double copy = number(ms, "copy") * rung->bytes / time->bytes;
      json_array_append_new(rungs_of(ladders, rung, "GPU"),
                            rung_json(rung, kit->labs[n].name,
                                      is_trusted(timed) ? copy / number(ms, "submission") : 0,
                                      copy / number(ms, "reference"), message_of(timed)));
    }
  return ladders;
}

json_t *ladder_either(json_t *ladders, const json_t *others) {
  size_t n;
  json_t *other;
  json_array_foreach((json_t *)others, n, other) {
    if (!find(ladders, "work", text(other, "work")))
      json_array_append(ladders, other);
  }
  return ladders;
}

void ladder_keep(json_t *result, json_t *ladders) {
  if (json_array_size(ladders) > 0)
    json_object_set(result, "ladders", ladders);
  json_decref(ladders);
}
