/* Checks a JSON value against a JSON Schema (draft 2020-12), with the keywords of result.schema.json: $ref into
 * $defs, type, enum, const, minimum, properties, required, additionalProperties: false, items. */
#pragma once

#include "error.h"
#include <jansson.h>

/* False, with the place and what was expected, if value does not match schema, or schema has another keyword.
 * root: the whole schema, in which $ref is found. */
bool schema_check(const json_t *root, const json_t *schema, const json_t *value, struct error *error);
