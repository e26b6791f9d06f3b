/* The PTX parser: tokens, operands, declarations, locations, and its messages about malformed text.
 * argv[1]: the PTX that nvcc emits for ptx_sample.cu, for the tests that cut and change a whole module. */
#include "random_numbers.h"
#include "suite.h"

#include "launch.h"
#include "module.h"
#include "ptx.h"
#include "token.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

static const char *sample_path;

/* Tokens: one letter for each kind, and their texts between bars. */
static void assert_listed(const struct token *t, const char *kinds, const char *parts) {
  char got_kinds[64] = "", got_parts[256] = "";
  size_t n = 0, used = 0;
  for (; t->kind != TOKEN_END; t++) {
    got_kinds[n++] = "WNSMB{"[t->kind];
    used += (size_t)snprintf(got_parts + used, sizeof got_parts - used, "%s%.*s", n > 1 ? "|" : "",
                             (int)t->length, t->start);
  }
  ck_assert_str_eq(got_kinds, kinds);
  ck_assert_str_eq(got_parts, parts);
}

static void assert_tokens(const char *text, const char *kinds, const char *parts) {
  struct arena arena = {0};
  assert_listed(token_all(&arena, text, strlen(text), 1), kinds, parts);
  arena_free(&arena);
}

static void assert_outline(const char *text, const char *kinds, const char *parts) {
  struct arena arena = {0};
  assert_listed(token_outline(&arena, text, strlen(text)), kinds, parts);
  arena_free(&arena);
}

START_TEST(tokens) {
  assert_tokens("", "", "");
  assert_tokens("ld.global.L2::128B.v4.f32 {%f1,_}", "WMWMWM", "ld.global.L2::128B.v4.f32|{|%f1|,|_|}");
  assert_tokens("$L__BB0_1: bra", "WMW", "$L__BB0_1|:|bra");
  assert_tokens("[%rd1+-16];", "MWMMNMM", "[|%rd1|+|-|16|]|;");
  assert_tokens("1.5e-3 4-2 0f3F8E-1 0x1e+1", "NNMNNMNNMN", "1.5e-3|4|-|2|0f3F8E|-|1|0x1e|+|1");
  assert_tokens("2E-3 2E4", "NN", "2E-3|2E4");
  assert_tokens("@!%p1 %tid.x a|b", "MMWWWMW", "@|!|%p1|%tid.x|a|||b");
  assert_tokens("\"a // b\" // c\nd /* e\n*/f", "SWW", "a // b|d|f");
  assert_tokens("a /* never closed", "W", "a");
  assert_tokens("\"never closed\n#", "BB", "never closed|#");
  assert_tokens("\x80\x01", "BB", "\x80|\x01");
}
END_TEST

START_TEST(bodies_are_one_token) {
  assert_outline("f(){{a}{}}g", "WMM{W", "f|(|)|{{a}{}}|g");
  assert_outline(".s{x}.maxntid 1 {y};", "W{WN{M", ".s|{x}|.maxntid|1|{y}|;");
  assert_outline("a={{1},{2}};", "WMMMNMMMNMMM", "a|=|{|{|1|}|,|{|2|}|}|;");
  assert_outline("f{ \"}\" }g", "W{W", "f|{ \"}\" }|g");
  assert_outline("f{ \"}\n}g", "W{W", "f|{ \"}\n}|g"); /* the line ends the string */
  assert_outline("f{ // }\n}g", "W{W", "f|{ // }\n}|g");
  assert_outline("f{ /* } */ /}g", "W{W", "f|{ /* } */ /}|g");
  assert_outline("f{ { }", "WM", "f|{");
  assert_outline("f{ /* }", "WM", "f|{");
}
END_TEST

START_TEST(tokens_know_their_lines) {
  struct arena arena = {0};
  const char *text = "a\n/*\n\n*/ b // x\nc";
  struct token *t = token_all(&arena, text, strlen(text), 1);
  ck_assert_int_eq(t[0].line, 1);
  ck_assert_int_eq(t[1].line, 4);
  ck_assert_int_eq(t[2].line, 5);
  ck_assert_int_eq(token_all(&arena, text, strlen(text), 7)[2].line, 11);
  text = "f\n{\n/*\n*/ // }\n\n}\ng";
  t = token_outline(&arena, text, strlen(text));
  ck_assert_int_eq(t[1].line, 2);
  ck_assert_int_eq(t[2].line, 7);
  arena_free(&arena);
}
END_TEST

/* Modules */

static const char registers[] = ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; "
                                ".reg .f64 %fd<9>; .reg .b32 one;\n";

/* Parses all bodies, up to the first mistake. */
static struct ptx_module *parse(const char *text) {
  struct ptx_module *m = ptx_parse(strdup(text));
  for (struct ptx_function *f = m->functions; f && !m->error[0]; f = f->next)
    ck_assert(ptx_parse_body(m, f) == !m->error[0]);
  return m;
}

static struct ptx_module *parsed(const char *text) {
  struct ptx_module *m = parse(text);
  ck_assert_str_eq(m->error, "");
  return m;
}

static struct ptx_module *kernel(const char *instructions) {
  char text[4096];
  snprintf(text, sizeof text,
           ".global .b8 g[64];\n.visible .entry k(.param .u64 a, .param .u32 b) {\n%s%s\n}", registers,
           instructions);
  return parsed(text);
}

/* Operand `n` of the first instruction, as text: kind, register, value, flags. */
static void write_operand(const struct ptx_operand *o, char *text, size_t size) {
  static const char *const kinds[] = {"register", "special", "integer", "float", "double",
                                      "symbol",   "memory",  "vector",  "sink"};
  int used = snprintf(text, size, "%s%s", o->negated ? "not " : "", kinds[o->kind]);
  if (o->reg >= 0)
    used += snprintf(text + used, size - (size_t)used, " %d", o->reg);
  if (o->symbol)
    used += snprintf(text + used, size - (size_t)used, " %s", o->symbol->name);
  if (o->kind != PTX_OPERAND_REGISTER && o->kind != PTX_OPERAND_VECTOR && o->kind != PTX_OPERAND_SINK)
    used += snprintf(text + used, size - (size_t)used, " %" PRId64, (int64_t)o->value);
  if (o->pair >= 0)
    used += snprintf(text + used, size - (size_t)used, " pair %d", o->pair);
  for (uint32_t i = 0; i < o->count; i++) {
    char element[128];
    write_operand(&o->elements[i], element, sizeof element);
    used += snprintf(text + used, size - (size_t)used, "%s%s", i ? ", " : ": ", element);
  }
}

