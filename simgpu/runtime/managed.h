/* Memory that the program and its kernels reach at one address: managed memory, and mapped pinned memory. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>
#include <stdint.h>

enum managed_kind { MANAGED_NOT, MANAGED_MEMORY, MANAGED_PINNED };

enum managed_kind managed_kind(const void *address);
bool managed_is_shared(const void *address); /* with the device */
bool managed_holds(const void *address, size_t size);
cudaError_t managed_allocate(void **address, size_t size, enum managed_kind kind);
cudaError_t managed_release(void *address, enum managed_kind kind);

/* Makes the program's memory reachable for kernels by copies, though it is no managed memory for the functions above.
 * `own_pages`: its pages hold nothing else. Returns false if the device refuses. */
bool managed_follow(void *address, size_t size, bool own_pages);
bool managed_follows(const void *address);
void managed_unfollow(const void *address); /* of its first byte */

/* What the program has said about a page of managed memory. Places are of enum cudaMemLocationType; 0: none. */
struct managed_page {
  bool is_read_mostly;
  struct managed_place {
    uint8_t type;
    int16_t id;
  } preferred, prefetched;
  uint16_t accessed_by; /* a bit per device, and MANAGED_BY_HOST */
};
enum { MANAGED_BY_HOST = 1 << 15 };

/* Does something to all pages of a range of managed memory that managed_holds(). Returns false if out of memory. */
bool managed_pages(const void *address, size_t size, void (*act)(struct managed_page *page, void *data),
                   void *data);

/* A module's variable with these bounds becomes managed memory; the program gets its value. */
cudaError_t managed_adopt(void *address, size_t size);

/* True if some of it is copied for each kernel: the runtime must wait for the kernel. */
bool managed_is_copied(void);

/* Copy all managed memory to the device before a kernel, and back after it. */
cudaError_t managed_send(void);
cudaError_t managed_fetch(void);

/* Call this when the device has freed all memory. */
void managed_forget(void);
