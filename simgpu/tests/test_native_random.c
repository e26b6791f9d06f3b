/* Random kernels, by the interpreter and by native code: nested divergence, loops, switches, early returns, calls,
 * barriers, accesses of all widths to all spaces, textures and surfaces, atomics, warp-wide operations of some lanes,
 * conversions and roundings. Arguments: the first seed, and how many; without them, two. */
#include <stdlib.h>
#include <string.h>

#include "native_compare.h"
#include "suite.h"

/* Memory, by bytes: data that are only read, a slot of each thread, surfaces, one column of words for each register,
 * and sums of all threads and of each warp. */
enum {
  READ_BYTES = 64 << 10,
  OWN = 64 << 10,
  COLUMNS = 176 << 10,
  COLUMN = 4 * 512,
  SUMS = 252 << 10,
  WARP_SUMS = SUMS + 1024
};
_Static_assert(COMPARE_SURFACES >= OWN + 320 * 64 && COMPARE_SURFACES + COMPARE_SURFACE_BYTES <= COLUMNS,
               "apart");
/* Shared memory: a slot of each thread, words of each warp, words of the block. */
enum { WARP_WORDS = 4096, BLOCK_WORDS = 6144, SHARED_WORDS = 2048 };
enum {
  REGISTERS = COMPARE_REGISTERS,
  PREDICATES = COMPARE_PREDICATES,
  MOST_DEPTH = 4,
  FUNCTIONS = 2,
  SCALARS = 3,
  LEAST = 60
};

struct kernel_text {
  FILE *out;
  unsigned labels, left; /* statements that may follow */
  unsigned functions;    /* that may be called from here */
  bool faults;           /* an access may leave the memory */
  bool returns;          /* threads may return early */
  bool is_function;
};

static unsigned below(unsigned limit) { return native_random() % limit; }

/* A word that differs by lane, is the same in all lanes, or is constant. */
static void write_word(FILE *out) {
  switch (below(8)) {
  case 0:
    fputs(below(2) ? "%t" : "%i", out);
    break;
  case 1:
    fprintf(out, "%u", below(2) ? below(40) : native_random_word());
    break;
  case 2:
    fputs(below(2) ? "%n" : "%q", out);
    break;
  case 3:
    fprintf(out, "%%%c%u", "kj"[below(2)], below(SCALARS));
    break;
  default:
    fprintf(out, "%%r%u", below(REGISTERS));
  }
}

/* Sometimes, only some lanes execute the next instruction. */
static void write_guard(FILE *out, unsigned rarity) {
  if (below(rarity) == 0)
    fprintf(out, "@%s%%p%u ", below(2) ? "!" : "", below(PREDICATES));
}

/* In a form, <a|b> is a or b, $r a register of 32 bits, $d of 64 bits, $p a predicate, $! its negation, $w a word,
 * $g a guard. */
static void write_part(FILE *out, char part) {
  switch (part) {
  case 'r':
    fprintf(out, "%%r%u", below(REGISTERS));
    break;
  case 'd':
    fprintf(out, "%%d%u", below(REGISTERS));
    break;
  case 'p':
    fprintf(out, "%%p%u", below(PREDICATES));
    break;
  case '!':
    fputs(below(2) ? "!" : "", out);
    break;
  case 'w':
    write_word(out);
    break;
  default:
    write_guard(out, 8);
  }
}

/* Writes one of the choices in <…>; returns its end. */
static const char *write_choice(FILE *out, const char *open) {
  const char *close = strchr(open, '>'), *at = open + 1;
  unsigned count = 1;
  for (const char *c = at; c < close; c++)
    count += *c == '|';
  for (unsigned skipped = below(count); skipped > 0; skipped--)
    at = strchr(at, '|') + 1;
  fwrite(at, 1, strcspn(at, "|>"), out);
  return close;
}

static void write_form(FILE *out, const char *form) {
  fputs("  ", out);
  for (const char *at = form; *at; at++)
    if (*at == '<')
      at = write_choice(out, at);
    else if (*at == '$')
      write_part(out, *++at);
    else
      fputc(*at, out);
  fputc('\n', out);
}

#define WRITE_ONE_OF(out, forms) write_form(out, (forms)[below(sizeof(forms) / sizeof *(forms))])

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
static void write_row(struct kernel_text *k) {
  const struct op_row *row = NULL;
  do
    row = op_row((enum opcode)below(OP_COUNT));
  while (!row->forms[0]);
  fputs("  ", k->out);
  write_guard(k->out, 8);
  native_write_random_row(k->out, row);
}

#define SMALL "<s8|u8|s16|u16|s32|u32>"
#define WIDE "<s64|u64>"
#define ROUNDED "<rn|rz|rm|rp>"
#define INTEGRAL "<rni|rzi|rmi|rpi>"
#define PAIR "%p3|<%p0|%p1|%p2>"

