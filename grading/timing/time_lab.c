#include "time_lab.h"
#include "allocate.h"
#include "result.h"
#include "time_session.h"
#include "unwritten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { REQUEST_SECONDS = 60, MESSAGE_MAX = 512 };

/* The programs of a measurement: ours, and the submission. */
enum { COPIER, REFERENCE, SUBMISSION, ROLES };
static const char *const role_names[ROLES] = {"gpu_copy", "the reference", "the submission"};

/* --- results --- */

static double value_at(const void *array, size_t size, size_t n) {
  return size == sizeof(float) ? (double)((const float *)array)[n] : ((const double *)array)[n];
}

double time_difference(size_t count, size_t size, const void *a, const void *b) {
  double apart = 0, whole = 0;
  if (memcmp(a, b, count * size) == 0)
    return 0;
  for (size_t n = 0; n < count; n++) {
    const double x = value_at(a, size, n), y = value_at(b, size, n);
    apart += (x - y) * (x - y);
    whole += y * y;
  }
  return sqrt(apart / whole);
}

/* --- a run --- */

/* One measurement under way. */
struct contest {
  const struct rubric_item *item;
  struct session sessions[ROLES];
  size_t points;
  int copies;
  void *results[ROLES];
  struct time_outcome *outcome;
};

static struct session open_session(const char *program, const char *const *options, const struct jail *jail) {
  const char *words[RUBRIC_WORDS + 2] = {program, "serve"};
  for (int n = 0; (words[n + 2] = options[n]); n++)
    ;
  return session_open(words, jail);
}

/* The copier copies arrays of the result's size, often enough to move as many bytes as the work must move. */
static struct contest open_contest(const struct installation *kit, const struct installation_lab *lab,
                                   const char *program, const struct jail *jail,
                                   const struct rubric_item *item, struct time_outcome *outcome) {
  struct contest c = {.item = item, .points = (size_t)item->per, .outcome = outcome};
  const size_t bytes = c.points * item->element_size;
  const double megabytes = fmax(1, ceil((double)bytes / (1 << 20)));
  char size[32];
  snprintf(size, sizeof size, "%.0f", megabytes);
  c.copies = (int)ceil(item->bytes * item->per * item->count / (2 * megabytes * (1 << 20)));
  outcome->run.copied = 2 * megabytes * (1 << 20) * c.copies;
  c.sessions[COPIER] = open_session(kit->gpu_copy, (const char *const[]){"--megabytes", size, NULL}, NULL);
  c.sessions[REFERENCE] = open_session(lab->reference, item->run, NULL);
  c.sessions[SUBMISSION] = open_session(program, item->run, jail);
  for (int role = REFERENCE; role < ROLES; role++)
    c.results[role] = allocate_zeroed(bytes, 1);
  c.results[COPIER] = allocate_zeroed(1, 1);
  return c;
}

/* False, with verdict and message, when there is no answer. */
static bool ask(struct contest *c, int role, uint64_t seed, int count, double *seconds) {
  const size_t bytes = role == COPIER ? 1 : c->points * c->item->element_size;
  struct time_outcome *o = c->outcome;
  char how[MESSAGE_MAX];
  const enum session_status status =
      session_request(&c->sessions[role], seed, count, c->results[role], bytes, REQUEST_SECONDS, seconds);
  if (status == SESSION_ANSWERED)
    return true;
  const struct program_result ended = session_close(&c->sessions[role]);
  c->sessions[role].process.supervisor = 0;
  program_describe(&ended, how, sizeof how);
  const char *told = strstr(ended.message, ": TODO(");
  if (role != SUBMISSION)
    o->verdict = "INFRA";
  else if (status == SESSION_TIMED_OUT)
    o->verdict = "TIMEOUT";
  else if (status == SESSION_UNREQUESTED)
    o->verdict = "OUTPUT";
  else if (ended.status == UNWRITTEN_STATUS)
    o->verdict = "UNWRITTEN";
  else
    o->verdict =
        ended.status == 0 || ended.report.end == SUPERVISOR_WALL ? "OUTPUT" : program_verdict(&ended);
  if (status == SESSION_TIMED_OUT)
    snprintf(how, sizeof how, "no result within %d s", REQUEST_SECONDS);
  else if (status == SESSION_UNREQUESTED)
    snprintf(how, sizeof how, "it wrote to standard output without a request");
  else if (ended.status == UNWRITTEN_STATUS && told)
    snprintf(how, sizeof how, "%.*s", (int)strcspn(told + 2, "\n"), told + 2);
  snprintf(o->message, sizeof o->message, "%s: %s", role_names[role], how);
  return false;
}

static bool same_result(struct contest *c, uint64_t seed) {
  struct time_outcome *o = c->outcome;
  const double apart =
      time_difference(c->points, c->item->element_size, c->results[SUBMISSION], c->results[REFERENCE]);
  o->difference = fmax(o->difference, apart);
  if (apart <= c->item->within)
    return true;
  o->verdict = "WRONG";
  snprintf(
      o->message, sizeof o->message,
      "the result of a timed run (%d sweeps or iterations, seed %llu) differs from the reference's by %.2g "
      "in the relative 2-norm: expected at most %.2g",
      c->item->count, (unsigned long long)seed, apart, c->item->within);
  return false;
}

