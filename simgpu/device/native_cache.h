/* Where compiled code lies: a folder of the user's that nobody else can write to. A program that loads code from there
 * trusts its own user. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Finds the folder, and makes it if it is missing; false: there is none that can be trusted. */
bool native_cache_folder(char *path, size_t size, bool make);
/* Makes a private folder for one process; NULL if that fails. */
char *native_cache_temporary(void);
/* The name of what a compiler makes of these texts and flags (up to NULL). */
void native_cache_name(const char *const *texts, size_t count, const char *const *flags, char *name,
                       size_t size);
/* Waits until no other process holds the lock, a file; -1: there can be no lock. */
int native_cache_lock(const char *path);
void native_cache_unlock(int lock, const char *path);
/* Appends a checksum of the object and its name; false: it cannot be written. */
bool native_cache_seal(const char *path, const char *name);
/* Returns whether the object is there, complete, and the one that was sealed with this name. */
bool native_cache_has(const char *path, const char *name);
/* Removes files that have not been used for long, and the least recently used ones if all are too large. */
void native_cache_prune(const char *folder);
