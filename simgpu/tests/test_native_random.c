/* Random kernels, by the interpreter and by native code: divergence, loops, early returns, barriers, accesses of all
 * widths, atomics, shuffles. Arguments: the first seed, and how many; without them, two. */
#include <stdlib.h>
#include <string.h>

#include "native_compare.h"
#include "suite.h"

/* Memory, by bytes: data that are only read, a slot of each thread, one column of words for each register, and sums. */
enum { READ_BYTES = 64 << 10, OWN = 64 << 10, COLUMNS = 96 << 10, COLUMN = 4 * 512, SUMS = 224 << 10 };
/* Shared memory: a slot of each thread, words of each warp, words of the block. */
enum { WARP_WORDS = 4096, BLOCK_WORDS = 6144, SHARED_WORDS = 2048 };
enum { REGISTERS = COMPARE_REGISTERS, PREDICATES = COMPARE_PREDICATES, MOST_DEPTH = 3 };

struct kernel_text {
  FILE *out;
  unsigned labels, left; /* statements that may follow */
  bool faults;           /* an access may leave the memory */
};

static unsigned below(unsigned limit) { return native_random() % limit; }

/* A word that differs by lane, is the same in all lanes, or is constant. */
static void write_word(FILE *out) {
  switch (below(6)) {
  case 0:
    fputs(below(2) ? "%t" : "%i", out);
    break;
  case 1:
    fprintf(out, "%u", below(2) ? below(40) : native_random_word());
    break;
  case 2:
    fputs(below(2) ? "%n" : "%q", out);
    break;
  default:
    fprintf(out, "%%r%u", below(REGISTERS));
  }
}

static void write_condition(struct kernel_text *k, unsigned predicate, bool uniform) {
  static const char *const comparisons[] = {"eq", "ne", "lt", "ge", "gt"};
  fprintf(k->out, "  setp.%s.%s %%p%u, ", comparisons[below(5)], below(2) ? "s32" : "u32", predicate);
  if (uniform) {
    fprintf(k->out, below(2) ? "%%n, %u;\n" : "%%u, %u;\n", below(3));
    return;
  }
  write_word(k->out);
  fputs(", ", k->out);
  write_word(k->out);
  fputs(";\n", k->out);
}

/* A row of ops.def. */
static void write_operation(struct kernel_text *k) {
  const struct op_row *row = NULL;
  do
    row = op_row((enum opcode)below(OP_COUNT));
  while (!row->forms[0]);
  if (below(8) == 0)
    fprintf(k->out, "  @%s%%p%u", below(2) ? "!" : "", below(PREDICATES));
  native_write_random_row(k->out, row);
}

struct width {
  const char *type, *prefix; /* of a register */
  unsigned bytes, count;
};
static const struct width widths[] = {{"u8", "r", 1, 1},     {"s8", "r", 1, 1},     {"u16", "r", 2, 1},
                                      {"s16", "r", 2, 1},    {"b32", "r", 4, 1},    {"u32", "r", 4, 1},
                                      {"b64", "d", 8, 1},    {"v2.u8", "r", 1, 2},  {"v2.b32", "r", 4, 2},
                                      {"v4.u16", "r", 2, 4}, {"v4.b32", "r", 4, 4}, {"v2.b64", "d", 8, 2}};

static void write_registers(struct kernel_text *k, const struct width *w) {
  const unsigned first = below(REGISTERS - w->count + 1);
  if (w->count > 1)
    fputc('{', k->out);
  for (unsigned n = 0; n < w->count; n++)
    fprintf(k->out, "%s%%%s%u", n ? ", " : "", w->prefix, first + n);
  if (w->count > 1)
    fputc('}', k->out);
}

static void write_access(struct kernel_text *k, const char *space, const struct width *w, bool store,
                         const char *address, unsigned offset) {
  if (below(6) == 0)
    fprintf(k->out, "  @%s%%p%u", below(2) ? "!" : "", below(PREDICATES));
  fprintf(k->out, "  %s.%s.%s ", store ? "st" : "ld", space, w->type);
  if (!store) {
    write_registers(k, w);
    fprintf(k->out, ", [%s+%u];\n", address, offset);
    return;
  }
  fprintf(k->out, "[%s+%u], ", address, offset);
  write_registers(k, w);
  fputs(";\n", k->out);
}