/* Instructions without a row, or with modifiers that rows lack. */
static void write_instruction(struct kernel_text *k) {
  static const char *const forms[] = {
      "$gbfi.b32 $r, $w, $w, $w, $w;",
      "$gbfi.b64 $d, $d, $d, $w, $w;",
      "$glop3.b32 $r, $w, $w, $w, <0|1|30|127|150|232|255>;",
      "$gadd.cc.<s32|u32> $r, $w, $w;\n  $gaddc<|.cc>.u32 $r, $w, $w;",
      "$gsub.cc.u32 $r, $w, $w;\n  $gsubc.<s32|u32> $r, $w, $w;",
      "$gadd.cc.u64 $d, $d, $d;\n  $gaddc.u64 $d, $d, $d;",
      "$gmad.lo.cc.u32 $r, $w, $w, $w;\n  $gmadc.hi.<s32|u32> $r, $w, $w, $w;",
      "$gmov.b32 <{%r0, %r1}|{%r5, _}>, $r;",
      "$gmov.b32 $r, {$r, $r};",
      "$gmov.b64 $d, <{%r0, %r1}|{%r6, %r6}|{%r2, %r3, %r4, %r5}>;",
      "$gmov.b64 <{%r0, %r1}|{_, %r4}|{%r7, %r6, %r5, %r4}>, $d;",
      "$gselp.b32 $r, $w, $w, $!$p;",
      "$gselp.b64 $d, $d, $d, $!$p;",
      "$gld.param.u32 $r, [pn];",
  };
  WRITE_ONE_OF(k->out, forms);
}

#define SAME "%k<0|1|2>"
#define STEP "%j<0|1|2>" /* from lane to lane */

/* Registers %k are the same in all lanes, %j differ by 1 from lane to lane: until lanes diverge. */
static void write_scalar(struct kernel_text *k) {
  static const char *const forms[] = {
      "$g<add.u32|sub.s32|xor.b32|min.s32|mul.lo.u32> " SAME ", " SAME ", <1|6|%n|%u|%k0|%k2>;",
      "<add.u32|sub.s32|shr.u32> " SAME ", " SAME ", <1|2|%u>;",
      "$gshl.b32 " SAME ", " SAME ", 3;\n  not.b32 " SAME ", " SAME ";",
      "ld.global.<b32|u8|s16> " SAME ", [%m+<0|64|4000>];",
      "$gadd.u32 " STEP ", <%t|%j0|%j1>, <%k0|%k1|7>;",
      "mad.lo.u32 " STEP ", " SAME ", <3|5>, <%t|%j0|%j1>;",
      "sub.s32 " STEP ", " STEP ", " SAME ";\n  mov.u32 " STEP ", " STEP ";",
      "and.b32 %k0, %k1, 1023;\n  add.u32 %j0, %k0, %t;\n  mad.wide.<u32|s32> %ja, %j0, 4, %m;\n"
      "  $gld.global.<b32|s16|u8|f32> $r, [%ja+<0|4|128>];",
      "mul.wide.<s32|u32> %ja, <%j0|%j1>, 4;\n  xor.b64 $d, $d, %ja;",
      "cvt.<s64.s32|u64.u32> %jb, <%j0|%j1>;\n  add.u64 $d, $d, %jb;",
      "$gsetp.<eq|lt|ge>.<u32|s32> $p, " SAME ", <%k1|%n|4>;",
  };
  WRITE_ONE_OF(k->out, forms);
}

static void write_conversion(struct kernel_text *k) {
  static const char *const forms[] = {
      "$gcvt<|.sat>." SMALL "." SMALL " $r, $r;",
      "$gcvt<|.sat>." SMALL "." WIDE " $r, $d;",
      "$gcvt<|.sat>." WIDE "." SMALL " $d, $r;",
      "$gcvt<|.sat>." SMALL "." SMALL " $d, $r;",
      "$gcvt." INTEGRAL "<|.ftz><|.sat>." SMALL ".f32 $r, $r;",
      "$gcvt." INTEGRAL "<|.ftz>." WIDE ".f32 $d, $r;",
      "$gcvt." INTEGRAL "<|.sat>." SMALL ".f64 $r, $d;",
      "$gcvt." INTEGRAL "." WIDE ".f64 $d, $d;",
      "$gcvt." INTEGRAL "." SMALL ".f16 $r, $r;",
      "$gcvt." ROUNDED "<|.sat>.<f16|f32>." SMALL " $r, $r;",
      "$gcvt." ROUNDED "<|.sat>.<f16|f32>." WIDE " $r, $d;",
      "$gcvt." ROUNDED ".f64." SMALL " $d, $r;",
      "$gcvt." ROUNDED ".f64." WIDE " $d, $d;",
      "$gcvt." ROUNDED "<|.ftz><|.sat>.f32.f64 $r, $d;",
      "$gcvt." ROUNDED "<|.sat>.f16.<f32> $r, $r;",
      "$gcvt.<rn|rz><|.relu>.bf16.f32 $r, $r;",
      "$gcvt.<rn|rz><|.relu>.<f16x2|bf16x2>.f32 $r, $r, $r;",
      "$gcvt<|.ftz>.f64.f32 $d, $r;",
      "$gcvt.f32.<f16|bf16> $r, $r;",
      "$gcvt." INTEGRAL "<|.sat>.<f16.f16|f32.f32> $r, $r;",
      "$gcvt." INTEGRAL ".f64.f64 $d, $d;",
      "$gcvt.rna.tf32.f32 $r, $r;",
      "$gcvt.pack.sat.<s16|u16>.s32 $r, $w, $w;",
      "$gcvt.pack.sat.<s8|u8>.s32.b32 $r, $w, $w, $w;",
  };
  WRITE_ONE_OF(k->out, forms);
}

