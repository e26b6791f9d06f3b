/* Many launches, many modules, many kernels. */
#include "suite.h"

#include "launch.h"
#include "module.h"

#include <malloc.h>
#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 }; /* the sanitizer has a heap of its own, and looks for leaks itself */
#else
enum { SANITIZED = 0 };
#endif
#define MIB (UINT64_C(1) << 20)
enum { LAUNCHES = 20000, MODULES = 3000, KERNELS = 1500 };

static const char kernel[] = ".global .b32 count;\n.entry k(.param .u64 p) {\n.reg .b32 %r;\n"
                             "atom.global.add.u32 %r, [count], 1;\nret;\n}\n";

/* Includes small pieces that malloc caches: a little growth is not a leak. The smallest leak is 16 bytes. */
static size_t heap_bytes(void) { return SANITIZED ? 0 : mallinfo2().uordblks; }

static struct module *load(struct device *device, const char *text) {
  char error[1024] = "";
  struct module *m = module_load(device, strdup(text), error, sizeof error);
  ck_assert_msg(m != NULL, "%s", error);
  return m;
}

static void run(struct module *m, uint32_t kernel_index) {
  uint8_t params[8] = {0};
  struct counters counters = {0};
  struct launch_request request = {.module = m,
                                   .kernel = module_kernel(m, kernel_index),
                                   .grid = {2, 1, 1},
                                   .block = {64, 1, 1},
                                   .params = params};
  ck_assert_int_eq(launch_run(&request, &counters), SIM_OK);
}

START_TEST(launches_leave_nothing) {
  struct device device = {0};
  memory_open(&device.memory, MIB);
  struct module *m = load(&device, kernel);
  run(m, 0);
  size_t before = heap_bytes();
  for (int i = 0; i < LAUNCHES; i++)
    run(m, 0);
  ck_assert_uint_lt(heap_bytes(), before + 8 * LAUNCHES);
  ck_assert_uint_eq(*(uint32_t *)memory_at(&device.memory, m->addresses[0], 4), 128u * (LAUNCHES + 1));
  module_unload(m);
  memory_close(&device.memory);
}
END_TEST

START_TEST(modules_leave_nothing) {
  struct device device = {0};
  char error[1024];
  memory_open(&device.memory, MIB);
  size_t before = SIZE_MAX / 2;
  for (int i = 0; i < MODULES; i++) {
    struct module *m = load(&device, kernel);
    run(m, 0);
    module_unload(m);
    ck_assert_ptr_null(module_load(&device, strndup(kernel, sizeof kernel - 5), error, sizeof error));
    ck_assert_uint_eq(device.memory.used, 0);
    if (i == 0)
      before = heap_bytes();
  }
  ck_assert_uint_lt(heap_bytes(), before + 8 * MODULES);
  memory_close(&device.memory);
}
END_TEST

START_TEST(many_kernels) {
  struct device device = {0};
  memory_open(&device.memory, MIB);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < KERNELS; i++)
    fprintf(out, ".global .b32 v%d;\n.entry k%d(.param .u64 p) {\nst.global.u32 [v%d], %d;\nret;\n}\n", i, i,
            i, i);
  fclose(out);
  struct module *m = load(&device, text);
  ck_assert_uint_eq(m->kernel_count, KERNELS);
  for (uint32_t i = 0; i < KERNELS; i++) {
    run(m, i);
    ck_assert_uint_eq(*(uint32_t *)memory_at(&device.memory, m->addresses[i], 4), i);
  }
  const uint32_t middle = KERNELS / 2; /* decoded before others, whose decoding moved its tables */
  *(uint32_t *)memory_at(&device.memory, m->addresses[middle], 4) = 0;
  run(m, middle);
  ck_assert_uint_eq(*(uint32_t *)memory_at(&device.memory, m->addresses[middle], 4), middle);
  module_unload(m);
  memory_close(&device.memory);
  free(text);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("limits");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, launches_leave_nothing);
  tcase_add_test(tcase, modules_leave_nothing);
  tcase_add_test(tcase, many_kernels);
  return suite_run_case("limits", tcase);
}
