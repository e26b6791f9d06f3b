#include "standing.h"
#include <math.h>
#include <string.h>

static struct standing standing(enum standing_tone tone, const char *words) {
  struct standing made = {.tone = tone};
  snprintf(made.words, sizeof made.words, "%s", words);
  return made;
}

struct standing standing_of_item(const char *verdict, double points, double max_points) {
  static const struct {
    const char *verdict;
    enum standing_tone tone;
    const char *words;
  } known[] = {{"UNWRITTEN", STANDING_UNWRITTEN, "not written yet"},
               {"SKIPPED", STANDING_WAITING, "skipped"},
               {"MISSING", STANDING_WAITING, "not handed in"},
               {"COMPILE", STANDING_WAITING, "not judged"},
               {"INCONCLUSIVE", STANDING_PARTLY, "inconclusive"},
               {"SUSPECT", STANDING_PARTLY, "suspect"},
               {"INFRA", STANDING_PARTLY, "not graded"}};
  for (size_t n = 0; n < sizeof known / sizeof *known; n++)
    if (strcmp(verdict, known[n].verdict) == 0)
      return standing(known[n].tone, known[n].words);
  if (points < max_points)
    return points > 0 ? standing(STANDING_PARTLY, "partly") : standing(STANDING_FAILED, "failed");
  return strcmp(verdict, "PASS") == 0 ? standing(STANDING_FULL, "passed")
                                      : standing(STANDING_REMARK, "remark");
}

void standing_add_points(struct standing_sum *sum, double points, double max_points) {
  sum->parts += max_points > 0;
  sum->below += points < max_points;
  sum->reached |= points > 0;
  sum->tried |= points > 0;
}

void standing_add(struct standing_sum *sum, const struct standing *part, double points, double max_points,
                  int remarks) {
  standing_add_points(sum, points, max_points);
  sum->unwritten += part->tone == STANDING_UNWRITTEN;
  sum->remarks += remarks + (part->tone == STANDING_REMARK);
  sum->tried |= part->tone == STANDING_FAILED || part->tone == STANDING_PARTLY;
}

/* An untried part is not a failure. */
static struct standing untried(const struct standing_sum *sum, const char *verdict) {
  const bool is_unwritten = sum->unwritten > 0 && sum->below > 0;
  if (strcmp(verdict, "COMPILE") == 0)
    return standing(STANDING_FAILED, "does not compile");
  if (strcmp(verdict, "MISSING") == 0)
    return standing(STANDING_WAITING, "not handed in");
  return is_unwritten ? standing(STANDING_UNWRITTEN, "not written yet") : standing(STANDING_WAITING, "");
}

struct standing standing_of_sum(const struct standing_sum *sum, const char *verdict, const char *part) {
  char words[64] = "", remarks[32] = "";
  if (strcmp(verdict, "INFRA") == 0)
    return standing(STANDING_PARTLY, "not graded");
  struct standing made = sum->tried ? standing(STANDING_FULL, "") : untried(sum, verdict);
  if (made.words[0])
    return made;
  if (sum->below > 0) {
    snprintf(words, sizeof words, "%d of %d %s%s below full marks", sum->below, sum->parts, part,
             sum->parts == 1 ? "" : "s");
    made.tone = sum->reached ? STANDING_PARTLY : sum->tried ? STANDING_FAILED : STANDING_WAITING;
  } else {
    snprintf(words, sizeof words, "%s", sum->parts > 0 ? "full marks" : "no points to earn");
    made.tone = STANDING_FULL;
  }
  if (sum->remarks > 0)
    snprintf(remarks, sizeof remarks, ", %d remark%s", sum->remarks, sum->remarks == 1 ? "" : "s");
  snprintf(made.words, sizeof made.words, "%s%s", words, remarks);
  return made;
}

void standing_put_points(FILE *out, const struct standing_points *of) {
  if (!(of->max_points > 0) && of->max_bonus > 0) {
    fprintf(out, "%.6g of %.6g bonus points", of->bonus, of->max_bonus);
    return;
  }
  fprintf(out, "%.6g of %.6g points", of->points, of->max_points);
  if (of->max_bonus > 0)
    fprintf(out, " (bonus: %.6g of %.6g)", of->bonus, of->max_bonus);
}

bool standing_is_change(double before, double measured) {
  return fabs(measured - before) > 0.03 * fabs(before);
}

void standing_put_change(FILE *out, double before, double measured) {
  if (standing_is_change(before, measured))
    fprintf(out, "%.4g → ", before);
}

void standing_put_measure(FILE *out, double measured, const char *unit, double none_at, double full_at) {
  const bool less_is_better = full_at < none_at;
  const char *full = !less_is_better ? "from" : full_at > 0 ? "up to" : "at";
  fprintf(out, "%.4g %s; full marks %s %.4g, none %s %.4g, linear between", measured, unit, full, full_at,
          less_is_better ? "from" : "up to", none_at);
}