/* The registers: %p 0–3, %r 4–12, %rd 13–21, %f 22–30, %fd 31–39, one 40. */
static const struct {
  const char *instruction;
  uint32_t n;
  const char *expected;
} operands[] = {
    {"add.s32 %r1, %r2, one;", 0, "register 5"},
    {"add.s32 %r1, %r2, one;", 2, "register 40"},
    {"add.s32 %r1, %r2, -5;", 2, "integer -5"},
    {"add.s32 %r1, %r2, 0x10U;", 2, "integer 16"},
    {"add.s32 %r1, %r2, 010;", 2, "integer 8"},
    {"mov.u64 %rd1, 0xffffffffffffffff;", 1, "integer -1"},
    {"mov.f32 %f1, 0f3F800000;", 1, "float 1065353216"},
    {"mov.f32 %f1, -0f3F800000;", 1, "float 3212836864"},
    {"mov.f64 %fd1, 0d3FF0000000000000;", 1, "double 4607182418800017408"},
    {"mov.f64 %fd1, 1.0;", 1, "double 4607182418800017408"},
    {"mov.f64 %fd1, -1.0;", 1, "double -4616189618054758400"},
    {"mov.u32 %r1, %tid.y;", 1, "special 1"},
    {"mov.u32 %r1, WARP_SZ;", 1, "integer 32"},
    {"mov.u64 %rd1, g;", 1, "symbol g 0"},
    {"mov.u64 %rd1, g+8;", 1, "symbol g 8"},
    {"ld.global.f32 %f1, [%rd1];", 1, "memory 14 0"},
    {"ld.global.f32 %f1, [%rd1+-16];", 1, "memory 14 -16"},
    {"ld.global.f32 %f1, [%rd1-16];", 1, "memory 14 -16"},
    {"ld.global.f32 %f1, [g+4];", 1, "memory g 4"},
    {"ld.global.f32 %f1, [256];", 1, "memory 256"},
    {"ld.param.u64 %rd1, [a];", 1, "memory a 0"},
    {"ld.global.v4.f32 {%f1,_,%f2,%f3}, [%rd1];", 0, "vector: register 23, sink, register 24, register 25"},
    {"mov.b64 {%r1, %r2}, %rd1;", 0, "vector: register 5, register 6"},
    {"setp.lt.s32 %p1|%p2, %r1, 3;", 0, "register 1 pair 2"},
    {"setp.lt.s32 _|%p2, %r1, 3;", 0, "sink pair 2"},
    {"setp.lt.s32 %p1|_, %r1, 3;", 0, "register 1"},
    {"selp.b32 %r1, %r2, %r3, !%p1;", 3, "not register 1"},
    {"tex.2d.v4.f32.f32 {%f1,_,_,_}, [g, {%f1,%f2}];", 1, "memory g 0: vector: register 23, register 24"},
    {"call (a), g, (a, b);", 0, "vector: symbol a 0"},
    {"call (a), g, (a, b);", 1, "symbol g 0"},
    {"call (a), g, (a, b);", 2, "vector: symbol a 0, symbol b 0"},
    {"call g, ();", 1, "vector"},
};

START_TEST(operand_forms) {
  struct ptx_module *m = kernel(operands[_i].instruction);
  ck_assert_uint_eq(m->functions->inst_count, 1);
  ck_assert_uint_gt(m->functions->insts->operand_count, operands[_i].n);
  char text[256];
  write_operand(&m->functions->insts->operands[operands[_i].n], text, sizeof text);
  ck_assert_str_eq(text, operands[_i].expected);
  ptx_free(m);
}
END_TEST

START_TEST(instructions) {
  struct ptx_module *m = kernel("@!%p2 bra L;\nret;\n@%p1 exit;\nL:\n bra.uni L;");
  const struct ptx_inst *inst = m->functions->insts;
  ck_assert_uint_eq(m->functions->inst_count, 4);
  ck_assert(inst[0].guard == 2 && inst[0].guard_negated && inst[0].ptx_line == 4);
  ck_assert(inst[1].guard == -1 && inst[1].ptx_line == 5);
  ck_assert(inst[2].guard == 1 && !inst[2].guard_negated);
  ck_assert_str_eq(inst[3].op, "bra.uni");
  ck_assert_uint_eq(inst[0].operands[0].symbol->offset, 3); /* forward */
  ck_assert_uint_eq(inst[3].operands[0].symbol->offset, 3); /* backward */
  ptx_free(m);
  m = kernel("lg2.approx.f32.ftz %r1, %r1;\nlg2.approx.ftz.f32 %r1, %r1;");
  ck_assert_str_eq(m->functions->insts[0].op, m->functions->insts[1].op);
  ptx_free(m);
}
END_TEST

START_TEST(kernels_and_parameters) {
  struct ptx_module *m =
      parsed(".visible .entry k(.param .u32 a, .param .align 16 .b8 b[20], .param .u64 .ptr .global "
             ".align 4 c, .param .u8 d)\n.maxntid 16, 8, 1\n.minnctapersm 2\n{ ret; }\n"
             ".weak .entry none() { ret; }\n");
  const struct ptx_function *f = m->functions;
  ck_assert(f->is_entry && f->param_count == 4 && f->max_threads == 128);
  static const uint64_t offsets[] = {0, 16, 40, 48}, sizes[] = {4, 20, 8, 1};
  for (int i = 0; i < 4; i++) {
    ck_assert_uint_eq(f->params[i]->offset, offsets[i]);
    ck_assert_uint_eq(f->params[i]->size, sizes[i]);
  }
  ck_assert_uint_eq(f->param_bytes, 49);
  ck_assert_uint_eq(f->next->param_count, 0);
  ptx_free(m);
}
END_TEST

