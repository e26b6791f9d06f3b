#include "gradebook.h"
#include "allocate.h"
#include "class_summary.h"
#include "late.h"
#include "output.h"
#include "plural.h"
#include "student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABS = 64 };

/* A lab of one student. */
struct cell {
  int graded, ungraded; /* gradings */
  double points;        /* the best, after the penalty */
  double penalty;       /* percent, of that one */
  bool is_missing;      /* that one had nothing to grade */
};

struct entry {
  char key[300];
  char id[32]; /* in the summary that is being added */
  struct cell cells[LABS];
};

struct weight {
  char lab[64]; /* its name, or only its number */
  double value;
};

struct gradebook {
  char labs[LABS][64];
  struct weight weights[LABS];
  int weight_count;    /* 0: the total is the sum of the points */
  double shares[LABS]; /* what a point of each lab adds to the total */
  int lab_count, count, room;
  struct entry *entries;
  struct late_policy policy;
  struct sheet times;        /* of the submissions; no rows: no file was given */
  int submission, submitted; /* its columns */
};

/* --- times --- */

static void read_times(struct gradebook *book, const char *path) {
  struct error error;
  sheet_free(&book->times);
  if (!sheet_read(&book->times, path, &error))
    error_die("%s", error.text);
  book->submission = sheet_column(&book->times, "submission");
  book->submitted = sheet_column(&book->times, "submitted");
  if (book->submission < 0 || book->submitted < 0)
    error_die("%s: no column '%s': expected the columns submission and submitted", path,
              book->submission < 0 ? "submission" : "submitted");
}

/* The row with the submission's name, else the one of its student; -1: there is none. */
static int time_row(const struct gradebook *book, const char *submission) {
  const struct student student = student_of(submission);
  int found = -1;
  for (int row = 1; row < book->times.rows; row++)
    if (strcmp(sheet_text(&book->times, row, book->submission), submission) == 0)
      return row;
  for (int row = 1; row < book->times.rows; row++)
    if (strcmp(student_of(sheet_text(&book->times, row, book->submission)).key, student.key) == 0) {
      if (found >= 0)
        error_die("%s: lines %d and %d both have a time for '%s': expected one", book->times.path,
                  book->times.lines[found], book->times.lines[row], submission);
      found = row;
    }
  return found;
}

/* Percentage that the submission loses. */
static double penalty_of(const struct gradebook *book, const char *submission) {
  struct late_time submitted;
  struct error error;
  if (!book->policy.has_deadline)
    return 0;
  if (book->times.rows == 0)
    error_die(
        "gradebook: --deadline without --times: expected a file with the columns submission and submitted");
  if (book->policy.per_day <= 0)
    error_die("gradebook: --deadline without --per-day: expected the percentage that each day costs");
  const int row = time_row(book, submission);
  if (row < 0)
    error_die("%s: no time for '%s': expected a row for each submission", book->times.path, submission);
  if (!late_time_read(sheet_text(&book->times, row, book->submitted), &submitted, &error))
    error_die("%s:%d: %s", book->times.path, book->times.lines[row], error.text);
  if (submitted.has_zone != book->policy.deadline.has_zone)
    error_die("%s:%d: '%s' and the deadline: expected both with a time zone or both without",
              book->times.path, book->times.lines[row], sheet_text(&book->times, row, book->submitted));
  return late_percent(&book->policy, submitted);
}

/* --- summaries --- */

static int lab_place(struct gradebook *book, const char *lab, const char *path) {
  for (int n = 0; n < book->lab_count; n++)
    if (strcmp(book->labs[n], lab) == 0)
      return n;
  if (book->lab_count == LABS || strlen(lab) >= sizeof book->labs[0])
    error_die("%s: '%.80s': expected at most %d labs with shorter names", path, lab, LABS);
  strcpy(book->labs[book->lab_count], lab);
  return book->lab_count++;
}

static struct entry *entry_of(struct gradebook *book, const char *key) {
  for (int n = 0; n < book->count; n++)
    if (strcmp(book->entries[n].key, key) == 0)
      return &book->entries[n];
  if (book->count == book->room) {
    struct entry *more = allocate_zeroed(2 * (size_t)book->room + 64, sizeof *more);
    if (book->count > 0)
      memcpy(more, book->entries, (size_t)book->count * sizeof *more);
    free(book->entries);
    book->entries = more;
    book->room = 2 * book->room + 64;
  }
  struct entry *entry = &book->entries[book->count++];
  snprintf(entry->key, sizeof entry->key, "%s", key);
  return entry;
}

