/* Reports: one graded submission in the formats of learning platforms and CI.
 *
 *   struct error error;
 *   if (!report_check("gradescope,junit", &error)) error_die("%s", error.text);      // before the work
 *   if (!report_save(result, "gradescope,junit", "results", &error)) error_die("%s", error.text);
 *
 * result is a JSON object of the schema "checkerboard/result/v2"; reports read nothing else. Its texts may
 * come from a submission, but the files are always valid: report_read() replaces bytes that are not
 * printable UTF-8 and shortens long texts. A report shows the hidden items of a lab as one item, with
 * their points and no word about their tests. Files are complete or absent. */
#pragma once

#include "error.h"
#include "standing.h"
#include "text.h"
#include <jansson.h>
#include <stdio.h>

/* The names of report_formats, as --help and messages list them. */
#define REPORT_FORMATS "html, gradescope, autolab, classroom50, prairielearn, junit, tap"

enum report_status {
  REPORT_PASSED,   /* full marks, verdict PASS */
  REPORT_FAILED,   /* anything less */
  REPORT_NOT_RUN,  /* skipped, or measured without a conclusion: costs no points */
  REPORT_NO_BONUS, /* a bonus below its points: costs no points either */
  REPORT_ERROR     /* INFRA: the grader or the machine failed */
};

struct report_item {
  char *id;    /* "03/lanes" */
  char *title; /* "active lanes of the half-sweep" */
  char *kind;  /* "correctness", "counter", "time"; "" for hidden items */
  int part;    /* of the lab; 0 for none */
  char *verdict;
  enum report_status status;
  struct standing standing;
  double points, max_points;
  bool bonus; /* its points come on top of the lab's */
  bool has_measured, has_limits, less_is_better;
  double measured, previous, none_at, full_at; /* previous: equal to measured if it is unknown */
  char *meaning;                               /* "" if there is none, as of the following */
  char *message, *remark, *shown, *printed, *unit, *formula, *source, *hint;
  char *text; /* all of these, as lines that end with \n but for the last */
};

struct report_lab {
  char *name; /* "03_compressed" */
  char *verdict;
  char *message; /* what is wrong with the lab as a whole, or "" */
  struct standing_points points;
  struct report_item *items;
  size_t item_count;
  struct standing_sum sum;
  struct standing standing;
  const json_t *kernels; /* as in the result, not cleaned; NULL if there are none */
};

struct report {
  char *kit, *submission, *sha256, *mode, *isolation, *missing, *device, *verdict, *message;
  long long seed;
  struct standing_points points;
  double seconds;
  struct standing standing;
  bool graded; /* false after INFRA: then there are no points, whatever the result holds */
  struct report_lab *labs;
  size_t lab_count;
  const json_t *ladders, *leaderboard; /* as in the result, too; NULL if there are none */
};

/* Makes a report of the result, to release with report_release. False, with one line, if a member is missing or
 * has a wrong type; then there is nothing to release. */
bool report_read(struct report *report, const json_t *result, struct error *error);

void report_release(struct report *report);

/* Verdict and points of the whole and of each lab, a note on hidden tests, and how the submission was graded.
 * The caller frees. */
char *report_summary(const struct report *report);

/* Why there is no grade, for a report that is not graded. The caller frees. */
char *report_infra(const struct report *report);

/* The provenance of a grade (kit, submission hash, seed, mode, isolation, device, verdict): a new JSON object. */
json_t *report_provenance(const struct report *report);

struct report_format {
  const char *name;   /* in --format */
  const char *file;   /* in the folder of --out */
  bool without_grade; /* false: a result that is not graded has no such file */
  bool (*write)(const struct report *report, FILE *out); /* false: out could not be written */
};

extern const struct report_format report_formats[]; /* ends with a NULL name */

bool report_html(const struct report *report, FILE *out);
bool report_gradescope(const struct report *report, FILE *out);
bool report_autolab(const struct report *report, FILE *out);
bool report_classroom50(const struct report *report, FILE *out);
bool report_prairielearn(const struct report *report, FILE *out);
bool report_junit(const struct report *report, FILE *out);
bool report_tap(const struct report *report, FILE *out);

/* Writes json and a newline: numbers with as many digits as points need. Takes the reference. */
bool report_dump(json_t *json, FILE *out, size_t flags);

/* True if formats is a list of names, each once, separated by commas. */
bool report_check(const char *formats, struct error *error);

/* Writes the files of these formats into directory, and creates it if its parent exists. If a format has
 * no file for this result, removes an older one. Returns false, with one line, at the first failure. */
bool report_save(const json_t *result, const char *formats, const char *directory, struct error *error);
