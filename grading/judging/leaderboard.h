/* What a course may compare its submissions by: the values of items about speed. */
#pragma once

#include "installation.h"
#include <jansson.h>

/* Sets the member "leaderboard" of a result from its labs: an entry for each item that measures speed, by the
 * model or by a GPU's clock, and whose value can be trusted. */
void leaderboard_keep(json_t *result, const struct installation *kit);
