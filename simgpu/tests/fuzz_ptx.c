/* Any PTX text is either refused with one line or loaded. Every loaded kernel runs, with addresses, small numbers (of
 * texture and surface objects, too) and bytes of the text itself as parameters: without checks; with checks and another
 * order of blocks; and as a cooperative launch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "checks.h"
#include "fuzz.h"
#include "launch.h"
#include "module.h"
#include "order.h"
#include "source_report.h"
#include "texture.h"
#include "texture_row.h"

enum { BUFFER_BYTES = 4096, WORKSPACE_BYTES = 64, MOST_LINES = 4096 };
#define DEVICE_MEMORY (UINT64_C(64) << 20)

enum { STREAMS = 3, PLAIN_TEXTURES = 8 };

struct outputs {
  struct source_report *report;
  struct checks *checks;
  struct addresses *addresses;
  FILE *streams[STREAMS];
  char *text[STREAMS];
  size_t size[STREAMS];
};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  setenv("SIMGPU_BUDGET", "70000", 1);
  setenv("SIMGPU_THREADS", "1", 1);
  return 0;
}

/* Cubemaps, and mipmapped textures with odd biases and limits; the last one has a level far beyond the buffer. */
static void make_levels(struct textures *textures, uint64_t buffer) {
  enum { W = SIM_TEXTURE_WRAP, C = SIM_TEXTURE_CLAMP, M = SIM_TEXTURE_MIRROR, B = SIM_TEXTURE_BORDER };
  const uint32_t smooth = SIM_TEXTURE_LINEAR | SIM_TEXTURE_NORMALISED | SIM_TEXTURE_BETWEEN_LEVELS,
                 cube = SIM_TEXTURE_CUBE | SIM_TEXTURE_LAYERED | smooth;
  const struct texture_row rows[] = {
      {buffer, 16, 64, 4, 4, 12, SIM_TEXEL_FLOAT, 32, 1, cube | SIM_TEXTURE_SEAMLESS, {B, M, C}, {0}},
      {buffer, 8, 16, 2, 2, 6, SIM_TEXEL_UNSIGNED, 8, 4, SIM_TEXTURE_FRACTIONS | cube, {W, B, B}, {1}},
      {buffer + 64, 64, 512, 16, 8, 2, SIM_TEXEL_FLOAT, 32, 1, smooth, {W, M, C}, {0}},
      {buffer, 64, 0, 16, 2, 1, SIM_TEXEL_FLOAT, 32, 1, smooth, {C, C, C}, {0}}};
  const struct sim_texture_level levels[][2] = {{{1024, 8, 16}, {0}},
                                                {{96, 4, 4}, {0}},
                                                {{1024, 32, 128}, {3000, 16, 32}},
                                                {{UINT64_C(1) << 40, 64, 0}, {0}}};
  const uint32_t counts[] = {1, 2, 3, 2};
  const float odd[][3] = {{0, 0, 9}, {0.3f, 0, 9}, {0, NAN, INFINITY}, {NAN, 0, 5}};
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sim_texture texture = texture_of_row(&rows[i]);
    texture.levels = counts[i];
    texture.bias = odd[i][0], texture.least_level = odd[i][1], texture.most_level = odd[i][2];
    memcpy(&texture.level[1], levels[i], sizeof levels[i]);
    if (texture_new(textures, &texture) != PLAIN_TEXTURES + i + 1)
      abort();
  }
}

