/* The container parser on valid, cut and altered bytes. argv[1]: a container written by nvcc with PTX for
 * compute_75 and compute_80 and machine code for sm_80; argv[2]: the same, compressed. */
#define _GNU_SOURCE /* memmem */
#include "../runtime/fatbin.h"
#include "suite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEADER = 16, ENTRY = 64, PTX = 1, MACHINE_CODE = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

static const char *plain_path, *compressed_path;

struct container {
  unsigned char bytes[1024];
  size_t size;
};

static void put(unsigned char *bytes, int count, uint64_t value) {
  for (int i = 0; i < count; i++)
    bytes[i] = (unsigned char)(value >> 8 * i);
}

static struct container empty(void) {
  struct container container = {.size = HEADER};
  put(container.bytes, 4, 0xBA55ED50);
  put(container.bytes + 4, 2, 1);
  put(container.bytes + 6, 2, HEADER);
  return container;
}

static void add(struct container *container, int kind, unsigned arch, unsigned flags, const char *text) {
  unsigned char *entry = container->bytes + container->size;
  size_t padded = (strlen(text) + 8) / 8 * 8;
  put(entry, 2, (uint64_t)kind);
  put(entry + 4, 4, ENTRY);
  put(entry + 8, 8, padded);
  put(entry + 28, 4, arch);
  put(entry + 40, 8, flags);
  memcpy(entry + ENTRY, text, strlen(text));
  container->size += ENTRY + padded;
  put(container->bytes + 8, 8, container->size - HEADER);
}

static unsigned char *guarded; /* MAX_SIZE bytes before a page that cannot be read */
enum { MAX_SIZE = 1 << 18 };

static void set_up(void) {
  guarded = mmap(NULL, 2 * MAX_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(guarded, MAP_FAILED);
  ck_assert_int_eq(mprotect(guarded + MAX_SIZE, MAX_SIZE, PROT_NONE), 0);
}

/* Parses a copy that ends where readable memory ends. */
static enum fatbin_status parse(const void *bytes, size_t size, unsigned arch, struct fatbin_ptx *ptx) {
  static char text[MAX_SIZE];
  void *copy = guarded + MAX_SIZE - size;
  memcpy(copy, bytes, size);
  enum fatbin_status status = fatbin_select(copy, size, arch, ptx);
  if (status == FATBIN_OK) {
    ck_assert_uint_lt(ptx->length, sizeof text);
    memcpy(text, ptx->text, ptx->length);
    ptx->text = text;
  }
  return status;
}

static void expect_text(const struct container *container, unsigned arch, const char *expected) {
  struct fatbin_ptx ptx;
  ck_assert_int_eq(parse(container->bytes, container->size, arch, &ptx), FATBIN_OK);
  ck_assert_uint_eq(ptx.length, strlen(expected));
  ck_assert(!memcmp(ptx.text, expected, ptx.length));
}

START_TEST(picks_highest_not_above_device) {
  struct container container = empty();
  add(&container, PTX, 75, 0, "seventy-five");
  add(&container, MACHINE_CODE, 80, 0, "code");
  add(&container, PTX, 90, 0, "ninety");
  add(&container, PTX, 80, 0, "eighty");
  expect_text(&container, 75, "seventy-five");
  expect_text(&container, 79, "seventy-five");
  expect_text(&container, 89, "eighty");
  expect_text(&container, 120, "ninety");
}
END_TEST

START_TEST(says_why_there_is_no_ptx) {
  struct fatbin_ptx ptx;
  struct container container = empty();
  ck_assert_int_eq(parse(container.bytes, container.size, 90, &ptx), FATBIN_MACHINE_CODE_ONLY);
  add(&container, MACHINE_CODE, 80, 0, "code");
  ck_assert_int_eq(parse(container.bytes, container.size, 90, &ptx), FATBIN_MACHINE_CODE_ONLY);
  add(&container, PTX, 120, 0, "new");
  add(&container, PTX, 100, 0, "new");
  ck_assert_int_eq(parse(container.bytes, container.size, 90, &ptx), FATBIN_TOO_NEW);
  ck_assert_uint_eq(ptx.arch, 100);
  add(&container, PTX, 80, LZ4, "packed");
  ck_assert_int_eq(parse(container.bytes, container.size, 90, &ptx), FATBIN_COMPRESSED);
  add(&container, PTX, 90, ZSTD, "packed");
  ck_assert_int_eq(parse(container.bytes, container.size, 90, &ptx), FATBIN_COMPRESSED);
}
END_TEST

START_TEST(joins_the_parts_of_a_linked_one) {
  struct container linked = empty(), first = empty(), library = empty(), second = empty(), newer = empty();
  add(&linked, MACHINE_CODE, 80, 0, "code");
  add(&first, PTX, 80, 0, "first");
  add(&library, MACHINE_CODE, 80, 0, "code");
  add(&second, PTX, 75, 0, "second");
  add(&newer, PTX, 100, 0, "newer");
  const void *parts[] = {first.bytes, library.bytes, second.bytes, NULL, NULL};
  struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_LINKED, linked.bytes, parts};
  struct fatbin_ptx ptx;
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 0, &ptx), FATBIN_OK);
  ck_assert_uint_eq(ptx.length, strlen("first\nsecond\n"));
  ck_assert(!memcmp(ptx.text, "first\nsecond\n", ptx.length));
  ck_assert_uint_eq(ptx.arch, 80);
  free(ptx.joined);
  parts[3] = newer.bytes;
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 0, &ptx), FATBIN_TOO_NEW);
  ck_assert(ptx.arch == 100 && !ptx.joined);
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 1, &ptx), FATBIN_OK);
  ck_assert_uint_eq(ptx.length, strlen("first\nsecond\n"));
  free(ptx.joined);
  parts[0] = newer.bytes;
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 1, &ptx), FATBIN_TOO_NEW);
  parts[0] = library.bytes;
  parts[1] = NULL;
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 0, &ptx), FATBIN_MACHINE_CODE_ONLY);
  wrapper = (struct fatbin_wrapper){FATBIN_WRAPPER_MAGIC, 1, second.bytes, NULL};
  ck_assert_int_eq(fatbin_collect(&wrapper, 90, 0, &ptx), FATBIN_OK);
  ck_assert(ptx.length == strlen("second") && !ptx.joined);
}
END_TEST

