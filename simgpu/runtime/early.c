#define _GNU_SOURCE
#include "early.h"

#include "context.h"
#include "runtime/progress.h"
#include "tally.h"
#include "trespass.h"

#include <sys/mman.h>
#include <unistd.h>

enum { RANGES = 64 }; /* more are left open */

struct range {
  uintptr_t first, last; /* the byte behind the end */
  struct progress_moment moment;
  bool is_mapped;
  volatile bool touched;
};
static struct range ranges[RANGES];
static int count;
static uintptr_t page;

static void protect(const struct range *range, int protection) {
  const uintptr_t first = range->first / page * page, last = (range->last + page - 1) / page * page;
  mprotect((void *)first, last - first, protection);
}

static void drop(int n) { ranges[n] = ranges[--count]; }

void early_forget(const void *address, size_t size) {
  const uintptr_t first = (uintptr_t)address;
  for (int n = count - 1; n >= 0; n--)
    if (ranges[n].first < first + size && first < ranges[n].last)
      drop(n);
}

static void open_pages(void) {
  for (int n = count - 1; n >= 0; n--) {
    protect(&ranges[n], PROT_READ | PROT_WRITE);
    if (!ranges[n].touched)
      continue;
    const struct range range = ranges[n];
    drop(n);
    if (range.is_mapped)
      progress_wait(&range.moment);
    else
      tally_add(TALLY_EARLY, 1);
  }
}

static void close_pages(void) {
  for (int n = count - 1; n >= 0; n--)
    if (progress_is_known(&ranges[n].moment))
      drop(n);
  for (int n = 0; n < count; n++)
    protect(&ranges[n], PROT_NONE);
}

/* Another element of the page, that the host may use, opens the page, too, until the next call. */
static bool open_page_of(uintptr_t address) {
  bool closed = false;
  for (int n = 0; n < count; n++) {
    if (address < ranges[n].first / page * page || address >= (ranges[n].last + page - 1) / page * page)
      continue;
    closed = true;
    protect(&ranges[n], PROT_READ | PROT_WRITE);
    if (ranges[n].first <= address && address < ranges[n].last)
      ranges[n].touched = true;
  }
  return closed;
}

static void add(struct range all) {
  if (!context_device()->counts_waits)
    return;
  page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int n = count - 1; n >= 0; n--)
    if (ranges[n].first < all.last && all.first < ranges[n].last) {
      all.first = ranges[n].first < all.first ? ranges[n].first : all.first;
      all.last = ranges[n].last > all.last ? ranges[n].last : all.last;
      drop(n);
    }
  if (count < RANGES)
    ranges[count++] = all;
  context_watch_calls(open_pages, close_pages);
  trespass_permit(open_page_of);
}

static struct range range_of(const void *address, size_t size, bool is_mapped) {
  return (struct range){(uintptr_t)address, (uintptr_t)address + size, *progress_now(), is_mapped, false};
}

void early_add(const void *address, size_t size) { add(range_of(address, size, false)); }
void early_add_mapped(const void *address, size_t size) { add(range_of(address, size, true)); }
