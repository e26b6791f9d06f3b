/* Counters of small kernels, computed by hand. */
#include "suite.h"

#include "device_kernel.h"
#include "tensor_map.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define LOADS COUNTER_GLOBAL_LOAD_REQUESTS
#define LOAD_SECTORS COUNTER_GLOBAL_LOAD_SECTORS
#define STORES COUNTER_GLOBAL_STORE_REQUESTS
#define STORE_SECTORS COUNTER_GLOBAL_STORE_SECTORS

static const struct {
  const char *name, *body;
  uint32_t blocks, threads;
  struct {
    enum counter counter;
    uint64_t value;
  } expected[6];
} cases[] = {
    /* the prologue and ret are 9 instructions */
    {"a full warp", "", 1, 32, {{COUNTER_WARP_INSTRUCTIONS, 9}, {COUNTER_THREAD_INSTRUCTIONS, 9 * 32}}},
    {"a partial warp", "", 1, 17, {{COUNTER_WARP_INSTRUCTIONS, 9}, {COUNTER_THREAD_INSTRUCTIONS, 9 * 17}}},
    {"a warp and a lane",
     "",
     3,
     33,
     {{COUNTER_WARP_INSTRUCTIONS, 54}, {COUNTER_THREAD_INSTRUCTIONS, 9 * 99}}},
    {"a predicated instruction",
     "setp.lt.u32 %p1, %r1, 5;\n@%p1 add.u32 %r4, %r1, 1;\n@!%p1 add.u32 %r4, %r1, 2;",
     1,
     32,
     {{COUNTER_WARP_INSTRUCTIONS, 12}, {COUNTER_THREAD_INSTRUCTIONS, 10 * 32 + 5 + 27}}},

    {"half of the lanes work, all step",
     "and.b32 %r4, %r1, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 ld.global.f32 %f1, [%rd1];\n"
     "@%p1 add.rn.f32 %f1, %f1, %f1;\n@%p1 st.shared.f32 [s], %f1;\n@%p1 bra L;\nL: bar.sync 0;",
     2,
     32,
     {{COUNTER_WORK_WARPS, 2 * 3}, {COUNTER_WORK_THREADS, 2 * 3 * 16}}},

    {"neighbours",
     "ld.global.f32 %f1, [%rd1];",
     1,
     32,
     {{LOADS, 1}, {LOAD_SECTORS, 4}, {COUNTER_BYTES_LOADED, 128}}},
    {"a generic load",
     "ld.f32 %f1, [%rd1];",
     1,
     32,
     {{LOADS, 1}, {LOAD_SECTORS, 4}, {COUNTER_UNIQUE_READ, 4}}},
    {"across a sector's border",
     "add.u64 %rd1, %rd1, 16;\nld.global.f32 %f1, [%rd1];",
     1,
     32,
     {{LOADS, 1}, {LOAD_SECTORS, 5}, {COUNTER_UNIQUE_READ, 5}}},
    {"every other word",
     "add.u64 %rd1, %rd1, %rd3;\nld.global.f32 %f1, [%rd1];",
     1,
     32,
     {{LOADS, 1}, {LOAD_SECTORS, 8}, {COUNTER_BYTES_LOADED, 128}}},
    {"one word for all",
     "ld.param.u64 %rd4, [a];\nld.global.f32 %f1, [%rd4];",
     1,
     32,
     {{LOADS, 1}, {LOAD_SECTORS, 1}, {COUNTER_BYTES_LOADED, 4}, {COUNTER_UNIQUE_READ, 1}}},
    {"some lanes",
     "setp.lt.u32 %p1, %r3, 9;\n@%p1 ld.global.f32 %f1, [%rd1];",
     1,
     64,
     {{LOADS, 2}, {LOAD_SECTORS, 4}, {COUNTER_BYTES_LOADED, 72}, {COUNTER_UNIQUE_READ, 4}}},
    {"the last lanes, then the first",
     "setp.ge.u32 %p1, %r3, 8;\n@%p1 ld.global.f32 %f1, [%rd1];\n@!%p1 ld.global.f32 %f1, [%rd1];",
     1,
     32,
     {{LOADS, 2}, {LOAD_SECTORS, 4}, {COUNTER_BYTES_LOADED, 128}, {COUNTER_UNIQUE_READ, 4}}},
    {"no lane",
     "setp.gt.u32 %p1, %r1, 99;\n@%p1 ld.global.f32 %f1, [%rd1];\n@%p1 st.global.f32 [%rd2], %f1;\n"
     "@%p1 red.global.add.u32 [%rd1], 1;\n@%p1 ld.shared.u32 %r4, [s];",
     1,
     32,
     {{LOADS, 0},
      {STORES, 0},
      {COUNTER_GLOBAL_RED_REQUESTS, 0},
      {COUNTER_SHARED_LOADS, 0},
      {COUNTER_UNIQUE_READ, 0}}},
    {"the same sectors again",
     "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1];",
     5,
     32,
     {{LOADS, 10}, {LOAD_SECTORS, 40}, {COUNTER_UNIQUE_READ, 4}, {COUNTER_UNIQUE_WRITTEN, 0}}},
    {"read and written",
     "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd1], %f1;\nst.global.f32 [%rd2], %f1;",
     1,
     32,
     {{LOADS, 1},
      {STORES, 2},
      {STORE_SECTORS, 8},
      {COUNTER_BYTES_STORED, 256},
      {COUNTER_UNIQUE_READ, 4},
      {COUNTER_UNIQUE_WRITTEN, 8}}},
    {"each block its own",
     "mul.wide.u32 %rd4, %r2, 128;\nadd.u64 %rd4, %rd4, %rd1;\nst.global.u32 [%rd4], %r1;",
     32,
     32,
     {{STORES, 32}, {STORE_SECTORS, 128}, {COUNTER_UNIQUE_WRITTEN, 128}}},
    {"vectors",
     "mul.wide.u32 %rd4, %r1, 12;\nadd.u64 %rd4, %rd4, %rd1;\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd4];\n"
     "st.global.v2.f32 [%rd4], {%f1,%f2};",
     1,
     32,
     {{LOADS, 1},
      {LOAD_SECTORS, 16},
      {COUNTER_BYTES_LOADED, 512},
      {STORES, 1},
      {STORE_SECTORS, 16},
      {COUNTER_BYTES_STORED, 256}}},
    {"atomics",
     "red.global.add.u32 [%rd1], 1;\natom.global.add.u32 %r4, [%rd1], 1;\natom.global.add.u32 %r5, [%rd1], "
     "1;\n"
     "add.u32 %r6, %r5, 1;", /* no instruction reads %r4 */
     1,
     32,
     {{COUNTER_GLOBAL_RED_REQUESTS, 2},
      {COUNTER_GLOBAL_RED_SECTORS, 8},
      {COUNTER_GLOBAL_ATOM_REQUESTS, 1},
      {COUNTER_GLOBAL_ATOM_SECTORS, 4},
      {LOADS, 0}}},

    {"atomics of floats, and others",
     "setp.lt.u32 %p1, %r1, 5;\n@%p1 red.global.add.f32 [%rd2], %f1;\natom.global.add.f32 %f2, [%rd2], %f1;\n"
     "red.global.add.u32 [%rd2], 1;\natom.shared.add.f32 %f2, [s], %f1;\natom.global.exch.b32 %r4, [%rd2], "
     "%r1;\natom.global.max.s32 %r4, [%rd2], %r1;\natom.global.cas.b32 %r4, [%rd2], %r1, %r1;",
     2,
     32,
     {{COUNTER_FLOAT_ATOMICS, 2 * (5 + 32 + 32)}}},
    {"atomics of pairs, halves and doubles",
     "and.b64 %rd2, %rd2, -256;\nred.global.add.v2.f32 [%rd2], {%f1,%f1};\n"
     "red.global.add.noftz.f16x2 [%rd2], %r1;\nred.global.add.f64 [%rd2], 0d0000000000000000;",
     1,
     32,
     {{COUNTER_FLOAT_ATOMICS, 3 * 32}}},
    {"no atomic of floats",
     "red.global.add.u32 [%rd2], 1;",
     1,
     32,
     {{COUNTER_FLOAT_ATOMICS, 0}, {COUNTER_UNIQUE_READ, 4}, {COUNTER_UNIQUE_WRITTEN, 4}}},
    {"generic, in shared memory, two words of a bank",
     "shl.b32 %r4, %r3, 3;\nmov.u32 %r5, s;\nadd.u32 %r4, %r4, %r5;\ncvt.u64.u32 %rd4, %r4;\n"
     "cvta.shared.u64 %rd4, %rd4;\nst.u32 [%rd4], %r1;\nld.u32 %r6, [%rd4];\nred.add.u32 [%rd4], 1;",
     1,
     32,
     {{COUNTER_SHARED_LOADS, 1},
      {COUNTER_SHARED_LOAD_WAVEFRONTS, 2},
      {COUNTER_SHARED_STORE_CONFLICTS, 1},
      {COUNTER_SHARED_ATOMICS, 1},
      {COUNTER_BYTES_LOADED, 128},
      {COUNTER_BYTES_STORED, 128}}},
    {"generic, in shared memory, is no request of global memory",
     "mov.u32 %r4, s;\ncvt.u64.u32 %rd4, %r4;\ncvta.shared.u64 %rd4, %rd4;\nst.u32 [%rd4], %r1;\n"
     "ld.u32 %r6, [%rd4];\nred.add.u32 [%rd4], 1;",
     2,
     64,
     {{COUNTER_BYTES_LOADED, 4 * 4},
      {LOADS, 0},
      {STORES, 0},
      {COUNTER_GLOBAL_RED_REQUESTS, 0},
      {COUNTER_SHARED_STORES, 4},
      {COUNTER_SHARED_LOAD_WAVEFRONTS, 4}}},
    {"shared, two words of a bank",
     "shl.b32 %r4, %r3, 3;\nmov.u32 %r5, s;\nadd.u32 %r4, %r4, %r5;\nst.shared.u32 [%r4], %r1;\n"
     "ld.shared.u32 %r6, [%r4];",
     1,
     32,
     {{COUNTER_SHARED_LOADS, 1},
      {COUNTER_SHARED_LOAD_WAVEFRONTS, 2},
      {COUNTER_SHARED_LOAD_CONFLICTS, 1},
      {COUNTER_SHARED_STORES, 1},
      {COUNTER_SHARED_STORE_WAVEFRONTS, 2},
      {COUNTER_SHARED_STORE_CONFLICTS, 1}}},
    {"rows of a matrix side by side",
     "shl.b32 %r4, %r3, 4;\nmov.u32 %r5, s;\nadd.u32 %r4, %r4, %r5;\n"
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5,%r6,%r7,%r8}, [%r4];\n"
     "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r4], {%r5,%r6};",
     1,
     32,
     {{COUNTER_SHARED_LOADS, 1},
      {COUNTER_SHARED_LOAD_WAVEFRONTS, 4},
      {COUNTER_SHARED_STORES, 1},
      {COUNTER_SHARED_STORE_WAVEFRONTS, 2},
      {LOADS, 0}}},
    {"rows of a matrix in the same banks",
     "shl.b32 %r4, %r3, 7;\nmov.u32 %r5, s;\nadd.u32 %r4, %r4, %r5;\n"
     "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r5,%r6}, [%r4];",
     1,
     32,
     {{COUNTER_SHARED_LOADS, 1}, {COUNTER_SHARED_LOAD_WAVEFRONTS, 16}, {COUNTER_SHARED_LOAD_CONFLICTS, 14}}},
    {"a matrix of halves and its sum",
     "shr.u64 %rd1, %rd1, 8;\nshl.b64 %rd1, %rd1, 8;\nshr.u64 %rd2, %rd2, 8;\nshl.b64 %rd2, %rd2, 8;\n"
     "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1], 16;\n"
     "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, 16;",
     1,
     32, /* four registers of 8 rows of 16 bytes; four pairs of registers of 8 rows of 32 bytes */
     {{LOADS, 4},
      {LOAD_SECTORS, 32},
      {COUNTER_BYTES_LOADED, 512},
      {STORES, 4},
      {STORE_SECTORS, 32},
      {COUNTER_UNIQUE_WRITTEN, 32}}},
    {"a bulk store of 1040 bytes, from the middle of a sector",
     "add.u64 %rd2, %rd2, 16;\ncp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 1040;",
     1,
     1,
     {{COUNTER_BULK_REQUESTS, 3}, {COUNTER_BULK_SECTORS, 33}, {COUNTER_WORK_WARPS, 1}, {STORES, 0}}},
    {"32 bulk reductions of 16 bytes",
     "mul.wide.u32 %rd4, %r1, 28;\nadd.u64 %rd2, %rd2, %rd4;\n"
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [s], 16;",
     1,
     32,
     {{COUNTER_BULK_REQUESTS, 32}, {COUNTER_BULK_SECTORS, 64}, {STORE_SECTORS, 0}}},
    {"a bulk copy within shared memory",
     "mbarrier.init.shared.b64 [s], 1;\nmbarrier.arrive.expect_tx.shared.b64 %rd4, [s], 64;\n"
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s+64], [s+128], 64, [s];",
     1,
     1,
     {{COUNTER_BULK_REQUESTS, 0}, {COUNTER_BULK_SECTORS, 0}, {COUNTER_WARP_INSTRUCTIONS, 12}}},
    {"local",
     ".local .b32 l[4];\nmov.u64 %rd4, l;\nst.local.u32 [%rd4], %r1;\nld.local.u32 %r4, [%rd4];",
     1,
     64,
     {{COUNTER_LOCAL_STORE_REQUESTS, 2}, {COUNTER_LOCAL_LOAD_REQUESTS, 2}, {LOADS, 0}, {STORES, 0}}},

    {"a branch that diverges",
     "setp.lt.u32 %p1, %r3, 16;\n@%p1 bra L;\nmembar.cta;\nL:",
     1,
     64,
     {{COUNTER_DIVERGENT, 2}}},
    {"a branch that does not",
     "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra L;\nmembar.cta;\nL:",
     1,
     64,
     {{COUNTER_DIVERGENT, 0}}},
    {"a loop of 1 to 4 rounds",
     "mov.u32 %r4, 0;\nand.b32 %r5, %r3, 3;\nL: add.u32 %r4, %r4, 1;\nsetp.le.u32 %p1, %r4, %r5;\n@%p1 bra "
     "L;",
     1,
     32,
     {{COUNTER_DIVERGENT, 3},
      {COUNTER_WARP_INSTRUCTIONS, 9 + 2 + 4 * 3},
      {COUNTER_THREAD_INSTRUCTIONS, 11 * 32 + 3 * (32 + 24 + 16 + 8)}}},
    {"a switch that diverges",
     "and.b32 %r4, %r3, 1;\nT: .branchtargets A, B;\nbrx.idx %r4, T;\nA: membar.cta;\nB:",
     1,
     64,
     {{COUNTER_DIVERGENT, 2}}},
    {"a switch that does not",
     "mov.u32 %r4, 1;\nT: .branchtargets A, B;\nbrx.idx %r4, T;\nA: membar.cta;\nB:",
     1,
     64,
     {{COUNTER_DIVERGENT, 0}}},

    {"barriers", "bar.sync 0;\nbar.warp.sync -1;\nbar.sync 1, 96;", 2, 96, {{COUNTER_BARRIERS, 12}}},
    {"arithmetic",
     "add.f32 %f1, %f2, %f3;\nsub.f32 %f1, %f2, %f3;\nmul.f32 %f1, %f2, %f3;\nfma.rn.f32 %f1, %f2, %f3, "
     "%f1;\n"
     "add.f64 %fd1, %fd2, %fd3;\nmul.f64 %fd1, %fd2, %fd3;\nfma.rn.f64 %fd1, %fd2, %fd3, %fd1;",
     1,
     40,
     {{COUNTER_FADD, 80},
      {COUNTER_FMUL, 40},
      {COUNTER_FFMA, 40},
      {COUNTER_DADD, 40},
      {COUNTER_DMUL, 40},
      {COUNTER_DFMA, 40}}},
    {"predicated arithmetic",
     "setp.lt.u32 %p1, %r1, 10;\n@%p1 add.f32 %f1, %f2, %f3;",
     1,
     40,
     {{COUNTER_FADD, 10}}},
    {"some threads sleep",
     "setp.lt.u32 %p1, %r1, 10;\n@%p1 nanosleep.u32 20;",
     1,
     40,
     {{COUNTER_SLEEPS, 10}}},
};

