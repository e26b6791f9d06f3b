/* Virtual memory management: addresses, mappings, lifetimes, and what a hostile client asks for. */
#include "random_numbers.h"
#include "suite.h"

#include "virtual.h"

#include <string.h>

static struct memory memory;
static struct virtual_memory v;

static struct random source;

static uint64_t chance(uint64_t below) { return random_next(&source) % below; }

static void open_memory(void) { memory_open(&memory, 16 * SIM_GRANULE); }
static void close_memory(void) {
  memory_close(&memory);
  virtual_close(&v);
}

static uint64_t reserved(uint64_t granules) {
  uint64_t base = 0;
  ck_assert_int_eq(virtual_reserve(&v, &(struct sim_reserve){.size = granules * SIM_GRANULE}, &base), SIM_OK);
  return base;
}

static struct physical *created(uint64_t granules) {
  enum sim_status status;
  struct physical *p =
      virtual_create(&v, &memory, &(struct sim_physical){.size = granules * SIM_GRANULE}, &status);
  ck_assert_ptr_nonnull(p);
  return p;
}

static enum sim_status map(uint64_t base, const struct physical *p) {
  return virtual_map(&v, &(struct sim_map){base, p->is.size, p->id, 0});
}

static bool allow(uint64_t base, uint64_t granules, uint32_t access) {
  return virtual_access(&v, &memory, &(struct sim_access){base, granules * SIM_GRANULE, 0, access});
}

START_TEST(fresh_memory_is_poisoned_or_zero) {
  memory.lenient = _i;
  const uint64_t base = reserved(1);
  struct physical *p = created(1);
  ck_assert_int_eq(map(base, p), SIM_OK);
  ck_assert(allow(base, 1, SIM_ACCESS_READ_WRITE));
  const uint8_t *host = memory_at(&memory, base, SIM_GRANULE), expected = _i ? 0 : POISON;
  ck_assert_ptr_nonnull(host);
  for (uint64_t k = 0; k < SIM_GRANULE; k += 1021)
    ck_assert_uint_eq(host[k], expected);
}
END_TEST

START_TEST(mappings_side_by_side_are_contiguous) {
  const uint64_t base = reserved(4);
  struct physical *one = created(1), *two = created(2);
  ck_assert_int_eq(map(base + 3 * SIM_GRANULE, one), SIM_OK);
  ck_assert_int_eq(map(base + SIM_GRANULE, two), SIM_OK);
  ck_assert(allow(base + SIM_GRANULE, 3, SIM_ACCESS_READ_WRITE));
  const uint64_t first = base + SIM_GRANULE, all = 3 * SIM_GRANULE;
  uint8_t *host = memory_at(&memory, first, all);
  ck_assert_ptr_nonnull(host);
  ck_assert_ptr_eq(memory_at(&memory, first + all - 1, 1), host + all - 1);
  ck_assert_ptr_eq(memory_at(&memory, first + 5, all - 5), host + 5);
  ck_assert_ptr_null(memory_at(&memory, first + 5, all - 4));
  ck_assert_ptr_null(memory_at(&memory, first, UINT64_MAX));
  ck_assert_ptr_null(memory_at(&memory, base, 1));
  ck_assert_ptr_null(memory_past_end(&memory, first + all, 1));
  ck_assert(allow(base + 3 * SIM_GRANULE, 1, SIM_ACCESS_READ));
  ck_assert_ptr_eq(memory_at(&memory, first, all), host);
  ck_assert(memory_is_read_only(&memory, first, all));
  ck_assert(!memory_is_read_only(&memory, first, 2 * SIM_GRANULE));
  struct physical *again = created(1);
  const uint64_t apart = reserved(3);
  ck_assert_int_eq(map(apart, again), SIM_OK);
  ck_assert_int_eq(map(apart + 2 * SIM_GRANULE, again), SIM_OK);
  ck_assert(allow(apart, 1, SIM_ACCESS_READ) && allow(apart + 2 * SIM_GRANULE, 1, SIM_ACCESS_READ));
  ck_assert_ptr_null(memory_at(&memory, apart, SIM_GRANULE + 1));
  ck_assert(allow(base + SIM_GRANULE, 2, SIM_ACCESS_NONE));
  ck_assert_ptr_null(memory_at(&memory, first + 2 * SIM_GRANULE - 1, 1));
}
END_TEST

START_TEST(what_is_used_is_counted_once) {
  const uint64_t base = reserved(8);
  struct physical *p = created(2);
  ck_assert_uint_eq(memory.used, 2 * SIM_GRANULE);
  for (uint64_t i = 0; i < 8; i += 2)
    ck_assert_int_eq(map(base + i * SIM_GRANULE, p), SIM_OK);
  ck_assert_uint_eq(memory.used, 2 * SIM_GRANULE);
  enum sim_status status;
  ck_assert_ptr_null(virtual_create(&v, &memory, &(struct sim_physical){.size = 15 * SIM_GRANULE}, &status));
  ck_assert_int_eq(status, SIM_OUT_OF_MEMORY);
  ck_assert_ptr_null(memory_allocate(&memory, 15 * SIM_GRANULE));
  ck_assert(virtual_drop(&v, &memory, p));
  ck_assert(!virtual_drop(&v, &memory, p));
  ck_assert(virtual_unmap(&v, &memory, base, 6 * SIM_GRANULE));
  ck_assert_uint_eq(memory.used, 2 * SIM_GRANULE);
  ck_assert(virtual_unmap(&v, &memory, base, 8 * SIM_GRANULE));
  ck_assert_uint_eq(memory.used, 0);
  ck_assert_uint_eq(v.physical_count, 0);
}
END_TEST