/* Moodle's folders name people, and two people may have the same name. */
static void check_one_person(struct entry *entry, const struct student *student, const char *path) {
  if (entry->id[0] && strcmp(entry->id, student->id) != 0)
    error_die("%s: two students are named '%s', with the ids %s and %s: expected different names", path,
              student->name, entry->id, student->id);
  strcpy(entry->id, student->id);
}

static void add_grade(struct cell *cell, bool is_graded, bool is_missing, double points, double penalty) {
  points *= 1 - penalty / 100;
  cell->ungraded += !is_graded;
  if (is_graded && (cell->graded++ == 0 || points > cell->points)) {
    cell->points = points;
    cell->penalty = penalty;
    cell->is_missing = is_missing;
  }
}

static void add_row(struct gradebook *book, const struct class_summary *summary, int n) {
  const struct class_summary_row row = class_summary_row(summary, n);
  const struct student student = student_of(row.submission);
  struct entry *entry = entry_of(book, student.key);
  check_one_person(entry, &student, summary->sheet.path);
  const double penalty = row.is_graded && row.points > 0 ? penalty_of(book, row.submission) : 0;
  for (int lab = 0; lab < summary->labs; lab++) {
    double points = 0;
    const bool is_graded = class_summary_lab_points(summary, n, lab, &points) && row.is_graded;
    add_grade(&entry->cells[lab_place(book, class_summary_lab(summary, lab), summary->sheet.path)], is_graded,
              strcmp(row.verdict, "MISSING") == 0, points, penalty);
  }
}

static void add_summary(struct gradebook *book, const char *path) {
  struct class_summary summary;
  struct error error;
  if (!class_summary_read(&summary, path, &error))
    error_die("%s", error.text);
  for (int lab = 0; lab < summary.labs; lab++)
    lab_place(book, class_summary_lab(&summary, lab), path);
  for (int n = 0; n < book->count; n++)
    book->entries[n].id[0] = '\0';
  for (int n = 0; n < summary.count; n++)
    add_row(book, &summary, n);
  class_summary_free(&summary);
}

/* --- weights --- */

static void take_weights_of(struct gradebook *book, const char *text) {
  const char *rest = text;
  int used = 0;
  book->weight_count = 0;
  do {
    struct weight *w = &book->weights[book->weight_count];
    if (book->weight_count++ == LABS || sscanf(rest, "%63[^=,]=%lf%n", w->lab, &w->value, &used) < 2 ||
        !(w->value >= 0 && w->value <= 1000) || (rest[used] != '\0' && rest[used] != ','))
      error_die(
          "gradebook: --weights %s: expected LAB=WEIGHT for each lab, separated by commas, with weights "
          "from 0 to 1000, such as 01=11,02=9",
          text);
    rest += used;
  } while (*rest++ == ',');
}

static bool is_named(const char *lab, const char *name) {
  const size_t length = strlen(name);
  return strncmp(lab, name, length) == 0 && (lab[length] == '\0' || lab[length] == '_');
}

static void set_shares(struct gradebook *book) {
  double sum = 0;
  for (int n = 0; n < book->lab_count; n++) {
    int found = 0;
    book->shares[n] = 1;
    for (int k = 0; k < book->weight_count; k++)
      if (is_named(book->labs[n], book->weights[k].lab)) {
        book->shares[n] = book->weights[k].value;
        found++;
      }
    if (book->weight_count > 0 && found != 1)
      error_die(
          "gradebook: --weights gives %d weights to %s: expected one; 0 leaves the lab out of the total",
          found, book->labs[n]);
    sum += book->shares[n];
  }
  if (sum <= 0)
    error_die("gradebook: --weights: all labs of the summaries have the weight 0: expected a larger one");
  for (int n = 0; book->weight_count > 0 && n < book->lab_count; n++)
    book->shares[n] /= sum;
}

/* --- the table --- */

