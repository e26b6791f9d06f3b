#include "allocate.h"
#include "output.h"
#include "report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct report_format report_formats[] = {
    {"html", "report.html", true, report_html},
    {"gradescope", "gradescope.json", true, report_gradescope},
    {"autolab", "autolab.txt", true, report_autolab},
    {"classroom50", "classroom50.json", false, report_classroom50},
    {"prairielearn", "prairielearn.json", true, report_prairielearn},
    {"junit", "junit.xml", true, report_junit},
    {"tap", "report.tap", true, report_tap},
    {0},
};

/* The format named at the start of list, with *rest after it and its comma; NULL if there is none. */
static const struct report_format *next_format(const char *list, const char **rest) {
  size_t length = strcspn(list, ",");
  *rest = list + length + (list[length] == ',');
  for (const struct report_format *format = report_formats; format->name; format++)
    if (strlen(format->name) == length && strncmp(format->name, list, length) == 0)
      return format;
  return NULL;
}

static bool refuse(const char *list, struct error *error) {
  return error_set(error, "'%s': expected a list of %s, each once, separated by commas", list,
                   REPORT_FORMATS);
}

bool report_check(const char *formats, struct error *error) {
  bool seen[sizeof report_formats / sizeof report_formats[0]] = {false};
  const char *rest = formats;
  do {
    const struct report_format *format = next_format(rest, &rest);
    if (!format || seen[format - report_formats])
      return refuse(formats, error);
    seen[format - report_formats] = true;
  } while (*rest);
  return rest[-1] != ',' || refuse(formats, error);
}

static bool save(const struct report *report, const struct report_format *format, const char *path,
                 struct error *error) {
  struct output out;
  if (!report->graded && !format->without_grade)
    return unlink(path) == 0 || errno == ENOENT ||
           error_set(error, "%s: cannot remove: %s", path, strerror(errno));
  if (!output_open(&out, path, error))
    return false;
  if (format->write(report, out.stream))
    return output_commit_to_disk(&out, error);
  output_discard(&out);
  return error_set(error, "%s: cannot write the %s report", path, format->name);
}

bool report_save(const json_t *result, const char *formats, const char *directory, struct error *error) {
  struct report report;
  if (!report_check(formats, error) || !report_read(&report, result, error))
    return false;
  bool saved = mkdir(directory, 0777) == 0 || errno == EEXIST ||
               error_set(error, "%s: cannot make the folder: %s", directory, strerror(errno));
  for (const char *rest = formats; saved && *rest;) {
    const struct report_format *format = next_format(rest, &rest);
    size_t size = strlen(directory) + 1 + strlen(format->file) + 1;
    char *path = allocate_zeroed(size, 1);
    snprintf(path, size, "%s/%s", directory, format->file);
    saved = save(&report, format, path, error);
    free(path);
  }
  report_release(&report);
  return saved;
}
