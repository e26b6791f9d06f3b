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
    {"clocks, which count the instructions of native code, too",
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.u32 %r1, [%a];\n  add.s32 %r1, %r1, %t;\n  mov.u32 %r2, %clock;\n"
     "  mov.u32 %r5, 40;\nL1:\n  add.s32 %r5, %r5, -1;\n  add.s32 %r1, %r1, %r5;\n  setp.gt.s32 %p1, %r5, 0;\n"
     "  @%p1 bra L1;\n  bar.sync 0;\n  mov.u32 %r3, %clock;\n  xor.b32 %r1, %r1, %r3;\n  bar.sync 0;\n"
     "  add.s32 %r1, %r1, %r2;\n  mov.u32 %r4, %clock;\n  st.global.v4.b32 [%a+65536], {%r1, %r2, %r3, %r4};\n"},
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
    {"words and vectors of shared memory that lie far apart",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r1, [%a];\n  mov.u32 %r2, s;\n  mad.lo.s32 %r3, %t, 48, %r2;\n"
     "  st.shared.u32 [%r3+4], %r1;\n  add.s32 %r4, %r1, %t;\n  st.shared.v2.u32 [%r3+8], {%r4, %t};\n  bar.sync 0;\n"
     "  ld.shared.u32 %r5, [%r3+4];\n  ld.shared.v2.s32 {%r6, %r7}, [%r3+8];\n  ld.shared.f32 %f1, [%r3+12];\n"
     "  mov.b32 %r8, %f1;\n  mad.lo.s32 %r9, %r5, 3, %r6;\n  mad.lo.s32 %r9, %r7, 5, %r9;\n"
     "  mad.lo.s32 %r9, %r8, 7, %r9;\n  st.global.u32 [%a+65536], %r9;\n"},
    {"local arrays, by all lanes and by some, and an element past the end",
     "  .local .align 16 .b8 l[64];\n  .local .align 16 .b8 k[32];\n"
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\n  mov.u64 %d1, l;\n"
     "  mov.u32 %r5, k;\n  st.local.v4.u32 [%r5], {%r4, %r3, %r2, %r1};\n  st.local.v2.u64 [%r5+16], {%d1, %d1};\n"
     "  st.local.v4.u32 [%d1], {%r1, %r2, %r3, %r4};\n  st.local.v4.u32 [%d1+16], {%r2, %r3, %r4, %r1};\n"
     "  st.local.v4.u32 [%d1+32], {%r3, %r4, %r1, %r2};\n  st.local.v4.u32 [%d1+48], {%t, %n, %r3, %i};\n"
     "  and.b32 %r6, %r1, 56;\n  cvt.u64.u32 %d2, %r6;\n  add.s64 %d2, %d2, %d1;\n  st.local.u8 [%d2+3], %r4;\n"
     "  ld.local.s8 %r7, [%d2+2];\n  ld.local.u16 %d6, [%d2+4];\n  ld.local.v2.u32 {%r8, %r9}, [%d2];\n"
     "  setp.lt.s32 %p1, %r2, 0;\n  @%p1 bra L1;\n  st.local.u64 [%d2], %d6;\n  ld.local.u32 %r10, [%d2+4];\n"
     "  ld.local.v2.u64 {%d3, %d4}, [%r5+16];\n  ld.local.u32 %r11, [%r5+8];\n  add.s32 %r8, %r10, %r11;\n"
     "  add.s64 %d6, %d6, %d3;\nL1:\n  ld.local.u64 %d5, [%d1+8];\n  add.s64 %d5, %d5, %d6;\n"
     "  mad.lo.s32 %r9, %r7, 3, %r9;\n  and.b32 %r12, %n, 64;\n  cvt.u64.u32 %d7, %r12;\n  add.s64 %d7, %d1, %d7;\n"
     "  ld.local.u32 %r13, [%d7+32];\n  st.local.u32 [%d7+44], %r13;\n  ld.local.u32 %r13, [%d1+44];\n"
     "  add.s32 %r9, %r9, %r13;\n  st.global.u64 [%a+65536], %d5;\n  st.global.v2.u32 [%a+65544], {%r8, %r9};\n"},
    {"words that are joined and split, with constants and without some parts",
     "  .reg .b16 %h<8>;\n  .reg .f64 %e<4>;\n"
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\n  mov.b64 %d1, {%r1, %r2};\n"
     "  mov.b64 %e1, {%r3, 1072693248};\n  mov.b64 %d2, {%n, %n};\n  mov.b64 %d3, {%t, %n};\n"
     "  mov.b32 {%h1, %h2}, %r3;\n  mov.b32 {%h3, _}, %r4;\n  mov.b64 {%h4, %h5, %h6, %h7}, %d1;\n"
     "  fma.rn.f64 %e2, %e1, %e1, 0d3FF0000000000000;\n  add.f64 %e3, %e2, %e1;\n  setp.lt.s32 %p1, %r2, 0;\n"
     "  mov.b64 {%r5, %r6}, %e3;\n  @%p1 bra L1;\n  mov.b64 {_, %r5}, %d3;\n  mov.b64 {%r6, %r7}, %d2;\n"
     "  mov.b32 %r1, {%h2, %h1};\n  mov.b64 %d1, {%h7, %h3, %h5, %h4};\n  add.f64 %e3, %e3, %e1;\n  mov.b64 %d3, %e3;\n"
     "  add.s32 %r6, %r6, %r7;\nL1:\n  mov.b32 %r2, {%h6, %h6};\n  add.s64 %d1, %d1, %d3;\n  xor.b32 %r5, %r5, %r1;\n"
     "  add.s32 %r6, %r6, %r2;\n  st.global.u64 [%a+65536], %d1;\n  st.global.v2.u32 [%a+65544], {%r5, %r6};\n"},
    {"scalars that some lanes change, or all of them apart, in nested branches, a switch, loops with breaks and returns",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r1, [%a];\n  shr.u32 %r2, %r1, 3;\n  add.u32 %r2, %r2, %t;\n"
     "  and.b32 %r2, %r2, 7;\n  mov.u32 %r3, 5;\n  mov.u32 %r4, 0;\n  mov.u32 %r9, 0;\n"
     "L1:\n  setp.lt.u32 %p1, %r4, %r2;\n  @%p1 bra L2;\n  add.u32 %r3, %r3, 3;\n  and.b32 %r5, %r1, 1;\n"
     "  setp.eq.u32 %p2, %r5, 0;\n  @%p2 bra L3;\n  add.u32 %r3, %r3, %r4;\n  bra L2;\nL3:\n  xor.b32 %r9, %r9, %r3;\n"
     "L2:\n  add.u32 %r6, %r4, %n;\n  mov.u32 %r7, 0;\nL4:\n  add.u32 %r7, %r7, 1;\n  mad.lo.u32 %r9, %r9, 5, %r7;\n"
     "  setp.eq.u32 %p3, %r7, 4;\n  @%p3 bra L5;\n  setp.lt.u32 %p4, %r7, %r2;\n  @%p4 bra L4;\nL5:\n"
     "  mad.lo.u32 %r9, %r3, 7, %r9;\n  add.u32 %r9, %r9, %r6;\n  shr.u32 %r10, %r9, 4;\n  and.b32 %r10, %r10, 3;\n"
     "LIST: .branchtargets C0, C1, C2, C2;\n  brx.idx %r10, LIST;\nC0:\n  add.u32 %r3, %r3, 2;\n  bra C2;\n"
     "C1:\n  mad.lo.u32 %r9, %r9, %r4, %r3;\nC2:\n  add.u32 %r4, %r4, 1;\n  setp.lt.u32 %p5, %r4, 6;\n"
     "  @%p5 bra L1;\n  setp.eq.u32 %p6, %r2, 7;\n  @%p6 bra L8;\n  @%p2 bra L6;\n  mov.u32 %r8, 9;\n  bra L7;\n"
     "L6:\n  mov.u32 %r8, 9;\nL7:\n  mad.lo.u32 %r9, %r8, %r8, %r9;\n  st.global.u32 [%a+65536], %r9;\nL8:\n"},
    {"branches of some lanes that read scalars, which all lanes change before the next one, with atomics in order",
     "  mad.wide.s32 %a, %i, 4, %m;\n  ld.global.u32 %r1, [%a];\n  and.b32 %r2, %r1, 15;\n  mov.u32 %r3, 0;\n"
     "  mov.u32 %r4, 0;\n  mov.u32 %r5, 3;\n  mov.u32 %r11, s;\n  shl.b32 %r12, %t, 2;\n  add.u32 %r12, %r12, %r11;\n"
     "  st.shared.u32 [%r12], %r1;\n  bar.sync 0;\n"
     "L1:\n  setp.le.u32 %p1, %r2, %r4;\n  @%p1 bra L2;\n  mad.lo.u32 %r3, %r3, %r5, %r4;\n"
     "  setp.gt.u32 %p2, %r3, 99;\n  @%p2 bra L2;\n  add.u32 %r3, %r3, %n;\nL2:\n  add.u32 %r5, %r5, 2;\n"
     "  shl.b32 %r6, %r4, 2;\n  add.u32 %r6, %r6, %r11;\n  xor.b32 %r7, %r1, %r4;\n  and.b32 %r7, %r7, 3;\n"
     "  setp.ne.u32 %p3, %r7, 0;\n  @%p3 bra L3;\n  ld.shared.u32 %r8, [%r6];\n  add.u32 %r3, %r3, %r8;\n"
     "  atom.shared.add.u32 %r8, [s+8], 1;\n  add.u32 %r3, %r3, %r8;\n  bra L4;\n"
     "L3:\n  atom.shared.add.u32 %r8, [s+8], 1;\n  sub.u32 %r3, %r3, %r6;\n  xor.b32 %r3, %r3, %r8;\n  setp.eq.u32 %p4, %r7, 3;\n  @!%p4 bra L4;\n  xor.b32 %r3, %r3, %r5;\nL4:\n"
     "  bar.sync 0;\n  add.u32 %r4, %r4, 1;\n  setp.lt.u32 %p5, %r4, 12;\n  @%p5 bra L1;\n  mov.u32 %r9, 0;\nL5:\n"
     "  add.u32 %r3, %r3, %r4;\n  add.u32 %r9, %r9, 1;\n  setp.gt.u32 %p6, %r9, %r2;\n  @%p6 bra L6;\n  mov.u32 %r10, 0;\nL7:\n"
     "  mad.lo.u32 %r3, %r3, 3, %r10;\n  add.u32 %r10, %r10, 1;\n  setp.lt.u32 %p7, %r10, %r7;\n  @%p7 bra L7;\n  bra L5;\n"
     "L6:\n  add.u32 %r3, %r3, %r5;\n  atom.shared.add.u32 %r8, [s], 1;\n  red.shared.add.u32 [s+4], %r3;\n"
     "  st.global.u32 [%a+65536], %r3;\n  st.global.u32 [%a+131072], %r8;\n"},
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

