/* What the time model's replay takes into account, shown by kernels that differ in one respect. */
#include "suite.h"

#include "device_kernel.h"
#include "model.h"
#include "trace.h"

#include <stdio.h>

static const char *const preamble =
    "mov.u32 %r5, s; shl.b32 %r6, %r1, 4; add.u32 %r5, %r5, %r6;\n"
    "and.b32 %r6, %r1, 63; mul.wide.u32 %rd4, %r6, 16; ld.param.u64 %rd5, [a];\n"
    "add.u64 %rd4, %rd4, %rd5; mov.f32 %f1, 0f00000000;\n";

/* Modelled nanoseconds of `before`, then `turns` times `loop`. */
static double modelled(const char *before, int turns, const char *loop, uint32_t blocks) {
  char body[7000];
  snprintf(body, sizeof body,
           "%s%s\nmov.u32 %%r8, 0;\nTURN:\n%s\nadd.u32 %%r8, %%r8, 1;\nsetp.lt.u32 %%p3, %%r8, %d;\n"
           "@%%p3 bra TURN;\nst.global.f32 [%%rd2], %%f1;",
           preamble, before, loop, turns);
  kernel_run(body, blocks, 32);
  return (double)kernel_counters.value[COUNTER_TIME_MODEL];
}

/* `count` copies of `line`. */
static const char *repeated(char *text, size_t size, int count, const char *line) {
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < count && at < size; i++)
    at += (size_t)snprintf(text + at, size - at, "%s\n", line);
  ck_assert_uint_lt(at, size);
  return text;
}

static const char copy[] = "cp.async.cg.shared.global [%r5], [%rd4], 16;\ncp.async.commit_group;\n";
static const char add[] = "add.rn.f32 %f1, %f1, 0f3F800000;";

/* Long chains of loads first, then a loop that is longer than the trace. */
START_TEST(what_comes_once_is_counted_once) {
  char slow[3000], adds[3000];
  repeated(slow, sizeof slow, 8,
           "ld.volatile.global.u32 %r7, [%rd4]; and.b32 %r7, %r7, 0;\n"
           "cvt.u64.u32 %rd6, %r7; add.u64 %rd4, %rd4, %rd6;");
  repeated(adds, sizeof adds, 60, add);
  double alone = modelled(slow, 1, "", 1) - modelled("", 1, "", 1);
  double with = modelled(slow, 20000, adds, 1), without = modelled("", 20000, adds, 1);
  ck_assert_double_gt(alone, 200);
  ck_assert_msg(with - without <= 1.5 * alone && with - without >= 0.5 * alone,
                "%.0f ns before the loop, but %.0f ns alone", with - without, alone);
}
END_TEST

START_TEST(a_loop_takes_as_long_as_its_turns) {
  char adds[3000];
  repeated(adds, sizeof adds, 60, add);
  double few = modelled("", 2000, adds, 1), some = modelled("", 4000, adds, 1),
         many = modelled("", 8000, adds, 1);
  ck_assert_msg((many - some) / (some - few) > 1.98 && (many - some) / (some - few) < 2.02,
                "2000 turns more: %.0f ns, 4000 more: %.0f ns", some - few, many - some);
}
END_TEST

/* Waiting for all copies, for all but the last one, and for none. */
START_TEST(copies_under_way_overlap_with_arithmetic) {
  char at_once[3000], ahead[3000], none[3000], adds[2000];
  repeated(adds, sizeof adds, 40, add);
  snprintf(at_once, sizeof at_once, "%scp.async.wait_group 0;\n%s", copy, adds);
  snprintf(ahead, sizeof ahead, "%scp.async.wait_group 1;\n%s", copy, adds);
  snprintf(none, sizeof none, "%s%s", copy, adds);
  double all = modelled("", 100, at_once, 1), but_one = modelled("", 100, ahead, 1),
         no = modelled("", 100, none, 1);
  ck_assert_msg(all >= but_one + 5000, "waits: %.0f ns, one copy ahead: %.0f ns", all, but_one);
  ck_assert_msg(but_one >= no && no > 5000, "one copy ahead: %.0f ns, no waits: %.0f ns", but_one, no);
}
END_TEST

