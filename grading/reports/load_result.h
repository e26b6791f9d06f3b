/* Reads the JSON result of a grading, also those that older kits wrote. */
#pragma once

#include <jansson.h>

#define LOAD_RESULT_SCHEMA "checkerboard/result/v2" /* what result.h describes */

/* Like json_load_file(). A result of an older schema becomes one of LOAD_RESULT_SCHEMA:
 * in checkerboard/result/v1, the items of a lab were its "lines". */
json_t *load_result(const char *path, size_t flags, json_error_t *why);
