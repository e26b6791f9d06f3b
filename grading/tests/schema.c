#include "schema.h"

#include <string.h>

struct check {
  const json_t *root;
  struct error *error;
  char place[512];
};

static bool conforms(struct check *check, const json_t *schema, const json_t *value);

static bool fault(struct check *check, const char *expected, const char *what) {
  return error_set(check->error, "%s: expected %s %s", check->place[0] ? check->place : "the whole", expected,
                   what);
}

static bool has_type(const json_t *value, const char *type) {
  static const char *const names[] = {
      [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",  [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
      [JSON_REAL] = "number",   [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean", [JSON_NULL] = "null"};
  return strcmp(names[json_typeof(value)], type) == 0 ||
         (json_is_integer(value) && strcmp(type, "number") == 0);
}

static bool check_type(struct check *check, const json_t *types, const json_t *value) {
  size_t n;
  json_t *type;
  if (json_is_string(types))
    return has_type(value, json_string_value(types)) || fault(check, "type", json_string_value(types));
  json_array_foreach((json_t *)types, n, type) {
    if (has_type(value, json_string_value(type)))
      return true;
  }
  return fault(check, "another type than", "it has");
}

static bool check_enum(struct check *check, const json_t *values, const json_t *value) {
  size_t n;
  json_t *one;
  json_array_foreach((json_t *)values, n, one) {
    if (json_equal(one, (json_t *)value))
      return true;
  }
  return fault(check, "one of the values of its enum, not",
               json_is_string(value) ? json_string_value(value) : "it");
}

static bool check_required(struct check *check, const json_t *names, const json_t *value) {
  size_t n;
  json_t *name;
  json_array_foreach((json_t *)names, n, name) {
    if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
      return fault(check, "member", json_string_value(name));
  }
  return true;
}

static bool below(struct check *check, const char *name, const json_t *schema, const json_t *value) {
  const size_t length = strlen(check->place);
  snprintf(check->place + length, sizeof check->place - length, "/%s", name);
  const bool good = conforms(check, schema, value);
  check->place[length] = '\0';
  return good;
}

static bool check_members(struct check *check, const json_t *schema, const json_t *value) {
  const json_t *properties = json_object_get(schema, "properties");
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    const json_t *its = json_object_get(properties, name);
    if (its ? !below(check, name, its, member)
            : json_is_false(json_object_get(schema, "additionalProperties")) &&
                  !fault(check, "no member", name))
      return false;
  }
  return true;
}

static bool check_items(struct check *check, const json_t *schema, const json_t *value) {
  size_t n;
  json_t *item;
  json_array_foreach((json_t *)value, n, item) {
    char place[32];
    snprintf(place, sizeof place, "%zu", n);
    if (!below(check, place, schema, item))
      return false;
  }
  return true;
}

static bool check_reference(struct check *check, const json_t *reference, const json_t *value) {
  static const char beginning[] = "#/$defs/";
  const char *name = json_string_value(reference);
  const json_t *schema = NULL;
  if (name && strncmp(name, beginning, strlen(beginning)) == 0)
    schema = json_object_get(json_object_get(check->root, "$defs"), name + strlen(beginning));
  return schema ? conforms(check, schema, value) : fault(check, "a definition for $ref", name ? name : "");
}

static bool check_word(struct check *check, const json_t *schema, const char *word, const json_t *its,
                       const json_t *value) {
  if (strcmp(word, "$ref") == 0)
    return check_reference(check, its, value);
  if (strcmp(word, "type") == 0)
    return check_type(check, its, value);
  if (strcmp(word, "enum") == 0)
    return check_enum(check, its, value);
  if (strcmp(word, "const") == 0)
    return json_equal((json_t *)its, (json_t *)value) || fault(check, "the value of its", "const");
  if (strcmp(word, "minimum") == 0)
    return !json_is_number(value) || json_number_value(value) >= json_number_value(its) ||
           fault(check, "at least its", word);
  if (strcmp(word, "required") == 0)
    return check_required(check, its, value);
  if (strcmp(word, "properties") == 0)
    return check_members(check, schema, value);
  if (strcmp(word, "items") == 0)
    return check_items(check, its, value);
  static const char *const others[] = {"$schema", "$defs", "title", "description", "additionalProperties"};
  for (size_t n = 0; n < sizeof others / sizeof *others; n++)
    if (strcmp(word, others[n]) == 0)
      return true;
  return fault(check, "a schema without the word", word);
}

static bool conforms(struct check *check, const json_t *schema, const json_t *value) {
  const char *word;
  json_t *its;
  json_object_foreach((json_t *)schema, word, its) {
    if (!check_word(check, schema, word, its, value))
      return false;
  }
  return true;
}

bool schema_check(const json_t *root, const json_t *schema, const json_t *value, struct error *error) {
  struct check check = {.root = root, .error = error};
  return conforms(&check, schema, value);
}
