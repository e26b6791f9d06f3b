/* The device accepts nvcc's code for every intrinsic function: argv[1…] are PTX files of
 * device_intrinsics.cu, one per architecture. */
#include "suite.h"

#include "module.h"

#include <stdio.h>
#include <stdlib.h>

enum { FEWEST = 700 }; /* kernels that must exist, so that an empty file fails */

static char **files;

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file && fseek(file, 0, SEEK_END) == 0, "%s: cannot be read", path);
  const size_t length = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(1, length + 1);
  ck_assert(text && fread(text, 1, length, file) == length);
  fclose(file);
  return text;
}

START_TEST(nothing_is_refused) {
  struct device device = {0};
  char error[1024];
  uint32_t kernels = 0;
  char *text = contents(files[_i]);
  memory_open(&device.memory, 1 << 20);
  struct module *m = module_load(&device, text, error, sizeof error);
  ck_assert_msg(m != NULL, "%s: %s", files[_i], error);
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    const struct kernel *k = module_kernel(m, i);
    ck_assert_msg(!k->refusal, "%s: %s: %s", files[_i], k->ptx->name, k->refusal);
    kernels += k->ptx->is_entry;
  }
  ck_assert_msg(kernels >= FEWEST, "%s: %u kernels, expected at least %u", files[_i], kernels, FEWEST);
  module_unload(m);
  memory_close(&device.memory);
}
END_TEST

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: test_device_intrinsics FILE.ptx...\n");
    return 2;
  }
  files = argv + 1;
  TCase *tcase = tcase_create("device_intrinsics");
  tcase_add_loop_test(tcase, nothing_is_refused, 0, argc - 1);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_intrinsics", tcase);
}