START_TEST(counted_by_hand) {
  kernel_run(cases[_i].body, cases[_i].blocks, cases[_i].threads);
  const struct counters counters = kernel_counters;
  for (size_t i = 0; i < 6 && (i == 0 || cases[_i].expected[i].counter); i++)
    ck_assert_msg(counters.value[cases[_i].expected[i].counter] == cases[_i].expected[i].value,
                  "%s: counter %d is %" PRIu64 ", expected %" PRIu64, cases[_i].name,
                  cases[_i].expected[i].counter, counters.value[cases[_i].expected[i].counter],
                  cases[_i].expected[i].value);
}
END_TEST

/* A warp that polls an incomplete mbarrier phase, or sleeps, yields to the other warps before its time slice ends. */
START_TEST(waiting_is_short) {
  static const char *const waits[] = {
      "W: mbarrier.test_wait.shared.b64 %p2, [s], %rd4;\n@!%p2 bra W;",
      "W: mbarrier.try_wait.parity.shared.b64 %p2, [s], 0;\n@!%p2 bra W;",
      "W: ld.volatile.shared.u32 %r4, [s+4];\nsetp.lt.u32 %p2, %r4, 256;\nnanosleep.u32 20;\n@%p2 bra W;"};
  enum { WARPS = 8, MOST = WARPS * 100 };
  char body[512];
  snprintf(body, sizeof body,
           "setp.ne.u32 %%p1, %%r1, 0;\n@!%%p1 mbarrier.init.shared.b64 [s], %d;\nbar.sync 0;\n"
           "mbarrier.arrive.shared.b64 %%rd4, [s];\n%s",
           32 * WARPS, waits[_i]); /* s+4: the phase is in bits 40 and up */
  kernel_run(body, 1, 32 * WARPS);
  ck_assert_uint_le(kernel_counters.value[COUNTER_WARP_INSTRUCTIONS], MOST);
}
END_TEST