static void write_rounded(struct kernel_text *k) {
  static const char *const forms[] = {
      "$g<add|sub|mul>." ROUNDED "<|.ftz><|.sat>.f32 $r, $r, <%r1|%r2|0f3DCCCCCD>;",
      "$gfma." ROUNDED "<|.ftz><|.sat>.f32 $r, $r, $r, <%r3|%r4|0f3F000000>;",
      "$gdiv." ROUNDED "<|.ftz>.f32 $r, $r, $r;",
      "$g<rcp|sqrt>." ROUNDED "<|.ftz>.f32 $r, $r;",
      "$g<add|sub|mul|div>." ROUNDED ".f64 $d, $d, $d;",
      "$gfma." ROUNDED ".f64 $d, $d, $d, $d;",
      "$g<rcp|sqrt>." ROUNDED ".f64 $d, $d;",
  };
  WRITE_ONE_OF(k->out, forms);
}

static void write_comparison(struct kernel_text *k) {
  static const char *const forms[] = {
      "$gset.<lt|le|gt|ge|eq|ne>.<u32|f32>.<s32|u32> $r, $w, $w;",
      "$gset.<lt|neu|geu|num|nan><|.ftz>.<u32|s32|f32>.f32 $r, $r, $r;",
      "$gset.<lt|equ>.<and|or|xor>.u32.f64 $r, $d, $d, $!$p;",
      "$gsetp.<lt|le|gt|ge|eq|ne>.<and|or|xor>.<s32|u32> " PAIR ", $w, $w, $!$p;",
      "$gsetp.<lt|ge|equ|neu|ltu|num|nan>.<and|or|xor><|.ftz>.f32 " PAIR ", $r, $r, $!$p;",
      "$gsetp.<lt|ge|eq|gtu>.<and|or|xor>.f64 " PAIR ", $d, $d, $!$p;",
      "$gsetp.<lt|gt|le|eq>.<and|or|xor>.<u64|s64> $p, $d, $d, $!$p;",
      "$gsetp.<lt|ge|eq|nan>.<f16x2|bf16x2> " PAIR ", $r, $r;",
      "$gtestp.<finite|infinite|number|notanumber|normal|subnormal>.f32 $p, $r;",
      "$gtestp.<finite|infinite|number|notanumber|normal|subnormal>.f64 $p, $d;",
      "$g<and|or|xor>.pred $p, $!$p, $!$p;",
      "$g<not|mov>.pred $p, $p;",
      "$gisspacep.<shared|global|local> $p, <%o|%v|%e>;",
  };
  WRITE_ONE_OF(k->out, forms);
}

/* Accesses */

struct width {
  const char *type, *prefix; /* of a register */
  unsigned bytes, count;
};
static const struct width widths[] = {
    {"u8", "r", 1, 1},     {"s8", "r", 1, 1},     {"u16", "r", 2, 1},    {"s16", "r", 2, 1},
    {"b32", "r", 4, 1},    {"u32", "r", 4, 1},    {"f32", "r", 4, 1},    {"b64", "d", 8, 1},
    {"s32", "d", 4, 1},    {"u8", "d", 1, 1},     {"v2.u8", "r", 1, 2},  {"v4.s8", "r", 1, 4},
    {"v2.b32", "r", 4, 2}, {"v4.u16", "r", 2, 4}, {"v4.b32", "r", 4, 4}, {"v2.b64", "d", 8, 2}};
static const struct width *any_width(void) { return &widths[below(sizeof widths / sizeof *widths)]; }

static void write_registers(struct kernel_text *k, const struct width *w) {
  const unsigned first = below(REGISTERS - w->count + 1);
  if (w->count > 1)
    fputc('{', k->out);
  for (unsigned n = 0; n < w->count; n++)
    fprintf(k->out, "%s%%%s%u", n ? ", " : "", w->prefix, first + n);
  if (w->count > 1)
    fputc('}', k->out);
}

/* The space starts with a dot; generic: it is empty. */
static void write_access(struct kernel_text *k, const char *space, const struct width *w, bool store,
                         const char *address, unsigned offset) {
  fputs("  ", k->out);
  write_guard(k->out, 6);
  fprintf(k->out, "%s%s.%s ", store ? "st" : "ld", space, w->type);
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
  static const char *const spaces[] = {".global", ".global",          ".global.nc",
                                       "",        ".volatile.global", ".relaxed.gpu.global"};
  const char *space = spaces[below(6)];
  const struct width *w = any_width();
  const unsigned bytes = w->bytes * w->count;
  if (below(3) == 0) { /* addresses with a stride */
    fprintf(k->out, "  mad.wide.%s %%a, %%%c, %u, %%m;\n", below(2) ? "u32" : "s32", "tiq"[below(3)],
            bytes * (1 + below(3)));
  } else {
    fputs("  and.b32 %x, ", k->out);
    write_word(k->out);
    fprintf(k->out, ", %u;\n  mad.wide.u32 %%a, %%x, %u, %%m;\n",
            k->faults && below(3) == 0 ? ~0u : READ_BYTES / 64 - 1, bytes);
  }
  write_access(k, space, w, false, "%a", bytes * below(4));
}