START_TEST(numbers_are_not_used_again) {
  struct physical *p = created(1);
  const uint32_t id = p->id;
  ck_assert(virtual_drop(&v, &memory, p));
  ck_assert_ptr_null(virtual_physical(&v, id));
  ck_assert_uint_ne(created(1)->id, id);
  ck_assert_ptr_null(virtual_physical(&v, 0));
}
END_TEST

/* Allocations and reservations do not meet. */
START_TEST(addresses_are_apart) {
  const uint64_t base = reserved(1);
  const struct allocation *a = memory_allocate(&memory, 1000);
  ck_assert(base >= MEMORY_LAST && base < SIM_ADDRESS_LAST);
  ck_assert(a->base >= SIM_ADDRESS_FIRST && a->base + a->size <= MEMORY_LAST);
  ck_assert(virtual_is_reserved(&v, base + SIM_GRANULE - 1) && !virtual_is_reserved(&v, base + SIM_GRANULE));
  ck_assert(!virtual_is_reserved(&v, base - 1) && !virtual_is_reserved(&v, UINT64_MAX));
}
END_TEST

START_TEST(addresses_run_out) {
  const uint64_t quarter = (SIM_ADDRESS_LAST - MEMORY_LAST) / SIM_GRANULE / 4;
  uint64_t base;
  for (int i = 0; i < 4; i++)
    reserved(quarter);
  ck_assert_int_eq(virtual_reserve(&v, &(struct sim_reserve){.size = SIM_GRANULE}, &base), SIM_OUT_OF_MEMORY);
  ck_assert(virtual_unreserve(&v, MEMORY_LAST + quarter * SIM_GRANULE, quarter * SIM_GRANULE));
  ck_assert_uint_eq(reserved(1), MEMORY_LAST + quarter * SIM_GRANULE);
}
END_TEST

/* Numbers near the ends of what they can be. */
static uint64_t hostile(uint64_t base) {
  static const uint64_t numbers[] = {0, 1, 4096, SIM_GRANULE, 3 * SIM_GRANULE, MEMORY_LAST, SIM_ADDRESS_LAST};
  const uint64_t few = chance(6) * SIM_GRANULE;
  switch (chance(4)) {
  case 0:
    return numbers[chance(sizeof numbers / sizeof *numbers)];
  case 1:
    return -few;
  default:
    return (chance(2) ? base : 0) + few;
  }
}

/* Any calls leave a state in which each listed mapping has its memory. */
START_TEST(nothing_that_a_client_says_does_harm) {
  const uint64_t base = reserved(6);
  enum sim_status status;
  uint64_t got;
  source = random_seed(1);
  for (int k = 0; k < 10000; k++) {
    const uint64_t a = hostile(base), b = hostile(base), c = hostile(base);
    struct physical *p = virtual_physical(&v, (uint32_t)chance(v.last_id + 2));
    switch (chance(9)) {
    case 0:
      virtual_reserve(&v, &(struct sim_reserve){a, b, c}, &got);
      break;
    case 1:
      virtual_unreserve(&v, a, b);
      break;
    case 2:
      virtual_create(&v, &memory, &(struct sim_physical){a, (uint32_t)chance(9), 0}, &status);
      break;
    case 3:
      if (p)
        virtual_drop(&v, &memory, p);
      break;
    case 4:
    case 5:
      virtual_map(&v, &(struct sim_map){a, p ? p->is.size : b, p ? p->id : (uint32_t)c, 0});
      break;
    case 6:
      virtual_unmap(&v, &memory, a, b);
      break;
    default:
      virtual_access(&v, &memory, &(struct sim_access){a, b, (uint32_t)chance(9), (uint32_t)chance(5)});
    }
    for (uint32_t i = 0; i < memory.count; i++)
      memory.list[i]->host[chance(SIM_GRANULE)] = 1;
  }
  ck_assert_uint_le(memory.used, memory.limit);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("virtual");
  tcase_add_checked_fixture(tcase, open_memory, close_memory);
  tcase_add_loop_test(tcase, fresh_memory_is_poisoned_or_zero, 0, 2);
  tcase_add_test(tcase, mappings_side_by_side_are_contiguous);
  tcase_add_test(tcase, what_is_used_is_counted_once);
  tcase_add_test(tcase, numbers_are_not_used_again);
  tcase_add_test(tcase, addresses_are_apart);
  tcase_add_test(tcase, addresses_run_out);
  tcase_add_test(tcase, nothing_that_a_client_says_does_harm);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_virtual", tcase);
}
