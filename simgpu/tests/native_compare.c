#include "native_compare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"
#include "launch.h"
#include "module.h"
#include "native.h"
#include "suite.h"
#include "texture.h"
#include "texture_row.h"

enum { LONG = 2000000 /* warp instructions */ };
enum { BLOCKS = 400 /* the time model observes some, which the interpreter runs */ };

struct result { /* of one launch */
  enum sim_status status;
  struct counters counters;
  uint32_t memory[COMPARE_WORDS];
  char messages[1024];
  bool was_native;
};

static uint64_t state = 88172645463325252ull; /* xorshift: G. Marsaglia, Xorshift RNGs, 2003 */

void native_seed(uint64_t seed) {
  state = 88172645463325252ull ^ seed * 0x9e3779b97f4a7c15ull;
  for (int i = 0; i < 8; i++)
    native_random();
}

uint32_t native_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32);
}

uint32_t native_random_word(void) {
  static const uint32_t special[] = {0,          1,          31,         32,         0x7fffffff,
                                     0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
                                     0xff800000, 0x7fc00001, 0x00000001, 0x00800000, 0x7ff00000,
                                     0x3ff00000, 0x7c007e00, 0x00013c00, 0x4b000000, 0x00100000};
  return native_random() % 3 ? special[native_random() % (sizeof special / sizeof *special)]
                             : native_random();
}

const char native_header[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.const .align 4 .b32 constants[64];\n"
    ".visible .entry k(.param .u64 pm, .param .u32 pn)\n{\n"
    "  .reg .b32 %r<40>;\n  .reg .b64 %d<40>;\n  .reg .f32 %f<20>;\n  .reg .pred %p<10>;\n"
    "  .reg .b64 %m, %a;\n  .reg .b32 %n, %t, %i;\n  .shared .align 16 .b8 s[8192];\n"
    "  ld.param.u64 %m, [pm];\n  ld.param.u32 %n, [pn];\n"
    "  mov.u32 %t, %tid.x;\n  mov.u32 %i, %ctaid.x;\n  and.b32 %i, %i, 1;\n  mad.lo.s32 %i, %i, 160, %t;\n";

static uint32_t input[COMPARE_WORDS];

/* Objects 1 to 9: four textures of the first words, two surfaces, one that extends past the memory, one that
 * is free, and a mipmapped texture. */
static void make_textures(struct textures *textures, uint64_t memory) {
  enum { W = SIM_TEXTURE_WRAP, C = SIM_TEXTURE_CLAMP, M = SIM_TEXTURE_MIRROR, B = SIM_TEXTURE_BORDER };
  const uint64_t end = memory + 4 * COMPARE_WORDS, surfaces = memory + COMPARE_SURFACES;
  const uint32_t smooth = SIM_TEXTURE_LINEAR | SIM_TEXTURE_NORMALISED;
  const struct texture_row objects[] = {
      {memory, 256, 0, 64, 32, 1, SIM_TEXEL_FLOAT, 32, 1, smooth, {W, M, C}, {0}},
      {memory + 8192,
       256,
       0,
       64,
       8,
       1,
       SIM_TEXEL_UNSIGNED,
       8,
       4,
       SIM_TEXTURE_LINEAR | SIM_TEXTURE_FRACTIONS,
       {C, C, C},
       {0}},
      {memory + 12288, 256, 0, 64, 1, 1, SIM_TEXEL_SIGNED, 16, 2, 0, {B, B, B}, {3, -2, 0, 0}},
      {memory + 16384, 128, 512, 16, 4, 7, SIM_TEXEL_FLOAT, 32, 2, 0, {C, C, C}, {0}},
      {surfaces, 512, 0, 32, 80, 1, SIM_TEXEL_UNSIGNED, 32, 4, 0, {C, C, C}, {0}},
      {surfaces + 40960, 160, 1600, 160, 10, 2, SIM_TEXEL_UNSIGNED, 8, 1, 0, {C, C, C}, {0}},
      {end - 1024, 512, 0, 32, 8, 1, SIM_TEXEL_UNSIGNED, 32, 4, 0, {C, C, C}, {0}},
      {memory, 256, 0, 64, 1, 1, SIM_TEXEL_FLOAT, 32, 1, 0, {C, C, C}, {0}}};
  const uint32_t count = sizeof objects / sizeof *objects;
  struct sim_texture texture;
  for (uint32_t i = 0; i < count; i++) {
    texture = texture_of_row(&objects[i]);
    if (texture_new(textures, &texture) != i + 1)
      abort();
  }
  texture = texture_of_row(&objects[1]);
  texture.flags |= SIM_TEXTURE_NORMALISED | SIM_TEXTURE_BETWEEN_LEVELS;
  texture.levels = 3, texture.most_level = 9;
  texture.level[1] = (struct sim_texture_level){2048, 128, 0};
  texture.level[2] = (struct sim_texture_level){2560, 64, 0};
  if (texture_new(textures, &texture) != count + 1)
    abort();
  texture_free(textures, count);
}

/* The kernel has the parameters (u64 memory, u32 n). */
static void run(const char *text, const char *native, bool checked, uint32_t threads_x, uint32_t threads_y,
                uint32_t n, struct result *o) {
  char error[512] = "";
  struct textures textures = {0};
  struct device device = {.textures = &textures};
  memset(o, 0, sizeof *o);
  setenv("SIMGPU_NATIVE", native, 1);
  setenv("SIMGPU_THREADS", "1", 1); /* Check forks, and threads stay behind */
  memory_open(&device.memory, 64 << 20);
  device.memory.lenient = !checked;
  struct module *module = module_load(&device, strdup(text), error, sizeof error);
  struct kernel *kernel = module ? module_kernel(module, module->kernel_count - 1) : NULL;
  if (!kernel || kernel->refusal) { /* main() comes here, too */
    fprintf(stderr, "%s\n", kernel ? kernel->refusal : error);
    abort();
  }
  struct allocation *a = memory_allocate(&device.memory, sizeof o->memory);
  memcpy(a->host, input, sizeof input);
  make_textures(&textures, a->base);
  struct {
    uint64_t memory;
    uint32_t n;
  } params = {a->base, n};
  struct launch_request request = {.module = module,
                                   .kernel = kernel,
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {threads_x, threads_y, 1},
                                   .params = (uint8_t *)&params};
  FILE *messages = tmpfile();
  if (checked)
    request.checks = checks_new(CHECK_ALL, messages);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(messages), STDERR_FILENO);
  o->status = launch_run(&request, &o->counters);
  if (checked)
    checks_close(request.checks, &device.memory);
  dup2(before, STDERR_FILENO);
  close(before);
  rewind(messages);
  o->messages[fread(o->messages, 1, sizeof o->messages - 1, messages)] = '\0';
  fclose(messages);
  memcpy(o->memory, a->host, sizeof o->memory);
  o->was_native = kernel->native && native_has_code(kernel->native);
  module_unload(module);
  texture_free_all(&textures);
  memory_close(&device.memory);
}