/* The thread's own slots in any memory. */
static void write_own(struct kernel_text *k) {
  static const char *const places[][2] = {{".shared", "%h"}, {".global", "%o"}, {".local", "%l"},
                                          {"", "%e"},        {"", "%v"},        {"", "%o"}};
  const struct width *w = any_width();
  const unsigned place = below(6), bytes = w->bytes * w->count;
  const char *address = places[place][1];
  if (strcmp(address, "%l") == 0 && below(2)) {
    write_form(k->out, "and.b32 %x, $w, 3;\n  mad.wide.u32 %a, %x, 16, %l;");
    address = "%a";
  }
  write_access(k, places[place][0], w, below(2), address,
               bytes * below(16 / bytes) + (k->faults && below(16) == 0));
}

static void write_other_access(struct kernel_text *k) {
  static const char *const forms[] = {
      ("and.b32 %x, $w, 252;\n  mov.u64 %a, constants;\n  cvt.u64.u32 %b, %x;\n  add.u64 %a, %a, %b;\n"
       "  $gld.const.<b32|u8|s16> $r, [%a];"),
      "ld.const.<b32|u16> $r, [constants+<0|4|40>];",
      "$gcp.async.ca.shared.global [%h], [%o], <4|8|16>;\n  cp.async.commit_group;\n  cp.async.wait_<all|group 0>;",
      "$gcp.async.cg.shared.global [%h], [%o+16], 16;\n  cp.async.wait_all;",
      "membar.<cta|gl>;\n  fence.acq_rel.gpu;",
      "nanosleep.u32 0;",
  };
  WRITE_ONE_OF(k->out, forms);
}

#define ATOMICS "<add.u32|min.s32|max.s32|min.u32|max.u32|and.b32|or.b32|xor.b32|exch.b32|inc.u32|dec.u32>"
#define ATOMICS_64 "<add.u64|min.s64|max.s64|min.u64|max.u64|and.b64|or.b64|xor.b64|exch.b64>"

/* Those that return the old value use words of the warp alone, so that it does not depend on the order of warps. */
static void write_atomic(struct kernel_text *k) {
  static const char *const forms[] = {
      "and.b32 %x, $w, 15;\n  mad.lo.u32 %y, %x, 4, %g;\n  $gatom.shared." ATOMICS " $r, [%y], $w;",
      "and.b32 %x, $w, 15;\n  mad.lo.u32 %y, %x, 4, %g;\n  $gatom.shared.cas.b32 $r, [%y], $w, $w;",
      "and.b32 %x, $w, 7;\n  mad.lo.u32 %y, %x, 8, %g;\n  $gatom.shared." ATOMICS_64 " $d, [%y], $d;",
      "and.b32 %x, $w, 15;\n  mad.wide.u32 %a, %x, 4, %ws;\n  $gatom<|.global|.relaxed.gpu.global>." ATOMICS
      " $r, [%a], $w;",
      "and.b32 %x, $w, 7;\n  mad.wide.u32 %a, %x, 8, %ws;\n  $gatom.global." ATOMICS_64 " $d, [%a], $d;",
      "and.b32 %x, $w, 7;\n  mad.wide.u32 %a, %x, 8, %ws;\n  $gatom.global.cas.b64 $d, [%a], $d, $d;",
      "and.b32 %x, $w, 15;\n  mad.lo.u32 %y, %x, 4, %bs;\n  $gred.shared.add.u32 [%y], $w;",
      ("and.b32 %x, $w, 15;\n  mad.wide.u32 %a, %x, 4, %gs;\n"
       "  $gred.global.<add.u32 [%a]|max.u32 [%a+64]|xor.b32 [%a+128]|min.s32 [%a+192]>, $w;"),
      "and.b32 %x, $w, 15;\n  mad.wide.u32 %a, %x, 8, %gs;\n  $gred.global.add.u64 [%a+256], $d;",
  };
  WRITE_ONE_OF(k->out, forms);
}

#define TEXELS "<{%r0, %r1, %r2, %r3}|{%r4, _, %r5, _}|{%r7, %r6, _, _}>"
#define AT_FLOAT "cvt.rn.f32.u32 %x, <%t|%i>;\n  mul.f32 %x, %x, 0f<3D4CCCCD|3F800000|BEAAAAAB>;\n  "
#define OF_TYPES "v4.<f32|s32|u32>."

/* Any object, in any geometry. */
static void write_texture(struct kernel_text *k) {
  static const char *const objects[] = {"mov.u64 %a, <1|2|3|4>;",
                                        "and.b32 %x, $w, 3;\n  cvt.u64.u32 %a, %x;\n  add.u64 %a, %a, 1;"};
  static const char *const forms[] = {
      AT_FLOAT "$gtex.1d." OF_TYPES "f32 " TEXELS ", [%a, {%x}];",
      AT_FLOAT "$gtex.2d." OF_TYPES "f32 " TEXELS ", [%a, {<%x, %r3|%r2, %x|%x, %x>}];",
      AT_FLOAT "$gtex.3d." OF_TYPES "f32 " TEXELS ", [%a, {%r5, %x, $r, $r}];",
      AT_FLOAT "$gtex.a2d." OF_TYPES "f32 " TEXELS ", [%a, {$w, %x, $r, $r}];",
      AT_FLOAT "$gtld4.<r|g|b|a>.2d.v4.f32.f32 " TEXELS ", [%a, {%x, $r}];",
      "$gtex.1d." OF_TYPES "s32 " TEXELS ", [%a, {$r}];",
      "$gtex.2d." OF_TYPES "s32 " TEXELS ", [%a, {%t, $r}];",
      "$gtex.a1d." OF_TYPES "s32 " TEXELS ", [%a, {$w, %t}];",
  };
  write_form(k->out, k->faults && below(4) == 0 ? "mov.u64 %a, <7|8|99>;" : objects[below(2)]);
  WRITE_ONE_OF(k->out, forms);
}

