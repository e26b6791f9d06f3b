#include "student.h"
#include "error.h"
#include "submission_archive.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PARTS = 4 };

static bool matches(const char *name, const char *pattern, regmatch_t parts[PARTS]) {
  regex_t expression;
  if (regcomp(&expression, pattern, REG_EXTENDED) != 0)
    error_die("not a regular expression: %s", pattern);
  const bool fits = regexec(&expression, name, PARTS, parts, 0) == 0;
  regfree(&expression);
  return fits;
}

static void copy_part(char *to, size_t size, const char *name, regmatch_t part) {
  snprintf(to, size, "%.*s", (int)(part.rm_eo - part.rm_so), name + part.rm_so);
}

/* Removes the file's extension. */
static void cut_end(char *name) {
  char *dot = strrchr(name, '.');
  if (submission_archive_is_name(name)) {
    *dot = '\0';
    if ((dot = strrchr(name, '.')) && strcasecmp(dot, ".tar") == 0)
      *dot = '\0';
  } else if (dot && dot > name && strcasecmp(dot, ".cu") == 0) {
    *dot = '\0';
  }
}

struct student student_of(const char *submission) {
  struct student student = {.platform = STUDENT_PLAIN};
  regmatch_t parts[PARTS];
  if (matches(submission, "^(.+)_([0-9]+)_assignsubmission_", parts)) {
    student.platform = STUDENT_MOODLE;
    copy_part(student.name, sizeof student.name, submission, parts[1]);
    copy_part(student.id, sizeof student.id, submission, parts[2]);
    snprintf(student.key, sizeof student.key, "%s", student.name); /* the id differs between assignments */
  } else if (matches(submission, "^([^_]+)(_LATE)?_([0-9]+)_[0-9]+_.", parts)) {
    student.platform = STUDENT_CANVAS;
    copy_part(student.name, sizeof student.name, submission, parts[1]);
    copy_part(student.id, sizeof student.id, submission, parts[3]);
    snprintf(student.key, sizeof student.key, "%s (%s)", student.name, student.id);
  } else {
    snprintf(student.name, sizeof student.name, "%s", submission);
    cut_end(student.name);
    snprintf(student.key, sizeof student.key, "%s", student.name);
  }
  return student;
}
