/* Where compiled code lies: a folder of the user's that nobody else can write to. A program that loads code from there
 * trusts its own user. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns the folder, or NULL if there is none that can be trusted. */
const char *native_cache_folder(void);
/* Makes a private folder for one process; NULL if that fails. */
char *native_cache_temporary(void);
/* The name of what a compiler makes of these texts and flags (up to NULL). */
void native_cache_name(const char *const *texts, size_t count, const char *const *flags, char *name,
                       size_t size);
/* Removes the oldest files if there are many. */
void native_cache_prune(const char *folder);