START_TEST(names_end_with_their_scope) {
  struct ptx_module *m =
      kernel("{ .reg .b32 x; mov.b32 x, 1; { .reg .b32 x; mov.b32 x, 2; } mov.b32 x, 3; }\n"
             "{ .reg .b64 x; mov.b64 x, 4; }");
  const struct ptx_inst *inst = m->functions->insts;
  ck_assert_int_eq(inst[0].operands[0].reg, inst[2].operands[0].reg);
  ck_assert_int_ne(inst[0].operands[0].reg, inst[1].operands[0].reg);
  ck_assert_int_ne(inst[0].operands[0].reg, inst[3].operands[0].reg);
  ptx_free(m);
  m = parse(".entry k() { { .reg .b32 x; } mov.b32 x, 1; }");
  ck_assert_str_ne(m->error, "");
  ptx_free(m);
}
END_TEST

/* Inline assembly with a label occurs once for each inlined call. */
START_TEST(labels_belong_to_their_block) {
  enum { NONE = 99 };
  static const uint64_t targets[] = {8, 1, 3, NONE, 7, 5, 9};
  struct ptx_module *m = kernel("bra L;\n{ L: bra L; bra M; M: ret; }\n"
                                "{ bra M; L: bra L; { bra END; } M: ret; }\nL: ret;\nEND: ret;");
  const struct ptx_inst *inst = m->functions->insts;
  for (int n = 0; n < 7; n++)
    ck_assert(targets[n] == NONE || inst[n].operands[0].symbol->offset == targets[n]);
  ptx_free(m);
}
END_TEST

START_TEST(call_sequences_share_their_room) {
  struct ptx_module *m =
      parsed(".func (.param .b32 r) f(.param .b64 a) { ret; }\n.entry k() {\n"
             "{ .param .b64 p; .param .b32 q; call (q), f, (p); }\n{ .param .b64 p; call f, (p); }\n}");
  const struct ptx_function *k = m->functions->next;
  ck_assert_uint_eq(k->frame_param_bytes, 12);
  ck_assert_uint_eq(k->insts[1].operands[1].elements[0].symbol->offset, 0);
  ck_assert_uint_eq(m->functions->frame_param_bytes, 16); /* r, then a at 8 */
  ck_assert(m->functions->return_count == 1 && m->functions->param_count == 1 && !m->functions->is_entry);
  ptx_free(m);
}
END_TEST

static const struct ptx_symbol *variable_named(const struct ptx_module *m, const char *name) {
  for (uint32_t i = 0; i < m->variable_count; i++)
    if (strcmp(m->variables[i]->name, name) == 0)
      return m->variables[i];
  ck_abort_msg("no variable %s", name);
}

START_TEST(initial_values) {
  struct ptx_module *m =
      parsed(".global .align 4 .b8 bytes[6] = {1, 0xff, -1, 255};\n"
             ".const .f32 floats[3] = {0f3F800000, -2.5, 1e3};\n"
             ".global .f64 doubles[2] = {0d3FF0000000000000, -1.0};\n"
             ".global .s32 nested[2][2] = {{1, -2}, {3, 4}};\n"
             ".global .u64 addresses[3] = {generic(bytes)+4, 7, nested};\n"
             ".global .s16 single = -3;\n.global .u32 zero;\n.extern .global .u32 elsewhere[];");
  ck_assert_mem_eq(variable_named(m, "bytes")->data, "\x01\xff\xff\xff\0\0", 6);
  ck_assert_mem_eq(variable_named(m, "floats")->data, ((float[]){1, -2.5f, 1000}), 12);
  ck_assert_mem_eq(variable_named(m, "doubles")->data, ((double[]){1, -1}), 16);
  ck_assert_mem_eq(variable_named(m, "nested")->data, ((int32_t[]){1, -2, 3, 4}), 16);
  ck_assert_mem_eq(variable_named(m, "single")->data, ((int16_t[]){-3}), 2);
  ck_assert_ptr_null(variable_named(m, "zero")->data);
  ck_assert(variable_named(m, "elsewhere")->is_extern);
  const struct ptx_symbol *a = variable_named(m, "addresses");
  ck_assert_mem_eq(a->data, ((uint64_t[]){0, 7, 0}), 24);
  const struct ptx_relocation *r = a->relocations; /* last first */
  ck_assert(r->offset == 16 && r->addend == 0 && r->target == variable_named(m, "nested"));
  ck_assert(r->next->offset == 0 && r->next->addend == 4 && r->next->target == variable_named(m, "bytes"));
  ptx_free(m);
}
END_TEST

START_TEST(places_of_variables) {
  struct ptx_module *m =
      parsed(".shared .align 8 .b8 common[12];\n.entry k() {\n"
             ".shared .b8 a[3]; .shared .align 16 .b8 b[16]; .local .align 4 .b8 c[5]; .local .u64 d;\n}\n"
             ".func f() { .shared .u32 hoisted; ret; }");
  ck_assert_uint_eq(m->functions->shared_bytes, 32);
  ck_assert_uint_eq(m->functions->local_bytes, 16);
  ck_assert_uint_eq(m->shared_bytes, 4);
  ptx_free(m);
}
END_TEST

/* With -rdc=true, the shared variables of kernels are at module scope. */
START_TEST(places_of_shared_variables) {
  struct ptx_module *m =
      parsed(".shared .b8 first[100000]; .shared .b8 second[200000]; .shared .b32 called;\n"
             ".entry a() {\n.reg .b32 %r<3>;\nmov.u32 %r1, first; ld.shared.b32 %r2, [first+4];\n"
             "st.shared.b32 [called], %r1; ret;\n}\n"
             ".entry b() {\n.reg .b32 %r<3>;\nmov.u32 %r1, second; mov.u32 %r2, first; ret;\n}\n"
             ".func f() {\n.reg .b32 %r<3>;\nmov.u32 %r1, called; ret;\n}");
  ck_assert_uint_eq(m->shared_bytes, 4);
  struct ptx_function *a = m->functions, *b = a->next;
  ck_assert(ptx_parse_body(m, a) && ptx_parse_body(m, b));
  ck_assert_uint_eq(a->shared_bytes, 100000);
  ck_assert_uint_eq(b->shared_bytes, 300000);
  const struct ptx_symbol *in_a = a->insts[0].operands[1].symbol, *in_b = b->insts[1].operands[1].symbol;
  ck_assert(in_a->function == a && in_a->offset == 0 && a->insts[1].operands[1].symbol == in_a);
  ck_assert(in_b->function == b && in_b->offset == 200000);
  ck_assert(!a->insts[2].operands[0].symbol->function);
  ptx_free(m);
}
END_TEST

