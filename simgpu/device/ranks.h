/* How often lanes have equal keys. */
#pragma once

#include "lane.h"

enum { RANKS = 32 }; /* lanes of a warp */
#define RANKS_NO_KEY UINT32_MAX

/* Gives the chosen lanes keys below `limit`, which is above RANKS: equal ones where their addresses agree without the
 * lowest `shift` bits. The others get none. */
void ranks_find_keys(const u64 address[RANKS], u32 lanes, u32 shift, u64 limit, u32 key[RANKS]);
/* rank[l] becomes the number of lanes before l that have its key; no key is RANKS_NO_KEY, as narrow as the keys. */
void ranks_of(const u32 key[RANKS], u32 rank[RANKS]);
void ranks_of_narrow(const u16 key[RANKS], u16 rank[RANKS]);