/* Rows of 48 bytes, 96 apart: each touches two sectors, wherever it begins. The kernel writes the map itself. */
START_TEST(boxes) {
  char body[1024];
  snprintf(
      body, sizeof body,
      "st.global.u64 [%%rd2+%zu], %%rd1;\nst.global.u64 [%%rd2+%zu], 4;\nst.global.u64 [%%rd2+%zu], 96;\n"
      "st.global.u32 [%%rd2+%zu], 24;\nst.global.u32 [%%rd2+%zu], 6;\n"
      "st.global.u16 [%%rd2+%zu], 12;\nst.global.u16 [%%rd2+%zu], 4;\n"
      "st.global.u8 [%%rd2+%zu], 1;\nst.global.u8 [%%rd2+%zu], 1;\n"
      "st.global.u8 [%%rd2+%zu], 2;\nst.global.u8 [%%rd2+%zu], 4;\nst.global.u8 [%%rd2+%zu], 1;\n"
      "st.global.u16 [%%rd2+%zu], %d;\nmov.u32 %%r4, %d;\nmov.u32 %%r5, %d;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%%rd2, {%%r4, %%r5}], [s];",
      offsetof(struct tensor_map, address), offsetof(struct tensor_map, pitch[0]),
      offsetof(struct tensor_map, pitch[1]), offsetof(struct tensor_map, size[0]),
      offsetof(struct tensor_map, size[1]), offsetof(struct tensor_map, box[0]),
      offsetof(struct tensor_map, box[1]), offsetof(struct tensor_map, stride[0]),
      offsetof(struct tensor_map, stride[1]), offsetof(struct tensor_map, dimensions),
      offsetof(struct tensor_map, element), offsetof(struct tensor_map, span),
      offsetof(struct tensor_map, mark), TENSOR_MAP_MARK, _i % 2 * 4, _i < 2 ? 0 : 4);
  kernel_run(body, 1, 1);
  const uint64_t rows = _i < 2 ? 4 : 2; /* two are outside */
  ck_assert_uint_eq(kernel_counters.value[COUNTER_BULK_REQUESTS], 1);
  ck_assert_uint_eq(kernel_counters.value[COUNTER_BULK_SECTORS], rows * 2);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("counters");
  tcase_add_loop_test(tcase, counted_by_hand, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_loop_test(tcase, waiting_is_short, 0, 3);
  tcase_add_loop_test(tcase, boxes, 0, 4);
  return suite_run_case("device_counters", tcase);
}