#define OWN_TEXEL "mov.u64 %a, 5;\n  add.u32 %x, %sx, <0|16|48|112>;\n  "
#define ANYHOW "<trap|clamp|zero>"

/* The thread's own texels, the row of its neighbours in the warp, or places outside. */
static void write_surface(struct kernel_text *k) {
  static const char *const forms[] = {
      OWN_TEXEL "$gsust.b.2d.v4.b32." ANYHOW " [%a, {%x, %sy}], {%r0, %r3, %r5, %r7};",
      OWN_TEXEL "$gsust.b.2d.<b8|b16|b32>." ANYHOW " [%a, {%x, %sy}], $r;",
      OWN_TEXEL "$gsust.b.2d.v2.b64." ANYHOW " [%a, {%x, %sy}], {%d0, %d3};",
      OWN_TEXEL "$gsuld.b.2d.v4.<b8|b16|b32>." ANYHOW " {%r1, %r2, %r3, %r4}, [%a, {%x, %sy}];",
      OWN_TEXEL "$gsuld.b.2d.<b8|b16|b32>." ANYHOW " $r, [%a, {%x, %sy}];",
      OWN_TEXEL "$gsuld.b.2d.b64." ANYHOW " $d, [%a, {%x, %sy}];",
      "mov.u64 %a, 5;\n  shl.b32 %x, $w, 4;\n  $gsuld.b.2d.v2.b32.clamp {%r6, %r7}, [%a, {%x, %sy}];",
      "mov.u64 %a, 5;\n  and.b32 %x, $r, 0xfffffff0;\n  or.b32 %y, $w, 128;\n"
      "  $gsuld.b.2d.v4.b16.zero {%r0, %r1, %r2, %r3}, [%a, {%x, %y}];\n"
      "  $gsust.b.2d.v2.b16.zero [%a, {%x, %y}], {%r4, %r5};",
      "mov.u64 %a, 6;\n  and.b32 %x, $w, 7;\n  $gsust.b.a2d.b8.trap [%a, {%u, %q, %x, %x}], $r;",
      "mov.u64 %a, 6;\n  and.b32 %x, $w, 7;\n  $gsuld.b.a2d.b8." ANYHOW " $r, [%a, {%u, %q, %x, %x}];",
  };
  if (k->faults && below(8) == 0)
    write_form(k->out, "mov.u64 %a, <5|7|8>;\n  suld.b.2d.b32.trap $r, [%a, {$r, $r}];");
  else
    WRITE_ONE_OF(k->out, forms);
}

/* Warp-wide operations */

#define ACTIVE "activemask.b32 %x;\n  "
/* Lanes with and without %p1 name each other. */
#define HALVES                                                                                               \
  ACTIVE "vote.sync.ballot.b32 %y, %p1, %x;\n  xor.b32 %x, %x, %y;\n  selp.b32 %x, %y, %x, %p1;\n  "

/* Of the lanes that are here, or of two parts of them; a shuffle reads one of the lanes that take part. */
static void write_collective(struct kernel_text *k) {
  static const char *const forms[] = {
      ACTIVE "vote.sync.ballot.b32 $r, $!$p, %x;",
      ACTIVE "vote.sync.<any|all|uni>.pred $p, $!$p, %x;",
      ACTIVE "match.any.sync.b32 $r, $r, %x;",
      ACTIVE "match.any.sync.b64 $r, $d, %x;",
      ACTIVE "match.all.sync.b32 $r|$p, $r, %x;",
      ACTIVE "redux.sync.<add|min|max>.<s32|u32> $r, $r, %x;",
      ACTIVE "elect.sync $r|$p, %x;\n  bar.warp.sync %x;",
      ACTIVE "bfind.u32 %y, %x;\n  shfl.sync.idx.b32 $r|$p, $r, %y, 31, %x;",
      ACTIVE "brev.b32 %y, %x;\n  clz.b32 %y, %y;\n  shfl.sync.idx.b32 $r|$p, $r, %y, 31, %x;",
      HALVES "vote.sync.ballot.b32 $r, $p, %x;",
      HALVES "vote.sync.<any|all|uni>.pred $p, $p, %x;",
      HALVES "redux.sync.<and|or|xor>.b32 $r, $r, %x;",
      HALVES "match.any.sync.b32 $r, $r, %x;",
      HALVES "bfind.u32 %y, %x;\n  shfl.sync.idx.b32 $r|$p, $r, %y, 31, %x;",
      ACTIVE "vote.sync.ballot.b32 %y, %p2, %x;\n  @%p2 vote.sync.ballot.b32 $r, $!$p, %y;",
      ACTIVE "vote.sync.ballot.b32 %y, %p2, %x;\n  @%p2 redux.sync.<min|max>.<s32|u32> $r, $r, %y;",
  };
  WRITE_ONE_OF(k->out, forms);
}

