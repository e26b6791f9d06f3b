/* Pinned memory for kernels when the device shares no pages: it is copied for each kernel. */
#pragma once

/* Call this, if the device shares no pages, before a kernel that gets this address: if it is pinned memory, all of that
 * is copied from now on. */
void pinned_copies_begin(const void *address);

/* Call this before the memory that begins at the address is released. */
void pinned_copies_end(const void *address);
