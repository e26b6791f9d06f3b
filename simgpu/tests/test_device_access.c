/* Compares the accesses of one warp with plain counting. Each pattern of addresses occurs at several places, so
 * that cached results are reused at other places. */
#include "random_numbers.h"
#include "ranks.h"
#include "suite.h"

#define TRACING(w) false
#include "access.h"

enum { SHARED_BYTES = 48 << 10, GLOBAL_BYTES = 1 << 20, ROUNDS = 4000, PLACES = 4 };

static struct worker *worker;
static struct warp *warp;
static struct launch launch;
static struct module module;
static struct device device;
static struct touched touched[2]; /* by slot */
static uint32_t mapped[4];
static struct allocation *array;
static struct random source;

static uint32_t chance(uint32_t below) { return (uint32_t)(random_next(&source) % (uint64_t)below); }

static void open_machine(void) {
  static struct last_access last[16];
  memory_open(&device.memory, 4 * GLOBAL_BYTES);
  array = memory_allocate(&device.memory, GLOBAL_BYTES);
  memory_allocate(&device.memory, GLOBAL_BYTES); /* a neighbouring allocation */
  module.device = &device;
  launch = (struct launch){.module = &module, .shared_bytes = SHARED_BYTES, .fault_block = UINT64_MAX};
  memset(last, 0, sizeof last);
  memset(touched, 0, sizeof touched);
  worker = aligned_alloc(64, sizeof *worker);
  memset(worker, 0, sizeof *worker);
  worker->launch = &launch;
  worker->last = last;
  worker->touched = touched;
  worker->mapped = mapped;
  worker->block.worker = worker;
  worker->block.launch = &launch;
  worker->block.shared = malloc(SHARED_BYTES);
  warp = &worker->block.warps[0];
  warp->block = &worker->block;
  source = random_seed(1);
}

static void close_machine(void) {
  for (int slot = 0; slot < 2; slot++) {
    free(touched[slot].read);
    free(touched[slot].written);
  }
  free(worker->block.shared);
  free(worker);
  memory_close(&device.memory);
}

/* Offsets of the lanes from a common place: good and bad patterns of programs. */
static void choose_offsets(uint32_t bytes, uint64_t *offset) {
  static const uint32_t strides[] = {0, 1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 33};
  uint32_t kind = chance(6), stride = strides[chance(sizeof strides / sizeof *strides)] * bytes;
  for (uint32_t l = 0; l < LANES; l++)
    offset[l] = kind == 0   ? l * stride
                : kind == 1 ? (LANES - 1 - l) * stride
                : kind == 2 ? l / 16 * 64 * bytes + l % 16 * stride
                : kind == 3 ? (l ^ 5) / 2 * stride
                : kind == 4 ? chance(64) * bytes
                            : chance(512) * bytes;
}

static uint32_t choose_mask(void) {
  uint32_t random = (uint32_t)random_next(&source);
  switch (chance(4)) {
  case 0:
    return random ? random : 1;
  case 1:
    return ALL_LANES >> chance(LANES);
  case 2:
    return ALL_LANES << chance(LANES);
  default:
    return ALL_LANES;
  }
}

/* Distinct keys among the first `count`. */
static uint32_t distinct(const uint64_t *key, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = 0;
    while (key[k] != key[i])
      k++;
    found += k == i;
  }
  return found;
}

static uint32_t lanes_of(const uint64_t *address, uint32_t mask, uint32_t shift, uint64_t *key) {
  uint32_t count = 0;
  FOR_ACTIVE(mask, l)
    key[count++] = address[l] >> shift;
  return count;
}

/* Most distinct words of a bank among `lanes`. */
static uint32_t busiest_bank(const uint64_t *address, uint32_t lanes, uint32_t words) {
  uint32_t most = 0;
  for (uint32_t bank = 0; bank < BANK_COUNT; bank++) {
    uint64_t key[4 * LANES];
    uint32_t count = 0;
    FOR_ACTIVE(lanes, l)
      for (uint32_t k = 0; k < words; k++)
        if ((address[l] / 4 + k) % BANK_COUNT == bank)
          key[count++] = address[l] / 4 + k;
    uint32_t degree = distinct(key, count);
    most = degree > most ? degree : most;
  }
  return most;
}