static void write_shuffle(struct kernel_text *k) {
  write_form(k->out,
             "mov.u32 %x, %w;\n  shfl.sync.<up|down|bfly|idx>.b32 $r|$p, $r, <1|3|5|16|31|%n|%r0|%t>, "
             "<0|31|7199|4127|%r4>, %x;");
}

/* Barriers */

/* All threads write their slot, and then read another one's. */
static void write_exchange(struct kernel_text *k) {
  write_form(k->out, "st.shared.v2.b32 [%h], {$r, $r};\n  <bar.sync 0|bar.sync 1|barrier.sync 2>;");
  write_form(k->out,
             "rem.u32 %x, $w, %z;\n  mad.lo.u32 %y, %x, 16, %s;\n  ld.shared.b32 $r, [%y+<0|4|8|12>];");
  write_form(k->out, "ld.shared.u8 $r, [%y+<0|1|6|15>];\n  bar.sync 0;");
}

static void write_barrier(struct kernel_text *k) {
  static const char *const forms[] = {"bar.red.popc.u32 $r, 0, $!$p;",
                                      "bar.red.<and|or>.pred $p, <0|3>, $!$p;", "bar.sync 4, %zw;"};
  write_form(k->out, forms[below(k->returns ? 2 : 3)]);
}

/* Control */

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

/* Lanes reach the vote on two ways, and only later the point where all reconverge. */
static void write_meeting(struct kernel_text *k, unsigned depth) {
  const unsigned label = k->labels++;
  write_form(k->out, "and.b32 %x, %t, <3|5|16>;\n  setp.<eq|ne>.u32 %p0, %x, <0|1>;");
  write_form(k->out, "and.b32 %x, %q, <1|2|12>;\n  setp.<eq|ne>.u32 %p1, %x, 0;");
  fprintf(k->out,
          "  or.pred %%p9, %%p0, !%%p1;\n  activemask.b32 %%x;\n  vote.sync.ballot.b32 %%c%u, %%p9, %%x;\n"
          "  @%%p0 bra MEET%u;\n  @%%p1 bra OUT%u;\n",
          depth, label, label);
  write_row(k);
  fprintf(k->out, "MEET%u:\n", label);
  fprintf(k->out, "  vote.sync.ballot.b32 %%r%u, %%p%u, %%c%u;\n", below(REGISTERS), below(PREDICATES),
          depth);
  write_row(k);
  fprintf(k->out, "OUT%u:\n", label);
}

/* Cases fall through, or leave. */
static void write_switch(struct kernel_text *k, unsigned depth) {
  const unsigned label = k->labels++;
  fputs("  and.b32 %x, ", k->out);
  write_word(k->out);
  fprintf(k->out,
          ", 3;\nLIST%u: .branchtargets CASE%u_0, CASE%u_1, CASE%u_2, OUT%u;\n  brx.idx %%x, LIST%u;\n",
          label, label, label, label, label, label);
  for (unsigned n = 0; n < 3; n++) {
    fprintf(k->out, "CASE%u_%u:\n", label, n);
    write_statements(k, depth + 1, false);
    if (below(2))
      fprintf(k->out, "  bra OUT%u;\n", label);
  }
  fprintf(k->out, "OUT%u:\n", label);
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
    write_row(k);
  }
  fprintf(k->out, "  add.u32 %%c%u, %%c%u, 1;\n  and.b32 %%x, %s, 3;\n  setp.lt.u32 %%p%u, %%c%u, %%x;\n",
          depth, depth,
          same       ? "%n"
          : below(2) ? "%t"
                     : "%r1",
          PREDICATES, depth);
  fprintf(k->out, "  @%%p%u bra LOOP%u;\nOUT%u:\n", PREDICATES, label, label);
}

/* The result of a function is its register 2. */
static void write_return(struct kernel_text *k) {
  if (!k->returns)
    return;
  if (k->is_function)
    fputs("  st.param.b32 [result], %r2;\n", k->out);
  write_form(k->out, "setp.<eq|gt>.u32 %p9, %q, <3|40|77|150>;\n  <@%p9 |>ret;");
}

static void write_call(struct kernel_text *k) {
  if (k->functions == 0)
    return;
  write_form(
      k->out,
      "{\n  .param .b64 c0;\n  .param .b32 c1;\n  .param .b64 c2;\n  .param .b32 c3;\n  .param .b32 c4;\n"
      "  .param .b64 c5;\n  .param .b32 r;\n  st.param.b64 [c0], %m;\n  st.param.b32 [c1], %s;\n"
      "  st.param.b64 [c2], %v;\n  st.param.b32 [c3], %n;\n  st.param.b32 [c4], $r;\n"
      "  st.param.b64 [c5], $d;");
  fprintf(k->out, "  call (r), f%u, (c0, c1, c2, c3, c4, c5);\n", below(k->functions));
  write_form(k->out, "ld.param.b32 $r, [r];\n  }");
}

static void write_flow(struct kernel_text *k, unsigned depth, bool uniform) {
  if (depth >= MOST_DEPTH)
    return;
  switch (below(8)) {
  case 0:
  case 1:
    write_loop(k, depth, uniform);
    break;
  case 2:
    write_switch(k, depth);
    break;
  case 3:
    write_meeting(k, depth);
    break;
  default:
    write_if(k, depth, uniform);
  }
}

