#include "random.h"
#include "suite.h"

/* The authors' programs (prng.di.unimi.it) give these numbers for seed 0. */
START_TEST(seeding_is_splitmix64) {
  struct random random = random_seed(0);
  ck_assert_uint_eq(random.state[0], 0xe220a8397b1dcdaf);
  ck_assert_uint_eq(random.state[1], 0x6e789e6aa1b965f4);
  ck_assert_uint_eq(random.state[2], 0x06c45d188009454f);
}
END_TEST

START_TEST(step_is_xoshiro256starstar) {
  struct random random = {{1, 2, 3, 4}};
  ck_assert_uint_eq(random_next(&random), 11520);
  ck_assert_uint_eq(random_next(&random), 0);
  ck_assert_uint_eq(random_next(&random), 1509978240);
  ck_assert_uint_eq(random_next(&random), 1215971899390074240);
}
END_TEST

START_TEST(numbers_are_uniform_in_their_range) {
  enum { N = 100000, BINS = 10 };
  int doubles[BINS] = {0}, floats[BINS] = {0};
  struct random random = random_seed(7);
  for (int k = 0; k < N; k++) {
    double x = random_double(&random, -1, 1);
    float y = random_float(&random, -1, 1);
    ck_assert(-1 <= x && x < 1 && -1 <= y && y < 1);
    doubles[(int)((x + 1) / 2 * BINS)]++;
    floats[(int)((y + 1) / 2 * BINS)]++;
  }
  for (int bin = 0; bin < BINS; bin++) { /* the standard deviation is 95 */
    ck_assert_int_le(abs(doubles[bin] - N / BINS), 475);
    ck_assert_int_le(abs(floats[bin] - N / BINS), 475);
  }
}
END_TEST

START_TEST(a_seed_gives_its_own_sequence) {
  struct random a = random_seed(3), b = random_seed(3), c = random_seed(4);
  int same = 0;
  for (int k = 0; k < 100; k++) {
    uint64_t value = random_next(&a);
    ck_assert_uint_eq(value, random_next(&b));
    same += value == random_next(&c);
  }
  ck_assert_int_eq(same, 0);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("random");
  tcase_add_test(tests, seeding_is_splitmix64);
  tcase_add_test(tests, step_is_xoshiro256starstar);
  tcase_add_test(tests, numbers_are_uniform_in_their_range);
  tcase_add_test(tests, a_seed_gives_its_own_sequence);
  return suite_run_case("random", tests);
}
