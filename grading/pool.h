/* Work in processes of its own, several at once; each hands back JSON. */
#ifndef POOL_H
#define POOL_H

#include <jansson.h>

/* task(n, context) for each n from 0 to count − 1, in a process and an empty directory of its own, at most
 * jobs at once. results[n] is what it returned, NULL when the process did not come that far. */
void pool_run(int count, int jobs, json_t *(*task)(int n, void *context), void *context, json_t **results);

#endif
