#include "npy.h"
#include "suite.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char directory[PATH_MAX], path[PATH_MAX + 16];
static struct error error;

static void make_directory(void) {
  snprintf(directory, sizeof directory, "%s/test_npy.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/a.npy", directory);
}

/* Removes the directory, which must contain only a.npy: no temporary file may be left over. */
static void remove_directory(void) {
  unlink(path);
  ck_assert_msg(rmdir(directory) == 0, "files left over in %s", directory);
}

static void write_file(const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

/* A file of the given version around any header text, with data_size bytes of data. */
static void write_npy(int major, const char *header, size_t data_size) {
  unsigned char bytes[8192] = "\x93NUMPY";
  size_t length = strlen(header), size = 8;
  bytes[6] = (unsigned char)major;
  for (int k = 0; k < (major == 1 ? 2 : 4); k++)
    bytes[size++] = (unsigned char)(length >> (8 * k));
  memcpy(bytes + size, header, length);
  write_file(bytes, size + length + data_size);
}

static const struct npy samples[] = {
    {NPY_FLOAT32, 2, {2, 3}, (float[]){1.5f, -0.0f, 1e-45f, 3e38f, INFINITY, -1}},
    {NPY_FLOAT64, 1, {3, 1}, (double[]){1.0 / 3, 5e-324, -1e308}},
    {NPY_INT32, 2, {1, 2}, (int32_t[]){INT32_MIN, INT32_MAX}},
    {NPY_INT64, 1, {2, 1}, (int64_t[]){INT64_MIN, INT64_MAX}},
    {NPY_INT64, 2, {0, 7}, NULL},
};

START_TEST(what_is_written_is_read) {
  const struct npy *sample = &samples[_i];
  struct npy back;
  ck_assert_msg(npy_write(path, sample, &error), "%s", error.text);
  ck_assert_msg(npy_read(path, sample->type, sample->rank, &back, &error), "%s", error.text);
  ck_assert_int_eq(back.type, sample->type);
  ck_assert_int_eq(back.rank, sample->rank);
  ck_assert_uint_eq(back.shape[0], sample->shape[0]);
  ck_assert_uint_eq(back.shape[1], sample->shape[1]);
  size_t bytes = npy_count(sample) * npy_element_size(sample->type);
  ck_assert(bytes == 0 || memcmp(back.data, sample->data, bytes) == 0);
  npy_free(&back);
  ck_assert_ptr_null(back.data);
}
END_TEST

START_TEST(written_bytes_follow_the_format) {
  ck_assert(npy_write(path, &samples[0], &error));
  char bytes[256];
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  ck_assert_uint_eq(size, 128 + 6 * 4);
  static const char start[] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ";
  ck_assert_mem_eq(bytes, start, sizeof start - 1);
  ck_assert_int_eq(bytes[127], '\n');
  ck_assert_mem_eq(bytes + 128, samples[0].data, 24);
}
END_TEST

static const struct {
  int major;
  const char *header;
  size_t rows, columns;
} accepted[] = {
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n", 2, 3},
    {2, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }      \n", 2, 3},
    {1, "{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<i4\"}\n", 6, 1},
    {1, " { 'shape' : ( 3 , 2 , ) , 'descr' : '<i4' , 'fortran_order' : False } \n", 3, 2},
};

START_TEST(equivalent_headers_are_accepted) {
  struct npy array;
  write_npy(accepted[_i].major, accepted[_i].header, 24);
  ck_assert_msg(npy_read_any(path, &array, &error), "%s", error.text);
  ck_assert_uint_eq(array.shape[0], accepted[_i].rows);
  ck_assert_uint_eq(array.shape[1], accepted[_i].columns);
  npy_free(&array);
}
END_TEST

#define HEADER(descr, order, shape)                                                                          \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }\n"

/* Each file has 24 bytes of data and one fault. */
static const struct {
  int major;
  const char *header, *message;
} refused[] = {
    {3, HEADER("<i4", "False", "(2, 3)"), "version 3.0: expected 1.0 or 2.0"},
    {0, HEADER("<i4", "False", "(2, 3)"), "version 0.0: expected 1.0 or 2.0"},
    {1, HEADER("<i4", "False", "(2, 4)"), "truncated: expected 32 bytes of data, found 24"},
    {1, HEADER("<i4", "False", "(2, 2)"), "trailing bytes: expected 16 bytes of data, found 24"},
    {1, HEADER("<i4", "False", "(0, 2)"), "trailing bytes: expected 0 bytes of data, found 24"},
    {1, HEADER("<i4", "True", "(2, 3)"), "fortran_order is not False"},
    {1, HEADER("<i4", "0", "(2, 3)"), "fortran_order is not False"},
    {1, HEADER(">i4", "False", "(2, 3)"), "element type '>i4': expected <f4, <f8, <i4 or <i8"},
    {1, HEADER("<f2", "False", "(2, 6)"), "element type '<f2'"},
    {1, HEADER("|O", "False", "(2, 3)"), "element type '|O'"},
    {1, HEADER("<i4", "False", "(-2, 3)"), "bad shape"},
    {1, HEADER("<i4", "False", "(2, -3)"), "bad shape"},
    {1, HEADER("<i4", "False", "()"), "bad shape"},
    {1, HEADER("<i4", "False", "(6)"), "bad shape"},
    {1, HEADER("<i4", "False", "(,)"), "bad shape"},
    {1, HEADER("<i4", "False", "(2, 3, 1)"), "bad shape"},
    {1, HEADER("<i4", "False", "(2, 3"), "bad shape"},
    {1, HEADER("<i4", "False", "(2.0, 3)"), "bad shape"},
    {1, HEADER("<i4", "False", "[2, 3]"), "bad shape"},
    {1, HEADER("<i4", "False", "(99999999999999999999, 3)"), "bad shape"},
    {1, HEADER("<i4", "False", "(9223372036854775807, 3)"), "too large"},
    {1, HEADER("<i4", "False", "(4294967296, 4294967296)"), "too large"},
    {1, HEADER("<i4", "False", "(4611686018427387904,)"), "too large"},
    {1, HEADER("<i4", "False", "(4611686018427387903,)"), "truncated"},
    {1, "", "malformed header"},
    {1, "\n", "malformed header: expected {"},
    {1, "{}\n", "malformed header: expected descr, fortran_order and shape"},
    {1, "{'descr': '<i4', 'shape': (2, 3)}\n", "malformed header: expected descr, fortran_order and shape"},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}", "ends in a newline"},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)\n", "malformed header: expected , or }"},
    {1, "{'descr': '<i4' 'fortran_order': False, 'shape': (2, 3)}\n", "malformed header: expected , or }"},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)} x\n", "malformed header: text after }"},
    {1, "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}\n",
     "duplicate key 'descr'"},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}\n", "unknown key 'x'"},
    {1, "{'descr' '<i4'}\n", "malformed header: expected a key and a colon"},
    {1, "{'a key that is far too long': 1}\n", "malformed header: expected a key and a colon"},
    {1, "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (6,)}\n", "malformed descr"},
};