static bool pairs_agree(const uint64_t *address, uint32_t mask, uint32_t first, uint32_t end, uint32_t by) {
  for (uint32_t l = first; l < end; l++)
    if (mask >> l & mask >> (l ^ by) & 1 && address[l] != address[l ^ by])
      return false;
  return true;
}

/* The rules at the top of access.h, word for word. */
static uint32_t wavefronts(const uint64_t *address, uint32_t mask, uint32_t bytes, bool write) {
  if (bytes <= 4)
    return busiest_bank(address, mask, 1);
  uint32_t piece = 128 / bytes, total = 0;
  for (uint32_t first = 0; first < LANES; first += 2 * piece) {
    bool together = !write && (pairs_agree(address, mask, first, first + 2 * piece, 1) ||
                               pairs_agree(address, mask, first, first + 2 * piece, 2));
    uint32_t length = together ? 2 * piece : piece;
    for (uint32_t start = first; start < first + 2 * piece; start += length)
      total += busiest_bank(address, mask & (uint32_t)(((UINT64_C(1) << length) - 1) << start), bytes / 4);
  }
  return total;
}

/* Atomics: lanes that share an address are serialised; the test adds the costs. */
static uint32_t over_turns(const uint64_t *address, uint32_t mask, bool shared) {
  uint32_t total = 0;
  while (mask) {
    uint32_t turn = 0;
    uint64_t key[LANES];
    FOR_ACTIVE(mask, l) {
      bool taken = false;
      FOR_ACTIVE(turn, k)
        taken |= address[k] == address[l];
      turn |= (uint32_t)!taken << l;
    }
    total +=
        shared ? busiest_bank(address, turn, 1) : distinct(key, lanes_of(address, turn, SECTOR_SHIFT, key));
    mask &= ~turn;
  }
  return total;
}

struct wanted {
  uint64_t address[LANES];
  uint32_t mask, bytes;
  enum use use;
};

static void assert_shared(const struct access *x, const struct wanted *w) {
  uint32_t expected = w->use == USE_ATOMIC ? over_turns(w->address, w->mask, true)
                                           : wavefronts(w->address, w->mask, w->bytes, w->use == USE_WRITE);
  ck_assert_uint_eq(x->wavefronts, expected);
}

static void assert_global(const struct access *x, const struct wanted *w) {
  static bool sectors[2][GLOBAL_BYTES / SECTOR]; /* touched so far: read, written */
  uint64_t key[LANES];
  uint32_t count = lanes_of(w->address, w->mask, SECTOR_SHIFT, key);
  uint32_t expected = w->use == USE_ATOMIC ? over_turns(w->address, w->mask, false) : distinct(key, count);
  ck_assert_uint_eq(x->sectors, expected);
  for (int written = 0; written < 2; written++) {
    const uint64_t *map = written ? touched->written : touched->read;
    uint32_t bits = 0, marked = 0;
    FOR_ACTIVE(w->mask, l)
      if (w->use == USE_ATOMIC || written == (w->use == USE_WRITE)) /* an atomic reads and writes */
        sectors[written][(w->address[l] - array->base) / SECTOR] = true;
    for (uint32_t i = 0; i < GLOBAL_BYTES / SECTOR; i++)
      marked += sectors[written][i];
    for (uint64_t i = 0; map && i < touched->words; i++)
      bits += (uint32_t)__builtin_popcountll(map[i]);
    ck_assert_uint_eq(bits, marked);
  }
  count = lanes_of(w->address, w->mask, 0, key);
  ck_assert_uint_eq(x->bytes, distinct(key, count) * w->bytes);
}

