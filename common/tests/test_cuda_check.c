/* Links no CUDA runtime: this file has stubs of the two functions that the macro calls. */
#include "cuda_check.h"
#include "suite.h"

const char *cudaGetErrorName(cudaError_t status) {
  return status == cudaErrorInvalidValue ? "cudaErrorInvalidValue" : "?";
}
const char *cudaGetErrorString(cudaError_t status) {
  return status == cudaErrorInvalidValue ? "invalid argument" : "?";
}

static int calls;

static cudaError_t call(cudaError_t status) {
  calls++;
  return status;
}

static void call_and_fail(void *unused) {
  (void)unused;
  CUDA_CHECK(call(cudaErrorInvalidValue));
}

START_TEST(a_failed_call_is_named) {
  struct suite_child child = suite_child_run(STDERR_FILENO, call_and_fail, NULL);
  ck_assert_int_eq(child.status, 1);
  suite_assert_line(child.text, "test_cuda_check.c:");
  suite_assert_line(child.text, ": call(cudaErrorInvalidValue): cudaErrorInvalidValue: invalid argument");
}
END_TEST

START_TEST(a_call_is_made_once) {
  CUDA_CHECK(call(cudaSuccess));
  ck_assert_int_eq(calls, 1);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("cuda_check");
  tcase_add_test(tests, a_failed_call_is_named);
  tcase_add_test(tests, a_call_is_made_once);
  return suite_run_case("cuda_check", tests);
}
