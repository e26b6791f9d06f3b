#include "sheet_export.h"
#include "allocate.h"
#include "class_summary.h"
#include "plural.h"
#include "sheet.h"
#include "student.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct order {
  enum student_platform platform;
  const char *sheet, *summary, *assignment, *out;
};

/* What the summary says about a row of the sheet. */
struct mark {
  int graded, ungraded; /* rows of the summary */
  double part;          /* the best of the graded: points divided by their maximum */
};

/* The columns of a sheet; -1: there is none. */
struct columns {
  int id, name, grade, maximum;
  int maximum_row; /* the row with the maximum of all rows, or -1 */
};

static const char *moodle, *canvas;
static struct order given;
const struct options_option sheet_export_options[] = {
    OPTIONS_STRING("moodle", &moodle, "SHEET.csv", "Moodle's grading worksheet"),
    OPTIONS_STRING("canvas", &canvas, "SHEET.csv", "Canvas's gradebook"),
    OPTIONS_STRING("assignment", &given.assignment, "NAME",
                   "with --canvas: the name or the id of the column"),
    OPTIONS_STRING("summary", &given.summary, "FILE", "summary.csv of the class"),
    OPTIONS_STRING("out", &given.out, "FILE", "the sheet with the points filled in"),
    OPTIONS_END,
};

static void complete(struct order *order) {
  if (!moodle == !canvas || !order->summary || !order->out)
    error_die("export: expected --moodle or --canvas SHEET, --summary FILE and --out FILE");
  if (order->assignment && moodle)
    error_die("export: --assignment with --moodle: expected it with --canvas");
  order->platform = moodle ? STUDENT_MOODLE : STUDENT_CANVAS;
  order->sheet = moodle ? moodle : canvas;
}

/* --- the sheet --- */

static int need_column(const struct sheet *sheet, const char *name, const char *what) {
  const int column = sheet_column(sheet, name);
  if (column < 0)
    error_die("%s: no column '%s': expected %s, with columns separated by commas", sheet->path, name, what);
  return column;
}

/* "Lab 3 (4711)": the id is in parentheses. */
static bool is_assignment(const char *title, const char *wanted) {
  const char *open = strrchr(title, '(');
  size_t digits = open ? strspn(open + 1, "0123456789") : 0;
  if (!open || open == title || open[-1] != ' ' || digits == 0 || strcmp(open + 1 + digits, ")") != 0)
    return false;
  return !wanted || strcmp(title, wanted) == 0 ||
         (strlen(wanted) == (size_t)(open - 1 - title) && strncmp(title, wanted, strlen(wanted)) == 0) ||
         (strlen(wanted) == digits && strncmp(open + 1, wanted, digits) == 0);
}

static int assignment_column(const struct sheet *sheet, const char *wanted) {
  int column = -1;
  for (int n = 0; n < sheet->columns; n++)
    if (is_assignment(sheet_text(sheet, 0, n), wanted)) {
      if (column >= 0)
        error_die("%s: %s: '%s' and '%s': expected --assignment with one of them, or its id", sheet->path,
                  wanted ? "two such assignments" : "several assignments", sheet_text(sheet, 0, column),
                  sheet_text(sheet, 0, n));
      column = n;
    }
  if (column < 0)
    error_die("%s: no assignment '%s': expected a column like 'Lab 3 (4711)'", sheet->path,
              wanted ? wanted : "NAME (ID)");
  return column;
}

/* Canvas puts a row with the assignments' maxima before the students. */
static int points_possible(const struct sheet *sheet, int student) {
  for (int row = 1; row < sheet->rows; row++) {
    const char *text = sheet_text(sheet, row, student);
    if (strcmp(text + strspn(text, " "), "Points Possible") == 0)
      return row;
  }
  return -1;
}

static struct columns find_columns(const struct order *order, const struct sheet *sheet) {
  static const char moodle[] = "Moodle's grading worksheet", canvas[] = "Canvas's gradebook";
  struct columns at;
  if (order->platform == STUDENT_MOODLE) {
    at = (struct columns){need_column(sheet, "Identifier", moodle), sheet_column(sheet, "Full name"),
                          need_column(sheet, "Grade", moodle), sheet_column(sheet, "Maximum Grade"), -1};
  } else {
    const int student = need_column(sheet, "Student", canvas), id = need_column(sheet, "ID", canvas);
    const int grade = assignment_column(sheet, order->assignment);
    at = (struct columns){id, student, grade, grade, points_possible(sheet, student)};
  }
  return at;
}

/* The digits at the end of "Participant 12345", or all of "12345"; NULL: there are none. */
static const char *id_of(const struct sheet *sheet, int row, int column) {
  const char *text = sheet_text(sheet, row, column), *end = text + strlen(text), *from = end;
  while (from > text && isdigit((unsigned char)from[-1]))
    from--;
  return from < end ? from : NULL;
}

/* Canvas has rows that belong to no student: they have no id. */
static bool is_student(const struct order *order, const struct sheet *sheet, const struct columns *at,
                       int row) {
  return order->platform == STUDENT_MOODLE || sheet_text(sheet, row, at->id)[0];
}