static void write_memory(struct kernel_text *k) {
  static void (*const writers[])(struct kernel_text *) = {write_own,    write_own,     write_load,
                                                          write_load,   write_load,    write_other_access,
                                                          write_atomic, write_texture, write_surface};
  writers[below(sizeof writers / sizeof *writers)](k);
}

static void write_computation(struct kernel_text *k) {
  static void (*const writers[])(struct kernel_text *) = {write_row,        write_row,     write_row,
                                                          write_scalar,     write_scalar,  write_instruction,
                                                          write_conversion, write_rounded, write_comparison};
  writers[below(sizeof writers / sizeof *writers)](k);
}

static void write_statement(struct kernel_text *k, unsigned depth, bool uniform) {
  switch (below(16)) {
  case 0:
  case 1:
  case 2:
    write_flow(k, depth, uniform);
    break;
  case 3:
    if (!uniform && below(8) == 0)
      write_return(k);
    else if (below(3) == 0)
      write_call(k);
    break;
  case 4:
    if (uniform && below(2))
      write_barrier(k);
    else if (uniform)
      write_exchange(k);
    break;
  case 5:
    if (uniform && below(2))
      write_shuffle(k);
    else
      write_collective(k);
    break;
  case 6:
    write_condition(k, below(PREDICATES), false);
    break;
  case 7:
  case 8:
  case 9:
  case 10:
    write_memory(k);
    break;
  default:
    write_computation(k);
  }
}

static void write_statements(struct kernel_text *k, unsigned depth, bool uniform) {
  for (unsigned n = depth ? 2 + below(5) : ~0u; n > 0 && k->left > 0; n--) {
    k->left--;
    write_statement(k, depth, uniform);
  }
}

static const char declarations[] =
    "  .reg .b32 %q, %x, %y, %z, %zw, %h, %g, %u, %w, %s, %bs, %sx, %sy, %c<5>, %k<3>, %j<3>;\n"
    "  .reg .b64 %o, %b, %l, %v, %e, %ws, %gs, %ja, %jb;\n";

/* From %m, %t, %s (shared memory) and %v (16 words of the thread): %q, the thread's number in its block; %z, of how
 * many, and %zw, in whole warps; %u, the same in all; %w, the warp's lanes; the thread's slots: %h and %e in shared
 * memory, %o in global memory, %l in local memory, %sx and %sy in a surface; %g and %ws, words of the warp; %bs, of the
 * block; %gs, of all. */
static void write_places(struct kernel_text *k) {
  fprintf(
      k->out,
      "  mov.u32 %%x, %%ntid.x;\n  mov.u32 %%z, %%ntid.y;\n  mov.u32 %%y, %%tid.y;\n  mad.lo.u32 %%q, %%y, %%x, %%t;\n"
      "  mul.lo.u32 %%z, %%z, %%x;\n  add.u32 %%zw, %%z, 31;\n  and.b32 %%zw, %%zw, 0xffffffe0;\n"
      "  activemask.b32 %%w;\n  mov.u32 %%u, %%ctaid.x;\n  and.b32 %%u, %%u, 1;\n  mad.lo.u32 %%h, %%q, 16, %%s;\n"
      "  shr.u32 %%y, %%q, 5;\n  mad.lo.u32 %%g, %%y, 64, %%s;\n  add.u32 %%g, %%g, %u;\n  add.u32 %%bs, %%s, %u;\n"
      "  mad.lo.u32 %%y, %%u, 5, %%y;\n  mad.wide.u32 %%ws, %%y, 64, %%m;\n  add.u64 %%ws, %%ws, %u;\n"
      "  add.u64 %%gs, %%m, %u;\n  mad.lo.u32 %%y, %%u, 160, %%q;\n  mad.wide.u32 %%o, %%y, 64, %%m;\n"
      "  add.u64 %%o, %%o, %u;\n  shr.u32 %%sy, %%y, 2;\n  and.b32 %%sx, %%y, 3;\n  shl.b32 %%sx, %%sx, 7;\n"
      "  cvta.to.local.u64 %%l, %%v;\n  cvt.u64.u32 %%e, %%h;\n  cvta.shared.u64 %%e, %%e;\n",
      WARP_WORDS, BLOCK_WORDS, WARP_SUMS, SUMS, OWN);
}

static void write_values(struct kernel_text *k) {
  for (unsigned n = 0; n < REGISTERS; n++)
    fprintf(
        k->out,
        "  mad.wide.u32 %%a, %%%c, %u, %%m;\n  ld.global.b32 %%r%u, [%%a+%u];\n  ld.global.b64 %%d%u, [%%a+%u];\n",
        n % 3 ? 'q' : 'u', 8 + 8 * below(3), n, 4 * n, n, 8 * n);
  for (unsigned n = 0; n < SCALARS; n++)
    fprintf(k->out, "  ld.global.u32 %%k%u, [%%m+%u];\n  add.u32 %%j%u, %%t, %%k%u;\n", n, 4 * below(99), n,
            n);
  for (unsigned n = 0; n < PREDICATES; n++)
    write_condition(k, n, false);
  fputs("  add.cc.u32 %x, %t, %q;\n",
        k->out); /* all lanes have a carry, although later ones may be guarded */
}