bool native_compare_begin(void) {
  static struct result first;
  char text[2048];
  for (int i = 0; i < COMPARE_WORDS; i++)
    input[i] = native_random_word();
  snprintf(text, sizeof text, "%s  ret;\n}\n", native_header);
  run(text, "always", false, 32, 1, 0, &first);
  if (!first.was_native)
    suite_skip("no compiler for native code");
  return first.was_native;
}

static void expect_same(const struct result *a, const struct result *b) {
  ck_assert_str_eq(a->messages, b->messages);
  ck_assert_int_eq(a->status, b->status);
  for (int i = 0; i < COUNTER_LONGEST_WARP; i++) /* the last counter, which native code leaves out */
    ck_assert_msg(a->counters.value[i] == b->counters.value[i], "counter %d: %llu, %llu", i,
                  (unsigned long long)a->counters.value[i], (unsigned long long)b->counters.value[i]);
  for (int i = 0; i < COMPARE_WORDS; i++)
    ck_assert_msg(a->memory[i] == b->memory[i], "word %d: %08x, %08x", i, a->memory[i], b->memory[i]);
}

void native_compare(const char *text, uint32_t threads_x, uint32_t threads_y, uint32_t n) {
  static struct result interpreted, native, standard;
  run(text, "off", false, threads_x, threads_y, n, &interpreted);
  run(text, "always", false, threads_x, threads_y, n, &native);
  ck_assert(!interpreted.was_native && native.was_native);
  expect_same(&interpreted, &native);
  if (interpreted.counters.value[COUNTER_WARP_INSTRUCTIONS] < LONG)
    return;
  run(text, "on", false, threads_x, threads_y, n, &standard); /* code may arrive while the kernel runs */
  expect_same(&interpreted, &standard);
}

void native_compare_findings(const char *text, uint32_t threads_x, uint32_t threads_y, uint32_t n) {
  static struct result interpreted, native;
  run(text, "off", true, threads_x, threads_y, n, &interpreted);
  run(text, "off", false, threads_x, threads_y, n, &native); /* workers forget the times of those checks */
  run(text, "always", true, threads_x, threads_y, n, &native);
  ck_assert(!native.was_native && native.messages[0]);
  expect_same(&interpreted, &native);
}

void native_write_random_row(FILE *out, const struct op_row *row) {
  char form[64];
  snprintf(form, sizeof form, "%.*s", (int)strcspn(row->forms, " "), row->forms);
  fprintf(out, "  %s %%%c%u", form,
          row->result == 8 ? 'd'
          : row->result    ? 'r'
                           : 'p',
          native_random() % (row->result ? COMPARE_REGISTERS : COMPARE_PREDICATES));
  for (uint32_t i = 0; i < row->sources; i++)
    if (native_random() % 8 == 0)
      fprintf(out, ", %u", native_random_word());
    else
      fprintf(out, ", %%%c%u", row->source[i] == 8 ? 'd' : 'r', native_random() % COMPARE_REGISTERS);
  fputs(";\n", out);
}