/* Locations: file 1 is ours; files 2 and 3 are the toolkit's, as installed and as in its wheels. */
static const struct {
  const char *loc;
  uint32_t file, line;
} locations[] = {
    {".loc 1 7 3", 1, 7},
    {".loc 1 0 3", 1, 5}, /* unknown: the last one stays */
    {".loc 2 99 3", 1, 5},
    {".loc 1 8 1, function_name $L__info0, inlined_at 1 20 2", 1, 8},
    {".loc 1 8 1, function_name $L__info0+12, inlined_at 1 20 2", 1, 8},
    {".loc 2 99 1, function_name $L__info0, inlined_at 1 20 2", 1, 20},
    {".loc 2 99 1, function_name $L__info0, inlined_at 2 50 2", 1, 5},
    {".loc 3 99 1, function_name $L__info0, inlined_at 1 20 2", 1, 20},
    {".loc 9 9 9", 1, 5},
};

START_TEST(source_lines) {
  char text[512];
  snprintf(text, sizeof text,
           ".entry k() {\n.loc 1 5 1\n%s\nret;\n}\n.file 1 \"a.cu\"\n.file 2 "
           "\"/cuda/targets/x/include/b.h\", 12, 34\n.file 3 \"/cuda-13.5/bin/../include/c.h\"\n"
           ".section .debug_str {\n$L__info0:\n.b8 1,2\n}",
           locations[_i].loc);
  struct ptx_module *m = parsed(text);
  ck_assert_uint_eq(m->functions->insts->location.file, locations[_i].file);
  ck_assert_uint_eq(m->functions->insts->location.line, locations[_i].line);
  ck_assert_str_eq(m->files[1], "a.cu");
  ptx_free(m);
}
END_TEST

/* Files 1 and 2 are ours, 3 is the toolkit's. Lines of the location, of the header in it, and of its callers. */
static const struct {
  const char *locs;
  uint32_t line, inner, callers[3];
} chains[] = {
    {".loc 1 7 3", 7, 0, {0}},
    {".loc 1 9 1, function_name $L__i, inlined_at 1 20 2", 9, 0, {20}},
    {".loc 1 20 2, function_name $L__i, inlined_at 1 30 1\n.loc 1 9 1, function_name $L__i, inlined_at 1 20 2",
     9,
     0,
     {20, 30}},
    {".loc 1 20 2, function_name $L__i, inlined_at 1 30 1\n.loc 1 9 1, function_name $L__i, inlined_at 1 20 5",
     9,
     0,
     {20}}, /* another call on line 20 */
    {".loc 2 8 2, function_name $L__i, inlined_at 1 30 1", 30, 8, {0}},
    {".loc 1 20 2, function_name $L__i, inlined_at 1 30 1\n.loc 2 8 2, function_name $L__i, inlined_at 1 20 2",
     20,
     8,
     {30}},
    {".loc 3 50 2, function_name $L__i, inlined_at 1 30 1\n.loc 3 60 2, function_name $L__i, inlined_at 3 50 2",
     30,
     0,
     {0}},
    {".loc 2 8 2, function_name $L__i, inlined_at 1 30 1\n.loc 3 60 2, function_name $L__i, inlined_at 2 8 2",
     30,
     8,
     {0}},
    {".loc 2 8 2", 8, 0, {0}},
    {".loc 2 8 2, function_name $L__i, inlined_at 2 9 1", 8, 0, {9}},
    {".loc 1 9 1, function_name $L__i, inlined_at 1 9 1", 9, 0, {9}}, /* no such code exists */
};

START_TEST(inlined_lines_know_their_callers) {
  char text[512];
  snprintf(
      text, sizeof text,
      ".entry k() {\n%s\nret;\n}\n.file 1 \"a.cu\"\n.file 2 \"b.h\"\n.file 3 \"/cuda/bin/../include/c.h\"\n",
      chains[_i].locs);
  struct ptx_module *m = parsed(text);
  const struct ptx_location *at = &m->functions->insts->location;
  ck_assert_uint_eq(at->line, chains[_i].line);
  ck_assert_uint_eq(at->inner ? at->inner->line : 0, chains[_i].inner);
  for (int i = 0; i < 3; i++) {
    at = at ? at->caller : NULL;
    ck_assert_uint_eq(at ? at->line : 0, chains[_i].callers[i]);
  }
  ptx_free(m);
}
END_TEST