/* Both get the same input, which is new to both. */
static bool alternate(struct contest *c, struct time_sample *sample) {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed / 2, 0) < 0)
    error_die("cannot draw a random number");
  return ask(c, COPIER, seed, c->copies, &sample->copy) && ask(c, REFERENCE, seed, 0, &sample->overhead) &&
         ask(c, REFERENCE, seed, c->item->count, &sample->reference) &&
         ask(c, SUBMISSION, seed, c->item->count, &sample->submission) && same_result(c, seed);
}

static void close_contest(struct contest *c) {
  for (int role = 0; role < ROLES; role++) /* in parallel, since CUDA programs end slowly */
    if (c->sessions[role].process.supervisor)
      session_end(&c->sessions[role]);
  for (int role = 0; role < ROLES; role++) {
    if (c->sessions[role].process.supervisor) {
      const struct program_result ended = session_close(&c->sessions[role]);
      if (role == SUBMISSION)
        c->outcome->device_ms = session_device_ms(&ended);
    }
    free(c->results[role]);
  }
}

void time_measure(const struct installation *kit, const struct installation_lab *lab, const char *program,
                  const struct jail *jail, const struct rubric_item *item, double peak,
                  struct time_outcome *outcome) {
  struct time_sample warm_up;
  memset(outcome, 0, sizeof *outcome);
  outcome->verdict = "";
  outcome->device_ms = NAN;
  struct contest c = open_contest(kit, lab, program, jail, item, outcome);
  bool fine = alternate(&c, &warm_up);
  while (fine && time_is_open(item, &outcome->run, peak))
    fine = alternate(&c, &outcome->run.samples[outcome->run.count++]);
  close_contest(&c);
}

/* --- items --- */

static const char *const formulas[] = {
    [TIME_REFERENCE] = "(time of the reference − overhead) / (time − overhead), medians",
    [TIME_COPY] = "fewest bytes / (time − overhead) / bandwidth of a copy, medians"};
static const char *const units[] = {
    [TIME_REFERENCE] = "of the reference's speed", [TIME_COPY] = "of copy bandwidth"};

static json_t *milliseconds(const struct rubric_item *item, const struct time_outcome *o) {
  const struct time_figures f = time_figures_of(item, &o->run);
  const double each = 1e3 / item->count;
  json_t *ms =
      json_pack("{s:f, s:f, s:f, s:f}", "submission", each * f.submission, "reference", each * f.reference,
                "overhead", 1e3 * f.overhead, "copy", 1e3 * item->bytes * item->per / f.copy_rate);
  if (isfinite(o->device_ms))
    json_object_set_new(ms, "events", json_real(o->device_ms / item->count));
  return ms;
}

static void explain(const struct rubric_item *item, const struct time_outcome *o, enum time_verdict verdict,
                    char *text, size_t size) {
  const struct time_figures f = time_figures_of(item, &o->run);
  text[0] = '\0';
  if (verdict == TIME_INCONCLUSIVE && !(f.noise <= item->noise))
    snprintf(
        text, size,
        "the machine is too noisy: the times of the trusted programs vary by %.0f %%: expected at most %.0f %%: run again",
        100 * f.noise, 100 * item->noise);
  else if (verdict == TIME_INCONCLUSIVE)
    snprintf(
        text, size,
        "the times of the trusted programs vary by %.2g %%, too much to distinguish this from %g: run again",
        100 * f.noise, item->full_at);
  if (verdict == TIME_SUSPECT)
    snprintf(
        text, size,
        "%.4g ms per sweep or iteration: memory cannot move the bytes that fast: no points until a person has checked it",
        1e3 * f.submission / item->count);
  if (verdict == TIME_WRONG)
    snprintf(text, size, "%.4g ms per sweep or iteration, the reference %.4g ms",
             1e3 * f.submission / item->count, 1e3 * f.reference / item->count);
}

static json_t *item_of(const struct rubric_item *item, const struct time_outcome *o, double peak) {
  char message[256];
  if (o->verdict[0])
    return result_item(item, o->verdict, o->message);
  const enum time_verdict verdict = time_judge(item, &o->run, peak);
  const double value = time_value(item, &o->run);
  explain(item, o, verdict, message, sizeof message);
  json_t *json = result_item(item, time_verdicts[verdict], message);
  if (isfinite(value))
    result_measure(json, item, value, units[item->against], formulas[item->against]);
  json_object_set_new(json, "points", json_real(time_points(item, verdict, value)));
  if (verdict != TIME_WRONG)
    json_object_del(json, "hint"); /* the student cannot correct it */
  json_object_set_new(json, "noise", json_real(fmin(time_figures_of(item, &o->run).noise, 1e6)));
  json_object_set_new(json, "milliseconds", milliseconds(item, o));
  return json;
}

json_t *time_item(const struct installation *kit, const struct installation_lab *lab, const char *program,
                  const struct jail *jail, const struct rubric_item *item, double peak) {
  struct time_outcome *outcome = allocate_zeroed(1, sizeof *outcome);
  time_measure(kit, lab, program, jail, item, peak, outcome);
  json_t *json = item_of(item, outcome, peak);
  free(outcome);
  return json;
}