static bool run(struct access *x, const struct wanted *w, bool shared) {
  memcpy(x->address, w->address, sizeof x->address);
  x->mask = w->mask;
  warp->index = chance(3); /* known patterns are those of any warp, or of this one */
  return shared ? access_shared(warp, x, chance(2), w->bytes, w->use)
                : access_global(warp, x, 2 + chance(2), w->bytes, w->use);
}

/* Address of the lane's data, or NULL. */
static const uint8_t *host_of(uint64_t address, uint32_t bytes, bool shared) {
  if (!shared)
    return memory_at(&device.memory, address, bytes);
  return address < SHARED_BYTES && bytes <= SHARED_BYTES - address ? worker->block.shared + address : NULL;
}

static void assert_host(const struct access *x, const struct wanted *w, bool shared) {
  FOR_ACTIVE(w->mask, l) {
    const uint8_t *host = x->contiguous ? x->host[0] + l * w->bytes : x->host[l];
    ck_assert_ptr_eq(host, host_of(w->address[l], w->bytes, shared));
  }
}

START_TEST(counts_are_those_of_plain_counting) {
  bool shared = _i;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t offset[LANES], base = shared ? 0 : array->base;
    struct wanted w = {.mask = choose_mask(), .bytes = 1u << chance(5), .use = (enum use)chance(3)};
    if (w.use == USE_ATOMIC && w.bytes != 8)
      w.bytes = 4;
    choose_offsets(w.bytes, offset);
    for (int place = 0; place < PLACES; place++) {
      struct access x;
      uint64_t start = base + chance(1024) * w.bytes;
      for (uint32_t l = 0; l < LANES; l++)
        w.address[l] = start + offset[l];
      ck_assert(run(&x, &w, shared));
      assert_host(&x, &w, shared);
      if (shared)
        assert_shared(&x, &w);
      else
        assert_global(&x, &w);
    }
  }
}
END_TEST

START_TEST(keys_agree_as_addresses_do) {
  static const uint64_t far[] = {0, UINT64_C(1) << 32, (UINT64_C(1) << 32) + SECTOR, UINT64_C(1) << 40};
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t address[LANES];
    u32 key[LANES], rank[LANES];
    const u32 lanes = choose_mask(), shift = chance(6), limit = chance(2) ? RANKS_NO_KEY : 1000;
    choose_offsets(4, address);
    for (uint32_t l = 0; l < LANES; l++)
      address[l] += array->base + (_i ? far[chance(sizeof far / sizeof *far)] : 0);
    ranks_find_keys(address, lanes, shift, limit, key);
    ranks_of(key, rank);
    for (uint32_t l = 0; l < LANES; l++) {
      u32 before = 0;
      ck_assert(lanes >> l & 1 ? key[l] < limit : key[l] == RANKS_NO_KEY);
      for (uint32_t k = 0; k < l; k++)
        before += lanes >> k & 1 && address[k] >> shift == address[l] >> shift;
      ck_assert(!(lanes >> l & 1) || rank[l] == before);
    }
  }
}
END_TEST

/* A pattern that is valid elsewhere, now with lanes past either end: the device reports the first of them.
 * Some access the neighbouring array. */
START_TEST(bounds_hold_for_known_patterns) {
  bool shared = _i;
  uint64_t first = shared ? 0 : array->base, end = first + (shared ? SHARED_BYTES : GLOBAL_BYTES);
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t offset[LANES];
    struct wanted w = {.mask = choose_mask(), .bytes = 1u << chance(5), .use = (enum use)chance(3)};
    if (w.use == USE_ATOMIC && w.bytes != 8)
      w.bytes = 4;
    choose_offsets(w.bytes, offset);
    for (int place = 0; place < 3; place++) {
      uint64_t start = place == 0   ? first + 4096
                       : place == 1 ? end - chance(256) * w.bytes
                                    : first - chance(256) * w.bytes;
      uint32_t bad = LANES;
      for (uint32_t l = 0; l < LANES; l++) {
        w.address[l] = start + offset[l];
        if (bad == LANES && w.mask >> l & 1 && !host_of(w.address[l], w.bytes, shared))
          bad = l;
      }
      struct access x;
      worker->fault.kind = FAULT_NONE;
      ck_assert(run(&x, &w, shared) == (bad == LANES));
      if (bad == LANES) {
        assert_host(&x, &w, shared);
      } else {
        ck_assert_int_eq(worker->fault.kind, shared ? FAULT_SHARED : FAULT_BOUNDS);
        ck_assert_uint_eq(worker->fault.thread, warp->index * LANES + bad);
        ck_assert_uint_eq(worker->fault.address, w.address[bad]);
      }
    }
  }
}
END_TEST