/* Malformed texts and their messages; `inside`: the text goes into a kernel. */
static const struct {
  const char *text, *message;
  bool inside;
} mistakes[] = {
    {"bra NOWHERE;", "undefined name 'NOWHERE' in 'k'", true},
    {"L: ret; L: ret;", "PTX line 3: label defined twice", true},
    {"bra L; { L: ret; }", "undefined name 'L' in 'k'", true},
    {"add.s32 %r1, %r2, %x5;", "unknown register or name '%x5'", true},
    {"add.s32 %r1, %r2, %r9;", "unknown register or name '%r9'", true},
    {"add.s32 %r1, %r2, %r;", "register family used as a register", true},
    {"@%r1 bra L; L:", "expected a predicate", true},
    {"@!7 ret;", "expected a predicate", true},
    {"add.s32 %r1 %r2;", "malformed instruction", true},
    {"add.s32 %r1, ;", "expected an operand", true},
    {"add.s32 %r1, %r2, 0xZZ;", "malformed number", true},
    {"add.s32 %r1, %r2, 1.2.3;", "malformed number", true},
    {"add.s32 %r1, %r2, 99999999999999999999999;", "malformed number", true},
    {"add.s32 %r1, %r2, 1111111111111111111111111111111111111111111111111111111111111111111;",
     "number too long", true},
    {"mov.f32 %f1, 0f123;", "malformed floating-point constant", true},
    {"mov.b64 {{{{{%r1}}}}}, %rd1;", "operands nested too deeply", true},
    {"ld.global.f32 %f1, [%rd1;", "expected ']'", true},
    {"setp.lt.s32 %p1|7, %r1, 3;", "expected a register", true},
    {".reg .b32 %q<65537>;", "number too large", true},
    {".reg .b32 %q<65000>, %s<65000>;", "too many registers", true},
    {".reg .b256 %q;", "unsupported register type", true},
    {".local .align 3 .b8 x[4];", "alignment is not a power of two", true},
    {".local .align 0 .b8 x[4];", "alignment is not a power of two", true},
    {".local .b8 x[-1];", "variable too large", true},
    {".local .pred x;", "declaration without a type", true},
    {".shared .b32 x = 1;", "only global and constant variables have initial values", true},
    {"L: .branchtargets b; brx.idx %r1, L;", "expected a label", true},
    {".reg .b32 %r<4>;", "expected a declaration", false},
    {".shared .b8 x[99999999999];", "variable too large", false},
    {".shared .b8 x[70000][70000];", "variable too large", false},
    {".local .b8 x[4];", "local variable outside a function", false},
    {".param .b8 x[4];", "parameter outside a function", false},
    {".global .u32 g[2] = {1, 2, 3};", "more initial values than elements", false},
    {".global .u32 g[2] = {1, 2;", "expected ',' or '}'", false},
    {".global .u64 g = nothing;", "undefined name", false},
    {".global .b32 h; .global .u32 g = h;", "only addresses of functions and of variables", false},
    {".global .b128 g = {1};", "unsupported type", false},
    {".global .v3 .u32 g;", "unsupported in a declaration", false},
    {".file 99999999 \"x\"", "file number too large", false},
    {".entry k() { ret; } .entry k() { ret; }", "function 'k' defined twice", false},
    {".global .u32 k; .entry k() { ret; }", "'k' is already a variable", false},
    {".entry k(.param .b8 a[40000]) { ret; }", "kernel parameters larger than 32764 bytes", false},
    {".entry k(.reg .b32 a) { ret; }", "expected '.param'", false},
    {".entry k() { ret; ", "unexpected end of function", false},
    {".section .debug { .b8 1", "unexpected end of section", false},
    {"what is this", "expected a declaration", false},
};

START_TEST(mistakes_are_named) {
  char text[1024];
  bool inside = mistakes[_i].inside;
  snprintf(text, sizeof text, "%s%s%s%s", inside ? ".entry k(.param .u64 b) {\n" : "",
           inside ? registers : "", mistakes[_i].text, inside ? "\n}" : "");
  struct ptx_module *m = parse(text);
  ck_assert_msg(strncmp(m->error, "PTX line ", 9) == 0 && strstr(m->error, mistakes[_i].message),
                "%s: expected \"%s\", got \"%s\"", mistakes[_i].text, mistakes[_i].message, m->error);
  ck_assert_ptr_null(strchr(m->error, '\n'));
  ptx_free(m);
}
END_TEST

START_TEST(deep_nesting_is_refused) {
  enum { DEPTH = 100000 };
  char *text = malloc(2 * DEPTH + 16);
  ck_assert_ptr_nonnull(text);
  int length = sprintf(text, ".entry k() ");
  memset(text + length, '{', DEPTH);
  memset(text + length + DEPTH, '}', DEPTH);
  text[length + 2 * DEPTH] = '\0';
  struct ptx_module *m = parse(text);
  ck_assert_ptr_nonnull(strstr(m->error, "blocks nested too deeply"));
  ptx_free(m);
  free(text);
}
END_TEST

/* Loading: the device refuses an unsupported instruction by name, with its place. */

static struct device device;

/* Decodes every body. Returns the error of loading `text`, or the first function's refusal, or "". */
static const char *load(const char *text, size_t length) {
  static char error[1024];
  error[0] = '\0';
  struct module *m = module_load(&device, strndup(text, length), error, sizeof error);
  ck_assert(m ? !error[0] : error[0] && !strchr(error, '\n'));
  for (uint32_t i = 0; m && i < m->kernel_count; i++)
    if (module_kernel(m, i)->refusal && !error[0])
      snprintf(error, sizeof error, "%s", m->kernels[i].refusal);
  ck_assert_ptr_null(strchr(error, '\n'));
  if (m)
    module_unload(m);
  return error;
}