START_TEST(malformed_files_are_refused_in_one_line) {
  struct npy array;
  write_npy(refused[_i].major, refused[_i].header, 24);
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_null(array.data);
  ck_assert_ptr_eq(strstr(error.text, path), error.text);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "expected \"%s\" in \"%s\"",
                refused[_i].message, error.text);
}
END_TEST

/* A whole file cut after any number of bytes is an error. */
START_TEST(every_prefix_is_refused) {
  char bytes[256];
  ck_assert(npy_write(path, &samples[0], &error));
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (size_t cut = 0; cut < size; cut++) {
    struct npy array;
    write_file(bytes, cut);
    ck_assert_msg(!npy_read_any(path, &array, &error), "accepted after %zu bytes", cut);
  }
}
END_TEST

START_TEST(long_headers_and_embedded_zeros_are_refused) {
  struct npy array;
  write_file("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "header of 4294967295 bytes"));
  static const char hidden[] =
      "\x93NUMPY\x01\x00\x43\x00{'descr': '<i4', 'fortran_order': False, 'shape': (0, 3)}\n\0 hidden\n";
  write_file(hidden, sizeof hidden - 1);
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "malformed header"));
}
END_TEST

START_TEST(other_files_are_refused) {
  struct npy array;
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot open"));
  ck_assert(!npy_read_any(directory, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "not a regular file"));
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "not a regular file"));
  unlink(path);
  write_file("PK\x03\x04 a zip archive", 18);
  ck_assert(!npy_read_any(path, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "not a .npy file"));
}
END_TEST

