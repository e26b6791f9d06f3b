/* Divergence in PTX shapes that compilers seldom emit: every thread must compute the same as it does alone. The
 * result of a thread is its word at b. */
#include "suite.h"

#include "device_kernel.h"

#include <fcntl.h>
#include <inttypes.h>

static uint32_t lane(uint32_t l) { return l; }
static uint32_t thrice(uint32_t l) { return l % 3 == 1 ? 10 : l % 3 == 2 ? 20 : 0; }
static uint32_t thrice_and_one(uint32_t l) { return thrice(l) + 1; }
static uint32_t odd_thrice(uint32_t l) { return l % 2 ? thrice_and_one(l) : 100; }
static uint32_t one(uint32_t l) { return l < 32; }
static uint32_t steps(uint32_t l) { return 3 * (l % 5) + 7; }
static uint32_t returned(uint32_t l) { return l % 3 == 0 ? 1 : l % 3 == 1 ? 2 : 3; }
static uint32_t early(uint32_t l) { return l < 20 ? l < 10 ? 0 : 5 : 6; }
static uint32_t ten_left(uint32_t l) { return l < 10 ? 0 : 6; }
static uint32_t collatz(uint32_t l) {
  uint32_t n = l + 1, count = 0;
  for (; n != 1; count++)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}
static uint32_t two_ways_in(uint32_t l) { return l % 2 ? l % 4 + 11 : l % 4 + 10; }

static uint32_t two_out_of_five(uint32_t l) { return l % 5 < 2 ? 32 : 18; }
static uint32_t all_or_those_in_the_loop(uint32_t l) { return l % 4 == 3 ? 100 + 32 : 100 + 24; }

#define RESULT "st.global.u32 [%rd2], %r5;\n"

