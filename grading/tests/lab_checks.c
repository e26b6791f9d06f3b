#include "lab_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 8, FAILS = 1, FILE_NAME = 5, LINE = 6, TEXT = 7 }; /* columns of the report */

static const char variable[] = "SIMGPU_CHECKS", report_path[] = "checks.csv", noted_path[] = "finding.txt";

void lab_checks_begin(void) {
  setenv(variable, "races,uninitialised,frees", 0);
  setenv("SIMGPU_CHECKS_REPORT", report_path, 1);
  unlink(report_path);
}

void lab_checks_allow_races(void) { setenv(variable, "uninitialised,frees", 1); }

/* Cuts the row at its commas; quotes are taken off. Returns the number of fields. */
static int split(char *row, char *fields[FIELDS]) {
  int count = 0;
  row[strcspn(row, "\n")] = '\0';
  for (char *from = row; from && count < FIELDS; count++) {
    char *to = fields[count] = from;
    bool quoted = false;
    for (; *from && (quoted || *from != ','); from++)
      if (*from != '"' || (quoted && from[1] == '"' && *++from))
        *to++ = *from;
      else
        quoted = !quoted;
    from = *from ? from + 1 : NULL;
    *to = '\0';
  }
  return count;
}

/* The folder is that of the build, which tells a student nothing. */
static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The first finding that fails a test, or false. */
static bool first_failing(FILE *report, char *text, size_t size) {
  char row[2048], *fields[FIELDS];
  while (fgets(row, sizeof row, report)) {
    if (split(row, fields) != FIELDS || strcmp(fields[FAILS], "1") != 0)
      continue;
    if (fields[FILE_NAME][0])
      snprintf(text, size, "%s:%s: %s", base_name(fields[FILE_NAME]), fields[LINE], fields[TEXT]);
    else
      snprintf(text, size, "%s", fields[TEXT]);
    return true;
  }
  return false;
}

void lab_checks_end(void) {
  char text[2048];
  FILE *report = fopen(report_path, "r"), *noted = NULL;
  if (report && first_failing(report, text, sizeof text))
    noted = fopen(noted_path, "wx"); /* fails when there is one already */
  if (noted) {
    fputs(text, noted);
    fclose(noted);
  }
  if (report)
    fclose(report);
}

void lab_checks_forget(void) { unlink(noted_path); }

bool lab_checks_tell(char *text, size_t size) {
  char finding[2048];
  FILE *noted = fopen(noted_path, "r");
  if (!noted)
    return false;
  if (fgets(finding, sizeof finding, noted))
    snprintf(text, size, "every comparison holds, but %s", finding);
  fclose(noted);
  lab_checks_forget();
  return true;
}