/* Textures and surfaces in the buffer: with rows narrower than an access, at its end, beyond it, and free. */
static void make_textures(struct textures *textures, uint64_t buffer) {
  enum { W = SIM_TEXTURE_WRAP, C = SIM_TEXTURE_CLAMP, M = SIM_TEXTURE_MIRROR, B = SIM_TEXTURE_BORDER };
  const uint32_t smooth = SIM_TEXTURE_LINEAR | SIM_TEXTURE_NORMALISED;
  const struct texture_row objects[] = {
      {buffer, 64, 0, 16, 8, 1, SIM_TEXEL_FLOAT, 32, 1, smooth, {W, M, C}, {0}},
      {buffer, 32, 256, 8, 8, 4, SIM_TEXEL_UNSIGNED, 8, 4, SIM_TEXTURE_FRACTIONS | smooth, {M, W, B}, {1}},
      {buffer + 1024, 0, 0, 64, 1, 1, SIM_TEXEL_SIGNED, 16, 2, SIM_TEXTURE_LINEAR, {B, B, B}, {3, -2}},
      {buffer + 2048, 256, 1024, 16, 4, 2, SIM_TEXEL_UNSIGNED, 32, 4, 0, {C, C, C}, {0}},
      {buffer, 1, 1, 1, 1, 1, SIM_TEXEL_UNSIGNED, 8, 1, 0, {C, C, C}, {0}},
      {buffer + BUFFER_BYTES - 2, 2, 0, 1, 1, 1, SIM_TEXEL_FLOAT, 16, 1, smooth, {B, B, B}, {0}},
      {buffer + BUFFER_BYTES - 64, 64, 0, 16, 2, 1, SIM_TEXEL_FLOAT, 32, 1, 0, {C, C, C}, {0}},
      {buffer, 64, 0, 16, 1, 1, SIM_TEXEL_FLOAT, 32, 1, 0, {C, C, C}, {0}}};
  for (uint32_t i = 0; i < PLAIN_TEXTURES; i++) {
    const struct sim_texture texture = texture_of_row(&objects[i]);
    if (texture_new(textures, &texture) != i + 1)
      abort();
  }
  make_levels(textures, buffer);
  texture_free(textures, PLAIN_TEXTURES);
}

/* Pointers to a buffer, or sometimes numbers of objects, if the parameter has the size of one; else small numbers. */
static void fill_parameters(uint8_t *params, const struct ptx_function *f, uint64_t buffer, uint32_t seed) {
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ptx_symbol *p = f->params[i];
    const bool is_object = (seed >> (i % 29) & 7) == 7;
    uint64_t value = p->size == 8 && !is_object ? buffer + (seed >> i % 32 & 1) * 8 : (seed >> (i % 16)) % 40;
    for (uint64_t at = 0; at + 4 <= p->size; at += 8)
      memcpy(params + p->offset + at, &value, p->size - at < 8 ? 4 : 8);
  }
}

static void run(struct launch_request request, uint64_t buffer, uint32_t seed) {
  const struct ptx_function *f = request.kernel->ptx;
  uint8_t *params = calloc(1, f->param_bytes ? f->param_bytes : 1);
  if (!params)
    abort();
  fill_parameters(params, f, buffer, seed);
  struct text printed = {0};
  struct counters counters = {0};
  request.params = params;
  request.printed = &printed;
  launch_run(&request, &counters);
  free(printed.bytes);
  free(params);
}

static void run_each_way(struct module *m, const struct kernel *k, uint64_t buffer, uint32_t seed,
                         const struct outputs *out) {
  const struct order order = {.kind = ORDER_RANDOM, .seed = seed};
  struct launch_request request = {.module = m,
                                   .kernel = k,
                                   .grid = {1 + seed % 3, 1, 1},
                                   .block = {1 + seed % 67, 1 + (seed >> 8) % 2, 1},
                                   .shared_dynamic = (seed >> 16) % 1024,
                                   .number = 1,
                                   .report = out->report};
  run(request, buffer, seed);
  request.addresses = out->addresses;
  request.checks = out->checks;
  request.order = &order;
  run(request, buffer, seed);
  struct allocation *workspace = memory_allocate(&m->device->memory, WORKSPACE_BYTES);
  if (!workspace)
    return;
  memset(workspace->host, 0, WORKSPACE_BYTES);
  request.cooperative = true;
  request.workspace = workspace->base;
  run(request, buffer, seed);
  memory_free(&m->device->memory, workspace);
}