/* From anywhere in the data that are only read. */
static void write_load(struct kernel_text *k) {
  const struct width *w = &widths[below(sizeof widths / sizeof *widths)];
  const unsigned bytes = w->bytes * w->count;
  const char *space = below(3) ? "global" : below(2) ? "global.nc" : "";
  if (below(3) == 0) { /* addresses with a stride */
    fprintf(k->out, "  mad.wide.%s %%a, %%%c, %u, %%m;\n", below(2) ? "u32" : "s32", "tiq"[below(3)],
            bytes * (1 + below(3)));
  } else {
    fputs("  and.b32 %x, ", k->out);
    write_word(k->out);
    fprintf(k->out, ", %u;\n  mad.wide.u32 %%a, %%x, %u, %%m;\n",
            k->faults && below(3) == 0 ? ~0u : READ_BYTES / 64 - 1, bytes);
  }
  fprintf(k->out, space[0] ? "" : "  // generic\n");
  write_access(k, space[0] ? space : "relaxed.gpu.global", space[0] ? w : &widths[4], false, "%a",
               bytes * below(4));
}

/* The thread's own slots in global or shared memory. */
static void write_own(struct kernel_text *k) {
  const struct width *w = &widths[below(sizeof widths / sizeof *widths)];
  const bool shared = below(2);
  const unsigned bytes = w->bytes * w->count;
  write_access(k, shared ? "shared" : "global", w, below(2), shared ? "%h" : "%o", bytes * below(16 / bytes));
}

static void write_atomic(struct kernel_text *k) {
  static const char *const operations[] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};
  const unsigned r = below(REGISTERS), where = below(3);
  fputs("  and.b32 %x, ", k->out);
  write_word(k->out);
  fprintf(k->out, ", 15;\n");
  if (where == 0) { /* of the warp alone: the old value is known */
    fprintf(k->out, "  mad.lo.u32 %%y, %%x, 4, %%g;\n  atom.shared.%s %%r%u, [%%y+%u], %%r%u;\n",
            operations[below(6)], below(REGISTERS), WARP_WORDS, r);
  } else if (where == 1) {
    fprintf(k->out,
            "  mov.u32 %%y, s;\n  mad.lo.u32 %%y, %%x, 4, %%y;\n  red.shared.add.u32 [%%y+%u], %%r%u;\n",
            BLOCK_WORDS, r);
  } else {
    fprintf(k->out, "  mad.wide.u32 %%a, %%x, 4, %%m;\n  red.global.add.u32 [%%a+%u], %%r%u;\n", SUMS, r);
  }
}

/* Operations of a warp; diverged lanes name themselves. */
static void write_collective(struct kernel_text *k, bool converged) {
  static const char *const shuffles[] = {"up", "down", "bfly", "idx"};
  const unsigned kind = below(3);
  if (converged)
    fputs("  mov.u32 %x, %w;\n", k->out);
  else
    fputs("  activemask.b32 %x;\n", k->out);
  if (kind == 0)
    fprintf(k->out, "  vote.sync.ballot.b32 %%r%u, %%p%u, %%x;\n", below(REGISTERS), below(PREDICATES));
  else if (kind == 1)
    fprintf(k->out, "  vote.sync.%s.pred %%p%u, %%p%u, %%x;\n", below(2) ? "any" : "all", below(PREDICATES),
            below(PREDICATES));
  else if (converged) /* other lanes' values would not be defined */
    fprintf(k->out, "  shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %u, %u, %%x;\n", shuffles[below(4)],
            below(REGISTERS), below(PREDICATES), below(REGISTERS), below(32), below(2) ? 31 : 7199);
}