static const struct {
  const char *name, *functions, *body;
  uint32_t (*expected)(uint32_t lane);
} cases[] = {
    {"constant memory is a space of its own", ".const .align 4 .u32 c[2] = {3, 4};\n",
     "mov.u64 %rd4, c;\ncvta.const.u64 %rd4, %rd4;\nadd.u64 %rd4, %rd4, 4;\nisspacep.const %p1, %rd4;\n"
     "isspacep.const %p2, %rd2;\nselp.u32 %r5, 1, 0, %p1;\n@%p2 add.u32 %r5, %r5, 2;\n" RESULT,
     one},
    {"addresses of shared memory have 32 bits", "",
     "shl.b32 %r4, %r1, 2;\nst.shared.u32 [%r4], %r3;\nsub.u32 %r4, %r4, 4096;\n"
     "ld.shared.u32 %r5, [%r4+4096];\n" RESULT,
     lane},
    {"a branch to the next instruction", "",
     "setp.lt.u32 %p1, %r3, 9;\n@%p1 bra L;\nL: mov.u32 %r5, %r3;\n" RESULT, lane},
    {"a switch, the first way empty", "",
     "rem.u32 %r4, %r3, 3;\nmov.u32 %r5, 0;\nT: .branchtargets E, A, B;\nbrx.idx %r4, T;\n"
     "A: add.u32 %r5, %r5, 10;\nbra E;\nB: add.u32 %r5, %r5, 20;\nE: add.u32 %r5, %r5, 1;\n" RESULT,
     thrice_and_one},
    {"a switch, the last way empty", "",
     "rem.u32 %r4, %r3, 3;\nsub.u32 %r4, 2, %r4;\nmov.u32 %r5, 0;\nT: .branchtargets B, A, E;\nbrx.idx %r4, "
     "T;\n"
     "A: add.u32 %r5, %r5, 10;\nbra E;\nB: add.u32 %r5, %r5, 20;\nE: add.u32 %r5, %r5, 1;\n" RESULT,
     thrice_and_one},
    {"a switch under a predicate", "",
     "rem.u32 %r4, %r3, 3;\nand.b32 %r6, %r3, 1;\nsetp.eq.u32 %p1, %r6, 1;\nmov.u32 %r5, 0;\nT: "
     ".branchtargets E, A, B;\n"
     "@%p1 brx.idx %r4, T;\nmov.u32 %r5, 99;\nbra E;\n"
     "A: add.u32 %r5, %r5, 10;\nbra E;\nB: add.u32 %r5, %r5, 20;\nE: add.u32 %r5, %r5, 1;\n" RESULT,
     odd_thrice},
    {"a switch as a loop", "", /* states 0 and 1; each adds three */
     "rem.u32 %r4, %r3, 5;\nmov.u32 %r5, 7;\nmov.u32 %r6, 0;\nT: .branchtargets A, B, E;\n"
     "L: setp.eq.u32 %p1, %r4, 0;\nselp.u32 %r6, 2, %r6, %p1;\nbrx.idx %r6, T;\n"
     "A: mov.u32 %r6, 1;\nbra C;\nB: mov.u32 %r6, 0;\nC: add.u32 %r5, %r5, 3;\nsub.u32 %r4, %r4, 1;\nbra "
     "L;\nE: " RESULT,
     steps},
    {"predicated returns of a function",
     ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %r<4>; .reg .pred %p<3>;\nld.param.u32 %r1, "
     "[in];\n"
     "rem.u32 %r1, %r1, 3;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r1, 1;\nst.param.b32 [out], 1;\n@%p1 "
     "ret;\n"
     "st.param.b32 [out], 2;\n@%p2 ret;\nst.param.b32 [out], 3;\nret;\n}\n",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), f, (x); ld.param.u32 %r5, [y]; "
     "}\n" RESULT,
     returned},
    {"predicated exits", "",
     "setp.lt.u32 %p1, %r3, 10;\n@%p1 exit;\nmov.u32 %r5, 5;\nsetp.lt.u32 %p1, %r3, 20;\n" RESULT
     "@%p1 exit;\nmov.u32 %r5, 6;\n" RESULT,
     early},
    {"a register that a function has not written is 0 at each call",
     ".func (.param .b32 y) f(.param .b32 x)\n{ .reg .u32 %a, %b, %c; .reg .pred %p;\n"
     "ld.param.u32 %a, [x];\nsetp.ne.u32 %p, %a, 0;\n@%p mov.u32 %b, 5;\n@!%p bra L;\nmov.u32 %c, 7;\n"
     "L: add.u32 %b, %b, %c;\nst.param.b32 [y], %b;\nret; }\n",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 1; call (y), f, (x); ld.param.u32 %r5, [y]; }\n"
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 0; call (y), f, (x); ld.param.u32 %r4, [y]; }\n"
     "sub.u32 %r5, %r5, 12;\nadd.u32 %r5, %r5, %r4;\nsetp.eq.u32 %p1, %r5, 0;\nselp.u32 %r5, %r3, 99, %p1;\n" RESULT,
     lane},
    {"returns of a function, whose other lanes stay in it for several time slices",
     ".func (.param .b32 y) f(.param .b32 x)\n{ .reg .u32 %a, %b; .reg .pred %p;\nld.param.u32 %a, [x];\n"
     "st.param.b32 [y], %a;\nsetp.lt.u32 %p, %a, 10;\n@%p ret;\nmov.u32 %b, 0;\nL: add.u32 %b, %b, 1;\n"
     "setp.lt.u32 %p, %b, 100000;\n@%p bra L;\nst.param.b32 [y], %a;\nret; }\n",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), f, (x); ld.param.u32 %r5, [y]; }\n"
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 2; call (y), f, (x); ld.param.u32 %r4, [y]; }\n"
     "sub.u32 %r4, %r4, 2;\nadd.u32 %r5, %r5, %r4;\n" RESULT,
     lane},
    {"exits within a function, while others wait after the call",
     ".func f(.param .b32 in) { .reg .b32 %r<2>; .reg .pred %p<2>;\nld.param.u32 %r1, [in];\n"
     "setp.lt.u32 %p1, %r1, 10;\n@%p1 exit;\nret;\n}\n",
     "setp.ge.u32 %p1, %r3, 20;\n@%p1 bra L;\n{ .param .b32 x; st.param.b32 [x], %r3; call f, (x); }\n"
     "L: mov.u32 %r5, 6;\n" RESULT,
     ten_left},
    {"loops of different length, with an if inside", "",
     "add.u32 %r4, %r3, 1;\nmov.u32 %r5, 0;\nL: setp.eq.u32 %p1, %r4, 1;\n@%p1 bra E;\nadd.u32 %r5, %r5, 1;\n"
     "and.b32 %r6, %r4, 1;\nsetp.eq.u32 %p2, %r6, 1;\n@%p2 bra O;\nshr.u32 %r4, %r4, 1;\nbra L;\n"
     "O: mad.lo.u32 %r4, %r4, 3, 1;\nbra L;\nE: " RESULT,
     collatz},
    {"a loop with two entries", "", /* irreducible: no structured program has it */
     "and.b32 %r4, %r3, 3;\nmov.u32 %r5, 10;\nand.b32 %r6, %r3, 1;\nsetp.eq.u32 %p1, %r6, 1;\n@%p1 bra B;\n"
     "A: setp.eq.u32 %p2, %r4, 0;\n@%p2 bra E;\nsub.u32 %r4, %r4, 1;\nB: add.u32 %r5, %r5, 1;\nbra "
     "A;\nE: " RESULT,
     two_ways_in},
};