static void check_ids(const struct order *order, const struct sheet *sheet, const struct columns *at) {
  for (int row = 1; row < sheet->rows; row++) {
    if (!is_student(order, sheet, at, row))
      continue;
    const char *id = id_of(sheet, row, at->id), *title = sheet_text(sheet, 0, at->id);
    if (!id)
      error_die("%s:%d: %s = '%s': expected a value that ends with a number", sheet->path, sheet->lines[row],
                title, sheet_text(sheet, row, at->id));
    for (int other = 1; other < row; other++)
      if (is_student(order, sheet, at, other) && strcmp(id_of(sheet, other, at->id), id) == 0)
        error_die("%s:%d: %s = '%s' is also in line %d: expected each id once", sheet->path,
                  sheet->lines[row], title, sheet_text(sheet, row, at->id), sheet->lines[other]);
  }
}

static int row_of(const struct order *order, const struct sheet *sheet, const struct columns *at,
                  const char *id) {
  for (int row = 1; row < sheet->rows; row++)
    if (is_student(order, sheet, at, row) && strcmp(id_of(sheet, row, at->id), id) == 0)
      return row;
  return -1;
}

/* --- the points --- */

/* Adds a submission to the marks. Prints its name if it has no row in the sheet. */
static void add_mark(const struct order *order, const struct sheet *sheet, const struct columns *at,
                     const struct class_summary *summary, int n, struct mark *marks) {
  const struct class_summary_row row = class_summary_row(summary, n);
  const struct student student = student_of(row.submission);
  if (student.platform != order->platform) {
    printf("%s: not in the sheet: its name has no %s id\n", row.submission,
           order->platform == STUDENT_MOODLE ? "Moodle" : "Canvas");
    return;
  }
  const int found = row_of(order, sheet, at, student.id);
  if (found < 0) {
    printf("%s: not in the sheet: no row has the id %s\n", row.submission, student.id);
    return;
  }
  struct mark *mark = &marks[found];
  if (!row.is_graded) {
    mark->ungraded++;
    return;
  }
  mark->graded++;
  mark->part = fmax(mark->part, row.max_points > 0 ? row.points / row.max_points : 0);
  if (strcmp(row.verdict, "MISSING") == 0)
    printf("%s: MISSING, 0 points: %s\n", row.submission, row.reason);
}

static double maximum_of(const struct sheet *sheet, const struct columns *at, int row, double otherwise) {
  struct error error;
  double maximum;
  const int from = at->maximum_row >= 0 ? at->maximum_row : row;
  if (at->maximum < 0 || (at->maximum == at->grade && at->maximum_row < 0))
    return otherwise;
  if (sheet_number(sheet, from, at->maximum, &maximum, &error) && maximum > 0)
    return maximum;
  error_die("%s:%d: %s = '%s': expected the maximum number of points", sheet->path, sheet->lines[from],
            sheet_text(sheet, 0, at->maximum), sheet_text(sheet, from, at->maximum));
}

/* Rounded to hundredths, without trailing zeros. */
static void put_points(struct sheet *sheet, int row, int column, double points) {
  char text[64];
  snprintf(text, sizeof text, "%.2f", points);
  char *end = text + strlen(text);
  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    end[-1] = '\0';
  sheet_set(sheet, row, column, text);
}

/* Moodle refuses a grade above its maximum. Canvas takes it. */
static double limited(const struct order *order, const struct mark *mark, const char *name) {
  if (order->platform != STUDENT_MOODLE || mark->part <= 1)
    return mark->part;
  printf("%s: full marks, without the bonus: Moodle accepts no grade above its maximum\n", name);
  return 1;
}

/* Returns the number of rows that were filled in, and prints the names of the others. */
static int fill_in(const struct order *order, struct sheet *sheet, const struct columns *at,
                   const struct mark *marks, double max_points) {
  int filled = 0;
  for (int row = 1; row < sheet->rows; row++) {
    const int name = at->name >= 0 && sheet_text(sheet, row, at->name)[0] ? at->name : at->id;
    if (!is_student(order, sheet, at, row))
      continue;
    if (marks[row].graded && !marks[row].ungraded) {
      put_points(sheet, row, at->grade,
                 limited(order, &marks[row], sheet_text(sheet, row, name)) *
                     maximum_of(sheet, at, row, max_points));
      filled++;
      continue;
    }
    printf("%s: unchanged: %s\n", sheet_text(sheet, row, name),
           marks[row].ungraded ? "a submission is not graded: grade the class again" : "no submission");
  }
  return filled;
}

int sheet_export_run(void) {
  complete(&given);
  const struct order order = given;
  struct class_summary summary;
  struct sheet sheet;
  struct error error;
  double max_points = 0;
  if (!sheet_read(&sheet, order.sheet, &error) || !class_summary_read(&summary, order.summary, &error))
    error_die("%s", error.text);
  const struct columns at = find_columns(&order, &sheet);
  check_ids(&order, &sheet, &at);
  struct mark *marks = allocate_zeroed((size_t)sheet.rows, sizeof *marks);
  for (int n = 0; n < summary.count; n++) {
    add_mark(&order, &sheet, &at, &summary, n, marks);
    max_points = fmax(max_points, class_summary_row(&summary, n).max_points);
  }
  const int filled = fill_in(&order, &sheet, &at, marks, max_points);
  if (!sheet_write(&sheet, order.out, &error))
    error_die("%s", error.text);
  printf("wrote %s: filled in %d row%s\n", order.out, filled, PLURAL(filled));
  free(marks);
  class_summary_free(&summary);
  sheet_free(&sheet);
  return 0;
}
