#include "pinned_copies.h"

#include "context.h"
#include "managed.h"
#include "pinned.h"

void pinned_copies_begin(const void *address) {
  size_t size;
  void *whole = context_device()->shares ? NULL : pinned_whole(address, &size);
  if (whole && !managed_follows(whole))
    managed_follow(whole, size, pinned_has_own_pages(whole, size));
}

void pinned_copies_end(const void *address) { managed_unfollow(address); }
