#include "opcodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 6 };

_Noreturn static void give_up(const char *what, const char *name) {
  fprintf(stderr, "opcodes: %s: %s\n", what, name);
  exit(2);
}

/* Forms from templates */

/* Replaces $0, $1, … in `template` by the parts. */
static char *expand(const char *template, const char *const parts[MAX_PARTS]) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    give_up("out of memory", template);
  for (const char *at = template; *at; at++)
    if (*at == '$')
      fputs(parts[*++at - '0'], out);
    else
      fputc(*at, out);
  if (fclose(out) != 0)
    give_up("out of memory", template);
  return text;
}

static const struct {
  const char *name;
  unsigned bytes;
} values[] = {[VALUES_NONE] = {"", 0},
              [VALUES_B16] = {"b16", 2},
              [VALUES_B32] = {"b32", 4},
              [VALUES_B64] = {"b64", 8},
              [VALUES_F32] = {"f32", 4},
              [VALUES_F64] = {"f64", 8},
              [VALUES_F16] = {"f16", 2},
              [VALUES_BF16] = {"bf16", 2},
              [VALUES_F16X2] = {"f16x2", 4},
              [VALUES_BF16X2] = {"bf16x2", 4},
              [VALUES_CANCEL_F32] = {"cancel32", 4},
              [VALUES_CANCEL_F64] = {"cancel64", 8},
              [VALUES_FEW_B32] = {"few32", 4},
              [VALUES_FEW_B64] = {"few64", 8},
              [VALUES_MEMBERS] = {"members", 4}};

static enum opcode_values values_named(const char *word, size_t length) {
  for (size_t i = 1; i < sizeof values / sizeof *values; i++)
    if (strlen(values[i].name) == length && memcmp(values[i].name, word, length) == 0)
      return (enum opcode_values)i;
  give_up("unknown values", word);
}

static struct opcode_form *next_form(struct opcode_list *list) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 256;
    list->forms = realloc(list->forms, list->capacity * sizeof *list->forms);
    if (!list->forms)
      give_up("out of memory", "list of forms");
  }
  struct opcode_form *form = &list->forms[list->count++];
  *form = (struct opcode_form){0};
  return form;
}

