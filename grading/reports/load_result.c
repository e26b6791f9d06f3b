#include "load_result.h"

#include <string.h>

static void upgrade_lab(json_t *lab) {
  json_t *items = json_object_get(lab, "lines");
  if (items && !json_object_get(lab, "items"))
    json_object_set(lab, "items", items);
  json_object_del(lab, "lines");
}

static void upgrade(json_t *result) {
  const char *schema = json_string_value(json_object_get(result, "schema"));
  size_t n;
  json_t *lab;
  if (!schema || strcmp(schema, "checkerboard/result/v1") != 0)
    return;
  json_array_foreach(json_object_get(result, "labs"), n, lab)
    upgrade_lab(lab);
  json_object_set_new(result, "schema", json_string(LOAD_RESULT_SCHEMA));
}

json_t *load_result(const char *path, size_t flags, json_error_t *why) {
  json_t *result = json_load_file(path, flags, why);
  if (result)
    upgrade(result);
  return result;
}