/* The lowest lane by signed distances lies in the array, which was used before; another lane is half of
 * all addresses away. */
START_TEST(lanes_half_of_all_addresses_away_are_out_of_bounds) {
  for (int again = 0; again < 16; again++) {
    const bool is_good = again < 8;
    struct wanted w = {.mask = ALL_LANES, .bytes = 4, .use = USE_READ};
    for (uint32_t l = 0; l < LANES; l++)
      w.address[l] = array->base + 8 +
                     (is_good  ? 4 * l
                      : l == 0 ? UINT64_C(1) << 63
                      : l == 1 ? UINT64_MAX - 3
                               : 0);
    struct access x;
    worker->fault.kind = FAULT_NONE;
    ck_assert(run(&x, &w, false) == is_good);
    ck_assert_int_eq(worker->fault.kind, is_good ? FAULT_NONE : FAULT_BOUNDS);
  }
}
END_TEST

START_TEST(a_misaligned_lane_is_told) {
  for (int round = 0; round < ROUNDS; round++) {
    struct wanted w = {.mask = choose_mask(), .bytes = 2u << chance(4)};
    uint64_t offset[LANES];
    choose_offsets(w.bytes, offset);
    uint32_t bad = chance(LANES);
    w.mask |= 1u << bad;
    offset[bad] += 1 + chance(w.bytes - 1);
    for (uint32_t l = 0; l < LANES; l++)
      w.address[l] = (_i ? 0 : array->base) + 4096 + offset[l];
    struct access x;
    for (int again = 0; again < 4; again++)
      ck_assert(!run(&x, &w, _i));
    ck_assert_int_eq(worker->fault.kind, FAULT_ALIGNMENT);
    ck_assert_uint_eq(worker->fault.thread, warp->index * LANES + bad);
  }
}
END_TEST

START_TEST(a_known_pattern_moved_by_a_part_of_its_size_is_misaligned) {
  for (int round = 0; round < ROUNDS; round++) {
    struct wanted w = {.mask = choose_mask(), .bytes = 2u << chance(4), .use = (enum use)chance(2)};
    uint64_t offset[LANES];
    choose_offsets(w.bytes, offset);
    struct access x;
    for (uint32_t by = 0; by < w.bytes; by++) {
      for (uint32_t l = 0; l < LANES; l++)
        w.address[l] = (_i ? 0 : array->base) + 4096 + offset[l] + by;
      worker->fault.kind = FAULT_NONE;
      ck_assert(run(&x, &w, _i) == (by == 0));
      ck_assert_int_eq(worker->fault.kind, by ? FAULT_ALIGNMENT : FAULT_NONE);
    }
  }
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("access");
  tcase_set_timeout(tcase, 60); /* with sanitizers */
  tcase_add_checked_fixture(tcase, open_machine, close_machine);
  tcase_add_loop_test(tcase, counts_are_those_of_plain_counting, 0, 2);
  tcase_add_loop_test(tcase, keys_agree_as_addresses_do, 0, 2);
  tcase_add_loop_test(tcase, bounds_hold_for_known_patterns, 0, 2);
  tcase_add_test(tcase, lanes_half_of_all_addresses_away_are_out_of_bounds);
  tcase_add_loop_test(tcase, a_misaligned_lane_is_told, 0, 2);
  tcase_add_loop_test(tcase, a_known_pattern_moved_by_a_part_of_its_size_is_misaligned, 0, 2);
  return suite_run_case("device_access", tcase);
}
