/* Device memory: exact bounds, guard zones, poison, addresses that are not used again soon. */
#define _GNU_SOURCE /* memfd_create */
#include "random_numbers.h"
#include "suite.h"

#include "memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct memory memory;

static void open_memory(void) { memory_open(&memory, UINT64_C(64) << 20); }
static void close_memory(void) { memory_close(&memory); }

static struct allocation *allocated(uint64_t size) {
  struct allocation *a = memory_allocate(&memory, size);
  ck_assert_ptr_nonnull(a);
  return a;
}

START_TEST(bounds_are_exact) {
  static const uint64_t sizes[] = {1, 3, 512, 513, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};
  struct allocation *a = allocated(sizes[_i]);
  uint64_t base = a->base, end = base + a->size;
  ck_assert_uint_eq(a->size, sizes[_i]);
  ck_assert_ptr_eq(memory_at(&memory, base, a->size), a->host);
  ck_assert_ptr_eq(memory_at(&memory, end - 1, 1), a->host + a->size - 1);
  ck_assert_ptr_null(memory_at(&memory, base, a->size + 1));
  ck_assert_ptr_null(memory_at(&memory, base, UINT64_MAX));
  ck_assert_ptr_null(memory_at(&memory, end - 1, 2));
  ck_assert_ptr_null(memory_at(&memory, end, 1));
  ck_assert_ptr_null(memory_at(&memory, base - 1, 2));
  ck_assert_ptr_eq(memory_find(&memory, base), a);
  ck_assert_ptr_eq(memory_find(&memory, end - 1), a);
  ck_assert_ptr_null(memory_find(&memory, base - 1));
  ck_assert_ptr_null(memory_find(&memory, end));
  ck_assert_ptr_null(memory_find(&memory, 0));
  ck_assert_ptr_null(memory_find(&memory, UINT64_MAX));
}
END_TEST

START_TEST(guard_zones_lie_between) {
  uint64_t end = 0;
  for (uint64_t size = 1; size < 20000; size += 777) {
    const struct allocation *a = allocated(size);
    ck_assert_uint_eq(a->base % MEMORY_ALIGN, 0);
    ck_assert(a->base >= SIM_ADDRESS_FIRST && a->base + size <= MEMORY_LAST);
    if (end)
      ck_assert_uint_ge(a->base, end + MEMORY_GUARD);
    end = a->base + size;
  }
}
END_TEST

static void assert_poisoned(const struct allocation *a) {
  uint64_t poisoned = 0;
  while (poisoned < a->size && a->host[poisoned] == POISON)
    poisoned++;
  ck_assert_uint_eq(poisoned, a->size);
}

START_TEST(fresh_memory_is_poisoned) {
  static const uint64_t sizes[] = {5, 4096, 3 << 20};
  for (int i = 0; i < 3; i++) {
    struct allocation *a = allocated(sizes[i]);
    assert_poisoned(a);
    memset(a->host, 7, a->size);
    memory_free(&memory, a);
    assert_poisoned(allocated(sizes[i])); /* the host may return the same bytes again */
  }
}
END_TEST

START_TEST(freed_addresses_point_nowhere) {
  struct allocation *a = allocated(1000);
  uint64_t stale = a->base;
  allocated(10);
  memory_free(&memory, a);
  ck_assert_ptr_null(memory_find(&memory, stale));
  for (int i = 0; i < 100; i++) {
    a = allocated(1000);
    ck_assert_uint_ne(a->base, stale);
    if (i % 2)
      memory_free(&memory, a);
  }
  ck_assert_ptr_null(memory_find(&memory, stale));
}
END_TEST

START_TEST(addresses_start_over_at_the_end_of_the_range) {
  struct allocation *first = allocated(100), *second = allocated(100);
  uint64_t free_again = first->base;
  memory_free(&memory, first);
  memory.next = MEMORY_LAST - 8192;
  struct allocation *last = allocated(4096);
  ck_assert_uint_eq(last->base, MEMORY_LAST - 8192);
  struct allocation *wrapped = allocated(100);
  ck_assert_uint_eq(wrapped->base, free_again);
  struct allocation *after = allocated(100);
  ck_assert_uint_ge(after->base, second->base + 100 + MEMORY_GUARD);
}
END_TEST

