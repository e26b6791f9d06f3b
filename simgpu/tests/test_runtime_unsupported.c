/* Each function that the simulated device does not offer returns cudaErrorNotSupported, and one line names it as a
 * program writes it. */
#include <cuda.h>
#include <driver_types.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

/* Without the toolkit's prototypes: no call reads its parameters. */
#define UNSUPPORTED(name) cudaError_t call_##name(void) __asm__(#name);
#include "cuda_unsupported.def"
#include "driver_unsupported.def"
#undef UNSUPPORTED
cudaError_t cudaGetLastError(void);

static const struct {
  const char *name;
  cudaError_t (*call)(void);
  cudaError_t last; /* error after it */
} functions[] = {
#define UNSUPPORTED(name) {#name, call_##name, cudaErrorNotSupported},
#include "cuda_unsupported.def"
#undef UNSUPPORTED
#define UNSUPPORTED(name) {#name, call_##name, cudaSuccess},
#include "driver_unsupported.def"
};

START_TEST(each_function_is_named_once) {
  char text[256] = "", name[128] = "", rest[128] = "";
  FILE *errors = tmpfile();
  dup2(fileno(errors), STDERR_FILENO);
  for (int time = 0; time < 2; time++) {
    ck_assert_int_eq(functions[_i].call(), cudaErrorNotSupported);
    ck_assert_int_eq(cudaGetLastError(), functions[_i].last);
  }
  ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
  rewind(errors);
  text[fread(text, 1, sizeof text - 1, errors)] = '\0';
  ck_assert_msg(sscanf(text, "simgpu: %127[A-Za-z0-9] %127[^\n]", name, rest) == 2, "said: %s", text);
  ck_assert_str_eq(rest, "is not supported");
  ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
  ck_assert_msg(strncmp(name, functions[_i].name, strlen(name)) == 0 &&
                    strcspn(functions[_i].name, "_") == strlen(name),
                "%s said: %s", functions[_i].name, text);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("functions");
  tcase_add_loop_test(tests, each_function_is_named_once, 0, sizeof functions / sizeof *functions);
  Suite *suite = suite_create("runtime_unsupported");
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