START_TEST(refuses_what_is_no_container) {
  struct fatbin_ptx ptx;
  struct container good = empty(), bad;
  add(&good, PTX, 80, 0, "text");
  const struct {
    size_t offset;
    int bytes;
    uint64_t value;
  } changes[] = {
      {0, 4, 0xBA55ED51},
      {4, 2, 2},
      {6, 2, 24},
      {8, 8, good.size},
      {8, 8, UINT64_MAX},
      {8, 8, 0},
      {HEADER + 4, 4, 0},
      {HEADER + 4, 4, ENTRY - 1},
      {HEADER + 4, 4, UINT32_MAX},
      {HEADER + 8, 8, 1},
      {HEADER + 8, 8, UINT64_MAX},
      {HEADER + 8, 8, UINT64_MAX - ENTRY + 1},
  };
  expect_text(&good, 80, "text");
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    bad = good;
    put(bad.bytes + changes[i].offset, changes[i].bytes, changes[i].value);
    enum fatbin_status status = parse(bad.bytes, bad.size, 80, &ptx);
    ck_assert_msg(status == FATBIN_MALFORMED, "change %zu gave status %d", i, status);
  }
}
END_TEST

static size_t load(const char *path, unsigned char *bytes, size_t limit) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file, "cannot open %s", path);
  size_t size = fread(bytes, 1, limit, file);
  fclose(file);
  ck_assert_uint_gt(size, HEADER + ENTRY);
  ck_assert_uint_lt(size, limit);
  return size;
}

static unsigned char real[MAX_SIZE], altered[MAX_SIZE];

START_TEST(reads_what_nvcc_writes) {
  struct fatbin_ptx ptx;
  size_t size = load(plain_path, real, sizeof real);
  ck_assert_int_eq(parse(real, size, 75, &ptx), FATBIN_OK);
  ck_assert_uint_eq(ptx.arch, 75);
  ck_assert_int_eq(parse(real, size, 90, &ptx), FATBIN_OK);
  ck_assert_uint_eq(ptx.arch, 80);
  ck_assert_ptr_nonnull(memmem(ptx.text, ptx.length, ".target sm_80", 13));
  ck_assert_ptr_nonnull(memmem(ptx.text, ptx.length, ".entry", 6));
  ck_assert_int_eq(parse(real, size, 70, &ptx), FATBIN_TOO_NEW);
  size = load(compressed_path, real, sizeof real);
  ck_assert_int_eq(parse(real, size, 90, &ptx), FATBIN_COMPRESSED);
}
END_TEST

START_TEST(survives_every_cut) {
  struct fatbin_ptx ptx;
  size_t size = load(plain_path, real, sizeof real);
  for (size_t cut = 0; cut < size; cut++) {
    ck_assert_int_eq(parse(real, cut, 90, &ptx), FATBIN_MALFORMED);
    /* and with a header that states the shorter size */
    memcpy(altered, real, cut);
    if (cut >= HEADER)
      put(altered + 8, 8, cut - HEADER);
    parse(altered, cut, 90, &ptx);
  }
}
END_TEST

START_TEST(survives_random_bytes) {
  struct fatbin_ptx ptx;
  uint64_t state = 20261121;
  size_t size = load(plain_path, real, sizeof real);
  for (int round = 0; round < 20000; round++) {
    memcpy(altered, real, size);
    for (int change = 0; change < 4; change++) {
      state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
      altered[HEADER + (state >> 33) % ENTRY] = (unsigned char)(state >> 25);
    }
    parse(altered, size, 90, &ptx);
  }
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "plain.fatbin compressed.fatbin");
  plain_path = argv[1];
  compressed_path = argv[2];
  TCase *tests = tcase_create("fatbin");
  tcase_add_checked_fixture(tests, set_up, NULL);
  tcase_set_timeout(tests, 120); /* of 3 s, on a machine that others use, too */
  tcase_add_test(tests, picks_highest_not_above_device);
  tcase_add_test(tests, says_why_there_is_no_ptx);
  tcase_add_test(tests, joins_the_parts_of_a_linked_one);
  tcase_add_test(tests, refuses_what_is_no_container);
  tcase_add_test(tests, reads_what_nvcc_writes);
  tcase_add_test(tests, survives_every_cut);
  tcase_add_test(tests, survives_random_bytes);
  return suite_run_case("runtime_fatbin", tests);
}