START_TEST(nearest_is_named_in_reports) {
  ck_assert_ptr_null(memory_nearest(&memory, 12345));
  struct allocation *a = allocated(1000), *b = allocated(1000);
  uint64_t middle = (a->base + 1000 + b->base) / 2;
  ck_assert_ptr_eq(memory_nearest(&memory, 0), a);
  ck_assert_ptr_eq(memory_nearest(&memory, a->base), a);
  ck_assert_ptr_eq(memory_nearest(&memory, a->base + 1000), a);
  ck_assert_ptr_eq(memory_nearest(&memory, middle - 8), a);
  ck_assert_ptr_eq(memory_nearest(&memory, middle + 8), b);
  ck_assert_ptr_eq(memory_nearest(&memory, b->base - 1), b);
  ck_assert_ptr_eq(memory_nearest(&memory, b->base + 999), b);
  ck_assert_ptr_eq(memory_nearest(&memory, UINT64_MAX), b);
}
END_TEST

START_TEST(limit_is_kept) {
  struct allocation *a = allocated(memory.limit - 1024);
  ck_assert_ptr_null(memory_allocate(&memory, 1025));
  ck_assert_ptr_null(memory_allocate(&memory, UINT64_MAX));
  ck_assert_ptr_null(memory_allocate(&memory, UINT64_MAX - 4096));
  struct allocation *b = allocated(1000);
  ck_assert_uint_eq(memory.used, memory.limit);
  ck_assert_ptr_null(memory_allocate(&memory, 1));
  memory_free(&memory, a);
  memory_free(&memory, b);
  ck_assert(memory.used == 0 && memory.count == 0);
}
END_TEST

/* Many small allocations fail before the host runs out of memory. */
START_TEST(small_allocations_are_charged_what_they_cost) {
  uint64_t count = 0;
  memory.limit = 1 << 20;
  while (memory_allocate(&memory, 1))
    count++;
  ck_assert_uint_eq(count, memory.limit / MEMORY_ALIGN);
  memory_free(&memory, memory.list[0]);
  ck_assert_ptr_null(memory_allocate(&memory, MEMORY_ALIGN + 1));
  ck_assert_ptr_nonnull(memory_allocate(&memory, MEMORY_ALIGN));
}
END_TEST

static struct random source;
static uint32_t chance(uint32_t below) { return (uint32_t)(random_next(&source) % (uint64_t)below); }

static void assert_whole(void) {
  uint64_t used = 0, end = 0;
  bool taken[1024] = {false};
  for (uint32_t i = 0; i < memory.count; i++) {
    const struct allocation *a = memory.list[i];
    ck_assert(i == 0 || a->base >= end + MEMORY_GUARD);
    ck_assert(a->slot < memory.slots && !taken[a->slot]);
    taken[a->slot] = true;
    end = a->base + a->size;
    used += memory_charge(a->size);
    ck_assert_ptr_eq(memory_find(&memory, a->base + chance((uint32_t)a->size)), a);
  }
  ck_assert_uint_eq(used, memory.used);
}

/* Allocations and frees in random order, also near the end of the range; the number of slots stays at the
 * maximum in use. */
/* A file in memory of so many pages; the caller closes it. */
static int file_of_pages(int pages) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(file, (off_t)pages * sysconf(_SC_PAGESIZE)), 0);
  return file;
}

#define HOST_BASE UINT64_C(0x7f0000000000)

START_TEST(host_memory_keeps_its_address) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), base = HOST_BASE + 100, used = memory.used;
  const int file = file_of_pages(2);
  uint8_t byte = 0;
  ck_assert(memory_register(&memory, base, page + 1, file));
  struct allocation *a = memory_find(&memory, base);
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_eq(memory_at(&memory, base, page + 1), a->host);
  ck_assert_ptr_null(memory_at(&memory, base, page + 2));
  ck_assert_ptr_null(memory_at(&memory, base - 1, 1));
  a->host[page] = 42;
  ck_assert_int_eq(pread(file, &byte, 1, (off_t)(100 + page)), 1);
  ck_assert_uint_eq(byte, 42);
  ck_assert_uint_eq(memory.used, used); /* it is no device memory */
  for (int n = 0; n < 10; n++) {
    const struct allocation *device = allocated(5 << 20);
    ck_assert(SIM_ADDRESS_FIRST <= device->base && device->base + device->size <= MEMORY_LAST);
  }
  memory_free(&memory, a);
  ck_assert_ptr_null(memory_find(&memory, base));
  ck_assert_ptr_null(memory_freed(&memory, base));
  close(file);
}
END_TEST

