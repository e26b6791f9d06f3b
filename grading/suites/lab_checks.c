#include "lab_checks.h"
#include "csv.h"
#include "error.h"
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

static void note(const char *path, const char *text) {
  FILE *noted = fopen(path, "wx");
  if (noted ? fputs(text, noted) < 0 || fclose(noted) != 0 : errno != EEXIST)
    error_die("%s: cannot write: %s", path, strerror(errno)); /* the test ends as INFRA */
}

void lab_checks_end(void) {
  char text[2048];
  struct csv report;
  if (csv_open(&report, report_path) && first_failing(&report, text, sizeof text))
    note(noted_path, text);
  csv_close(&report);
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
