/* Memory of the host that the device may still use: pinned memory that an asynchronous copy goes to or comes from, and
 * managed memory that a kernel has changed. All work runs at once, so a program that forgets to wait finds correct
 * values. Outside the runtime's calls the pages of such memory are closed until the host has waited; its first access
 * is counted, and opens them. The source of a copy stays open for reads. Does nothing unless the device counts. */
#pragma once

#include <stddef.h>

/* The current stream's work has written these bytes. Their pages hold nothing but memory of the same kind. A program
 * may poll mapped memory: there an access is a wait for that work. */
void early_add(const void *address, size_t size);
void early_add_mapped(const void *address, size_t size);
/* The current stream's work reads these bytes. */
void early_add_source(const void *address, size_t size);
/* The memory is about to be freed. */
void early_forget(const void *address, size_t size);
