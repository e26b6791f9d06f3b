/* Device memory that several processes use. Its pages are those of a file in memory: the process that allocated it
 * keeps the file open, and the devices of all processes map it. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>
#include <stdint.h>

/* Names an allocation to other processes, as bytes that a program hands on. */
struct export_ticket {
  char mark[16];
  int32_t process, file; /* its descriptor there */
  uint64_t offset, size; /* of the memory in the file */
};

/* Fills in the ticket of the allocation that holds `address`. */
cudaError_t export_memory(const void *address, struct export_ticket *ticket);

/* Maps the memory of another process: every time at the same address, until it has been closed as often. */
cudaError_t export_open(const struct export_ticket *ticket, void **address);
cudaError_t export_close(void *address);

/* Call this when memory is freed: others keep what they have opened. */
void export_forget(const void *address);
void export_forget_all(void);