static const struct {
  const char *text, *message;
} refusals[] = {
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [g, {%f1,%f2}];",
     "a.cu:5: expected a texture or surface object and coordinates in []: 'tex.2d.v4.f32.f32' (PTX line 4, in k)"},
    {"tex.2d.v4.f32.f32;", "too few operands: 'tex.2d.v4.f32.f32'"},
    {"tld4.r.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f4}];",
     "unsupported instruction: 'tld4.r.cube"},
    {"tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}], {%f1}, {%f1,%f2};",
     "expected a gradient of 2 coordinates: 'tex.grad.2d"},
    {"txq.filter_mode.b32 %r1, [%rd1];", "unsupported instruction: 'txq.filter_mode"},
    {"tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];", "too few operands: 'tex.level.2d"},
    {".loc 2 7 1\nwmma.mma.sync %r1;", "a.cu:5: unsupported instruction: 'wmma.mma.sync' (PTX line 5, in k)"},
    {"mov.b64 {%clock, %clock}, %rd1;", "expected a register"},
    {"testp.finite.f32 %clock64, %f1;", "expected a predicate"},
    {"add.s32 %r1, %r2;", "too few operands"},
    {"add.s32 %r1, %r2, %rd1;", "operand has the wrong width"},
    {"add.f64 %fd1, %fd1, 0f3F800000;", "single-precision constant in a double-precision operation"},
    {"add.s32 %p1, %r2, %r3;", "operand has the wrong width"},
    {"bra g;", "expected a label"},
    {"brx.idx %r1, L; L:", "expected a list of targets"},
    {"call k, (a);", "call of a kernel"},
    {"call f, (a);", "wrong number of arguments"},
    {"call %rd1, (a);", "unsupported argument of a call"},
    {"call outside;", "function 'outside' is not supported on the simulated device"},
    {"st.const.b32 [g], %r1;", "store to constant memory"},
    {"st.param.u64 [a], %rd1;", "store to a kernel parameter"},
    {"ld.param.u64 %rd1, [a+4];", "access beyond parameter 'a'"},
    {"ld.global.v3.f32 {%f1,%f2,%f3}, [%rd1];", "unsupported type or vector"},
    {"min.f32 %f1, %f2, %f3, %f4;", "wrong number of operands"},
    {"atom.global.min.f16 %r1, [%rd1], %r2;", "unsupported atomic operation"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [%r1], %r2;",
     "unsupported reduction: 'cp.reduce.async.bulk"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%r1], %f1, [%r2];",
     "unsupported reduction: 'red.async"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b16 [%r1], %r2, [%r3];",
     "unsupported instruction: 'st.async"},
    {"st.bulk.weak.shared::cta [%r1], %rd1, 0;", "unsupported instruction: 'st.bulk"},
    {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], %r2, %r3;",
     "unsupported instruction: 'cp.async.bulk"},
    {"multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r1;", "unsupported instruction: 'multimem.red"},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], %r2;",
     "unsupported instruction: 'tcgen05.alloc"},
    {"vadd.s32.u32.s32 %r1, %r2.b0, %r3;", "'%r2.b0'"},
    {"vmad.s32.s32.s32 %r1, %r2, %r3;", "too few operands: 'vmad"},
    {"vadd2.s32.s32.s32.max %r1, %r2, %r3, %r1;", "unsupported instruction: 'vadd2"},
    {"vadd.s32.s32 %r1, %r2, %r3;", "expected .s32 or .u32: 'vadd"},
    {"vavrg.s32.s32.s32 %r1, %r2, %r3;", "unsupported instruction: 'vavrg"},
    {".local .b8 huge[600000];", "local memory"},
    {".shared .b8 huge[400000];", "shared memory"},
};

START_TEST(refusals_are_named) {
  char text[1024];
  snprintf(text, sizeof text,
           ".global .b8 g[64]; .file 1 \"a.cu\" .func f() { ret; } .extern .func outside();\n.entry k(.param "
           ".u64 a) "
           "{ .loc 1 5 1\n%s%s\nret; }",
           registers, refusals[_i].text);
  const char *error = load(text, strlen(text));
  ck_assert_msg(strstr(error, refusals[_i].message), "%s: expected \"%s\", got \"%s\"", refusals[_i].text,
                refusals[_i].message, error);
}
END_TEST

/* Only functions that reach the instruction are refused, whether they are defined before or after it. */
START_TEST(refusals_follow_the_calls) {
  static const char text[] = ".file 1 \"a.cu\" .func low();\n.func other() { ret; }\n"
                             ".func middle() { call low; ret; }\n"
                             ".entry above() { call middle; ret; }\n"
                             ".func low() { .loc 1 5 1\nwmma.mma.sync; ret; }\n"
                             ".entry below() { call other; call middle; ret; }\n"
                             ".entry alone() { tex.2d.v4.f32.f32; ret; }\n"
                             ".entry good() { call other; ret; }\n";
  static const char *const reasons[] = {
      "(PTX line 6, in low)", NULL, "(PTX line 6, in low)", "(PTX line 6, in low)", "(PTX line 6, in low)",
      "(in alone)",           NULL};
  char error[256] = "";
  struct module *m = module_load(&device, strdup(text), error, sizeof error);
  ck_assert_msg(m != NULL, "%s", error);
  ck_assert_uint_eq(m->kernel_count, sizeof reasons / sizeof *reasons);
  uint32_t own = 0;
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    const struct kernel *k = module_kernel(m, i);
    ck_assert_msg(!k->refusal == !reasons[i] && (!reasons[i] || strstr(k->refusal, reasons[i])), "%s: %s",
                  k->ptx->name, k->refusal ? k->refusal : "runs");
    own += k->refusal && !k->refused_for_callee;
  }
  ck_assert_uint_eq(own, 2);
  module_unload(m);
}
END_TEST

/* PTX has the carry flag for add, sub and mad only; without a check, mul.cc would run as an addition. */
START_TEST(only_some_instructions_set_the_carry_flag) {
  static const struct {
    const char *instruction;
    bool runs;
  } cases[] = {{"add.cc.u32 r, r, r;", true},       {"sub.cc.s64 d, d, d;", true},
               {"mad.lo.cc.u32 r, r, r, r;", true}, {"mul.lo.cc.u32 r, r, r;", false},
               {"min.cc.u32 r, r, r;", false},      {"shl.cc.b32 r, r, r;", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256], error[256] = "";
    snprintf(text, sizeof text, ".entry k() { .reg .b32 r; .reg .b64 d; %s ret; }\n", cases[i].instruction);
    struct module *m = module_load(&device, strdup(text), error, sizeof error);
    ck_assert_msg(m != NULL, "%s", error);
    const char *refusal = module_kernel(m, 0)->refusal;
    ck_assert_msg(cases[i].runs ? !refusal : refusal && strstr(refusal, "unsupported instruction"), "%s %s",
                  cases[i].instruction, refusal ? refusal : "runs");
    module_unload(m);
  }
}
END_TEST

