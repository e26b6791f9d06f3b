/* A JSON value against a JSON Schema (draft 2020-12), as far as result.schema.json goes: $ref into $defs,
 * type, enum, const, minimum, properties, required, additionalProperties: false, items. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "error.h"
#include <jansson.h>

/* False, with the place and what would be right, when value is not as schema has it, or schema has a word
 * that is none of the above. root: where $ref looks, the whole schema. */
bool schema_check(const json_t *root, const json_t *schema, const json_t *value, struct error *error);

#endif
