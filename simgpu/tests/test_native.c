/* Native code against the interpreter: the same kernel, once by each, must leave the same memory and the same
 * counters, and end with the same status. */
#include <stdlib.h>
#include <string.h>

#include "native_compare.h"
#include "suite.h"

/* Rows of ops.def */

/* Registers 0 to 3 vary by lane, 4 to 7 are the same in all lanes. */
static void write_loads(FILE *out) {
  fputs("  mad.wide.u32 %a, %i, 96, %m;\n", out);
  for (int i = 0; i < 4; i++)
    fprintf(out, "  ld.global.b32 %%r%d, [%%a+%d];\n  ld.global.b64 %%d%d, [%%a+%d];\n", i, 4 * i, i,
            16 + 8 * i);
  for (int i = 4; i < COMPARE_REGISTERS; i++)
    fprintf(out, "  ld.global.b32 %%r%d, [%%m+%d];\n  ld.global.b64 %%d%d, [%%m+%d];\n", i, 4 * i, i,
            16 + 8 * i);
  for (int i = 0; i < COMPARE_PREDICATES; i++)
    fprintf(out, "  setp.lt.s32 %%p%d, %%r%d, %%r%d;\n", i, i, i + 4);
}

static void write_stores(FILE *out) {
  for (int i = 0; i < COMPARE_REGISTERS; i++)
    fprintf(out, "  st.global.b32 [%%a+%d], %%r%d;\n  st.global.b64 [%%a+%d], %%d%d;\n", 4 * (i % 4), i,
            32 + 8 * i, i);
  for (int i = 0; i < COMPARE_PREDICATES; i++)
    fprintf(out, "  selp.b32 %%r%d, %%r%d, %%r%d, %%p%d;\n  st.global.b32 [%%a+%d], %%r%d;\n", i, i, i + 4, i,
            16 + 4 * i, i);
}

/* Every row once, in `PARTS` kernels; stored values keep every result alive. */
START_TEST(rows_give_the_same_bits) {
  enum { PARTS = 4 };
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  fputs(native_header, out);
  fputs("  setp.lt.u32 %p9, %t, %n;\n  @%p9 bra DONE;\n", out); /* some lanes leave their warp */
  write_loads(out);
  for (int code = 0, count = 0; code < OP_COUNT; code++) {
    const struct op_row *row = op_row((enum opcode)code);
    if (!row->forms[0] || code % PARTS != _i)
      continue;
    native_write_random_row(out, row);
    if (++count % 12 == 0)
      write_stores(out);
    if (count % 24 == 0)
      write_loads(out);
  }
  write_stores(out);
  fputs("DONE:\n  ret;\n}\n", out);
  fclose(out);
  native_compare(text, 64, 1, 0);
  native_compare(text, 80, 1, 5);
  free(text);
}
END_TEST

/* Control and memory */