/* A copy of the client's memory counts as device memory, until it is freed. */
START_TEST(mirrors_count) {
  const uint64_t before = memory.used, size = 5000;
  ck_assert(memory_mirror(&memory, HOST_BASE, size));
  struct allocation *a = memory_find(&memory, HOST_BASE + size - 1);
  ck_assert(a && a->base == HOST_BASE && a->size == size && a->is_host && !a->shared);
  for (uint64_t i = 0; i < size; i++)
    ck_assert_uint_eq(a->host[i], 0);
  ck_assert_uint_ge(memory.used, before + size);
  ck_assert(!memory_mirror(&memory, HOST_BASE + size - 1, 1));
  ck_assert(!memory_mirror(&memory, HOST_BASE + size, memory.limit));
  ck_assert(!memory_mirror(&memory, SIM_ADDRESS_FIRST, size));
  ck_assert(memory_mirror(&memory, HOST_BASE + size, 1));
  memory_free(&memory, memory_find(&memory, HOST_BASE + size));
  memory_free(&memory, a);
  ck_assert_uint_eq(memory.used, before);
  ck_assert(!memory_find(&memory, HOST_BASE));
}
END_TEST

START_TEST(host_memory_has_limits) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), top = SIM_PROGRAM_LAST;
  const int file = file_of_pages(2), device = open("/dev/zero", O_RDWR | O_CLOEXEC);
  ck_assert(memory_register(&memory, HOST_BASE, page, file));
  const struct {
    uint64_t base, size;
    int file;
  } bad[] = {{HOST_BASE + 2 * page, 0, file},
             {HOST_BASE + 2 * page, 2 * page + 1, file},
             {HOST_BASE + 2 * page + 1, 2 * page, file},
             {HOST_BASE + 2 * page, page, -1},
             {HOST_BASE + 2 * page, page, device},
             {HOST_BASE + 2 * page, UINT64_MAX, file},
             {HOST_BASE + page - 1, 1, file},
             {HOST_BASE - 1, 2, file},
             {HOST_BASE, page, file},
             {top - page + 1, page, file},
             {UINT64_MAX - page, page, file},
             {0, page, file},
             {page, page, file},
             {SIM_ADDRESS_FIRST, page, file},
             {SIM_ADDRESS_FIRST - 1, 2, file},
             {SIM_ADDRESS_LAST - 1, page, file}};
  for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
    ck_assert_msg(!memory_register(&memory, bad[n].base, bad[n].size, bad[n].file), "case %zu", n);
  ck_assert(memory_register(&memory, top - page, page, file));
  ck_assert(memory_register(&memory, HOST_BASE + page, page, file));
  ck_assert(memory_register(&memory, SIM_ADDRESS_LAST, page, file));
  ck_assert(memory_register(&memory, SIM_ADDRESS_FIRST - page, page, file));
  ck_assert_uint_eq(memory.count, 5);
  close(device);
  close(file);
}
END_TEST

START_TEST(storm) {
  uint32_t most = 0;
  source = random_seed(1);
  for (int round = 0; round < 20000; round++) {
    if (round == 10000)
      memory.next = MEMORY_LAST - (1 << 20);
    if (memory.count > 0 && (memory.count == 200 || chance(2)))
      memory_free(&memory, memory.list[chance(memory.count)]);
    else
      memset(allocated(1 + chance(20000))->host, 1, 1);
    most = memory.count > most ? memory.count : most;
    if (round % 50 == 0)
      assert_whole();
  }
  ck_assert_uint_eq(memory.slots, most);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("memory");
  tcase_add_checked_fixture(tcase, open_memory, close_memory);
  tcase_add_loop_test(tcase, bounds_are_exact, 0, 8);
  tcase_add_test(tcase, guard_zones_lie_between);
  tcase_add_test(tcase, fresh_memory_is_poisoned);
  tcase_add_test(tcase, freed_addresses_point_nowhere);
  tcase_add_test(tcase, addresses_start_over_at_the_end_of_the_range);
  tcase_add_test(tcase, nearest_is_named_in_reports);
  tcase_add_test(tcase, limit_is_kept);
  tcase_add_test(tcase, small_allocations_are_charged_what_they_cost);
  tcase_add_test(tcase, host_memory_keeps_its_address);
  tcase_add_test(tcase, mirrors_count);
  tcase_add_test(tcase, host_memory_has_limits);
  tcase_add_test(tcase, storm);
  return suite_run_case("device_memory", tcase);
}