/* `operands`: names of values; `results`: "b16", "b32", "b64" or "pred" each. All texts are templates. */
static void add_form(struct opcode_list *list, const char *name, const char *operands, const char *results,
                     const char *body, const char *const parts[MAX_PARTS]) {
  struct opcode_form *form = next_form(list);
  char *texts[] = {expand(name, parts), expand(operands, parts), expand(results, parts)};
  if (strlen(texts[0]) >= sizeof form->name)
    give_up("name too long", texts[0]);
  strcpy(form->name, texts[0]);
  char *rest = NULL;
  unsigned count = 0;
  for (char *word = strtok_r(texts[1], " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    form->values[count++] = values_named(word, strlen(word));
  for (char *word = strtok_r(texts[2], " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    form->result_bytes[form->result_count++] =
        strcmp(word, "pred") == 0 ? 0 : values[values_named(word, strlen(word))].bytes;
  form->body = expand(body, parts);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
  for (size_t i = 0; i + 1 < list->count; i++)
    if (strcmp(list->forms[i].name, form->name) == 0)
      give_up("form listed twice", form->name);
}

#define FORM(name, operands, results, body, ...)                                                             \
  add_form(list, name, operands, results, body, (const char *const[MAX_PARTS]){__VA_ARGS__})
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Types */

static const struct type {
  const char *name;
  unsigned bytes;
  char kind;           /* bits, signed, unsigned, float */
  const char *natural; /* the narrowest register */
} types[] = {{"b8", 1, 'b', "b16"},    {"u8", 1, 'u', "b16"},      {"s8", 1, 's', "b16"},
             {"b16", 2, 'b', "b16"},   {"u16", 2, 'u', "b16"},     {"s16", 2, 's', "b16"},
             {"f16", 2, 'h', "f16"},   {"b32", 4, 'b', "b32"},     {"u32", 4, 'u', "b32"},
             {"s32", 4, 's', "b32"},   {"f32", 4, 'f', "f32"},     {"b64", 8, 'b', "b64"},
             {"u64", 8, 'u', "b64"},   {"s64", 8, 's', "b64"},     {"f64", 8, 'f', "f64"},
             {"bf16", 2, 'h', "bf16"}, {"f16x2", 4, 'x', "f16x2"}, {"bf16x2", 4, 'x', "bf16x2"},
             {"s16x2", 4, 'x', "b32"}, {"u16x2", 4, 'x', "b32"}};
enum { PLAIN_TYPES = 15 }; /* those of memory and of moves come first */

static const struct type *find_type(const char *name) {
  for (size_t i = 0; i < COUNT(types); i++)
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  return NULL;
}

static const struct type *type_named(const char *name) {
  const struct type *type = find_type(name);
  if (!type)
    give_up("unknown type", name);
  return type;
}

static const struct type *last_type(const char *form) { return type_named(strrchr(form, '.') + 1); }

/* Rows of ops.def */

static const struct row {
  const char *result, *sources[3], *forms;
} rows[] = {
#define OP1(id, D, A, expr, pipe, slots, forms) {#D, {#A}, forms},
#define OP2(id, D, A, B, expr, pipe, slots, forms) {#D, {#A, #B}, forms},
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) {#D, {#A, #B, #C}, forms},
#define SETP(id, A, expr, pipe, slots, forms) {NULL, {#A, #A}, forms},
#include "ops.def"
};

/* The register of a row's operand in one of its forms: and.b16 shares the row of and.b32, neg.f32 is bits there. */
static const char *operand_values(const struct row *row, const char *lane_type, const char *form) {
  const struct type *lane = type_named(lane_type), *last = find_type(strrchr(form, '.') + 1);
  if (!last) /* prmt.b32.f4e, vabsdiff4….add */
    return lane->natural;
  bool all_32 = row->result && strcmp(row->result, "u32") == 0 && strcmp(row->sources[0], "u32") == 0;
  if (last->bytes == lane->bytes || (all_32 && last->bytes == 2))
    return last->natural;
  return lane->natural;
}

static void add_row_form(struct opcode_list *list, const struct row *row, const char *form) {
  static const char *const bodies[] = {"$0 %r0, %a;", "$0 %r0, %a, %b;", "$0 %r0, %a, %b, %c;"};
  char operands[64] = "";
  unsigned count = 0;
  for (; count < 3 && row->sources[count]; count++) {
    const char *of = operand_values(row, row->sources[count], form);
    if (count == 2 && (strcmp(of, "f32") == 0 || strcmp(of, "f64") == 0))
      of = of[1] == '3' ? "cancel32" : "cancel64";
    strcat(strcat(operands, " "), of);
  }
  if (!row->result)
    FORM("$0", "$1", "pred", "$0 %p0, %a, %b;", form, operands);
  else
    FORM("$0", "$1", "$2", bodies[count - 1], form, operands, operand_values(row, row->result, form));
}

static void add_rows(struct opcode_list *list) {
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *forms = expand(rows[i].forms, NULL), *rest = NULL;
    for (char *form = strtok_r(forms, " ", &rest); form; form = strtok_r(NULL, " ", &rest))
      if (strncmp(form, "cvt.", 4) != 0) /* add_conversions has them all */
        add_row_form(list, &rows[i], form);
    free(forms);
  }
}

/* Conversions */

static bool saturation_is_possible(const struct type *to, const struct type *from) {
  if (to->kind == 'f' || from->kind == 'f')
    return true;
  bool holds_all = (to->kind == from->kind && to->bytes >= from->bytes) ||
                   (to->kind == 's' && from->kind == 'u' && to->bytes > from->bytes);
  return !holds_all;
}

/* In both register widths that an integer may have: its own, and 64 bits. */
static void add_conversion(struct opcode_list *list, const struct type *to, const struct type *from,
                           const char *rounding, const char *flags) {
  FORM("cvt$0$1.$2.$3", "$4", "$5", "cvt$0$1.$2.$3 %r0, %a;", rounding, flags, to->name, from->name,
       from->natural, to->natural);
  const char *to_register = to->kind == 'f' ? to->natural : "b64";
  const char *from_register = from->kind == 'f' ? from->natural : "b64";
  if (strcmp(to_register, to->natural) != 0 || strcmp(from_register, from->natural) != 0)
    FORM("cvt$0$1.$2.$3 in 64-bit registers", "$4", "$5", "cvt$0$1.$2.$3 %r0, %a;", rounding, flags, to->name,
         from->name, from_register, to_register);
}

static void add_conversions(struct opcode_list *list) {
  static const char *const exact[] = {""}, *const rounded[] = {".rn", ".rz", ".rm", ".rp"},
                           *const integral[] = {".rni", ".rzi", ".rmi", ".rpi"},
                           *const same[] = {"", ".rni", ".rzi", ".rmi", ".rpi"},
                           *const flags[] = {"", ".ftz", ".sat", ".ftz.sat"};
  for (const struct type *to = types; to < types + PLAIN_TYPES; to++)
    for (const struct type *from = types; from < types + PLAIN_TYPES; from++) {
      if (to->kind == 'b' || from->kind == 'b' || to->kind == 'h' || from->kind == 'h')
        continue;
      const char *const *roundings = exact;
      size_t count = 1;
      if (to->kind == 'f' && to == from)
        roundings = same, count = COUNT(same);
      else if (from->kind == 'f' && to->kind != 'f')
        roundings = integral, count = COUNT(integral);
      else if (to->kind == 'f' && (from->kind != 'f' || to->bytes < from->bytes))
        roundings = rounded, count = COUNT(rounded);
      bool single = (to->kind == 'f' && to->bytes == 4) || (from->kind == 'f' && from->bytes == 4);
      for (size_t r = 0; r < count; r++)
        for (size_t f = 0; f < COUNT(flags); f++)
          if ((single || !strstr(flags[f], "ftz")) &&
              (saturation_is_possible(to, from) || !strstr(flags[f], "sat")))
            add_conversion(list, to, from, roundings[r], flags[f]);
    }
}

#define PREDICATE_OF(operand, predicate) "and.b32 %t0, %" operand ", 1; setp.ne.u32 %" predicate ", %t0, 0; "

static void add_half_conversions(struct opcode_list *list) {
  static const char *const halves[] = {"f16", "bf16"}, *const modes[] = {"rn", "rz", "rm", "rp"},
                           *const integers[] = {"u16", "s16", "u32", "s32", "u64", "s64"};
  for (size_t h = 0; h < COUNT(halves); h++) {
    const char *half = halves[h];
    FORM("cvt.f32.$0", "$0", "f32", "cvt.f32.$0 %r0, %a;", half);
    FORM("cvt.rn.$0.f64", "f64", "b16", "cvt.rn.$0.f64 %r0, %a;", half);
    FORM("cvt.rn.relu.$0.f32", "f32", "b16", "cvt.rn.relu.$0.f32 %r0, %a;", half);
    FORM("cvt.rn.$0x2.f32", "f32 f32", "b32", "cvt.rn.$0x2.f32 %r0, %a, %b;", half);
    FORM("cvt.rz.$0x2.f32", "f32 f32", "b32", "cvt.rz.$0x2.f32 %r0, %a, %b;", half);
    FORM("cvt.rn.relu.$0x2.f32", "f32 f32", "b32", "cvt.rn.relu.$0x2.f32 %r0, %a, %b;", half);
    for (size_t m = 0; m < COUNT(modes); m++) {
      FORM("cvt.$0i.$1.$1", "$1", "b16", "cvt.$0i.$1.$1 %r0, %a;", modes[m], half);
      if (h == 0 || m < 2)
        FORM("cvt.$0.$1.f32", "f32", "b16", "cvt.$0.$1.f32 %r0, %a;", modes[m], half);
      for (size_t i = 0; i < COUNT(integers); i++) {
        const char *bits = type_named(integers[i])->natural;
        FORM("cvt.$0i.$2.$1", "$1", "$3", "cvt.$0i.$2.$1 %r0, %a;", modes[m], half, integers[i], bits);
        FORM("cvt.$0.$1.$2", "$3", "b16", "cvt.$0.$1.$2 %r0, %a;", modes[m], half, integers[i], bits);
      }
    }
  }
  FORM("cvt.f64.f16", "f16", "f64", "cvt.f64.f16 %r0, %a;", "");
  FORM("cvt.sat.f16.f16", "f16", "b16", "cvt.sat.f16.f16 %r0, %a;", "");
  FORM("cvt.rn.ftz.f16.f32", "f32", "b16", "cvt.rn.ftz.f16.f32 %r0, %a;", "");
  FORM("cvt.rn.sat.f16.f32", "f32", "b16", "cvt.rn.sat.f16.f32 %r0, %a;", "");
  static const char *const packs[][3] = {
      {"u8", ".b32", ", %c"}, {"s8", ".b32", ", %c"}, {"u16", "", ""}, {"s16", "", ""}};
  for (size_t i = 0; i < COUNT(packs); i++)
    FORM("cvt.pack.sat.$0.s32$1", "b32 b32 b32", "b32", "cvt.pack.sat.$0.s32$1 %r0, %a, %b$2;", packs[i][0],
         packs[i][1], packs[i][2]);
}

/* Directed rounding, and saturation to [0, 1] */
static void add_directed(struct opcode_list *list) {
  static const char *const modes[] = {"rz", "rm", "rp"}, *const types_of[] = {"f32", "f64", "ftz.f32"},
                           *const two[] = {"add", "sub", "mul", "div"}, *const one[] = {"rcp", "sqrt"};
  for (size_t m = 0; m < COUNT(modes); m++)
    for (size_t t = 0; t < COUNT(types_of); t++) {
      const char *bits = t == 1 ? "f64" : "f32";
      for (size_t i = 0; i < COUNT(two); i++)
        FORM("$0.$1.$2", "$3 $3", "$3", "$0.$1.$2 %r0, %a, %b;", two[i], modes[m], types_of[t], bits);
      for (size_t i = 0; i < COUNT(one); i++)
        FORM("$0.$1.$2", "$3", "$3", "$0.$1.$2 %r0, %a;", one[i], modes[m], types_of[t], bits);
      FORM("fma.$0.$1", "$2 $2 $3", "$2", "fma.$0.$1 %r0, %a, %b, %c;", modes[m], types_of[t], bits,
           t == 1 ? "cancel64" : "cancel32");
    }
  FORM("add.rp.f32 under a predicate", "f32 f32 b32",
       "f32 f32", /* the next instruction rounds to nearest again */
       PREDICATE_OF("c", "q0") "mov.b32 %r0, %a; @%q0 add.rp.f32 %r0, %a, %b; add.rn.f32 %r1, %a, %b;", "");
  static const char *const saturating[] = {"add.sat.f32",     "sub.sat.f32",     "mul.sat.f32",
                                           "add.ftz.sat.f32", "mul.ftz.sat.f32", "add.rz.sat.f32",
                                           "mul.rp.sat.f32"};
  for (size_t i = 0; i < COUNT(saturating); i++)
    FORM("$0", "f32 f32", "f32", "$0 %r0, %a, %b;", saturating[i]);
  FORM("fma.rn.sat.f32", "f32 f32 cancel32", "f32", "fma.rn.sat.f32 %r0, %a, %b, %c;", "");
  FORM("fma.rm.ftz.sat.f32", "f32 f32 cancel32", "f32", "fma.rm.ftz.sat.f32 %r0, %a, %b, %c;", "");
}

static void add_sets(struct opcode_list *list) {
  static const char *const sets[][3] = {
      {"set.lt.u32.s32", "b32", "b32"},          {"set.ge.s32.u32", "b32", "b32"},
      {"set.eq.f32.s64", "b64", "f32"},          {"set.ne.u32.u16", "b16", "b32"},
      {"set.le.u32.f32", "f32", "b32"},          {"set.gtu.f32.f32", "f32", "f32"},
      {"set.lt.ftz.u32.f32", "f32", "b32"},      {"set.nan.s32.f64", "f64", "b32"},
      {"set.eq.f16.f16", "f16", "b16"},          {"set.ltu.f16x2.f16x2", "f16x2", "b32"},
      {"set.ge.u32.f16x2", "f16x2", "b32"},      {"set.num.bf16.bf16", "bf16", "b16"},
      {"set.neu.bf16x2.bf16x2", "bf16x2", "b32"}};
  for (size_t i = 0; i < COUNT(sets); i++)
    FORM("$0", "$1 $1", "$2", "$0 %r0, %a, %b;", sets[i][0], sets[i][1], sets[i][2]);
  FORM("set.lt.xor.u32.s32", "b32 b32 b32", "b32 b32",
       PREDICATE_OF("c", "q0") "set.lt.xor.u32.s32 %r0, %a, %b, %q0; set.lt.and.u32.s32 %r1, %a, %b, !%q0;",
       "");
}

/* Predicates, bits, carries */

static void add_comparisons(struct opcode_list *list) {
  static const char *const combine[] = {"and", "or", "xor"}, *const of[] = {"s16", "u32", "s64", "f32",
                                                                            "f64"};
  for (size_t i = 0; i < COUNT(combine); i++)
    for (size_t t = 0; t < COUNT(of); t++)
      FORM("setp.lt.$0.$1 pair", "$2 $2 b32", "pred pred pred pred",
           PREDICATE_OF("c", "q0") "setp.lt.$0.$1 %p0|%p1, %a, %b, %q0; setp.lt.$0.$1 %p2|%p3, %a, %b, !%q0;",
           combine[i], of[t], type_named(of[t])->natural);
  FORM("setp.ge.s32 pair", "b32 b32", "pred pred", "setp.ge.s32 %p0|%p1, %a, %b;", "");
}

static void add_half_comparisons(struct opcode_list *list) {
  static const char *const halves[] = {"f16x2", "bf16x2"}, *const tests[] = {"lt",  "le",  "gt",  "ge",
                                                                             "eq",  "ne",  "equ", "neu",
                                                                             "ltu", "leu", "gtu", "geu",
                                                                             "num", "nan"};
  for (size_t h = 0; h < COUNT(halves); h++) {
    for (size_t i = 0; i < COUNT(tests); i++)
      FORM("setp.$0.$1", "$1 $1", "pred pred", "setp.$0.$1 %p0|%p1, %a, %b;", tests[i], halves[h]);
    FORM("setp.le.and.$0", "$0 $0 b32", "pred pred",
         PREDICATE_OF("c", "q0") "setp.le.and.$0 %p0|%p1, %a, %b, %q0;", halves[h]);
    FORM("setp.gtu.or.$0", "$0 $0 b32", "pred pred",
         PREDICATE_OF("c", "q0") "setp.gtu.or.$0 %p0|%p1, %a, %b, %q0;", halves[h]);
    FORM("setp.ne.xor.$0", "$0 $0 b32", "pred pred",
         PREDICATE_OF("c", "q0") "setp.ne.xor.$0 %p0|%p1, %a, %b, %q0;", halves[h]);
  }
}

static void add_predicates(struct opcode_list *list) {
  static const char *const kinds[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  FORM("and.pred or.pred xor.pred not.pred", "b32 b32", "pred pred pred pred",
       PREDICATE_OF("a", "q0") PREDICATE_OF("b", "q1") "and.pred %p0, %q0, %q1; or.pred %p1, %q0, %q1; "
                                                       "xor.pred %p2, %q0, %q1; not.pred %p3, %q1;",
       "");
  FORM("mov.pred", "b32", "pred", PREDICATE_OF("a", "q0") "mov.pred %p0, %q0;", "");
  for (const struct type *t = types; t < types + PLAIN_TYPES; t++)
    if (t->bytes > 1 && strcmp(t->name, "f16") != 0)
      FORM("selp.$0", "$1 $1 b32", "$1 $1",
           PREDICATE_OF("c", "q0") "selp.$0 %r0, %a, %b, %q0; selp.$0 %r1, %b, %a, %q0;", t->name,
           t->natural);
  for (size_t i = 0; i < COUNT(kinds); i++) {
    FORM("testp.$0.f32", "f32", "pred", "testp.$0.f32 %p0, %a;", kinds[i]);
    FORM("testp.$0.f64", "f64", "pred", "testp.$0.f64 %p0, %a;", kinds[i]);
  }
}

static void add_bits(struct opcode_list *list) {
  static const char *const tables[] = {"0x00", "0x01", "0x1d", "0x6a", "0x80",
                                       "0x96", "0xca", "0xe8", "0xff"};
  for (size_t i = 0; i < COUNT(tables); i++)
    FORM("lop3.b32 $0", "b32 b32 b32", "b32", "lop3.b32 %r0, %a, %b, %c, $0;", tables[i]);
  FORM("bfi.b32", "b32 b32 b32 b32", "b32", "bfi.b32 %r0, %a, %b, %c, %d;", "");
  FORM("bfi.b64", "b64 b64 b32 b32", "b64", "bfi.b64 %r0, %a, %b, %c, %d;", "");
  FORM("mov.b64 of 2", "b32 b32", "b64", "mov.b64 %r0, {%a, %b};", "");
  FORM("mov.b64 of 4", "b16 b16 b16 b16", "b64", "mov.b64 %r0, {%a, %b, %c, %d};", "");
  FORM("mov.b32 of 2", "b16 b16", "b32", "mov.b32 %r0, {%a, %b};", "");
  FORM("mov.b64 into 2", "b64", "b32 b32", "mov.b64 {%r0, %r1}, %a;", "");
  FORM("mov.b64 into 4", "b64", "b16 b16 b16 b16", "mov.b64 {%r0, %r1, %r2, %r3}, %a;", "");
  FORM("mov.b32 into 2", "b32", "b16 b16", "mov.b32 {%r0, %r1}, %a;", "");
  FORM("mov.b64 into the high half", "b64", "b32", "mov.b64 {_, %r0}, %a;", "");
}

/* Video instructions: all types of operands, and each of their modifiers. */
static void add_video(struct opcode_list *list) {
  static const char *const signs[] = {"s32", "u32"},
                           *const words[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"},
                           *const parts[] = {"vadd2", "vsub2", "vabsdiff2", "vmin2", "vmax2", "vavrg2",
                                             "vadd4", "vsub4", "vabsdiff4", "vmin4", "vmax4", "vavrg4"},
                           *const ends[] = {"", ".sat", ".add", ".sat.min", ".max"},
                           *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (int types = 0; types < 8; types++) {
    const char *d = signs[types & 1], *a = signs[types >> 1 & 1], *b = signs[types >> 2];
    for (size_t i = 0; i < COUNT(words); i++)
      for (size_t e = (i + (size_t)types) % 2; e < COUNT(ends); e += 2)
        FORM("$0.$1.$2.$3$4", "b32 b32 b32", "b32",
             e > 1 ? "$0.$1.$2.$3$4 %r0, %a, %b, %c;" : "$0.$1.$2.$3$4 %r0, %a, %b;", words[i], d, a, b,
             ends[e]);
    for (size_t i = 0; i < COUNT(parts); i++)
      for (size_t e = 0; e < 3; e++)
        if (strncmp(parts[i], "vabsdiff", 8) != 0 || d[0] == 's' || a != b || e == 1) /* nvcc's have rows */
          FORM("$0.$1.$2.$3$4", "b32 b32 b32", "b32", "$0.$1.$2.$3$4 %r0, %a, %b, %c;", parts[i], d, a, b,
               ends[e]);
    if (!(types & 1)) { /* the product is signed if an operand is */
      const char *of = types == 6 ? "u32" : "s32";
      FORM("vmad.$0.$1.$2", "b32 b32 b32", "b32", "vmad.$0.$1.$2 %r0, %a, %b, %c;", of, a, b);
      FORM("vmad.$0.$1.$2.sat.shr7", "b32 b32 b32", "b32", "vmad.$0.$1.$2.sat.shr7 %r0, %a, %b, %c;", of, a,
           b);
      FORM("vmad.$0.$1.$2.po.shr15", "b32 b32 b32", "b32", "vmad.$0.$1.$2.po.shr15 %r0, %a, %b, %c;", of, a,
           b);
    }
  }
  for (int types = 0; types < 4; types++) {
    const char *a = signs[types & 1], *b = signs[types >> 1];
    FORM("vshl.$0.$1.u32.clamp", "b32 b32", "b32", "vshl.$0.$1.u32.clamp %r0, %a, %b;", a, b);
    FORM("vshl.$0.$1.u32.wrap.add", "b32 b32 b32", "b32", "vshl.$0.$1.u32.wrap.add %r0, %a, %b, %c;", a, b);
    FORM("vshr.$0.$1.u32.clamp.max", "b32 b32 b32", "b32", "vshr.$0.$1.u32.clamp.max %r0, %a, %b, %c;", a, b);
    FORM("vshr.$0.$1.u32.sat.wrap", "b32 b32", "b32", "vshr.$0.$1.u32.sat.wrap %r0, %a, %b;", a, b);
    for (size_t i = 0; i < COUNT(comparisons); i++) {
      FORM("vset.$0.$1.$2", "b32 b32", "b32", "vset.$0.$1.$2 %r0, %a, %b;", a, b, comparisons[i]);
      FORM("vset.$0.$1.$2.add", "b32 b32 b32", "b32", "vset.$0.$1.$2.add %r0, %a, %b, %c;", a, b,
           comparisons[i]);
      FORM("vset2.$0.$1.$2", "b32 b32 b32", "b32", "vset2.$0.$1.$2 %r0, %a, %b, %c;", a, b, comparisons[i]);
      FORM("vset4.$0.$1.$2.add", "b32 b32 b32", "b32", "vset4.$0.$1.$2.add %r0, %a, %b, %c;", a, b,
           comparisons[i]);
    }
  }
}

static void add_carries(struct opcode_list *list) {
  static const char *const of[] = {"u32", "s32", "u64", "s64"};
  for (size_t i = 0; i < COUNT(of); i++) {
    const char *type = of[i], *bits = type_named(of[i])->natural;
    FORM("add.cc addc.cc addc .$0", "$1 $1 $1 $1", "$1 $1 $1",
         "add.cc.$0 %r0, %a, %b; addc.cc.$0 %r1, %c, %d; addc.$0 %r2, %a, %d;", type, bits);
    FORM("sub.cc subc.cc subc .$0", "$1 $1 $1 $1", "$1 $1 $1",
         "sub.cc.$0 %r0, %a, %b; subc.cc.$0 %r1, %c, %d; subc.$0 %r2, %a, %d;", type, bits);
    FORM("mad.lo.cc madc.hi.cc madc.lo .$0", "$1 $1 $1 $1", "$1 $1 $1",
         "mad.lo.cc.$0 %r0, %a, %b, %c; madc.hi.cc.$0 %r1, %a, %b, %d; madc.lo.$0 %r2, %c, %d, %a;", type,
         bits);
    FORM("mad.hi.cc madc.lo.cc madc.hi .$0", "$1 $1 $1 $1", "$1 $1 $1",
         "mad.hi.cc.$0 %r0, %a, %b, %c; madc.lo.cc.$0 %r1, %c, %d, %b; madc.hi.$0 %r2, %b, %d, %c;", type,
         bits);
  }
}

/* Memory: a cell of 16 bytes per thread */

#define GLOBAL_CELL "ld.param.u64 %cell, [pcells]; mad.wide.u32 %cell, %index, 16, %cell; "
#define SHARED_CELL                                                                                          \
  ".shared .align 16 .b8 scratch[4096]; mov.u64 %cell, scratch; mad.wide.u32 %cell, %thread, 16, %cell; "
#define LOCAL_CELL ".local .align 16 .b8 own[16]; mov.u64 %cell, own; "

static const struct place {
  const char *name, *space, *setup;
} places[] = {{".global", ".global", GLOBAL_CELL},
              {".shared", ".shared", SHARED_CELL},
              {".local", ".local", LOCAL_CELL},
              {" (global)", "", GLOBAL_CELL},
              {" (shared)", "", SHARED_CELL "cvta.shared.u64 %cell, %cell; "},
              {" (local)", "", LOCAL_CELL "cvta.local.u64 %cell, %cell; "}};
enum { NOT_ATOMIC_FROM = 2 }; /* .local has no atomics; nor has " (local)", the last */

static bool fits(const struct type *t, const char *bits) {
  unsigned bytes = type_named(bits)->bytes;
  return t->kind == 'f' ? bytes == t->bytes : bytes >= t->bytes;
}

static const char *const registers[] = {"b16", "b32", "b64"};

static void add_loads(struct opcode_list *list, const struct type *t) {
  char last[4];
  snprintf(last, sizeof last, "%u", 16 - t->bytes);
  for (size_t r = 0; r < COUNT(registers); r++) {
    if (!fits(t, registers[r]))
      continue;
    for (const struct place *p = places; p < places + COUNT(places); p++)
      FORM("ld$0.$3 to $4", "b64 b64", "$4 $4",
           "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; ld$1.$3 %r0, [%cell]; ld$1.$3 %r1, [%cell+$5];",
           p->name, p->space, p->setup, t->name, registers[r], last);
    FORM("ldu.global.$0 to $1", "b64 b64", "$1 $1",
         GLOBAL_CELL "st.global.b64 [%cell], %a; st.global.b64 [%cell+8], %b; ldu.global.$0 %r0, [%cell]; "
                     "ldu.global.$0 %r1, [%cell+$2];",
         t->name, registers[r], last);
    FORM("ld.const.$0 to $1", "b32", "$1 $1",
         "and.b32 %t0, %a, 1; mov.u64 %cell, table; mad.wide.u32 %cell, %t0, 16, %cell; "
         "ld.const.$0 %r0, [%cell]; ld.const.$0 %r1, [table+$2];",
         t->name, registers[r], last);
    FORM("ld.param.$0 to $1", "", "$1 $1", "ld.param.$0 %r0, [bytes]; ld.param.$0 %r1, [bytes+$2];", t->name,
         registers[r], last);
  }
}

static void add_stores(struct opcode_list *list, const struct type *t) {
  char size[4];
  snprintf(size, sizeof size, "%u", t->bytes);
  for (const struct place *p = places; p < places + COUNT(places); p++)
    for (size_t r = 0; r < COUNT(registers); r++)
      if (fits(t, registers[r]))
        FORM("st$0.$3 of $4", "$4", "b64 b64",
             "$2mov.b64 %u0, 0xa5a5a5a5a5a5a5a5; st$1.b64 [%cell], %u0; st$1.b64 [%cell+8], %u0; "
             "st$1.$3 [%cell+$5], %a; ld$1.b64 %r0, [%cell]; ld$1.b64 %r1, [%cell+8];",
             p->name, p->space, p->setup, t->name, registers[r], size);
}

static void add_vectors(struct opcode_list *list, const struct type *t) {
  for (const struct place *p = places; p < places + COUNT(places); p++) {
    FORM("ld$0.v2.$3", "b64 b64", "$4 $4",
         "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; ld$1.v2.$3 {%r0, %r1}, [%cell];", p->name, p->space,
         p->setup, t->name, t->natural);
    FORM("st$0.v2.$3", "$4 $4", "b64 b64",
         "$2mov.b64 %u0, 0xa5a5a5a5a5a5a5a5; st$1.b64 [%cell], %u0; st$1.b64 [%cell+8], %u0; "
         "st$1.v2.$3 [%cell], {%a, %b}; ld$1.b64 %r0, [%cell]; ld$1.b64 %r1, [%cell+8];",
         p->name, p->space, p->setup, t->name, t->natural);
    if (t->bytes == 8)
      continue;
    FORM("ld$0.v4.$3", "b64 b64", "$4 $4 $4 $4",
         "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; ld$1.v4.$3 {%r0, %r1, %r2, %r3}, [%cell];", p->name,
         p->space, p->setup, t->name, t->natural);
    FORM("st$0.v4.$3", "$4 $4 $4 $4", "b64 b64",
         "$2mov.b64 %u0, 0xa5a5a5a5a5a5a5a5; st$1.b64 [%cell], %u0; st$1.b64 [%cell+8], %u0; "
         "st$1.v4.$3 [%cell], {%a, %b, %c, %d}; ld$1.b64 %r0, [%cell]; ld$1.b64 %r1, [%cell+8];",
         p->name, p->space, p->setup, t->name, t->natural);
  }
}

static void add_qualified(struct opcode_list *list) {
  static const char *const loads[] = {
      "ld.global.nc",          "ld.volatile.global", "ld.relaxed.gpu.global", "ld.acquire.gpu.global",
      "ld.acquire.sys.global", "ld.global.ca",       "ld.global.cg",          "ld.global.cs",
      "ld.global.lu",          "ld.global.cv",       "ld.weak.global",        "ld.global.nc.L2::128B"};
  static const char *const stores[] = {"st.volatile.global", "st.relaxed.gpu.global", "st.release.gpu.global",
                                       "st.global.wb",       "st.global.cg",          "st.global.cs",
                                       "st.global.wt"};
  for (size_t i = 0; i < COUNT(loads); i++)
    FORM("$0.b32", "b32", "b32", "$0.b32 %r0, [%address_a];", loads[i]);
  for (size_t i = 0; i < COUNT(stores); i++)
    FORM("$0.b32", "b32", "b32", "$0.b32 [%results], %a; ld.global.b32 %r0, [%results];", stores[i]);
  FORM("membar fence prefetch nanosleep", "b32", "b32",
       "membar.cta; membar.gl; membar.sys; fence.sc.cta; fence.acq_rel.gpu; fence.sc.sys; nanosleep.u32 1; "
       "prefetch.global.L1 [%address_a]; prefetch.global.L2 [%address_a]; prefetchu.L1 [%address_a]; "
       "mov.b32 %r0, %a;",
       "");
}

static void add_memory(struct opcode_list *list) {
  for (const struct type *t = types; t < types + PLAIN_TYPES; t++) {
    if (strcmp(t->name, "f16") == 0)
      continue;
    add_loads(list, t);
    add_stores(list, t);
    add_vectors(list, t);
  }
  add_qualified(list);
  for (const struct place *p = places + 3; p < places + COUNT(places); p++)
    FORM("isspacep$0", "", "pred pred pred",
         "$1isspacep.global %p0, %cell; isspacep.shared %p1, %cell; isspacep.local %p2, %cell;", p->name,
         p->setup);
}

static void add_atomics(struct opcode_list *list) {
  static const char *const operations[] = {"add.u32", "add.s32", "add.u64", "add.f32",  "add.f64", "min.u32",
                                           "min.s32", "min.u64", "min.s64", "max.u32",  "max.s32", "max.u64",
                                           "max.s64", "and.b32", "and.b64", "or.b32",   "or.b64",  "xor.b32",
                                           "xor.b64", "inc.u32", "dec.u32", "exch.b32", "exch.b64"};
  for (const struct place *p = places; p + 1 < places + COUNT(places); p++) {
    if (p == places + NOT_ATOMIC_FROM)
      continue;
    for (size_t i = 0; i < COUNT(operations); i++) {
      const char *operand = last_type(operations[i])->natural;
      const char *parts[MAX_PARTS] = {p->name,       p->space, p->setup,
                                      operations[i], operand,  strcmp(operand, "f32") == 0 ? "b32" : operand};
      add_form(list, "atom$0.$3", "$4 $4", "$5 b64",
               "$2mov.b64 %u0, -1; st$1.b64 [%cell], %u0; st$1.$5 [%cell], %a; "
               "atom$1.$3 %r0, [%cell], %b; ld$1.b64 %r1, [%cell];",
               parts);
      if (strncmp(operations[i], "exch", 4) != 0)
        add_form(list, "red$0.$3", "$4 $4", "b64 b32",
                 "$2mov.b64 %u0, -1; st$1.b64 [%cell], %u0; st$1.$5 [%cell], %a; "
                 "red$1.$3 [%cell], %b; ld$1.b64 %r0, [%cell]; mov.b32 %r1, 0;",
                 parts);
    }
    FORM("atom$0.cas.b32", "few32 few32 b32", "b32 b64",
         "$2mov.b64 %u0, -1; st$1.b64 [%cell], %u0; st$1.b32 [%cell], %a; "
         "atom$1.cas.b32 %r0, [%cell], %b, %c; ld$1.b64 %r1, [%cell];",
         p->name, p->space, p->setup);
    FORM("atom$0.cas.b64", "few64 few64 b64", "b64 b64",
         "$2st$1.b64 [%cell], %a; atom$1.cas.b64 %r0, [%cell], %b, %c; ld$1.b64 %r1, [%cell];", p->name,
         p->space, p->setup);
  }
}

/* Registers of 128 bits: moves, loads, stores and atomics. */
static void add_pairs(struct opcode_list *list) {
#define WIDE ".reg .b128 %w, %v; "
  FORM("mov.b128", "b64 b64", "b64 b64 b64",
       WIDE "mov.b128 %w, {%a, %b}; mov.b128 %v, %w; mov.b128 {%r0, %r1}, %v; mov.b128 {_, %r2}, %v;", "");
  for (const struct place *p = places; p + 1 < places + COUNT(places); p++) {
    FORM("ld$0.b128", "b64 b64", "b64 b64",
         WIDE
         "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; ld$1.b128 %w, [%cell]; mov.b128 {%r0, %r1}, %w;",
         p->name, p->space, p->setup);
    FORM("st$0.b128", "b64 b64", "b64 b64",
         WIDE
         "$2mov.b128 %w, {%a, %b}; st$1.b128 [%cell], %w; ld$1.b64 %r0, [%cell]; ld$1.b64 %r1, [%cell+8];",
         p->name, p->space, p->setup);
    if (p == places + NOT_ATOMIC_FROM)
      continue;
    FORM("atom$0.exch.b128", "b64 b64 b64 b64", "b64 b64 b64 b64",
         WIDE "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; mov.b128 %w, {%c, %d}; "
              "atom$1.exch.b128 %v, [%cell], %w; mov.b128 {%r0, %r1}, %v; ld$1.b64 %r2, [%cell]; "
              "ld$1.b64 %r3, [%cell+8];",
         p->name, p->space, p->setup);
    FORM("atom$0.cas.b128", "few64 few64 few64 few64", "b64 b64 b64 b64", /* writes {d, a} if it was {c, d} */
         WIDE "$2st$1.b64 [%cell], %a; st$1.b64 [%cell+8], %b; mov.b128 %w, {%c, %d}; mov.b128 %v, {%d, %a}; "
              "atom$1.cas.b128 %v, [%cell], %w, %v; mov.b128 {%r0, %r1}, %v; ld$1.b64 %r2, [%cell]; "
              "ld$1.b64 %r3, [%cell+8];",
         p->name, p->space, p->setup);
  }
#undef WIDE
}

/* Warps and blocks */

/* Only the lanes in %d continue to `done`'s predecessors; the others keep their results. */
#define MEMBERS_ONLY "shr.u32 %t0, %d, %lane; and.b32 %t0, %t0, 1; setp.eq.u32 %q1, %t0, 0; @%q1 bra done; "

static void add_collectives(struct opcode_list *list) {
  static const char *const votes[] = {"all", "any", "uni"}, *const reductions[] = {
                                                                "add.u32", "add.s32", "min.u32",
                                                                "min.s32", "max.u32", "max.s32",
                                                                "and.b32", "or.b32",  "xor.b32"};
  for (size_t i = 0; i < COUNT(votes); i++)
    FORM("vote.sync.$0.pred", "few32 few32 few32 members", "pred pred",
         PREDICATE_OF("a", "q0") "setp.ne.u32 %p0, 0, 0; setp.ne.u32 %p1, 0, 0; " MEMBERS_ONLY
                                 "vote.sync.$0.pred %p0, %q0, %d; vote.sync.$0.pred %p1, !%q0, %d; done:",
         votes[i]);
  FORM("vote.sync.ballot.b32", "few32 few32 few32 members", "b32 b32",
       PREDICATE_OF("a", "q0") "mov.b32 %r0, 0; mov.b32 %r1, 0; " MEMBERS_ONLY
                               "vote.sync.ballot.b32 %r0, %q0, %d; vote.sync.ballot.b32 %r1, !%q0, %d; done:",
       "");
  for (size_t i = 0; i < 2; i++) {
    const char *bits = i ? "b64" : "b32", *few = i ? "few64" : "few32";
    FORM("match.any.sync.$0", "$1 $1 $1 members", "b32",
         "mov.b32 %r0, 0; " MEMBERS_ONLY "match.any.sync.$0 %r0, %a, %d; done:", bits, few);
    FORM("match.all.sync.$0", "$1 $1 $1 members", "b32 pred",
         "mov.b32 %r0, 0; setp.ne.u32 %p1, 0, 0; " MEMBERS_ONLY "match.all.sync.$0 %r0|%p1, %a, %d; done:",
         bits, few);
  }
  for (size_t i = 0; i < COUNT(reductions); i++)
    FORM("redux.sync.$0", "b32 b32 b32 members", "b32",
         "mov.b32 %r0, 0; " MEMBERS_ONLY "redux.sync.$0 %r0, %a, %d; done:", reductions[i]);
  FORM("elect.sync", "b32 b32 b32 members", "b32 pred",
       "mov.b32 %r0, 0; setp.ne.u32 %p1, 0, 0; " MEMBERS_ONLY "elect.sync %r0|%p1, %d; done:", "");
  FORM("activemask.b32", "", "b32", "activemask.b32 %r0;", "");
}

static void add_shuffles(struct opcode_list *list) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"}, *const by[] = {"1", "4", "17"};
  for (size_t i = 0; i < COUNT(modes); i++) {
    FORM("shfl.sync.$0.b32", "b32 b32 b32", "b32 pred", "shfl.sync.$0.b32 %r0|%p1, %a, %b, %c, -1;",
         modes[i]);
    FORM("shfl.sync.$0.b32 in a half warp", "b32 b32", "b32 pred",
         "and.b32 %t0, %b, 15; setp.ge.u32 %q0, %lane, 16; @%q0 bra high; " /* .bfly by 16 would leave the
                                                                               half */
         "shfl.sync.$0.b32 %r0|%p1, %a, %t0, 0x101f, 0xffff; "
         "bra.uni done; high: shfl.sync.$0.b32 %r0|%p1, %a, %t0, 0x101f, 0xffff0000; done:",
         modes[i]);
    for (size_t k = 0; k < COUNT(by); k++)
      FORM("shfl.sync.$0.b32 by $1", "b32", "b32 pred", "shfl.sync.$0.b32 %r0|%p1, %a, $1, $2, -1;", modes[i],
           by[k], i == 0 ? "0" : "31");
  }
}

/* $1 bytes of the cell's source: all, none, or as many as the operand's low bits say; the rest becomes zero.
 */
static void add_async_copies(struct opcode_list *list) {
  static const char *const copies[][2] = {{"ca", "4"}, {"ca", "8"}, {"ca", "16"}, {"cg", "16"}};
  static const char *const counts[][2] = {{"", ""}, {" of some", ", %t0"}};
  for (size_t i = 0; i < COUNT(copies); i++)
    for (size_t k = 0; k < COUNT(counts); k++)
      FORM("cp.async.$0 $1$2", "b64 b64 few32", "b64 b64",
           GLOBAL_CELL
           "st.global.b64 [%cell], %a; st.global.b64 [%cell+8], %b; membar.gl; "
           ".shared .align 16 .b8 scratch[4096]; mov.u64 %u0, scratch; mad.wide.u32 %u0, %thread, 16, %u0; "
           "mov.b64 %u1, 0xa5a5a5a5a5a5a5a5; st.shared.b64 [%u0], %u1; st.shared.b64 [%u0+8], %u1; "
           "and.b32 %t0, %c, 1; mul.lo.s32 %t0, %t0, $1; "
           "cp.async.$0.shared.global [%u0], [%cell], $1$3; cp.async.commit_group; cp.async.wait_group 0; "
           "ld.shared.b64 %r0, [%u0]; ld.shared.b64 %r1, [%u0+8];",
           copies[i][0], copies[i][1], counts[k][0], counts[k][1]);
}

static void add_barriers(struct opcode_list *list) {
  static const char *const syncs[][2] = {{"bar.sync", "0"},
                                         {"bar.sync", "15, 256"},
                                         {"barrier.sync", "1"},
                                         {"barrier.sync.aligned", "2, 256"},
                                         {"barrier.cta.sync", "3"}};
  for (size_t i = 0; i < COUNT(syncs); i++) /* the value of the mirrored thread of the block */
    FORM("$0$2", "b64", "b64",
         SHARED_CELL "st.shared.b64 [%cell], %a; $0 $1; sub.u32 %t0, 255, %thread; mov.u64 %u0, scratch; "
                     "mad.wide.u32 %u0, %t0, 16, %u0; ld.shared.b64 %r0, [%u0];",
         syncs[i][0], syncs[i][1], strchr(syncs[i][1], ',') ? " of 256" : "");
  FORM("bar.arrive", "b64", "b64", /* the upper half of the block writes, the lower one reads */
       SHARED_CELL
       "st.shared.b64 [%cell], %a; mov.b64 %r0, %a; setp.ge.u32 %q0, %thread, 128; @%q0 bra writer; "
       "bar.sync 1, 256; sub.u32 %t0, 255, %thread; mov.u64 %u0, scratch; "
       "mad.wide.u32 %u0, %t0, 16, %u0; ld.shared.b64 %r0, [%u0]; bra.uni done; "
       "writer: bar.arrive 1, 256; done:",
       "");
  FORM("bar.warp.sync", "b64", "b64",
       SHARED_CELL
       "st.shared.b64 [%cell], %a; bar.warp.sync -1; xor.b32 %t0, %thread, 31; mov.u64 %u0, scratch; "
       "mad.wide.u32 %u0, %t0, 16, %u0; ld.shared.b64 %r0, [%u0];",
       "");
  FORM("bar.red.popc.u32", "few32", "b32 b32",
       PREDICATE_OF("a", "q0") "bar.red.popc.u32 %r0, 0, %q0; bar.red.popc.u32 %r1, 1, 256, !%q0;", "");
  FORM("bar.red.and.pred", "few32", "pred pred",
       PREDICATE_OF("a", "q0") "bar.red.and.pred %p0, 0, %q0; bar.red.and.pred %p1, 0, !%q0;", "");
  FORM("bar.red.or.pred", "few32", "pred pred",
       PREDICATE_OF("a", "q0") "bar.red.or.pred %p0, 0, %q0; bar.red.or.pred %p1, 0, !%q0;", "");
}

/* All threads of the block arrive; then each reads the value of the mirrored thread. */
static void add_mbarriers(struct opcode_list *list) {
#define MBARRIER_BLOCK                                                                                       \
  SHARED_CELL ".shared .b64 bar; setp.ne.u32 %q0, %thread, 0; @!%q0 mbarrier.init.shared.b64 [bar], 256; "   \
              "bar.sync 0; st.shared.b64 [%cell], %a; "
#define MBARRIER_READ                                                                                        \
  "sub.u32 %t0, 255, %thread; mov.u64 %u1, scratch; mad.wide.u32 %u1, %t0, 16, %u1; "                        \
  "ld.shared.b64 %r0, [%u1]; bar.sync 0; @!%q0 mbarrier.inval.shared.b64 [bar];"
  FORM("mbarrier.test_wait", "b64", "b64",
       MBARRIER_BLOCK "mbarrier.arrive.shared.b64 %u0, [bar]; "
                      "wait: mbarrier.test_wait.shared.b64 %q1, [bar], %u0; @!%q1 bra wait; " MBARRIER_READ,
       "");
  FORM("mbarrier.try_wait.parity", "b64", "b64",
       MBARRIER_BLOCK
       "mbarrier.arrive.shared::cta.b64 _, [bar]; "
       "wait: mbarrier.try_wait.parity.shared.b64 %q1, [bar], 0; @!%q1 bra wait; " MBARRIER_READ,
       "");
  FORM("mbarrier after a drop", "b64", "b64", /* half of the block drops out; the rest ends phase two */
       MBARRIER_BLOCK
       "setp.lt.u32 %q2, %thread, 128; mbarrier.arrive.shared.b64 %u0, [bar]; "
       "one: mbarrier.test_wait.shared.b64 %q1, [bar], %u0; @!%q1 bra one; bar.sync 0; "
       "@%q2 mbarrier.arrive_drop.shared.b64 %u0, [bar]; "
       "@!%q2 mbarrier.arrive.shared.b64 %u0, [bar]; "
       "two: mbarrier.test_wait.shared.b64 %q1, [bar], %u0; @!%q1 bra two; @%q2 bra three; "
       "mbarrier.arrive.shared.b64 %u0, [bar]; "
       "four: mbarrier.test_wait.shared.b64 %q1, [bar], %u0; @!%q1 bra four; three: " MBARRIER_READ,
       "");
  FORM("mbarrier.pending_count", "b64", "b32",
       MBARRIER_BLOCK "setp.eq.u32 %q3, %thread, 0; mov.b64 %u0, 0; "
                      "@%q3 mbarrier.arrive.noComplete.shared.b64 %u0, [bar], 56; mov.b32 %r0, 256; "
                      "@%q3 mbarrier.pending_count.b64 %r0, %u0; bar.sync 0; "
                      "@!%q0 mbarrier.inval.shared.b64 [bar];",
       "");
}

/* Control, special registers */

static void add_control(struct opcode_list *list) {
  static const char *const specials[] = {
      "tid.x",    "tid.y",  "ntid.x",      "ntid.z",      "ctaid.x",     "ctaid.z",     "nctaid.x",
      "nctaid.y", "laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"};
  FORM("brx.idx", "b32", "b32",
       "and.b32 %t0, %a, 3; targets: .branchtargets zero, one, two, three; brx.idx %t0, targets; "
       "zero: mov.b32 %r0, 7; bra.uni done; one: mov.b32 %r0, 77; bra.uni done; "
       "two: mov.b32 %r0, 777; bra.uni done; three: mov.b32 %r0, 7777; done:",
       "");
  FORM("call", "b32 b64 b16", "b64",
       "{ .param .b32 x; .param .b64 y; .param .b16 z; .param .b64 sum; st.param.b32 [x], %a; st.param.b64 "
       "[y], %b; "
       "st.param.b16 [z], %c; call (sum), multiply_add, (x, y, z); ld.param.b64 %r0, [sum]; }",
       "");
  FORM("call under a branch", "b32 b64 b16", "b64",
       PREDICATE_OF(
           "a", "q0") "mov.b64 %r0, %b; @%q0 bra done; { .param .b32 x; .param .b64 y; .param .b16 z; "
                      ".param .b64 sum; st.param.b32 [x], %a; st.param.b64 [y], %b; st.param.b16 [z], %c; "
                      "call (sum), multiply_add, (x, y, z); ld.param.b64 %r0, [sum]; } done:",
       "");
  FORM("call of an address", "b32 b64 b16", "b64", /* of one of two functions, by the lowest bit of a */
       PREDICATE_OF(
           "a",
           "q0") "mov.u64 %u0, multiply_add; mov.u64 %u1, multiply_subtract; selp.b64 %u0, %u0, %u1, %q0; "
                 "{ .param .b32 x; .param .b64 y; .param .b16 z; .param .b64 sum; "
                 "prototype: .callprototype (.param .b64 _) _ (.param .b32 _, .param .b64 _, .param .b16 _); "
                 "st.param.b32 [x], %a; st.param.b64 [y], %b; st.param.b16 [z], %c; "
                 "call (sum), %u0, (x, y, z), prototype; ld.param.b64 %r0, [sum]; }",
       "");
  for (size_t i = 0; i < COUNT(specials); i++)
    FORM("mov of $0", "", "b32", "mov.u32 %r0, %$0;", specials[i]);
  FORM("mov of clock64 and globaltimer", "", "pred pred", /* time does not go backwards */
       "mov.u64 %u0, %clock64; mov.u64 %u1, %clock64; setp.le.u64 %p0, %u0, %u1; "
       "mov.u64 %u0, %globaltimer; mov.u64 %u1, %globaltimer; setp.le.u64 %p1, %u0, %u1;",
       "");
  FORM("mov of clock", "", "pred",
       "mov.u32 %t0, %clock; mov.u32 %t1, %clock; sub.u32 %t0, %t1, %t0; setp.ge.s32 %p0, %t0, 0;", "");
}

struct opcode_list opcodes_list(void) {
  struct opcode_list forms = {0}, *list = &forms;
  add_rows(list);
  add_conversions(list);
  add_half_conversions(list);
  add_directed(list);
  add_sets(list);
  add_comparisons(list);
  add_half_comparisons(list);
  add_predicates(list);
  add_bits(list);
  add_video(list);
  add_carries(list);
  add_memory(list);
  add_atomics(list);
  add_pairs(list);
  add_collectives(list);
  add_shuffles(list);
  add_async_copies(list);
  add_barriers(list);
  add_mbarriers(list);
  add_control(list);
  return forms;
}

void opcodes_free(struct opcode_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->forms[i].body);
  free(list->forms);
}

bool opcodes_is_approximate(const struct opcode_form *form) {
  return strstr(form->name, ".approx") || strstr(form->name, ".full");
}

/* PTX */

void opcodes_write_header(FILE *out) {
  fprintf(out, ".version 8.3\n.target sm_90\n.address_size 64\n.const .align 16 .b8 table[%d] = {",
          OPCODES_PARAM_BYTES);
  for (int i = 0; i < OPCODES_PARAM_BYTES; i++)
    fprintf(out, "%s%d", i ? ", " : "", OPCODES_PARAM_FIRST + i);
  fputs("};\n", out);
  for (int subtracts = 0; subtracts < 2; subtracts++)
    fprintf(out,
            ".func (.param .b64 sum) %s(.param .b32 x, .param .b64 y, .param .b16 z)\n"
            "{\n"
            "  .reg .b32 %%x, %%z;\n"
            "  .reg .b64 %%y;\n"
            "  ld.param.b32 %%x, [x];\n"
            "  ld.param.b64 %%y, [y];\n"
            "  ld.param.s16 %%z, [z];\n"
            "%s"
            "  mad.wide.s32 %%y, %%x, %%z, %%y;\n"
            "  st.param.b64 [sum], %%y;\n"
            "  ret;\n"
            "}\n",
            subtracts ? "multiply_subtract" : "multiply_add", subtracts ? "  neg.s32 %z, %z;\n" : "");
}

void opcodes_kernel_name(char name[32], size_t form) { snprintf(name, 32, "form_%zu", form); }

void opcodes_write_kernel(FILE *out, const struct opcode_list *list, size_t number) {
  const struct opcode_form *form = &list->forms[number];
  char name[32];
  opcodes_kernel_name(name, number);
  fprintf(out,
          "\n// %s\n.visible .entry %s(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd,\n"
          "  .param .u64 pcells, .param .u64 presults, .param .align 16 .b8 bytes[%d])\n{\n"
          "  .reg .b16 %%h<4>;\n  .reg .b32 %%t<4>;\n  .reg .b64 %%u<4>;\n  .reg .pred %%p<4>, %%q<4>;\n"
          "  .reg .b32 %%thread, %%block, %%index, %%lane;\n  .reg .b64 %%cell, %%results;\n"
          "  mov.u32 %%thread, %%tid.x;\n  mov.u32 %%block, %%ctaid.x;\n  and.b32 %%lane, %%thread, 31;\n"
          "  mad.lo.u32 %%index, %%block, %d, %%thread;\n"
          "  ld.param.u64 %%results, [presults];\n  mad.wide.u32 %%results, %%index, %u, %%results;\n",
          form->name, name, OPCODES_PARAM_BYTES, OPCODES_BLOCK, 8 * form->result_count);
  for (unsigned i = 0; i < form->result_count; i++)
    if (form->result_bytes[i])
      fprintf(out, "  .reg .b%u %%r%u;\n", 8 * form->result_bytes[i], i);
  for (unsigned i = 0; i < OPCODES_OPERANDS && form->values[i]; i++) {
    unsigned bits = 8 * values[form->values[i]].bytes;
    int operand = 'a' + (int)i;
    fprintf(out,
            "  .reg .b%u %%%c;\n  .reg .b64 %%address_%c;\n  ld.param.u64 %%address_%c, [p%c];\n"
            "  mad.wide.u32 %%address_%c, %%index, 8, %%address_%c;\n  ld.global.b%u %%%c, [%%address_%c];\n",
            bits, operand, operand, operand, operand, operand, operand, bits, operand, operand);
  }
  fprintf(out, "  %s\n", form->body);
  for (unsigned i = 0; i < form->result_count; i++)
    if (form->result_bytes[i])
      fprintf(out, "  st.global.b%u [%%results+%u], %%r%u;\n", 8 * form->result_bytes[i], 8 * i, i);
    else
      fprintf(out, "  selp.b32 %%t0, 1, 0, %%p%u;\n  st.global.b32 [%%results+%u], %%t0;\n", i, 8 * i);
  fputs("  ret;\n}\n", out);
}

/* Operands */

enum { TABLE = 64 };

/* Cut to the width of the operand. */
static const uint64_t integers[TABLE] = {0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         5,
                                         7,
                                         8,
                                         9,
                                         15,
                                         16,
                                         17,
                                         24,
                                         31,
                                         32,
                                         33,
                                         47,
                                         48,
                                         63,
                                         64,
                                         65,
                                         127,
                                         128,
                                         129,
                                         200,
                                         255,
                                         256,
                                         257,
                                         0x1001,
                                         0x7fff,
                                         0x8000,
                                         0x8001,
                                         0xffff,
                                         0x10000,
                                         0xffffff,
                                         0x1000001,
                                         0x1000003,
                                         0x7fffff80,
                                         0x7fffffbf,
                                         0x7fffffff,
                                         0x80000000,
                                         0x80000001,
                                         0xff80ff80,
                                         0xfffffffe,
                                         0xffffffff,
                                         0x100000000,
                                         0x20000000000001,
                                         0x20000000000003,
                                         0x1000000080000001,
                                         0x123456789abcdef0,
                                         0x5555555555555555,
                                         0xaaaaaaaaaaaaaaaa,
                                         0x7ffffffffffffbff,
                                         0x7ffffffffffffc00,
                                         0x7fffffffffffffff,
                                         0x8000000000000000,
                                         0x8000000000000001,
                                         0xffffffff00000000,
                                         0xffffffff7fffffff,
                                         0xffffffff80000000,
                                         0xffffffffffff7fff,
                                         0xffffffffffffff7f,
                                         0xfffffffffffffffe,
                                         0xffffffffffffffff};

static const uint32_t singles[TABLE] = {0x00000000, 0x80000000, 0x00000001, 0x80000001,
                                        0x007fffff, 0x807fffff, 0x00800000, 0x80800000, /* tiny */
                                        0x00800001, 0x00400000, 0x7f7fffff, 0xff7fffff,
                                        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                        0x7f800001, 0xff812345, 0x7fffffff, 0xffffffff,
                                        0x7fabcdef, 0x3f800000, 0xbf800000, 0x3f800001, /* NaN, 1 */
                                        0x3f7fffff, 0x40000000, 0x3f000000, 0xbf000000,
                                        0x3effffff, 0x3f000001, 0x3fc00000, 0xbfc00000, /* halves */
                                        0x40200000, 0xc0200000, 0x40600000, 0x40490fdb,
                                        0x42fe0000, 0x42ff0000, 0x43000000, 0xc3008000, /* 8 bits */
                                        0xc3010000, 0x437f8000, 0x43800000, 0x46fffe00,
                                        0x46ffff00, 0xc7000080, 0x477fff80, 0x47800000, /* 16 bits */
                                        0x4b000000, 0x4b000001, 0x4affffff, 0x4b800000,
                                        0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, /* 32 bits */
                                        0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000,
                                        0xdf000000, 0x5f7fffff, 0x5f800000, 0x1e3ce508};

static const uint64_t doubles[TABLE] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, /* tiny */
    0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,                     /* huge, infinite */
    0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xfff4000000000123, /* NaN */
    0x7fffffffffffffff, 0xffffffffffffffff, 0x7ff123456789abcd, 0x3ff0000000000000, 0xbff0000000000000,
    0x3ff0000000000001, 0x3fefffffffffffff, 0x4000000000000000, 0x3fe0000000000000, 0xbfe0000000000000,
    0x3fdfffffffffffff, 0x3ff8000000000000, /* halves */
    0xbff8000000000000, 0x4004000000000000, 0x400c000000000000, 0x400921fb54442d18, 0x3ff0000010000000,
    0x3ff0000030000000, 0x3ff0000010000001, 0xbff0000010000000, /* halfway between floats */
    0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff, 0x47f0000000000000, /* about the largest float
                                                                                     */
    0xc7effffff0000000, 0x3690000000000000, 0x3690000000000001, 0x36a8000000000000, /* about the smallest */
    0x380fffffc0000000, 0x380fffffe0000000, 0x3810000000000000, 0xb80ffffff0000000, 0x405fe00000000000,
    0xc060100000000000, 0x406fe80000000000, 0x40dfffe000000000,                     /* 8 and 16 bits */
    0x40efffe000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0xc1e0000000100000, /* 32 bits */
    0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000, 0x43dfffffffffffff, /* 64 bits */
    0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff, 0x43f0000000000000};

static uint64_t mix(uint64_t x) { /* splitmix64, Steele, Lea and Flood, OOPSLA 2014 */
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Any bits, or a value near 1, or near a value of the table. */
static uint64_t random_value(enum opcode_values of, uint64_t bits) {
  uint64_t entry = mix(bits) % TABLE, near = bits >> 40 & 7;
  bool near_table = (bits & 3) == 0;
  switch (of) {
  case VALUES_F32:
    if (near_table)
      return (uint32_t)(singles[entry] + near - 4);
    return bits & 4 ? bits >> 32 : (bits >> 32 & 0x87ffffff) | 0x38000000;
  case VALUES_F64:
    if (near_table)
      return doubles[entry] + near - 4;
    bits = mix(bits);
    return bits & 4 ? bits : (bits & UINT64_C(0x80ffffffffffffff)) | UINT64_C(0x3f00000000000000);
  default:
    if (near_table)
      return integers[entry] + near - 4;
    return (bits & 4 ? mix(bits) : 0 - mix(bits)) >> (bits >> 50 & 63);
  }
}

static uint64_t table_value(enum opcode_values of, uint64_t entry) {
  return of == VALUES_F32 ? singles[entry] : of == VALUES_F64 ? doubles[entry] : integers[entry];
}

static float single(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float x;
  memcpy(&x, &low, sizeof x);
  return x;
}

static double real(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* −a·b, changed in its last bits. Of two NaNs it takes b, and an invalid product has no sign; otherwise the choice
 * would be the compiler's or the processor's. */
static uint64_t cancelling(enum opcode_values of, uint64_t a, uint64_t b, uint64_t change) {
  uint64_t bits = 0;
  if (of == VALUES_CANCEL_F32) {
    float product = -(isnan(single(b)) ? single(b) + single(b) : single(a) * single(b));
    if (isnan(product) && !isnan(single(a)) && !isnan(single(b)))
      product = fabsf(product);
    memcpy(&bits, &product, sizeof product);
  } else {
    double product = -(isnan(real(b)) ? real(b) + real(b) : real(a) * real(b));
    if (isnan(product) && !isnan(real(a)) && !isnan(real(b)))
      product = fabs(product);
    memcpy(&bits, &product, sizeof product);
  }
  return bits + change % 4;
}

/* By block: one value in the block, one value in each warp, two values, or four. */
static uint64_t few_value(uint64_t lane, uint64_t operand) {
  uint64_t block = lane / OPCODES_BLOCK, warp = lane / 32;
  uint64_t pick = block % 4 == 0   ? mix(block + 1)
                  : block % 4 == 1 ? mix(warp)
                  : block % 4 == 2 ? mix(warp) + (mix(lane) % 16 == 0)
                                   : mix(lane * 4 + operand);
  static const uint64_t few[] = {0, 0xffffffff00000001, 0x80000002, 0x8000000080000003};
  return few[pick % 4];
}

/* Half of them from a table, the rest any bits or near 1. */
static uint64_t half_bits(bool is_f16, uint64_t bits) {
  static const uint16_t f16[] = {0x0000, 0x0001, 0x0200, 0x03ff, 0x0400, 0x0401, 0x1400,
                                 0x3555, 0x3bff, 0x3c00, 0x3c01, 0x4000, 0x4200, 0x5bff,
                                 0x6400, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff};
  static const uint16_t bf16[] = {0x0000, 0x0001, 0x0040, 0x007f, 0x0080, 0x0081, 0x2000,
                                  0x3eaa, 0x3f7f, 0x3f80, 0x3f81, 0x4000, 0x4040, 0x4f7f,
                                  0x5f00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff};
  uint64_t sign = bits >> 8 & 0x8000, any = bits >> 32 & 0xffff, about_one = is_f16 ? 0x3800 : 0x3f00;
  if (bits & 1)
    return sign | (is_f16 ? f16 : bf16)[mix(bits) % COUNT(f16)];
  return bits & 2 ? any : (any & (is_f16 ? 0x87ff : 0x80ff)) | about_one;
}

static uint64_t value(const struct opcode_form *form, unsigned operand, uint64_t lane, uint64_t a,
                      uint64_t b) {
  enum opcode_values of = form->values[operand];
  uint64_t bits = mix(OPCODES_SEED + lane * OPCODES_OPERANDS + operand);
  if (of >= VALUES_F16 && of <= VALUES_BF16X2) {
    bool is_f16 = of == VALUES_F16 || of == VALUES_F16X2, pair = of >= VALUES_F16X2;
    return half_bits(is_f16, mix(bits)) | (pair ? half_bits(is_f16, mix(bits + 1)) << 16 : 0);
  }
  if (of == VALUES_FEW_B32 || of == VALUES_FEW_B64)
    return few_value(lane, operand);
  if (of == VALUES_MEMBERS)
    return lane / 32 % 4 == 0 ? UINT64_C(0xffffffff) : (mix(lane / 32) >> 32 | 1u << lane / 32 % 32);
  if (of == VALUES_CANCEL_F32 || of == VALUES_CANCEL_F64) {
    if (lane % 2)
      return cancelling(of, a, b, bits);
    of = of == VALUES_CANCEL_F32 ? VALUES_F32 : VALUES_F64;
  }
  if (lane >= TABLE * TABLE)
    return random_value(of, bits);
  return table_value(of, operand == 0 ? lane % TABLE : operand == 1 ? lane / TABLE : bits % TABLE);
}

void opcodes_operands(const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS]) {
  for (uint64_t lane = 0; lane < OPCODES_LANES; lane++)
    for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
      operands[i][lane] =
          form->values[i] ? value(form, i, lane, operands[0][lane], i > 1 ? operands[1][lane] : 0) : 0;
}

uint64_t opcodes_hash(const uint64_t *results, size_t count) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < count; i++)
    for (unsigned byte = 0; byte < 8; byte++)
      hash = (hash ^ (results[i] >> (8 * byte) & 0xff)) * UINT64_C(0x100000001b3);
  return hash;
}
