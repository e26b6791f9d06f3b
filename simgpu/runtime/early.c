#define _GNU_SOURCE
#include "early.h"

#include "context.h"
#include "runtime/waits.h"
#include "tally.h"
#include "trespass.h"

#include <sys/mman.h>
#include <unistd.h>

enum { RANGES = 64 }; /* more are left open */

enum use { TARGET, MAPPED, SOURCE }; /* of a copy; MAPPED: changed by a kernel */

struct range {
  uintptr_t first, last; /* the byte behind the end */
  struct waits_moment moment;
  enum use use;
  volatile bool touched;
};
static struct range ranges[RANGES];
static int count;
static uintptr_t page;

static void protect(const struct range *range, int protection) {
  const uintptr_t first = range->first / page * page, last = (range->last + page - 1) / page * page;
  mprotect((void *)first, last - first, protection);
}

static bool is_in_page(const struct range *range, uintptr_t address) {
  return address >= range->first / page * page && address < (range->last + page - 1) / page * page;
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
    if (range.use == MAPPED)
      waits_for(&range.moment);
    else
      tally_add(TALLY_EARLY, 1);
  }
}

/* A page that holds a target, too, is closed for reads. */
static void close_pages(void) {
  for (int n = count - 1; n >= 0; n--)
    if (waits_is_known(&ranges[n].moment))
      drop(n);
  for (int n = 0; n < count; n++)
    if (ranges[n].use == SOURCE)
      protect(&ranges[n], PROT_READ);
  for (int n = 0; n < count; n++)
    if (ranges[n].use != SOURCE)
      protect(&ranges[n], PROT_NONE);
}

/* Another element of the page, that the host may use, opens the page, too, until the next call. In a page that is
 * closed for reads, too, the access to a source may be a read. */
static bool open_page_of(uintptr_t address) {
  bool closed = false, may_read = false;
  for (int n = 0; n < count; n++)
    may_read |= ranges[n].use != SOURCE && is_in_page(&ranges[n], address);
  for (int n = 0; n < count; n++) {
    if (!is_in_page(&ranges[n], address))
      continue;
    closed = true;
    protect(&ranges[n], PROT_READ | PROT_WRITE);
    if (ranges[n].first <= address && address < ranges[n].last && !(may_read && ranges[n].use == SOURCE))
      ranges[n].touched = true;
  }
  return closed;
}

static void add(struct range all) {
  if (!context_device()->counts_waits)
    return;
  page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int n = count - 1; n >= 0; n--)
    if (ranges[n].use == all.use && ranges[n].first < all.last && all.first < ranges[n].last) {
      all.first = ranges[n].first < all.first ? ranges[n].first : all.first;
      all.last = ranges[n].last > all.last ? ranges[n].last : all.last;
      drop(n);
    }
  if (count < RANGES)
    ranges[count++] = all;
  context_watch_calls(open_pages, close_pages);
  trespass_permit(open_page_of);
}

static void add_now(const void *address, size_t size, enum use use) {
  add((struct range){(uintptr_t)address, (uintptr_t)address + size, *waits_now(), use, false});
}

void early_add(const void *address, size_t size) { add_now(address, size, TARGET); }
void early_add_mapped(const void *address, size_t size) { add_now(address, size, MAPPED); }
void early_add_source(const void *address, size_t size) { add_now(address, size, SOURCE); }