static int by_key(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static void put_remarks(FILE *stream, const struct gradebook *book, const struct entry *entry) {
  const char *between = "";
  putc('"', stream);
  for (int n = 0; n < book->lab_count; n++) {
    const struct cell *cell = &entry->cells[n];
    if (cell->graded && !cell->ungraded && cell->penalty <= 0 && !cell->is_missing)
      continue;
    fprintf(stream, "%s%s: ", between, book->labs[n]);
    between = "; ";
    if (cell->penalty > 0)
      fprintf(stream, "late, %.4g %% off%s", cell->penalty, cell->ungraded ? ", " : "");
    if (cell->is_missing)
      fprintf(stream, "nothing to grade%s", cell->ungraded ? ", " : "");
    if (cell->ungraded)
      fputs(cell->graded ? "another submission is not graded" : "not graded", stream);
    else if (!cell->graded)
      fputs("no submission", stream);
  }
  fputs("\"\n", stream);
}

static double hundredths(double points) { return floor(100 * points + 0.5) / 100; }

static void put_entry(FILE *stream, const struct gradebook *book, const struct entry *entry) {
  double total = 0;
  bool is_whole = true;
  class_summary_put_text(stream, entry->key);
  for (int n = 0; n < book->lab_count; n++) {
    const struct cell *cell = &entry->cells[n];
    putc(',', stream);
    if (cell->graded)
      fprintf(stream, "%.10g", hundredths(cell->points));
    total += cell->graded ? book->shares[n] * hundredths(cell->points) : 0;
    is_whole &= cell->graded || !cell->ungraded;
  }
  if (is_whole)
    fprintf(stream, ",%.10g,", hundredths(total));
  else
    fputs(",,", stream);
  put_remarks(stream, book, entry);
}

static void write_book(struct gradebook *book, const char *path) {
  struct output out;
  struct error error;
  set_shares(book);
  if (!output_open(&out, path, &error))
    error_die("%s", error.text);
  fputs("student", out.stream);
  for (int n = 0; n < book->lab_count; n++)
    fprintf(out.stream, ",%s", book->labs[n]);
  fputs(",total,remarks\n", out.stream);
  if (book->count > 0)
    qsort(book->entries, (size_t)book->count, sizeof *book->entries, by_key);
  for (int n = 0; n < book->count; n++)
    put_entry(out.stream, book, &book->entries[n]);
  if (!output_commit_to_disk(&out, &error))
    error_die("%s", error.text);
  printf("wrote %s: %d student%s, %d lab%s\n", path, book->count, PLURAL(book->count), book->lab_count,
         PLURAL(book->lab_count));
}

/* --- the command line: its order matters --- */

static struct gradebook book = {.policy = {.most = 100}};
static const char *book_path;

static void take_summary(const char *path) { add_summary(&book, path); }
static void take_times(const char *path) { read_times(&book, path); }
static void take_weights(const char *text) { take_weights_of(&book, text); }
static void end_deadline(const char *nothing) {
  (void)nothing;
  book.policy.has_deadline = false;
}

static void take_deadline(const char *text) {
  struct error error;
  if (!late_time_read(text, &book.policy.deadline, &error))
    error_die("gradebook: --deadline %s", error.text);
  book.policy.has_deadline = true;
}

const struct options_option gradebook_options[] = {
    OPTIONS_ARGUMENTS(take_summary, "SUMMARY.csv ...",
                      "summaries of classes; deadline options apply to the summaries after them"),
    OPTIONS_STRING("out", &book_path, "FILE", "the gradebook, CSV"),
    OPTIONS_CALL("deadline", take_deadline, "TIME", "such as 2026-11-20 23:59, with or without a time zone"),
    OPTIONS_CALL("no-deadline", end_deadline, NULL, "the summaries after this have no deadline"),
    OPTIONS_CALL("times", take_times, "FILE", "CSV with the columns submission and submitted"),
    OPTIONS_DOUBLE("per-day", &book.policy.per_day, 0, 100,
                   "percent that a submission loses for each day after deadline and grace, linear in time"),
    OPTIONS_DOUBLE("grace", &book.policy.grace_minutes, 0, 1e6,
                   "minutes after the deadline without a penalty"),
    OPTIONS_DOUBLE("most", &book.policy.most, 0, 100, "percent that a submission can lose"),
    OPTIONS_CALL(
        "weights", take_weights, "01=X,02=Y,...",
        "weight of each lab: the total is then the weighted mean of the labs' points, not their sum"),
    OPTIONS_END,
};

int gradebook_run(void) {
  if (!book_path || book.lab_count == 0)
    error_die("gradebook: expected --out FILE and one or more summary.csv");
  write_book(&book, book_path);
  free(book.entries);
  sheet_free(&book.times);
  return 0;
}
