#include "pinned_copies.h"

#include "managed.h"
#include "pinned.h"

void pinned_copies_begin(const void *address) {
  size_t size;
  void *whole = pinned_whole(address, &size);
  if (whole && !managed_follows(whole))
    managed_follow(whole, size, pinned_has_own_pages(whole, size));
}

void pinned_copies_end(const void *address) { managed_unfollow(address); }