/* A block of one warp cannot hide a wait for memory; the warps of other blocks can. */
START_TEST(blocks_of_one_warp_hide_each_others_waits) {
  char loop[3000], adds[2000];
  repeated(adds, sizeof adds, 40, add);
  snprintf(loop, sizeof loop, "%scp.async.wait_group 0;\n%s", copy, adds);
  double one = modelled("", 100, loop, MODEL_MULTIPROCESSORS),
         eight = modelled("", 100, loop, 8 * MODEL_MULTIPROCESSORS);
  ck_assert_msg(eight <= 1.5 * one, "one block per multiprocessor: %.0f ns, eight: %.0f ns", one, eight);
}
END_TEST

/* Enough warps to saturate shared memory: loads with four lanes per bank, and loads of one word. */
START_TEST(bank_conflicts_take_their_time) {
  char conflicts[3000], word[3000];
  repeated(conflicts, sizeof conflicts, 16, "ld.shared.f32 %f2, [%r5]; add.rn.f32 %f1, %f1, %f2;");
  repeated(word, sizeof word, 16, "ld.shared.f32 %f2, [s]; add.rn.f32 %f1, %f1, %f2;");
  const uint32_t blocks = 16 * MODEL_MULTIPROCESSORS;
  double none = modelled("", 1, word, blocks), slow = modelled("", 200, conflicts, blocks) - none,
         fast = modelled("", 200, word, blocks) - none;
  ck_assert_msg(slow >= 3 * fast && slow <= 5 * fast, "four lanes a bank: %.0f ns, one word: %.0f ns", slow,
                fast);
}
END_TEST

/* Four chains of eight additions, one after another and interleaved. */
START_TEST(independent_arithmetic_does_not_wait) {
  char chains[3000] = "", turns[3000] = "";
  for (int i = 0; i < 32; i++) {
    snprintf(chains + strlen(chains), sizeof chains - strlen(chains), "add.rn.f32 %%f%d, %%f%d, %%f1;\n",
             2 + i / 8, 2 + i / 8);
    snprintf(turns + strlen(turns), sizeof turns - strlen(turns), "add.rn.f32 %%f%d, %%f%d, %%f1;\n",
             2 + i % 4, 2 + i % 4);
  }
  double written = modelled("", 100, chains, 1), sorted = modelled("", 100, turns, 1);
  ck_assert_msg(written <= 1.1 * sorted, "one chain after another: %.0f ns, interleaved: %.0f ns", written,
                sorted);
}
END_TEST