/* All threads write their slot, and then read another one's. */
static void write_exchange(struct kernel_text *k) {
  fprintf(k->out, "  st.shared.v2.b32 [%%h], {%%r%u, %%r%u};\n  bar.sync 0;\n  rem.u32 %%x, ",
          below(REGISTERS), below(REGISTERS));
  write_word(k->out);
  fprintf(k->out,
          ", %%z;\n  mov.u32 %%y, s;\n  mad.lo.u32 %%y, %%x, 16, %%y;\n  ld.shared.b32 %%r%u, [%%y+%u];\n",
          below(REGISTERS), 4 * below(4));
  fprintf(k->out, "  ld.shared.u8 %%r%u, [%%y+%u];\n  bar.sync 0;\n", below(REGISTERS), below(16));
}

static void write_statements(struct kernel_text *k, unsigned depth, bool uniform);

static void write_if(struct kernel_text *k, unsigned depth, bool uniform) {
  const unsigned label = k->labels++, predicate = below(PREDICATES);
  const bool same = uniform && below(3) == 0, has_else = below(2);
  write_condition(k, predicate, same);
  fprintf(k->out, "  @%s%%p%u bra ELSE%u;\n", below(2) ? "!" : "", predicate, label);
  write_statements(k, depth + 1, same);
  if (has_else)
    fprintf(k->out, "  bra END%u;\n", label);
  fprintf(k->out, "ELSE%u:\n", label);
  if (has_else) {
    write_statements(k, depth + 1, same);
    fprintf(k->out, "END%u:\n", label);
  }
}

/* At most four rounds; lanes may leave it at different times. */
static void write_loop(struct kernel_text *k, unsigned depth, bool uniform) {
  const unsigned label = k->labels++;
  const bool same = uniform && below(2);
  fprintf(k->out, "  mov.u32 %%c%u, 0;\nLOOP%u:\n", depth, label);
  write_statements(k, depth + 1, same);
  if (!same && below(2)) {
    write_condition(k, 0, false);
    fprintf(k->out, "  @%%p0 bra OUT%u;\n", label);
    write_operation(k);
  }
  fprintf(k->out, "  add.u32 %%c%u, %%c%u, 1;\n  and.b32 %%x, %s, 3;\n  setp.lt.u32 %%p%u, %%c%u, %%x;\n",
          depth, depth,
          same       ? "%n"
          : below(2) ? "%t"
                     : "%r1",
          PREDICATES, depth);
  fprintf(k->out, "  @%%p%u bra LOOP%u;\nOUT%u:\n", PREDICATES, label, label);
}

static void write_statement(struct kernel_text *k, unsigned depth, bool uniform) {
  switch (below(16)) {
  case 0:
  case 1:
  case 2:
    if (depth < MOST_DEPTH)
      write_if(k, depth, uniform);
    break;
  case 3:
    if (depth < MOST_DEPTH)
      write_loop(k, depth, uniform);
    break;
  case 4:
    if (uniform)
      write_exchange(k);
    else if (below(8) == 0)
      fputs("  ret;\n", k->out);
    break;
  case 12:
    write_condition(k, below(PREDICATES), false);
    break;
  case 5:
    write_collective(k, false);
    break;
  case 6:
    write_atomic(k);
    break;
  case 7:
  case 8:
    write_own(k);
    break;
  case 9:
  case 10:
  case 11:
    write_load(k);
    break;
  default:
    write_operation(k);
  }
}

static void write_statements(struct kernel_text *k, unsigned depth, bool uniform) {
  for (unsigned n = depth ? 2 + below(5) : 30; n > 0 && k->left > 0; n--) {
    k->left--;
    write_statement(k, depth, uniform);
  }
}

