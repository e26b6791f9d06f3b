/* Classroom 50's result.json, schema classroom50/result/v1:
 * https://github.com/foundation50/classroom50/wiki/Advanced-Autograding#the-resultjson-contract
 *
 * Scores are whole numbers, at most max-score: a bonus has a test, but no score. A result without tests counts as
 * passed, so after INFRA no file may be written, and the autograder must exit with a status other than 0. The runner's
 * environment identifies the submission; the runner adds owner and time itself. */
#include "allocate.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>

struct share {
  const struct report_item *item;
  long score, max_score;
  double remainder; /* lost by rounding down */
};

static size_t count_items(const struct report *report) {
  size_t count = 0;
  for (size_t i = 0; i < report->lab_count; i++)
    count += report->labs[i].item_count;
  return count;
}

/* Maxima that add up to the rounded total, the same for every submission. */
static void share_maxima(struct share *shares, size_t count) {
  double sum = 0;
  long given = 0;
  for (size_t k = 0; k < count; k++) {
    sum += shares[k].item->bonus ? 0 : shares[k].item->max_points;
    shares[k].max_score = lround(sum) - given;
    given += shares[k].max_score;
  }
}

/* Largest remainder: round points down, then give the rest of the rounded total to the items that lost
 * most. An item below its points never gets its maximum. */
static void share_scores(struct share *shares, size_t count) {
  double sum = 0;
  long given = 0;
  for (size_t k = 0; k < count; k++) {
    const struct report_item *item = shares[k].item;
    double exact = item->max_points > 0 && !item->bonus
                       ? item->points / item->max_points * (double)shares[k].max_score
                       : 0;
    shares[k].score = exact > 0 ? (long)floor(fmin(exact, (double)shares[k].max_score) + 1e-9) : 0;
    shares[k].remainder = exact - (double)shares[k].score;
    sum += exact;
    given += shares[k].score;
  }
  for (long left = lround(sum) - given; left > 0; left--) {
    struct share *most = NULL;
    for (size_t k = 0; k < count; k++)
      if (shares[k].remainder > 1e-9 && shares[k].score + 1 < shares[k].max_score &&
          (!most || shares[k].remainder > most->remainder))
        most = &shares[k];
    if (!most)
      return;
    most->score++;
    most->remainder = 0;
  }
}

static json_t *share_test(const struct share *share) {
  const struct report_item *item = share->item;
  return json_pack("{s:o, s:b, s:I, s:I, s:s, s:s}", "test-name",
                   json_sprintf("%s: %s%s", item->id, item->title, item->bonus ? " (bonus)" : ""), "passed",
                   item->status == REPORT_PASSED, "score", (json_int_t)share->score, "max-score",
                   (json_int_t)share->max_score, "verdict", item->verdict, "output", item->text);
}

static void add_identity(json_t *root) {
  static const char *const fields[][2] = {{"classroom", "CLASSROOM"},       {"assignment", "ASSIGNMENT"},
                                          {"submission", "SUBMISSION_TAG"}, {"commit", "COMMIT_URL"},
                                          {"release", "RELEASE_URL"},       {"review", "REVIEW_URL"}};
  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
    if (getenv(fields[k][1]))
      json_object_set_new(root, fields[k][0], json_string(getenv(fields[k][1])));
}

bool report_classroom50(const struct report *report, FILE *out) {
  size_t count = count_items(report), k = 0;
  struct share *shares = allocate_zeroed(count, sizeof *shares);
  for (size_t i = 0; i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].item_count; j++)
      shares[k++].item = &report->labs[i].items[j];
  share_maxima(shares, count);
  share_scores(shares, count);
  json_t *tests = json_array();
  json_int_t score = 0, max_score = 0;
  for (k = 0; k < count; k++) {
    score += shares[k].score;
    max_score += shares[k].max_score;
    json_array_append_new(tests, share_test(&shares[k]));
  }
  free(shares);
  json_t *root = json_pack("{s:s}", "schema", "classroom50/result/v1");
  add_identity(root);
  json_object_update_new(root, json_pack("{s:I, s:I, s:o, s:o}", "score", score, "max-score", max_score,
                                         "tests", tests, "checkerboard", report_provenance(report)));
  return report_dump(root, out, JSON_INDENT(1));
}
