/* report --result result.json --format gradescope,junit --out DIR: writes a result in other formats, for
 * example after a merge. */
#include "load_result.h"
#include "options.h"
#include "report.h"

static const char *result_file, *formats, *directory = ".";
static const struct options_option options[] = {
    OPTIONS_STRING("result", &result_file, "FILE", "output of grade --json, schema checkerboard/result/v2"),
    OPTIONS_STRING("format", &formats, "LIST", REPORT_FORMATS),
    OPTIONS_STRING("out", &directory, "DIR", "folder for the reports"),
    OPTIONS_END,
};
static const struct options_command commands[] = {{NULL, "write the reports of a result", options},
                                                  OPTIONS_END};

int main(int argc, char **argv) {
  struct error error;
  json_error_t parse;
  options_parse("a graded submission in the formats of learning platforms", commands, argc, argv);
  if (!result_file || !formats)
    error_die("expected --result FILE and --format LIST");
  if (!report_check(formats, &error))
    error_die("--format %s", error.text);
  json_t *result = load_result(result_file, JSON_REJECT_DUPLICATES, &parse);
  if (!result)
    error_die("%s: line %d: %s", result_file, parse.line, parse.text);
  if (!report_save(result, formats, directory, &error))
    error_die("%s", error.text);
  json_decref(result);
}
