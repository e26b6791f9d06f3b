/* leaderboard.csv of a class: item,title,rank,submission,value,unit. For each item the best value first; equal
 * values share a rank. */
#pragma once

#include "error.h"
#include <jansson.h>

/* results: with the members "leaderboard" of result.h. Writes the complete file, or nothing. */
bool class_leaderboard_write(const char *path, int count, json_t *const *results, struct error *error);