/* A malformed kernel harms neither the module nor later kernels, and its declarations are forgotten. */
START_TEST(a_malformed_kernel_is_refused_alone) {
  static const char text[] = ".global .b32 g;\n"
                             ".entry bad(.param .u64 a) { .reg .b32 x; {{\nadd.s32 x x; ret; }}}\n"
                             ".entry worse() { .reg .b32 y;\n ld.param.u64 y, [a]; ret; }\n"
                             ".entry good() { .reg .b32 y; ld.global.u32 y, [g]; ret; }\n";
  static const char *const reasons[] = {"PTX line 3: malformed instruction: 'add.s32 x x; ret; }}}'",
                                        "PTX line 4: undefined name 'a' in 'worse': '.entry worse() { .reg "
                                        ".b32 y;'",
                                        NULL};
  char error[256] = "";
  struct module *m = module_load(&device, strdup(text), error, sizeof error);
  ck_assert_msg(m != NULL, "%s", error);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < m->kernel_count; i++) {
      const struct kernel *k = module_kernel(m, i);
      ck_assert(!k->refusal == !reasons[i]);
      if (reasons[i])
        ck_assert_str_eq(k->refusal, reasons[i]);
    }
  module_unload(m);
  ck_assert_uint_eq(device.memory.count, 0);
}
END_TEST

START_TEST(variables_in_a_kernel_are_placed_with_it) {
  static const char text[] =
      ".global .u32 a = 7;\n"
      ".entry k() { .global .u32 b = 8; .global .u64 c = b; .reg .b64 x; mov.u64 x, c; ret; }\n"
      ".entry bad() { .global .u32 d = 9; nonsense nonsense; }\n";
  char error[256] = "";
  struct module *m = module_load(&device, strdup(text), error, sizeof error);
  ck_assert_msg(m != NULL, "%s", error);
  ck_assert_uint_eq(m->variable_count, 1);
  ck_assert_ptr_nonnull(module_kernel(m, 1)->refusal);
  ck_assert_ptr_null(module_kernel(m, 0)->refusal);
  uint64_t address = 0;
  for (uint32_t i = 0; i < m->variable_count; i++)
    if (strcmp(m->ptx->variables[i]->name, "c") == 0)
      address = *(uint64_t *)memory_at(&device.memory, m->addresses[i], 8);
  ck_assert_uint_eq(*(uint32_t *)memory_at(&device.memory, address, 4), 8);
  module_unload(m);
  ck_assert_uint_eq(device.memory.count, 0);
}
END_TEST

START_TEST(a_later_declaration_changes_nothing) {
  const char *text = ".func f(.param .b8 a[4000]) { .reg .b32 r; ld.param.b32 r, [a+3996]; st.param.b32 "
                     "[a+3996], r; ret; }\n"
                     ".func f(.param .b8 a[4]);\n.entry f2() { ret; }";
  struct ptx_module *m = parse(text);
  ck_assert(m->error[0] || m->functions->frame_param_bytes == 4000);
  ptx_free(m);
  m = parse(".func f(.param .b8 a[8]) { ret; }\n.entry f();");
  ck_assert(m->error[0] || (!m->functions->is_entry && m->functions->param_count == 1));
  ptx_free(m);
}
END_TEST

/* Two translation units, as -rdc=true makes them. */
#define UNIT(file) ".version 8.0\n.target sm_80\n.file 1 \"" file "\"\n"
#define BODY(name) "{ .reg .b64 r; .loc 1 7 0\n mov.u64 r, " name "; ret; }\n"

static const struct ptx_inst *first_of(struct ptx_module *m, const char *name) {
  struct ptx_function *f = m->functions;
  while (f && strcmp(f->name, name) != 0)
    f = f->next;
  ck_assert_ptr_nonnull(f);
  ck_assert_msg(ptx_parse_body(m, f), "%s", m->error);
  return f->insts;
}

START_TEST(units_share_what_is_not_local) {
  struct ptx_module *m =
      parsed(UNIT(
          "a.cu") ".extern .global .u64 both;\n.extern .func other();\n.global .u32 own = 1;\n"
                  ".weak .global .u32 twice = 1;\n"
                  ".visible .entry a()" BODY("own") ".visible .entry b()" BODY("both") ".weak .func f()" BODY(
                      "own") ".visible .entry g()" BODY("other")
                      UNIT(
                          "b.cu") ".global .u32 own = 2;\n"
                                  ".visible .global .align 16 .u64 both = both;\n"
                                  ".weak .global .u32 twice = 2;\n"
                                  ".visible .entry c()" BODY("own") ".visible .entry d()" BODY("both") ".visible .entry e()" BODY(
                                      "twice") ".weak .func f()" BODY("both") ".visible .func other()" BODY("own"));
  const struct ptx_inst *a = first_of(m, "a"), *c = first_of(m, "c"), *d = first_of(m, "d");
  ck_assert_uint_eq(a->operands[1].symbol->data[0], 1);
  ck_assert_uint_eq(c->operands[1].symbol->data[0], 2);
  ck_assert_ptr_eq(first_of(m, "b")->operands[1].symbol, d->operands[1].symbol);
  const struct ptx_symbol *both = d->operands[1].symbol;
  ck_assert(!both->is_extern && both->align == 16);
  ck_assert_uint_eq(both->relocations->target->first, both->first);
  ck_assert_ptr_eq(m->variables[both->first], both);
  ck_assert_uint_eq(first_of(m, "e")->operands[1].symbol->data[0], 1);
  ck_assert_ptr_eq(first_of(m, "f")->operands[1].symbol, a->operands[1].symbol);
  ck_assert(first_of(m, "g")->operands[1].symbol->function->has_body);
  ck_assert_uint_eq(m->variable_count, 4);
  ck_assert_str_eq(m->files[a->location.file], "a.cu");
  ck_assert_str_eq(m->files[c->location.file], "b.cu");
  ptx_free(m);
  m = parse(UNIT("a.cu") ".extern .global .u64 x;\n" UNIT("b.cu") ".visible .const .u64 x;");
  ck_assert_ptr_nonnull(strstr(m->error, "'x' is already declared otherwise"));
  ptx_free(m);
  m = parse(UNIT("a.cu") ".visible .func f()" BODY("f") ".visible .func f()" BODY("f"));
  ck_assert_ptr_nonnull(strstr(m->error, "function 'f' defined twice"));
  ptx_free(m);
}
END_TEST

/* A whole module, cut short and changed */