/* %r5: the number of lanes of a full warp that run together. */
#define TOGETHER "activemask.b32 %r6;\npopc.b32 %r5, %r6;\n"

static const struct {
  const char *name, *body;
  uint32_t (*expected)(uint32_t lane);
} meetings[] = {
    {"threads in a loop reconverge in it; those that left it reconverge after it, with them",
     "rem.u32 %r4, %r3, 5;\nsetp.lt.u32 %p1, %r4, 2;\nand.b32 %r7, %r3, 1;\nsetp.eq.u32 %p2, %r7, 1;\n"
     "mov.u32 %r8, 0;\nL: @%p2 bra A;\n@%p1 bra E;\nbra B;\nA: @%p1 bra E;\nB: " TOGETHER RESULT
     "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 3;\n@%p3 bra L;\nE: " TOGETHER "@!%p1 bra Q;\n" RESULT
     "Q: membar.cta;\n",
     two_out_of_five},
    {"one diverged group leaves a loop as a whole, while others wait in it",
     "and.b32 %r4, %r3, 3;\nsetp.eq.u32 %p1, %r4, 3;\nmov.u32 %r8, 0;\n"
     "L: @!%p1 bra B;\n\nsetp.eq.u32 %p2, %r8, 1;\n@%p2 bra E;\nB: " TOGETHER
     "add.u32 %r5, %r5, 100;\n" RESULT
     "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 5;\n@%p3 bra L;\nE: " TOGETHER
     "add.u32 %r5, %r5, 100;\n@!%p1 bra Q;\n" RESULT "Q: membar.cta;\n",
     all_or_those_in_the_loop},
};

START_TEST(threads_meet) {
  ck_assert_int_eq(kernel_try("", meetings[_i].body, 1, 32), SIM_OK);
  for (uint32_t t = 0; t < 32; t++)
    ck_assert_msg(kernel_results[t] == meetings[_i].expected(t),
                  "%s: thread %" PRIu32 " left %" PRIu32 ", expected %" PRIu32, meetings[_i].name, t,
                  kernel_results[t], meetings[_i].expected(t));
}
END_TEST

/* Each warp is short, but the launch is long: 60000 blocks of two warps, 9 instructions each. */
START_TEST(a_launch_ends_with_its_budget) {
  static const char *const threads[] = {"1", "3"};
  static const char *const bodies[] = {
      "", "bar.sync 0;\nL: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 100000;\n@%p1 bra L;\n"};
  for (int i = 0; i < 2; i++) {
    setenv("SIMGPU_THREADS", threads[i], 1);
    setenv("SIMGPU_LAUNCH_BUDGET", "300000", 1);
    ck_assert_int_eq(kernel_try("", bodies[_i], 60000, 64), SIM_FAULT_NO_PROGRESS);
    ck_assert_uint_lt(kernel_counters.value[COUNTER_WARP_INSTRUCTIONS], 1000000);
    setenv("SIMGPU_LAUNCH_BUDGET", "2000000", 1);
    ck_assert_int_eq(kernel_try("", "", 60000, 64), SIM_OK);
  }
}
END_TEST

/* Lanes that diverge and reconverge in each pass use up no time slice. */
START_TEST(an_endless_loop_with_a_branch_ends) {
  setenv("SIMGPU_LAUNCH_BUDGET", "300000", 1);
  ck_assert_int_eq(kernel_try("",
                              "L: mov.u32 %r4, %tid.x;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra A;\n"
                              "add.u32 %r5, %r5, 1;\nA: bra L;\n",
                              1, 64),
                   SIM_FAULT_NO_PROGRESS);
  ck_assert_uint_lt(kernel_counters.value[COUNTER_WARP_INSTRUCTIONS], 2000000);
}
END_TEST