/* A value loaded before a branch is used after it, before or after another load. */
/* Instructions outside of the table's simple rows: each reads the result of the one before, or does not. */
START_TEST(results_are_awaited_whatever_reads_them) {
  static const struct {
    const char *dependent, *independent;
  } pairs[] = {
      {"cvt.rn.relu.f16x2.f32 %r7, %f1, %f1; mov.b32 %f1, %r7;",
       "cvt.rn.relu.f16x2.f32 %r7, %f2, %f2; mov.b32 %f1, %r7;"},
      {"set.lt.u32.u32 %r7, %r7, %r1;", "set.lt.u32.u32 %r7, %r1, %r1;"},
      {"cvt.pack.sat.u8.s32.b32 %r7, %r1, %r7, %r1;", "cvt.pack.sat.u8.s32.b32 %r7, %r1, %r1, %r1;"},
      {"vadd.u32.u32.u32 %r7, %r7, %r1;", "vadd.u32.u32.u32 %r7, %r1, %r1;"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[2][3000];
    const double dependent = modelled("", 100, repeated(text[0], sizeof text[0], 30, pairs[i].dependent), 1),
                 independent =
                     modelled("", 100, repeated(text[1], sizeof text[1], 30, pairs[i].independent), 1);
    ck_assert_msg(dependent > 1.3 * independent, "%s: %.0f ns, but %.0f ns for %s", pairs[i].dependent,
                  dependent, independent, pairs[i].independent);
  }
}
END_TEST

START_TEST(a_use_does_not_hold_back_the_next_load) {
  static const char first[] = "ld.volatile.global.f32 %f2, [%rd1];\nbar.warp.sync -1;\nsetp.lt.u32 %p1, %r1, "
                              "40;\n@%p1 bra ON;\nON:\n";
  static const char use[] = "add.rn.f32 %f1, %f1, %f2;\n", load[] = "ld.volatile.global.f32 %f3, [%rd2];\n",
                    end[] = "add.rn.f32 %f1, %f1, %f3;";
  char early[1000], late[1000];
  snprintf(early, sizeof early, "%s%s%s%s", first, use, load, end);
  snprintf(late, sizeof late, "%s%s%s%s", first, load, use, end);
  double a = modelled(early, 1, "", 1), b = modelled(late, 1, "", 1);
  ck_assert_msg(a <= b + 20, "used before the next load: %.0f ns, after it: %.0f ns", a, b);
}
END_TEST

/* Nanoseconds of 200 turns of `loop`, by blocks of a warp that keep all multiprocessors busy. */
enum { MANY = 16 * MODEL_MULTIPROCESSORS };
static double many_turns(const char *loop, uint32_t blocks) {
  return modelled("", 220, loop, blocks) - modelled("", 20, loop, blocks);
}

static void expect_ns(const char *what, double is, double expected) {
  ck_assert_msg(is >= 0.8 * expected && is <= 1.2 * expected, "%s: %.0f ns, expected %.0f", what, is,
                expected);
}

/* ptxas adds a comparison and two products: they take time, but not that of the special unit. */
START_TEST(roots_correct_denormal_numbers) {
  char text[2][3000];
  const char *const exact = repeated(text[0], sizeof text[0], 20, "rsqrt.approx.f32 %f1, %f1;"),
                    *const flushed = repeated(text[1], sizeof text[1], 20, "rsqrt.approx.ftz.f32 %f1, %f1;");
  const double one = many_turns(exact, 1) / many_turns(flushed, 1),
               many = many_turns(exact, MANY) / many_turns(flushed, MANY);
  ck_assert_msg(one > 1.4 && one < 2, "a chain takes %.2f times as long", one);
  ck_assert_msg(many > 0.95 && many < 1.05, "many chains take %.2f times as long", many);
}
END_TEST

/* An approximation of the reciprocal, and the check whether it suffices. */
START_TEST(divisions_use_the_special_unit_twice) {
  char text[2][3000];
  const double twice = many_turns(repeated(text[0], sizeof text[0], 20, "div.rn.f32 %f1, %f1, %f2;"), MANY),
               once =
                   many_turns(repeated(text[1], sizeof text[1], 20, "rsqrt.approx.ftz.f32 %f1, %f1;"), MANY);
  ck_assert_msg(twice > 1.9 * once && twice < 2.1 * once, "%.0f ns, a root: %.0f ns", twice, once);
}
END_TEST

START_TEST(atomics_on_one_word_take_turns) {
  const double lanes = 200.0 * MANY * LANES;
  expect_ns("integers", many_turns("red.global.add.u32 [%rd5], %r1;", MANY), lanes * 0.73);
  expect_ns("floats", many_turns("red.global.add.f32 [%rd5], %f1;", MANY), lanes * 1.76);
  expect_ns("one lane", many_turns("setp.eq.u32 %p2, %r3, 0; @%p2 red.global.add.u32 [%rd5], %r1;", MANY),
            lanes / LANES * 0.73);
}
END_TEST

/* Words of their own are in slices of their own. */
START_TEST(atomics_of_blocks_on_their_own_words_do_not_wait) {
  const char *const own = "and.b32 %r7, %r2, 31; mul.wide.u32 %rd6, %r7, 128; add.u64 %rd6, %rd6, %rd5;\n"
                          "red.global.add.u32 [%rd6], %r1;";
  const double one = many_turns("red.global.add.u32 [%rd5], %r1;", MANY), each = many_turns(own, MANY);
  ck_assert_msg(each < 0.1 * one, "one word: %.0f ns, a word per block: %.0f ns", one, each);
}
END_TEST

START_TEST(atomics_on_one_word_of_shared_memory_take_turns) {
  const double clocks = 200.0 * MANY / MODEL_MULTIPROCESSORS * LANES;
  expect_ns("shared", many_turns("red.shared.add.u32 [s], %r1;", MANY), clocks / 1.98);
}
END_TEST

/* A word of each line: so many lines that L2 takes. */
START_TEST(stores_to_parts_of_lines_wait_for_l2) {
  const char *const store =
      "mul.wide.u32 %rd6, %r1, 128; add.u64 %rd6, %rd6, %rd5; st.global.u32 [%rd6], %r1;";
  expect_ns("stores", many_turns(store, MANY), 200.0 * MANY * LANES / 74);
}
END_TEST

static struct launch launch_of(uint32_t x, uint32_t y) {
  return (struct launch){.grid = {x, y, 1}, .blocks = (uint64_t)x * y, .warps = 1};
}

START_TEST(sampled_blocks_are_different_and_not_in_one_column) {
  for (uint32_t x = 1; x <= 40; x++)
    for (uint32_t y = 1; y <= 20; y++) {
      struct launch l = launch_of(x, y);
      trace_choose(&l, 0);
      ck_assert_uint_eq(l.trace_count, l.blocks < TRACE_BLOCKS ? l.blocks : TRACE_BLOCKS);
      for (uint32_t i = 0; i < l.trace_count; i++) {
        ck_assert_uint_lt(l.traces[i].block, l.blocks);
        for (uint32_t k = 0; k < i; k++) {
          ck_assert_msg(l.traces[i].block != l.traces[k].block, "grid %u x %u: the same block twice", x, y);
          ck_assert_msg(x < 2 * TRACE_BLOCKS || l.traces[i].block % x != l.traces[k].block % x,
                        "grid %u x %u: two blocks in column %u", x, y, (unsigned)(l.traces[i].block % x));
        }
      }
    }
}
END_TEST

/* The tables of docs/model.md depend on these. */
START_TEST(blocks_without_a_seed_are_fixed) {
  static const uint64_t expected[TRACE_BLOCKS] = {150, 311, 673, 835};
  struct launch l = launch_of(100, 10);
  for (l.number = 1; l.number < 3; l.number++) {
    trace_choose(&l, 0);
    for (uint32_t i = 0; i < TRACE_BLOCKS; i++)
      ck_assert_uint_eq(l.traces[i].block, expected[i]);
  }
}
END_TEST

START_TEST(a_seed_draws_a_block_of_each_part) {
  enum { BLOCKS = 11 * TRACE_DRAWN, LAUNCHES = 1000 };
  for (uint64_t seed = 1; seed < 3; seed++) {
    uint32_t drawn[BLOCKS] = {0};
    struct launch l = launch_of(BLOCKS, 1);
    l.model_seed = seed;
    for (l.number = 1; l.number <= LAUNCHES; l.number++) {
      trace_choose(&l, 0);
      for (uint32_t i = 0; i < TRACE_DRAWN; i++) {
        const uint64_t block = l.traces[i].block;
        ck_assert_uint_ge(block, i * BLOCKS / TRACE_DRAWN);
        ck_assert_uint_lt(block, (i + 1) * BLOCKS / TRACE_DRAWN);
        ck_assert_ptr_eq(trace_of_block(&l, block), &l.traces[i]);
        drawn[block]++;
      }
    }
    for (uint32_t b = 0; b < BLOCKS; b++) /* each in about one launch of eleven */
      ck_assert_msg(drawn[b] > LAUNCHES / 22 && drawn[b] < LAUNCHES / 5, "block %u: %u times", b, drawn[b]);
  }
}
END_TEST

START_TEST(another_seed_draws_other_blocks) {
  struct launch a = launch_of(1000, 1000), b = a;
  a.model_seed = 1;
  b.model_seed = 2;
  trace_choose(&a, 0);
  const uint64_t first = a.traces[0].block, last = a.traces[TRACE_DRAWN - 1].block;
  trace_choose(&b, 0);
  ck_assert_uint_ne(b.traces[0].block, first);
  ck_assert_uint_ne(b.traces[TRACE_DRAWN - 1].block, last);
  trace_choose(&a, 0);
  ck_assert_uint_eq(a.traces[0].block, first);
}
END_TEST

/* Of 1000 blocks, those of each hundred have equal work; the first ten have as much as all others. */
static void give_work(struct launch *l) {
  for (uint32_t b = 0; b < l->blocks; b++)
    l->work[b] = b < 10 ? 55000 : 100 + b / 100;
}

/* Whatever the seed, the sampled blocks have the same work: that of the eighths of the grid, and that of the few blocks
 * with most of the work. */
START_TEST(sampled_blocks_stand_for_the_grid) {
  struct launch l = launch_of(1000, 1);
  for (l.model_seed = 1; l.model_seed < 50; l.model_seed++) {
    trace_choose(&l, 0);
    give_work(&l);
    trace_sample(&l);
    ck_assert_uint_eq(l.sampled_count, TRACE_SAMPLED);
    for (uint32_t i = 0; i + 1 < TRACE_SAMPLED; i++)
      ck_assert_uint_eq(l.work[l.sampled[i]->block], 100 + (125 * i + 62 + 10) / 100);
    const uint32_t last = l.work[l.sampled[TRACE_SAMPLED - 1]->block];
    ck_assert_msg(last == 55000 || l.traces[0].block >= 10, "%u", last); /* unless none of the ten is drawn */
  }
}
END_TEST

/* The rows of a small tile of an array whose rows are 64 KiB apart stay in L1. */
START_TEST(rows_a_power_of_two_apart_stay_in_l1) {
  enum { ROWS = 16 };
  struct launch l = launch_of(1, 1);
  trace_choose(&l, 32 << 10);
  struct trace *trace = trace_of_block(&l, 0);
  struct warp *warp = calloc(1, sizeof *warp);
  ck_assert_ptr_nonnull(warp);
  uint32_t misses[2] = {0, 0};
  for (uint32_t n = 0; n < 2 * ROWS; n++) {
    uint64_t addresses[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
      addresses[lane] = (UINT64_C(1) << 32) + (n % ROWS << 16) + 4 * lane;
    trace_instruction(trace, warp, n);
    trace_global(trace, warp, n, addresses, ALL_LANES, 4, true);
    misses[n / ROWS] += trace->warp[0].steps[n].misses;
  }
  free(warp);
  ck_assert_uint_eq(misses[0], 4 * ROWS);
  ck_assert_uint_eq(misses[1], 0);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("replay");
  tcase_set_timeout(tcase, 60); /* with sanitizers */
  tcase_add_test(tcase, what_comes_once_is_counted_once);
  tcase_add_test(tcase, a_loop_takes_as_long_as_its_turns);
  tcase_add_test(tcase, copies_under_way_overlap_with_arithmetic);
  tcase_add_test(tcase, blocks_of_one_warp_hide_each_others_waits);
  tcase_add_test(tcase, bank_conflicts_take_their_time);
  tcase_add_test(tcase, independent_arithmetic_does_not_wait);
  tcase_add_test(tcase, results_are_awaited_whatever_reads_them);
  tcase_add_test(tcase, a_use_does_not_hold_back_the_next_load);
  tcase_add_test(tcase, roots_correct_denormal_numbers);
  tcase_add_test(tcase, divisions_use_the_special_unit_twice);
  tcase_add_test(tcase, atomics_on_one_word_take_turns);
  tcase_add_test(tcase, atomics_of_blocks_on_their_own_words_do_not_wait);
  tcase_add_test(tcase, atomics_on_one_word_of_shared_memory_take_turns);
  tcase_add_test(tcase, stores_to_parts_of_lines_wait_for_l2);
  tcase_add_test(tcase, sampled_blocks_are_different_and_not_in_one_column);
  tcase_add_test(tcase, blocks_without_a_seed_are_fixed);
  tcase_add_test(tcase, a_seed_draws_a_block_of_each_part);
  tcase_add_test(tcase, sampled_blocks_stand_for_the_grid);
  tcase_add_test(tcase, another_seed_draws_other_blocks);
  tcase_add_test(tcase, rows_a_power_of_two_apart_stay_in_l1);
  return suite_run_case("model_replay", tcase);
}