static char *read_sample(size_t *length) {
  FILE *file = fopen(sample_path, "r");
  ck_assert_msg(file != NULL, "%s: cannot read", sample_path);
  char *text = malloc(1 << 20);
  ck_assert_ptr_nonnull(text);
  *length = fread(text, 1, 1 << 20, file);
  fclose(file);
  ck_assert_uint_gt(*length, 4000);
  return text;
}

START_TEST(a_module_cut_anywhere_is_refused_or_loads) {
  size_t length;
  char *text = read_sample(&length);
  ck_assert_str_eq(load(text, length), "");
  for (size_t end = 0; end < length; end++)
    load(text, end); /* a copy of exact size, so that a sanitizer sees a read past its end */
  ck_assert_uint_eq(device.memory.count, 0);
  free(text);
}
END_TEST

static struct random source;
static uint32_t chance(uint32_t below) { return (uint32_t)(random_next(&source) % (uint64_t)below); }

/* Replaces, removes, repeats or exchanges pieces of the text; most often a digit, which keeps the module valid.
 * Returns the new length. */
static size_t change(char *text, size_t length, size_t room) {
  static const char *const words[] = {"%r1", "%p1",        "-1",        "0",      "99999999", "ret;", "{",
                                      "}",   "$L__BB1_15", "_Z5depthi", "%tid.x", "%clock64", ".b64", "v4",
                                      "]",   "_",          "|%p1",      "@%p1 ",  ";",        "\""};
  size_t at = chance((uint32_t)length), span = 1 + chance(24), from = chance((uint32_t)length);
  span = span < length - at ? span : length - at;
  span = span < length - from ? span : length - from;
  const char *word = words[chance(sizeof words / sizeof *words)];
  switch (chance(20)) {
  case 0:
    text[at] = (char)chance(256);
    return length;
  case 1:
    memmove(text + at, text + at + span, length - at - span);
    return length - span;
  case 2:
    if (length + span > room)
      return length;
    memmove(text + at + span, text + at, length - at);
    return length + span;
  case 3:
    memmove(text + at, text + from, span);
    return length;
  case 4:
    if (at + strlen(word) <= length)
      memcpy(text + at, word, strlen(word));
    return length;
  default:
    while (at + 1 < length && (text[at] < '0' || text[at] > '9'))
      at++;
    text[at] = (char)('0' + chance(10));
    return length;
  }
}

/* Runs every kernel of a module that loads: a wild kernel faults or is stopped, and the device survives. */
static void run_kernels(struct module *m) {
  static uint8_t params[1 << 16];
  struct counters counters = {0};
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    const struct kernel *k = module_kernel(m, i);
    struct launch_request request = {.module = m,
                                     .kernel = k,
                                     .grid = {2, 1, 1},
                                     .block = {40, 1, 1},
                                     .shared_dynamic = 512,
                                     .params = params};
    if (k->ptx->is_entry && k->ptx->has_body && !k->refusal)
      launch_run(&request, &counters);
  }
}

START_TEST(a_changed_module_is_refused_or_runs) {
  size_t length;
  char *text = read_sample(&length), *changed = malloc(2 * length);
  ck_assert_ptr_nonnull(changed);
  setenv("SIMGPU_BUDGET", "100000", 1);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); /* faults are many */
  const char *rounds = getenv("PTX_ROUNDS"), *seed = getenv("PTX_SEED");
  source = random_seed(seed ? strtoull(seed, NULL, 10) : 1);
  for (long round = rounds ? atol(rounds) : 10000; round > 0; round--) {
    memcpy(changed, text, length);
    size_t now = length;
    for (uint32_t n = 1 + chance(6); n > 0; n--)
      now = change(changed, now, 2 * length);
    char error[1024];
    struct module *m = module_load(&device, strndup(changed, now), error, sizeof error);
    if (m) {
      run_kernels(m);
      module_unload(m);
    }
  }
  ck_assert_uint_eq(device.memory.count, 0);
  free(changed);
  free(text);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "SAMPLE.ptx");
  sample_path = argv[1];
  memory_open(&device.memory, UINT64_C(1) << 30);
  Suite *suite = suite_create("ptx_parse");
  TCase *tokens_case = tcase_create("tokens"), *parser = tcase_create("parser"),
        *loading = tcase_create("loading"), *robust = tcase_create("robust");
  tcase_add_test(tokens_case, tokens);
  tcase_add_test(tokens_case, bodies_are_one_token);
  tcase_add_test(tokens_case, tokens_know_their_lines);
  tcase_add_loop_test(parser, operand_forms, 0, COUNT(operands));
  tcase_add_test(parser, instructions);
  tcase_add_test(parser, kernels_and_parameters);
  tcase_add_test(parser, names_end_with_their_scope);
  tcase_add_test(parser, labels_belong_to_their_block);
  tcase_add_test(parser, call_sequences_share_their_room);
  tcase_add_test(parser, initial_values);
  tcase_add_test(parser, places_of_variables);
  tcase_add_test(parser, places_of_shared_variables);
  tcase_add_loop_test(parser, source_lines, 0, COUNT(locations));
  tcase_add_loop_test(parser, inlined_lines_know_their_callers, 0, COUNT(chains));
  tcase_add_loop_test(parser, mistakes_are_named, 0, COUNT(mistakes));
  tcase_add_test(parser, deep_nesting_is_refused);
  tcase_add_test(parser, a_later_declaration_changes_nothing);
  tcase_add_test(parser, units_share_what_is_not_local);
  tcase_add_loop_test(loading, refusals_are_named, 0, COUNT(refusals));
  tcase_add_test(loading, refusals_follow_the_calls);
  tcase_add_test(loading, a_malformed_kernel_is_refused_alone);
  tcase_add_test(loading, only_some_instructions_set_the_carry_flag);
  tcase_add_test(loading, variables_in_a_kernel_are_placed_with_it);
  tcase_add_test(robust, a_module_cut_anywhere_is_refused_or_loads);
  tcase_add_test(robust, a_changed_module_is_refused_or_runs);
  tcase_set_timeout(robust, 300);
  suite_add_tcase(suite, tokens_case);
  suite_add_tcase(suite, parser);
  suite_add_tcase(suite, loading);
  suite_add_tcase(suite, robust);
  return suite_run(suite);
}