/* 5 of 160 blocks, one of each 32, and the last 5; the first and the last of 20. */
START_TEST(one_block_of_some_runs) {
  enum { BLOCKS = 160, FEW = 20, EVERY = 32 };
  static const uint32_t counts[] = {1, FEW, BLOCKS};
  setenv("SIMGPU_EVERY", "32", 1);
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    const uint32_t count = counts[n], last = count < EVERY ? 1 : count / EVERY;
    ck_assert_int_eq(
        kernel_try("", "mul.wide.u32 %rd4, %r2, 4;\nadd.u64 %rd2, %rd2, %rd4;\nmov.u32 %r5, 1;\n" RESULT,
                   count, 1),
        SIM_OK);
    for (uint32_t b = 0; b < count; b++)
      ck_assert_uint_eq(kernel_results[b], b % EVERY == 0 || b >= count - last);
  }
}
END_TEST

START_TEST(lost_copies_bring_zeros) {
  for (uint32_t lost = 0; lost < 2; lost++) {
    setenv("SIMGPU_COPIES", lost ? "lost" : "", 1);
    ck_assert_int_eq(kernel_try("",
                                "add.u32 %r4, %r1, 1;\nst.global.u32 [%rd1], %r4;\nmov.u32 %r6, s;\n"
                                "mad.lo.u32 %r6, %r1, 4, %r6;\ncp.async.ca.shared.global [%r6], [%rd1], 4;\n"
                                "cp.async.wait_all;\nld.shared.u32 %r5, [%r6];\n" RESULT,
                                1, 32),
                     SIM_OK);
    for (uint32_t t = 0; t < 32; t++)
      ck_assert_uint_eq(kernel_results[t], lost ? 0 : t + 1);
  }
}
END_TEST

START_TEST(each_thread_as_if_alone) {
  static const uint32_t sizes[] = {32, 1, 17, 96};
  for (int n = 0; n < 4; n++) {
    ck_assert_int_eq(kernel_try(cases[_i].functions, cases[_i].body, 1, sizes[n]), SIM_OK);
    for (uint32_t t = 0; t < sizes[n]; t++)
      ck_assert_msg(kernel_results[t] == cases[_i].expected(t % 32),
                    "%s, %" PRIu32 " threads: thread %" PRIu32 " left %" PRIu32 ", expected %" PRIu32,
                    cases[_i].name, sizes[n], t, kernel_results[t], cases[_i].expected(t % 32));
  }
}
END_TEST

/* Infinite loops, in every form of backward branch. */
static const char *const endless[] = {
    "L: bra L;",
    "L: setp.ne.u32 %p1, %r3, 99;\n@%p1 bra L;",
    "T: .branchtargets L, L;\nL: brx.idx %r4, T;",
    "setp.eq.u32 %p1, %r3, 7;\nL: @%p1 bra L;",
    "mov.u32 %r4, 0;\nL: { call f; }\nadd.u32 %r4, %r4, 1;\nbra L;",
};

START_TEST(endless_loops_are_stopped) {
  setenv("SIMGPU_BUDGET", "1000000", 1);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  ck_assert_int_eq(kernel_try(".func f() { ret; }\n", endless[_i], 3, 64), SIM_FAULT_NO_PROGRESS);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("flow");
  tcase_add_loop_test(tcase, each_thread_as_if_alone, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_loop_test(tcase, a_launch_ends_with_its_budget, 0, 2);
  tcase_add_test(tcase, an_endless_loop_with_a_branch_ends);
  tcase_add_test(tcase, one_block_of_some_runs);
  tcase_add_test(tcase, lost_copies_bring_zeros);
  tcase_add_loop_test(tcase, threads_meet, 0, (int)(sizeof meetings / sizeof *meetings));
  tcase_add_loop_test(tcase, endless_loops_are_stopped, 0, (int)(sizeof endless / sizeof *endless));
  tcase_set_timeout(tcase, 20);
  return suite_run_case("device_flow", tcase);
}