/* %q: the thread's number in its block, %z: of how many, %u: the same in all, %w: the warp's lanes. */
static void write_start(struct kernel_text *k) {
  fputs(native_header, k->out);
  fputs("  .reg .b32 %q, %x, %y, %z, %h, %g, %u, %w, %c<4>;\n  .reg .b64 %o;\n", k->out);
  fputs(
      "  mov.u32 %x, %ntid.x;\n  mov.u32 %z, %ntid.y;\n  mov.u32 %y, %tid.y;\n  mad.lo.u32 %q, %y, %x, %t;\n"
      "  mul.lo.u32 %z, %z, %x;\n  activemask.b32 %w;\n  mov.u32 %u, %ctaid.x;\n  and.b32 %u, %u, 1;\n"
      "  mov.u32 %x, s;\n  mad.lo.u32 %h, %q, 16, %x;\n  shr.u32 %y, %q, 5;\n  mad.lo.u32 %g, %y, 64, %x;\n"
      "  mad.lo.u32 %y, %u, 160, %q;\n  mad.wide.u32 %o, %y, 64, %m;\n",
      k->out);
  fprintf(k->out,
          "  add.u64 %%o, %%o, %u;\n  mad.lo.u32 %%y, %%q, 4, %%x;\n  mov.u32 %%x, %%q;\n"
          "CLEAR:\n  st.shared.b32 [%%y], 0;\n  mad.lo.u32 %%y, %%z, 4, %%y;\n  add.u32 %%x, %%x, %%z;\n"
          "  setp.lt.u32 %%p9, %%x, %u;\n  @%%p9 bra CLEAR;\n  bar.sync 0;\n",
          OWN, SHARED_WORDS);
  for (unsigned n = 0; n < REGISTERS; n++)
    fprintf(
        k->out,
        "  mad.wide.u32 %%a, %%%c, %u, %%m;\n  ld.global.b32 %%r%u, [%%a+%u];\n  ld.global.b64 %%d%u, [%%a+%u];\n",
        n % 3 ? 'q' : 'u', 8 + 8 * below(3), n, 4 * n, n, 8 * n);
  for (unsigned n = 0; n < PREDICATES; n++)
    write_condition(k, n, false);
}

static void write_end(struct kernel_text *k) {
  fputs("  mad.lo.u32 %y, %u, 160, %q;\n  mad.wide.u32 %o, %y, 4, %m;\n", k->out);
  unsigned at = COLUMNS;
  for (unsigned n = 0; n < REGISTERS; n++, at += COLUMN)
    fprintf(k->out, "  st.global.b32 [%%o+%u], %%r%u;\n", at, n);
  for (unsigned n = 0; n < REGISTERS; n++, at += 2 * COLUMN)
    fprintf(
        k->out,
        "  mov.b64 {%%r0, %%r1}, %%d%u;\n  st.global.b32 [%%o+%u], %%r0;\n  st.global.b32 [%%o+%u], %%r1;\n",
        n, at, at + COLUMN);
  for (unsigned n = 0; n < PREDICATES; n++, at += COLUMN)
    fprintf(k->out, "  selp.b32 %%r0, 1, 0, %%p%u;\n  st.global.b32 [%%o+%u], %%r0;\n", n, at);
  fprintf(k->out,
          "  bar.sync 0;\n  and.b32 %%x, %%q, 15;\n  mov.u32 %%y, s;\n  mad.lo.u32 %%y, %%x, 4, %%y;\n"
          "  ld.shared.b32 %%r0, [%%y+%u];\n  mad.lo.u32 %%y, %%x, 4, %%g;\n  ld.shared.b32 %%r1, [%%y+%u];\n"
          "  st.global.b32 [%%o+%u], %%r0;\n  st.global.b32 [%%o+%u], %%r1;\n  ret;\n}\n",
          BLOCK_WORDS, WARP_WORDS, at, at + COLUMN);
}

static unsigned long first_seed = 2, seeds = 2;

START_TEST(random_kernels_do_the_same) {
  const unsigned long seed = first_seed + (unsigned long)_i;
  char *text;
  size_t length;
  native_seed(seed);
  struct kernel_text k = {.out = open_memstream(&text, &length), .left = 80, .faults = seed % 8 == 7};
  write_start(&k);
  write_statements(&k, 0, true);
  write_collective(&k, true);
  write_end(&k);
  fclose(k.out);
  native_compare(text, 160, 1, below(4));
  native_compare(text, 33, 1, below(4));
  if (seed % 4 == 0)
    native_compare(text, 16, 10, below(4));
  free(text);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 3) {
    first_seed = strtoul(argv[1], NULL, 10);
    seeds = strtoul(argv[2], NULL, 10);
  }
  if (!native_compare_begin())
    return 0;
  TCase *tests = tcase_create("native_random");
  tcase_set_timeout(tests, 0);
  tcase_add_loop_test(tests, random_kernels_do_the_same, 0, (int)seeds);
  return suite_run_case("native_random", tests);
}