START_TEST(type_and_rank_must_be_those_asked_for) {
  struct npy array;
  ck_assert(npy_write(path, &samples[0], &error));
  ck_assert(!npy_read(path, NPY_FLOAT64, 2, &array, &error));
  ck_assert_ptr_null(array.data);
  ck_assert_ptr_nonnull(strstr(error.text, "element type float32: expected float64"));
  ck_assert(!npy_read(path, NPY_FLOAT32, 1, &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "2 dimensions: expected 1"));
}
END_TEST

static void write_limited(void *unused) {
  static float big[4096];
  (void)unused;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){1024, 1024});
  struct error failure;
  if (!npy_write(path, &(struct npy){NPY_FLOAT32, 1, {4096, 1}, big}, &failure))
    error_die("%s", failure.text);
}

/* A write that fails half-way leaves the old file unchanged, and no other file (see remove_directory). */
START_TEST(a_failed_write_leaves_the_old_file) {
  ck_assert(npy_write(path, &samples[1], &error));
  struct suite_child child = suite_child_run(STDERR_FILENO, write_limited, NULL);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "cannot write");
  struct npy array;
  ck_assert_msg(npy_read(path, NPY_FLOAT64, 1, &array, &error), "%s", error.text);
  ck_assert_mem_eq(array.data, samples[1].data, 24);
  npy_free(&array);
}
END_TEST

START_TEST(a_failed_write_leaves_no_file) {
  struct suite_child child = suite_child_run(STDERR_FILENO, write_limited, NULL);
  ck_assert_int_eq(child.status, 2);
  ck_assert_int_eq(access(path, F_OK), -1);
  ck_assert(!npy_write("/nowhere/a.npy", &samples[0], &error));
  ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/a.npy: cannot create"));
  ck_assert(!npy_write(directory, &samples[0], &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot write"));
}
END_TEST

START_TEST(permissions_follow_the_umask) {
  struct stat status;
  umask(027);
  ck_assert(npy_write(path, &samples[0], &error));
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

START_TEST(non_finite_elements_are_named) {
  double values[] = {1, 2, 3, 4, NAN, -INFINITY};
  struct npy array = {NPY_FLOAT64, 2, {2, 3}, values};
  ck_assert(!npy_check_finite("u.npy", &array, &error));
  ck_assert_str_eq(error.text, "u.npy: element (1, 1) is nan: expected finite values");
  values[4] = 0;
  ck_assert(!npy_check_finite("u.npy", &array, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "element (1, 2) is -inf"));
  values[5] = 0;
  ck_assert(npy_check_finite("u.npy", &array, &error));
  ck_assert(!npy_check_finite("u.npy", &samples[0], &error));
  ck_assert(npy_check_finite("u.npy", &samples[2], &error));
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

int main(void) {
  TCase *tests = tcase_create("npy");
  tcase_add_checked_fixture(tests, make_directory, remove_directory);
  tcase_add_loop_test(tests, what_is_written_is_read, 0, COUNT(samples));
  tcase_add_test(tests, written_bytes_follow_the_format);
  tcase_add_loop_test(tests, equivalent_headers_are_accepted, 0, COUNT(accepted));
  tcase_add_loop_test(tests, malformed_files_are_refused_in_one_line, 0, COUNT(refused));
  tcase_add_test(tests, every_prefix_is_refused);
  tcase_add_test(tests, long_headers_and_embedded_zeros_are_refused);
  tcase_add_test(tests, other_files_are_refused);
  tcase_add_test(tests, type_and_rank_must_be_those_asked_for);
  tcase_add_test(tests, a_failed_write_leaves_the_old_file);
  tcase_add_test(tests, a_failed_write_leaves_no_file);
  tcase_add_test(tests, permissions_follow_the_umask);
  tcase_add_test(tests, non_finite_elements_are_named);
  return suite_run_case("npy", tests);
}