static const struct program {
  const char *what, *body;
} programs[] = {
    {"a loop that some lanes leave early, with a barrier after it",
     "  mad.wide.s32 %a, %i, 4, %m;\n  mov.u32 %r1, 0;\n  mov.u32 %r3, 77;\n  ld.global.u32 %r2, [%a];\n  and.b32 %r2, %r2, 7;\n"
     "L1:\n  add.s32 %r1, %r1, 1;\n  setp.gt.u32 %p1, %r1, %r2;\n  @%p1 bra L2;\n"
     "  mad.lo.s32 %r3, %r1, %r1, %t;\n  setp.lt.u32 %p2, %r1, 5;\n  @%p2 bra L1;\n"
     "L2:\n  shl.b32 %r4, %t, 2;\n  mov.u32 %r5, s;\n  add.s32 %r5, %r5, %r4;\n  st.shared.u32 [%r5], %r3;\n"
     "  bar.sync 0;\n  xor.b32 %r6, %r4, 60;\n  mov.u32 %r7, s;\n  add.s32 %r6, %r6, %r7;\n  ld.shared.u32 %r8, [%r6];\n"
     "  ld.shared.u32 %r9, [%r5+4];\n  ld.shared.u32 %r10, [s+20];\n  add.s32 %r8, %r8, %r9;\n  add.s32 %r8, %r8, %r10;\n"
     "  add.s32 %r8, %r8, %r1;\n  st.global.u32 [%a+65536], %r8;\n"},
    {"lanes whose index wraps around 32 bits",
     "  ld.global.u32 %r1, [%m+4];\n  add.s32 %r2, %t, %n;\n  mul.wide.s32 %d1, %r2, 4;\n  mul.wide.u32 %d2, %r2, 8;\n"
     "  cvt.s64.s32 %d3, %r2;\n  cvt.u64.u32 %d4, %r2;\n  sub.s64 %d1, %d1, %d2;\n  xor.b64 %d3, %d3, %d4;\n"
     "  add.s64 %d1, %d1, %d3;\n  mad.wide.s32 %a, %i, 8, %m;\n  st.global.u64 [%a+65536], %d1;\n"},
    {"a count that is the same in all lanes, until they diverge",
     "  mad.wide.s32 %a, %i, 4, %m;\n  mov.u32 %r1, 3;\n  setp.lt.s32 %p1, %t, %n;\n  @%p1 bra L1;\n"
     "  add.s32 %r1, %r1, 4;\n  bra L2;\nL1:\n  add.s32 %r1, %r1, 2;\nL2:\n  mov.u32 %r2, 0;\nL3:\n"
     "  add.s32 %r2, %r2, %r1;\n  add.s32 %r1, %r1, -1;\n  setp.ne.s32 %p2, %r1, 0;\n  @%p2 bra L3;\n"
     "  setp.lt.s32 %p3, %r2, 9;\n  selp.b32 %r3, %r2, %t, %p3;\n  st.global.u32 [%a+65536], %r3;\n"},
    {"vectors, bytes, shuffles, atomics and votes",
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\n  shfl.sync.up.b32 %r5|%p1, %r1, "
     "%n, 0, -1;\n  shfl.sync.bfly.b32 %r6, %r2, 5, 31, -1;\n  vote.sync.ballot.b32 %r7, %p1, -1;\n  ld.global.s8 %r8, "
     "[%a+3];\n  ld.global.u16 %r9, [%a+6];\n  shl.b32 %r10, %t, 4;\n  mov.u32 %r11, s;\n  add.s32 %r10, %r10, %r11;\n"
     "  st.shared.v4.u32 [%r10], {%r5, %r6, %r7, %r8};\n  and.b32 %r12, %r3, 252;\n  add.s32 %r12, %r12, %r11;\n"
     "  atom.shared.add.u32 %r13, [%r12], 1;\n  bar.sync 0;\n  ld.shared.v2.u32 {%r14, %r15}, [%r10];\n  ld.shared.u32 "
     "%r16, [%r12];\n  add.s32 %r14, %r14, %r16;\n  add.s32 %r15, %r15, %r9;\n  st.global.v2.u32 [%a+65536], {%r14, "
     "%r15};\n  red.global.add.u32 [%m+131072], %r13;\n  st.global.u8 [%a+65546], %r15;\n"},
    {"shuffles and votes of all kinds",
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\n"
     "  shfl.sync.idx.b32 %r5|%p1, %r1, %r2, 7199, -1;\n  shfl.sync.down.b32 %r6|%p2, %t, 3, 31, -1;\n"
     "  shfl.sync.up.b32 %r7|%p3, %r6, %r3, 4096, -1;\n  shfl.sync.bfly.b32 %r8|%p4, %r7, %n, %r4, -1;\n"
     "  shfl.sync.idx.b32 %r9, %n, 5, 31, -1;\n  vote.sync.any.pred %p5, !%p1, -1;\n  vote.sync.all.pred %p6, %p2, -1;\n"
     "  vote.sync.uni.pred %p7, %p3, -1;\n  vote.sync.ballot.b32 %r10, !%p4, -1;\n  selp.b32 %r11, %r5, %r6, %p5;\n"
     "  selp.b32 %r12, %r7, %r8, %p6;\n  selp.b32 %r13, %r9, %r10, %p7;\n  selp.b32 %r14, 5, %t, %p2;\n"
     "  add.s32 %r13, %r13, %r14;\n  xor.b32 %r13, %r13, %r10;\n  add.s32 %r13, %r13, %r5;\n  xor.b32 %r13, %r13, %r6;\n"
     "  add.s32 %r13, %r13, %r8;\n  st.global.v4.u32 [%a+65536], {%r10, %r11, %r12, %r13};\n"},
    {"addresses of tiles in blocks of two dimensions",
     "  mov.u32 %r1, %tid.y;\n  mad.lo.s32 %i, %r1, 16, %i;\n  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r2, [%a];\n"
     "  mov.u32 %r3, s;\n  mad.lo.s32 %r4, %r1, 16, %t;\n  shl.b32 %r5, %r4, 2;\n  add.s32 %r5, %r3, %r5;\n"
     "  st.shared.u32 [%r5+16], %r2;\n  bar.sync 0;\n  and.b32 %r6, %t, 15;\n  shr.u32 %r7, %t, 2;\n"
     "  mad.lo.s32 %r8, %r6, 64, %r3;\n  mad.lo.s32 %r8, %r1, 4, %r8;\n  ld.shared.u32 %r9, [%r8+20];\n"
     "  mad.lo.s32 %r10, %r1, 64, %r3;\n  ld.shared.u32 %r11, [%r10+16];\n  mad.lo.s32 %r12, %r7, 8, %r10;\n"
     "  ld.shared.v2.u32 {%r13, %r14}, [%r12+16];\n  ld.shared.u64 %d1, [%r12+24];\n  sub.s32 %r15, %r3, %r6;\n"
     "  shl.b32 %r16, %r6, 2;\n  sub.s32 %r16, %r3, %r16;\n  ld.shared.u32 %r17, [%r16+80];\n  and.b32 %r18, %t, 36;\n"
     "  add.s32 %r18, %r3, %r18;\n  ld.shared.u32 %r19, [%r18+32];\n  cvt.u32.u64 %r20, %d1;\n  xor.b32 %r9, %r9, %r11;\n"
     "  add.s32 %r9, %r9, %r13;\n  xor.b32 %r9, %r9, %r14;\n  add.s32 %r9, %r9, %r17;\n  xor.b32 %r9, %r9, %r19;\n"
     "  add.s32 %r9, %r9, %r20;\n  xor.b32 %r9, %r9, %r15;\n  bar.sync 0;\n  st.shared.u32 [%r18+40], %r9;\n"
     "  st.shared.u32 [%r16+160], %r9;\n  bar.sync 0;\n  ld.shared.u32 %r21, [%r8+40];\n  add.s32 %r9, %r9, %r21;\n"
     "  cvt.s64.s32 %d2, %r15;\n  cvt.u64.u32 %d3, %r16;\n  add.s64 %d2, %d2, %d3;\n  cvt.u32.u64 %r22, %d2;\n"
     "  add.s32 %r9, %r9, %r22;\n  st.global.u32 [%a+65536], %r9;\n"},
    {"lanes whose addresses turn out adjacent or far apart, with fewer lanes in each turn",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r1, [%a];\n  and.b32 %r9, %r1, 7;\n  and.b32 %r1, %r1, 0;\n"
     "  add.s32 %r2, %i, %r1;\n  mov.u32 %r3, 0;\n  cvt.s64.s32 %d3, %r2;\n  add.s64 %d3, %d3, %m;\n"
     "  mad.wide.s32 %d1, %r2, 4, %m;\n  mad.wide.s32 %d2, %r2, 2, %m;\n  mad.wide.s32 %d4, %r2, 16, %m;\n"
     "  and.b32 %r7, %r2, 31;\n  mad.wide.s32 %d5, %r7, 4100, %m;\n  mov.u32 %r10, %ctaid.x;\n"
     "  mul.wide.u32 %d8, %r10, 8;\n  add.s64 %d5, %d5, %d8;\nL1:\n  ld.global.u32 %r4, [%d1];\n"
     "  ld.global.s16 %r5, [%d2+2];\n  ld.global.s8 %r6, [%d3+7];\n  ld.global.u8 %d9, [%d3+9];\n"
     "  ld.global.v2.u64 {%d6, %d7}, [%d4];\n  ld.global.u32 %r8, [%d5];\n  add.s32 %r4, %r4, %r8;\n"
     "  add.s32 %r5, %r5, %r6;\n  add.s64 %d6, %d6, %d9;\n  st.global.u16 [%d2+65536], %r4;\n"
     "  st.global.u8 [%d3+98304], %r5;\n  st.global.v2.u64 [%d4+131072], {%d6, %d7};\n"
     "  st.global.u32 [%d5+131200], %r5;\n  st.global.u32 [%d1+65536], %r8;\n  add.s32 %r3, %r3, 1;\n"
     "  setp.lt.u32 %p1, %r3, %r9;\n  @%p1 bra L1;\n"},
    {"roundings and saturation, of all lanes and of some",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.f32 %f1, [%a];\n  ld.global.f32 %f2, [%a+4];\n  ld.global.f32 %f3, [%m];\n"
     "  add.rm.f32 %f4, %f1, %f2;\n  add.rp.f32 %f5, %f1, %f2;\n  fma.rz.f32 %f6, %f4, %f3, %f5;\n  mul.rm.f32 %f7, %f3, "
     "0f3DCCCCCD;\n  add.sat.f32 %f8, %f1, 0f3F000000;\n  fma.rn.sat.f32 %f9, %f3, 0f3DCCCCCD, 0f3F000000;\n"
     "  add.rn.f32 %f10, %f6, %f7;\n  setp.lt.f32 %p1, %f1, %f2;\n  @%p1 bra L1;\n  div.rp.f32 %f10, %f10, %f9;\n"
     "  sub.rm.sat.f32 %f8, %f8, %f1;\nL1:\n  sqrt.rz.f32 %f11, %f10;\n  st.global.f32 [%a+65536], %f8;\n"
     "  st.global.f32 [%a+69632], %f9;\n  st.global.f32 [%a+73728], %f10;\n  st.global.f32 [%a+77824], %f11;\n"},
    {"a loop that is long enough for a look into the cache",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r1, [%a];\n  mov.u32 %r2, 0;\nL1:\n"
     "  mad.lo.s32 %r1, %r1, %r1, %r2;\n  xor.b32 %r1, %r1, %t;\n  add.s32 %r2, %r2, 1;\n"
     "  setp.lt.u32 %p1, %r2, 400;\n  @%p1 bra L1;\n  st.global.u32 [%a+65536], %r1;\n"},
    {"an access past the end of the memory by the last block",
     "  mul.wide.s32 %a, %i, %n;\n  add.s64 %a, %m, %a;\n  ld.global.u32 %r1, [%a];\n  add.s32 %r1, %r1, %t;\n"
     "  add.s32 %r2, %r1, %r1;\n  st.global.u32 [%m+8], %r2;\n  xor.b32 %r3, %r2, %r1;\n"},
};

START_TEST(programs_do_the_same) {
  static const uint32_t threads[][2] = {{160, 1}, {33, 1}, {16, 10}};
  static const uint32_t numbers[] = {5, 0x7ffffff0, 40, 0x20000000};
  char text[8192];
  snprintf(text, sizeof text, "%s%s  ret;\n}\n", native_header, programs[_i].body);
  const size_t shapes = _i == 0 || _i == 5 ? 3 : 2; /* the third needs another compilation */
  for (size_t shape = 0; shape < shapes; shape++)
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
      native_compare(text, threads[shape][0], threads[shape][1], numbers[n]);
}
END_TEST

int main(void) {
  if (!native_compare_begin())
    return 0;
  Suite *suite = suite_create("native");
  TCase *rows = tcase_create("rows"), *whole = tcase_create("programs");
  tcase_set_timeout(rows, 0);
  tcase_set_timeout(whole, 0);
  tcase_add_loop_test(rows, rows_give_the_same_bits, 0, 4);
  tcase_add_loop_test(whole, programs_do_the_same, 0, sizeof programs / sizeof *programs);
  suite_add_tcase(suite, rows);
  suite_add_tcase(suite, whole);
  return suite_run(suite);
}
