#include "judge_submission.h"
#include "judge_lab.h"
#include "pool.h"
#include "result.h"
#include "timing.h"

/* What the processes of the labs share. */
struct work {
  const struct installation *kit;
  const struct submission *submission;
  const char *const *names;
  int count, places[INSTALLATION_LABS]; /* of the labs to grade, in the installation */
};

static json_t *grade_lab(int n, void *context) {
  const struct work *work = context;
  const int place = work->places[n];
  return judge_lab(work->kit, &work->kit->labs[place], work->submission->texts[place],
                   work->submission->sizes[place], work->names);
}

json_t *judge_submission(const struct installation *kit, const struct submission *submission,
                         const struct judge_order *order) {
  const double start = timing_now();
  json_t *results[INSTALLATION_LABS] = {NULL}, *labs = json_array();
  struct work work = {.kit = kit, .submission = submission, .names = order->names};
  bool complete = true;
  for (int n = 0; n < kit->count; n++)
    if ((!order->only || order->only == &kit->labs[n]) && (order->missing || submission->texts[n]))
      work.places[work.count++] = n;
  pool_run(work.count, order->jobs, grade_lab, &work, results);
  for (int n = 0; n < work.count; n++) {
    complete &= results[n] != NULL;
    if (results[n])
      json_array_append_new(labs, results[n]);
  }
  if (complete)
    return result_whole(submission, kit->version, labs, timing_now() - start);
  json_decref(labs);
  return result_infra(submission, kit->version, "a process of the grader did not end as it should");
}
