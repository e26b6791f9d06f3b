#include "lab_checks.h"
#include "csv.h"
#include "error.h"
#include "failed_run.h"
#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char variable[] = "SIMGPU_CHECKS", report_path[] = "checks.csv", noted_path[] = "finding.txt",
                  own_path[] = "note.txt"; /* findings of the device, and of the suite */

void lab_checks_begin(void) {
  setenv(variable, "races,uninitialised,frees", 0);
  setenv("SIMGPU_CHECKS_REPORT", report_path, 1);
  unlink(report_path);
}

void lab_checks_stop(void) { setenv(variable, "0", 1); }

void lab_checks_allow_races(void) { setenv(variable, "uninitialised,frees", 1); }

/* The first finding that fails a test, or false. */
static bool first_failing(struct csv *report, char *text, size_t size) {
  while (csv_next(report)) {
    if (strcmp(csv_text(report, "fails"), "1") != 0)
      continue;
    if (csv_text(report, "file")[0])
      snprintf(text, size, "%s:%s: %s", csv_text(report, "file"), csv_text(report, "line"),
               csv_text(report, "text"));
    else
      snprintf(text, size, "%s", csv_text(report, "text"));
    program_drop_folders(text);
    return true;
  }
  return false;
}

/* False if there is one already. */
static bool note(const char *path, const char *text) {
  FILE *noted = fopen(path, "wx");
  if (noted ? fputs(text, noted) < 0 || fclose(noted) != 0 : errno != EEXIST)
    error_die("%s: cannot write: %s", path, strerror(errno)); /* the test ends as INFRA */
  return noted != NULL;
}

/* "element 5 of the array that parameter 5 points to (64 bytes)": appends the point, if the array holds the grid
 * or its interior. */
static void add_point(const char *const *arguments, char *text, size_t size) {
  const char *element = strstr(text, "element ");
  long k, bytes;
  int parameter, nx, ny;
  if (!element || !failed_run_grid(arguments, &nx, &ny) ||
      sscanf(element, "element %ld of the array that parameter %d points to (%ld bytes)", &k, &parameter,
             &bytes) != 3)
    return;
  const long value = sizeof(float), points = (long)nx * ny, inner = (long)(nx - 2) * (ny - 2);
  const size_t used = strlen(text);
  if (bytes == value * points)
    snprintf(text + used, size - used, "; on nx %d, ny %d this element is (i, j) = (%ld, %ld)", nx, ny,
             k / nx, k % nx);
  else if (bytes == value * inner)
    snprintf(text + used, size - used, "; on nx %d, ny %d this element is (i, j) = (%ld, %ld)", nx, ny,
             k / (nx - 2) + 1, k % (nx - 2) + 1);
}

bool lab_checks_end(const char *const *arguments) {
  char text[2048];
  struct csv report;
  bool is_new = false;
  if (csv_open(&report, report_path) && first_failing(&report, text, sizeof text)) {
    add_point(arguments, text, sizeof text);
    is_new = note(noted_path, text);
  }
  csv_close(&report);
  return is_new;
}

void lab_checks_note(const char *format, ...) {
  char text[2048];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  note(own_path, text);
}

void lab_checks_forget_notes(void) { unlink(own_path); }

void lab_checks_forget(void) {
  unlink(noted_path);
  lab_checks_forget_notes();
}

bool lab_checks_tell(char *text, size_t size) {
  char finding[2048];
  FILE *noted = fopen(noted_path, "r");
  if (!noted)
    noted = fopen(own_path, "r");
  if (!noted)
    return false;
  const bool told = fgets(finding, sizeof finding, noted) != NULL;
  if (told)
    snprintf(text, size, "%s", finding);
  fclose(noted);
  lab_checks_forget();
  return told;
}
