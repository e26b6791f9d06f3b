/* check_result SCHEMA RESULT: prints verdict, points and maximum of a result of grade --json. Exit status 2, with one
 * line, if it does not match the schema or has more points than its maximum. */
#include "error.h"
#include "schema.h"

#include <jansson.h>
#include <stdio.h>

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

/* In the whole result, in each lab and in each item. */
static void check_points(const char *path, const json_t *value) {
  const char *key;
  json_t *member;
  size_t n;
  const double most = number(value, "max_points") + number(value, "max_bonus");
  if (json_object_get(value, "points") && number(value, "points") > most)
    error_die("%s: %g of %g points", path, number(value, "points"), most);
  json_object_foreach((json_t *)value, key, member)
    check_points(path, member);
  json_array_foreach((json_t *)value, n, member)
    check_points(path, member);
}

int main(int argc, char **argv) {
  struct error error;
  json_error_t why;
  if (argc != 3)
    error_die("expected SCHEMA RESULT");
  json_t *schema = json_load_file(argv[1], 0, &why), *result = json_load_file(argv[2], 0, &why);
  if (!schema || !result)
    error_die("%s: %s", why.source, why.text);
  if (!schema_check(schema, schema, result, &error))
    error_die("%s: %s", argv[2], error.text);
  check_points(argv[2], result);
  printf("%s ", json_string_value(json_object_get(result, "verdict")));
  if (json_is_null(json_object_get(result, "points")))
    printf("null");
  else
    printf("%.4g", number(result, "points"));
  printf(" %.4g\n", number(result, "max_points") + number(result, "max_bonus"));
  json_decref(schema);
  json_decref(result);
  return 0;
}