static void write_function(struct kernel_text *k, unsigned number) {
  fprintf(
      k->out,
      ".func (.param .b32 result) f%u(.param .b64 pm, .param .b32 ps, .param .b64 pv, .param .u32 pn, "
      ".param .b32 pw, .param .b64 pd)\n{\n  .reg .b32 %%r<40>, %%n, %%t, %%i;\n  .reg .b64 %%d<40>, %%m, %%a;\n"
      "  .reg .pred %%p<10>;\n%s  ld.param.u64 %%m, [pm];\n  ld.param.u32 %%s, [ps];\n  ld.param.u64 %%v, [pv];\n"
      "  ld.param.u32 %%n, [pn];\n  mov.u32 %%t, %%tid.x;\n  ld.param.b32 %%i, [pw];\n",
      number, declarations);
  write_places(k);
  write_values(k);
  fputs("  ld.param.b32 %r1, [pw];\n  ld.param.b64 %d1, [pd];\n", k->out);
  k->is_function = true;
  k->left = 12;
  write_statements(k, 1, false);
  fputs("  st.param.b32 [result], %r2;\n  ret;\n}\n", k->out);
  k->is_function = false;
  k->functions = number + 1;
}

static void write_start(struct kernel_text *k) {
  const char *entry = strstr(native_header, ".visible");
  fwrite(native_header, 1, (size_t)(entry - native_header), k->out);
  for (unsigned n = 0; n < FUNCTIONS; n++)
    write_function(k, n);
  fputs(entry, k->out);
  fputs(declarations, k->out);
  fputs("  .local .align 16 .b8 l[64];\n  mov.u32 %s, s;\n  mov.u64 %v, l;\n  cvta.local.u64 %v, %v;\n",
        k->out);
  write_places(k);
  fprintf(k->out,
          "  mad.lo.u32 %%y, %%q, 4, %%s;\n  mov.u32 %%x, %%q;\n"
          "CLEAR:\n  st.shared.b32 [%%y], 0;\n  mad.lo.u32 %%y, %%z, 4, %%y;\n  add.u32 %%x, %%x, %%z;\n"
          "  setp.lt.u32 %%p9, %%x, %u;\n  @%%p9 bra CLEAR;\n  bar.sync 0;\n",
          SHARED_WORDS);
  write_values(k);
  for (unsigned n = 0; n < 4; n++)
    fprintf(k->out, "  st.local.v2.b64 [%%l+%u], {%%d%u, %%d%u};\n", 16 * n, n, n + 4);
}

static void write_end(struct kernel_text *k) {
  fputs("  mad.lo.u32 %y, %u, 160, %q;\n  mad.wide.u32 %o, %y, 4, %m;\n", k->out);
  unsigned at = COLUMNS;
  for (unsigned n = 0; n < REGISTERS; n++, at += COLUMN)
    fprintf(k->out, "  st.global.b32 [%%o+%u], %%r%u;\n", at, n);
  for (unsigned n = 0; n < SCALARS; n++, at += 2 * COLUMN)
    fprintf(k->out, "  st.global.b32 [%%o+%u], %%k%u;\n  st.global.b32 [%%o+%u], %%j%u;\n", at, n,
            at + COLUMN, n);
  for (unsigned n = 0; n < REGISTERS; n++, at += 2 * COLUMN)
    fprintf(
        k->out,
        "  mov.b64 {%%r0, %%r1}, %%d%u;\n  st.global.b32 [%%o+%u], %%r0;\n  st.global.b32 [%%o+%u], %%r1;\n",
        n, at, at + COLUMN);
  for (unsigned n = 0; n < PREDICATES; n++, at += COLUMN)
    fprintf(k->out, "  selp.b32 %%r0, 1, 0, %%p%u;\n  st.global.b32 [%%o+%u], %%r0;\n", n, at);
  fprintf(
      k->out,
      "  bar.sync 0;\n  and.b32 %%x, %%q, 15;\n  mad.lo.u32 %%y, %%x, 4, %%bs;\n"
      "  ld.shared.b32 %%r0, [%%y];\n  mad.lo.u32 %%y, %%x, 4, %%g;\n  ld.shared.b32 %%r1, [%%y];\n"
      "  ld.local.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%l];\n  xor.b32 %%r2, %%r2, %%r3;\n  xor.b32 %%r4, %%r4, %%r5;\n"
      "  add.u32 %%r0, %%r0, %%r2;\n  add.u32 %%r1, %%r1, %%r4;\n"
      "  st.global.b32 [%%o+%u], %%r0;\n  st.global.b32 [%%o+%u], %%r1;\n  ret;\n}\n",
      at, at + COLUMN);
}

static unsigned long first_seed = 50, seeds = 2;

START_TEST(random_kernels_do_the_same) {
  const unsigned long seed = first_seed + (unsigned long)_i;
  char *text;
  size_t length;
  native_seed(seed);
  struct kernel_text k = {
      .out = open_memstream(&text, &length), .faults = seed % 8 == 7, .returns = seed % 2};
  write_start(&k);
  k.left = LEAST + seed / 4 % 4 * 60;
  write_statements(&k, 0, true);
  write_shuffle(&k);
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
    return SUITE_SKIPPED;
  TCase *tests = tcase_create("native_random");
  tcase_set_timeout(tests, 0);
  tcase_add_loop_test(tests, random_kernels_do_the_same, 0, (int)seeds);
  return suite_run_case("native_random", tests);
}