/* Ends the kernel's text for all blocks but one, which runs native code, and goes on there with n's case. */
#define CASES                                                                                                \
  "  mov.u32 %r38, %ctaid.x;\n  setp.ne.u32 %p9, %r38, 333;\n  @%p9 bra DONE;\n  setp.ge.u32 %p8, %t, 21;\n"
#define CASE(n, what)                                                                                        \
  "  setp.ne.u32 %p9, %n, " #n ";\n  @%p9 bra NOT" #n ";\n  .loc 1 " #n " 0\n" what "  bra DONE;\nNOT" #n    \
  ":\n"

static const struct cases {
  const char *what, *body;
  uint32_t count; /* n is below */
} cases[] = {
    {"textures and surfaces, of all lanes and of some, and their faults",
     "  mad.wide.s32 %a, %i, 16, %m;\n  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%a];\n  mov.b32 %r1, %f1;\n"
     "  cvt.rn.f32.u32 %f5, %t;\n  mul.f32 %f6, %f5, 0f3D4CCCCD;\n  mov.u64 %d1, 1;\n  mov.u64 %d2, 2;\n"
     "  mov.u64 %d3, 3;\n  mov.u64 %d4, 4;\n  mov.u64 %d5, 5;\n  mov.u64 %d6, 6;\n  and.b32 %r2, %t, 1;\n"
     "  cvt.u64.u32 %d7, %r2;\n  add.u64 %d7, %d7, 1;\n  shr.u32 %r3, %i, 2;\n  and.b32 %r4, %i, 3;\n"
     "  shl.b32 %r4, %r4, 7;\n  and.b32 %r5, %r1, 112;\n  add.u32 %r5, %r4, %r5;\n  shr.u32 %r6, %r1, 28;\n"
     "  and.b32 %r7, %r1, 0xfffffff0;\n  mov.u32 %r8, %ctaid.x;\n  and.b32 %r8, %r8, 1;\n  and.b32 %r9, %r6, 7;\n"
     "  tex.2d.v4.f32.f32 {%f7, %f8, %f9, %f10}, [%d1, {%f6, %f1}];\n"
     "  tex.2d.v4.f32.f32 {%f11, _, %f12, _}, [%d2, {%f5, %f6}];\n  tex.1d.v4.s32.f32 {%r10, %r11, _, _}, [%d3, {%f5}];\n"
     "  tex.a2d.v4.f32.s32 {%f13, %f14, %f15, %f16}, [%d4, {%r6, %t, %r2, %r2}];\n"
     "  tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f2, %f6}];\n"
     "  tex.2d.v4.f32.f32 {%f17, %f18, _, _}, [%d7, {%f3, %f5}];\n"
     "  sust.b.2d.v4.b32.trap [%d5, {%r5, %r3}], {%r10, %f7, %f11, %r1};\n"
     "  suld.b.2d.v2.b32.trap {%r12, %r13}, [%d5, {%r4, %r3}];\n  sust.b.a2d.b8.trap [%d6, {%r8, %t, %r9, %r9}], %r1;\n"
     "  suld.b.2d.b8.zero %r14, [%d5, {%r1, %r6}];\n  suld.b.2d.v4.b16.clamp {%r15, %r16, %r17, %r18}, [%d5, {%r7, %r1}];\n"
     "  suld.b.2d.v2.b64.zero {%d10, %d11}, [%d5, {%r5, %r6}];\n  mov.u32 %r19, 0;\n  mov.f32 %f19, 0f3F800000;\n"
     "  setp.lt.u32 %p1, %r9, 3;\n  @%p1 bra L1;\n  tex.2d.v4.f32.f32 {%f19, %f1, _, _}, [%d1, {%f5, %f2}];\n"
     "  sust.b.2d.v2.b16.zero [%d5, {%r7, %r3}], {%r1, %r2};\n  sust.b.2d.b8.clamp [%d5, {%r4, %r3}], %r10;\n"
     "  suld.b.a2d.b16.zero %r19, [%d6, {%r8, %r7, %r9, %r9}];\n  tex.1d.v4.s32.s32 {%r10, %r11, _, _}, [%d3, {%r1}];\n"
     "L1:\n  xor.b32 %r12, %r12, %r13;\n  xor.b32 %r14, %r14, %r15;\n  xor.b32 %r16, %r16, %r17;\n  add.u32 %r12, %r12, %r14;\n"
     "  add.u32 %r18, %r18, %r16;\n  xor.b64 %d10, %d10, %d11;\n  cvt.u32.u64 %r20, %d10;\n  add.u32 %r18, %r18, %r20;\n"
     "  st.global.v4.b32 [%a+65536], {%r10, %r11, %r12, %r18};\n  st.global.v4.b32 [%a+70656], {%r19, %f19, %f1, %f17};\n"
     "  st.global.v4.b32 [%a+75776], {%f7, %f8, %f9, %f10};\n  st.global.v4.b32 [%a+80896], {%f11, %f12, %f18, %f4};\n"
     "  st.global.v4.b32 [%a+86016], {%f13, %f14, %f15, %f16};\n" CASES CASE(
         1, "  mul.lo.u32 %r4, %t, 16;\n  suld.b.2d.b32.trap %r1, [%d5, {%r4, %r3}];\n")
         CASE(2, "  @!%p8 bra DONE;\n  .loc 1 102 0\n  suld.b.2d.b32.trap %r1, [%d5, {%r4, %i}];\n") CASE(
             3, "  add.u32 %r4, %r4, %t;\n  sust.b.2d.v4.b32.trap [%d5, {%r4, %r3}], {%r1, %r2, %r3, %r4};\n")
             CASE(4, "  mov.u64 %d8, 99;\n  tex.2d.v4.f32.f32 {%f1, _, _, _}, [%d8, {%f5, %f5}];\n") CASE(
                 5, "  mul.lo.u64 %d8, %d7, 4;\n  tex.2d.v4.f32.f32 {%f1, _, _, _}, [%d8, {%f5, %f5}];\n")
                 CASE(6, "  mov.u64 %d8, 7;\n  suld.b.2d.b8.zero %r1, [%d8, {%t, %r2}];\n") CASE(
                     7,
                     "  @!%p8 bra DONE;\n  .loc 1 107 0\n  sust.b.a2d.b16.zero [%d6, {%r8, %t, %r9, %r9}], %r1;\n") "DONE:\n",
     8},
    {"levels of textures, whose operands nothing else uses: of all lanes, and the same for all",
     "  mad.wide.s32 %a, %i, 16, %m;\n  cvt.rn.f32.u32 %f1, %i;\n  mul.f32 %f2, %f1, 0f3C23D70A;\n  mov.u64 %d1, 9;\n"
     "  add.f32 %f3, %f2, %f2;\n  tex.level.2d.v4.f32.f32 {%f4, _, _, _}, [%d1, {%f2, %f1}], %f3;\n"
     "  mov.u32 %r1, %ctaid.x;\n  and.b32 %r1, %r1, 1;\n  shl.b32 %r1, %r1, 23;\n  add.u32 %r2, %r1, 0x3F000000;\n  mov.b32 %f6, %r2;\n"
     "  tex.level.2d.v4.f32.f32 {%f7, _, _, _}, [%d1, {%f2, %f1}], %f6;\n"
     "  mul.f32 %f8, %f2, 0f3C800000;\n  mul.f32 %f9, %f2, 0f3CC00000;\n  sub.f32 %f14, %f8, %f9;\n"
     "  mul.f32 %f15, %f2, 0f3CA00000;\n  tex.grad.2d.v4.f32.f32 {%f10, _, _, _}, [%d1, {%f2, %f1}], {%f8, %f9}, {%f14, %f15};\n"
     "  add.u32 %r2, %r1, 0x3CC00000;\n  mov.b32 %f11, %r2;\n  add.u32 %r2, %r1, 0x3D000000;\n  mov.b32 %f12, %r2;\n"
     "  tex.grad.2d.v4.f32.f32 {%f13, _, _, _}, [%d1, {%f2, %f1}], {%f11, %f12}, {0f00000000, 0f00000000};\n"
     "  st.global.v4.f32 [%a+65536], {%f4, %f7, %f10, %f13};\n",
     1},
    {"faults of accesses of all widths, by all lanes and by some, and overruns that pass",
     "  .local .align 4 .b8 l[32];\n  mad.wide.s32 %a, %i, 32, %m;\n  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];\n"
     "  mov.u32 %r5, s;\n  mad.lo.u32 %r6, %t, 2, %r5;\n  and.b32 %r7, %r1, 8190;\n  add.u32 %r7, %r7, %r5;\n"
     "  ld.shared.u8 %r8, [%r6+1];\n  ld.shared.s16 %r9, [%r7];\n  st.shared.u8 [%r6], %r9;\n  st.shared.u16 [%r6+4096], %r8;\n"
     "  and.b32 %r10, %r2, 65534;\n  cvt.u64.u32 %d1, %r10;\n  add.u64 %d1, %m, %d1;\n  ld.global.u8 %r11, [%d1+1];\n"
     "  ld.global.s16 %r12, [%d1];\n  mov.u64 %d3, s;\n  cvta.shared.u64 %d3, %d3;\n  setp.lt.u32 %p1, %r1, %r2;\n"
     "  selp.b64 %d4, %d3, %d1, %p1;\n  ld.u16 %r13, [%d4];\n  mov.u32 %r14, 0;\n  @%p1 bra L1;\n  ld.u8 %r14, [%d4+1];\n"
     "  st.shared.u8 [%r6], %r14;\n  ld.global.s8 %r9, [%d1+1];\n  st.global.u16 [%a+106506], %r14;\n"
     "L1:\n  add.u32 %r8, %r8, %r9;\n  xor.b32 %r11, %r11, %r12;\n  st.global.v4.u32 [%a+65536], {%r8, %r11, %r13, %r14};\n"
     "  st.global.u8 [%a+65552], %r8;\n  mov.u64 %d2, 268435456;\n  add.u64 %d2, %m, %d2;\n  setp.eq.u32 %p2, %t, 9;\n"
     "  cvt.u64.u32 %d5, %t;\n" CASES CASE(
         1, "  selp.b64 %d6, 1, 0, %p2;\n  add.u64 %d6, %a, %d6;\n  ld.global.u16 %r1, [%d6];\n")
         CASE(2, "  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+8];\n") CASE(
             3, "  selp.b64 %d6, %d2, %m, %p8;\n  st.global.u8 [%d6], %r1;\n")
             CASE(4, "  ld.shared.u16 %r1, [%r6+1];\n") CASE(
                 5, "  mad.lo.u32 %r7, %t, 8, %r5;\n  st.shared.v2.u32 [%r7+8064], {%r1, %r2};\n")
                 CASE(6, "  selp.b32 %r7, %r1, %r6, %p8;\n  ld.shared.u8 %r1, [%r7];\n") CASE(
                     7,
                     "  mov.u64 %d6, constants;\n  cvta.const.u64 %d6, %d6;\n  st.global.u32 [%d6], %r1;\n")
                     CASE(8, "  @!%p8 bra DONE;\n  .loc 1 108 0\n  st.global.v2.u64 [%a+65544], {%d1, %d2};\n") CASE(
                         9, "  mov.u64 %d6, 0;\n  ld.global.s8 %r1, [%d6+3];\n")
                         CASE(10, "  add.u64 %d6, %a, 0x8000000000000000;\n  ld.global.u64 %d1, [%d6];\n") CASE(
                             11,
                             "  mad.lo.u64 %d6, %d5, 4, %m;\n  st.global.u32 [%d6+262080], %r1;\n  ld.global.u32 %r2, [%d6+262140];\n  st.global.u32 [%a+65556], %r2;\n")
                             CASE(
                                 12,
                                 "  @!%p8 bra DONE;\n  .loc 1 112 0\n  add.u64 %d6, %m, %d5;\n  ld.global.u8 %r2, [%d6+262119];\n  st.global.u8 [%a+65556], %r2;\n")
                                 CASE(
                                     13,
                                     "  @%p8 bra DONE;\n  .loc 1 113 0\n  selp.b64 %d6, %d2, %d3, %p2;\n  ld.u32 %r1, [%d6];\n")
                                     CASE(
                                         14,
                                         "  and.b32 %r7, %t, 60;\n  mov.u32 %r9, l;\n  add.u32 %r7, %r7, %r9;\n  st.local.u32 [%r7], %r1;\n")
                                         CASE(15, "  atom.global.add.u32 %r1, [%d1+65537], 1;\n") "DONE:\n",
     16},
};

START_TEST(cases_do_the_same) {
  char text[16384];
  snprintf(text, sizeof text, "%s%s  ret;\n}\n", native_header, cases[_i].body);
  for (uint32_t n = 0; n < cases[_i].count; n++) {
    native_compare(text, 160, 1, n);
    native_compare(text, 33, 1, n);
  }
  native_compare_findings(text, 160, 1, cases[_i].count - 1);
}
END_TEST

int main(void) {
  if (!native_compare_begin())
    return SUITE_SKIPPED;
  Suite *suite = suite_create("native");
  TCase *rows = tcase_create("rows"), *whole = tcase_create("programs");
  tcase_set_timeout(rows, 0);
  tcase_set_timeout(whole, 0);
  tcase_add_loop_test(rows, rows_give_the_same_bits, 0, 4);
  tcase_add_loop_test(whole, programs_do_the_same, 0, sizeof programs / sizeof *programs);
  tcase_add_loop_test(whole, cases_do_the_same, 0, sizeof cases / sizeof *cases);
  suite_add_tcase(suite, rows);
  suite_add_tcase(suite, whole);
  return suite_run(suite);
}