static void open_outputs(struct outputs *out) {
  for (int i = 0; i < STREAMS; i++)
    if (!(out->streams[i] = open_memstream(&out->text[i], &out->size[i])))
      abort();
  out->report = source_report_new();
  out->checks = checks_new(CHECK_ALL, out->streams[0]);
  out->addresses = addresses_new(out->streams[1], NULL, UINT64_MAX);
}

static void close_outputs(struct outputs *out, const struct memory *memory) {
  checks_close(out->checks, memory);
  addresses_free(out->addresses);
  source_report_write(out->report, out->streams[2]);
  source_report_free(out->report);
  for (int i = 0; i < STREAMS; i++) {
    fclose(out->streams[i]);
    free(out->text[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char error[1024] = "";
  struct textures textures = {0};
  struct device device = {.textures = &textures};
  struct outputs out;
  uint32_t seed = 2166136261u;
  for (size_t i = 0; i < size; i++)
    seed = (seed ^ data[i]) * 16777619u;
  memory_open(&device.memory, DEVICE_MEMORY);
  open_outputs(&out);
  uint64_t buffer = memory_allocate(&device.memory, BUFFER_BYTES)->base;
  make_textures(&textures, buffer);
  struct module *m = module_load(&device, strndup((const char *)data, size), error, sizeof error);
  if (!m && (!error[0] || strchr(error, '\n')))
    abort(); /* a refusal is one line */
  for (uint32_t i = 0; m && i < m->kernel_count; i++) {
    const struct kernel *k = module_kernel(m, i);
    if (k->refusal && (!k->refusal[0] || strchr(k->refusal, '\n')))
      abort();
    if (k->ptx->is_entry && k->ptx->has_body && !k->refusal)
      run_each_way(m, k, buffer, seed + i, &out);
  }
  close_outputs(&out, &device.memory);
  if (m)
    module_unload(m);
  texture_free_all(&textures);
  memory_close(&device.memory);
  return 0;
}

/* Mutations that keep most of the text valid: they move lines and exchange words. */

struct span {
  size_t start, length;
};

static size_t split(const uint8_t *data, size_t size, bool words, struct span *spans) {
  size_t count = 0;
  for (size_t at = 0; at < size && count < MOST_LINES;) {
    size_t end = at;
    if (words) {
      while (at < size && strchr(" \t\n,;[]{}()", data[at]))
        at++;
      for (end = at; end < size && !strchr(" \t\n,;[]{}()", data[end]);)
        end++;
    } else {
      while (end < size && data[end] != '\n')
        end++;
      end += end < size;
    }
    if (end > at)
      spans[count++] = (struct span){at, end - at};
    at = end;
  }
  return count;
}

/* Replaces `to` by a copy of `from`; either may be empty. Returns the new size, or the old one if there is no room. */
static size_t replace(uint8_t *data, size_t size, size_t most, struct span to, struct span from) {
  if (size - to.length + from.length > most)
    return size;
  uint8_t *copy = malloc(from.length + 1);
  if (!copy)
    abort();
  memcpy(copy, data + from.start, from.length);
  memmove(data + to.start + from.length, data + to.start + to.length, size - to.start - to.length);
  memcpy(data + to.start, copy, from.length);
  free(copy);
  return size - to.length + from.length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static struct span spans[MOST_LINES];
  if (seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, most);
  size_t count = split(data, size, seed & 1, spans);
  if (count == 0)
    return LLVMFuzzerMutate(data, size, most);
  struct span to = spans[(seed >> 8) % count], from = spans[(seed >> 16) % count];
  if (seed & 2 && !(seed & 1))
    to.length = 0; /* insert the line instead */
  else if (seed >> 4 & 1 && !(seed & 1))
    from.length = 0; /* drop it */
  return replace(data, size, most, to, from);
}
