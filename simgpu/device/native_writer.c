#include "native_writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "device/room.h"

static const char base_names[BASES] = {
    [BASE_FRAME] = 'f', [BASE_CONSTANT] = 'c', [BASE_WARP] = 't', [BASE_BLOCK] = 'b'};

__attribute__((format(printf, 1, 2))) static struct native_string native_string_of(const char *format, ...) {
  struct native_string s;
  va_list args;
  va_start(args, format);
  vsnprintf(s.text, sizeof s.text, format, args);
  va_end(args);
  return s;
}

static bool is_wide(const char *type) { return strchr(type, '6') != NULL; }

/* `text` of type `have` as the same bits of type `want`. */
static struct native_string convert(const char *text, const char *have, const char *want) {
  if (strcmp(have, want) == 0)
    return native_string_of("%s", text);
  if (have[0] == 'f' && want[0] == 'f')
    abort();
  if (have[0] == 'f')
    return native_string_of("(%s)%s(%s)", want, is_wide(have) ? "lane_bits_f64" : "lane_bits", text);
  if (want[0] == 'f')
    return native_string_of("%s((%s)(%s))", is_wide(want) ? "lane_f64" : "lane_f32",
                            is_wide(want) ? "u64" : "u32", text);
  return native_string_of("(%s)(%s)", want, text);
}

static struct native_string constant(uint64_t value, const char *want) {
  if (is_wide(want))
    return convert(native_string_of("UINT64_C(0x%llx)", (unsigned long long)value).text, "u64", want);
  return convert(native_string_of("0x%xu", (uint32_t)value).text, "u32", want);
}

/* The variable of a scalar register; loads it if the block has not used it yet. */
static struct native_string scalar(struct native_writer *w, int32_t slot, const char **type) {
  struct native_value *v = &w->values[slot];
  if (!v->known) {
    v->type = w->plan->registers[slot].bytes == 8 ? "u64" : "u32";
    v->known = true;
    v->pc = 0;
    fprintf(w->out, "const %s s%d_0 = *NATIVE_AT(const %s, f + %d);\n", v->type, slot, v->type,
            slot * NATIVE_SLOT);
  }
  *type = v->type;
  return native_string_of("s%d_%u", slot, v->pc);
}

static struct native_string lane_of_register(struct native_writer *w, int32_t slot, const char *want) {
  struct native_value *v = &w->values[slot];
  v->touched = w->run;
  if (v->run == w->run)
    return convert(native_string_of("v%d_%u", slot, v->pc).text, v->type, want);
  return native_string_of("NATIVE_AT(const %s, f + %d)[l]", want, slot * NATIVE_SLOT);
}

/* The number of the table of these offsets. */
static uint32_t table_of(struct native_writer *w, const struct native_register *r) {
  uint32_t n = 0;
  while (n < w->table_count && memcmp(w->tables[n].offset, r->offset, sizeof r->offset) != 0)
    n++;
  if (n == w->table_count) {
    w->tables = room_grown(w->tables, n, sizeof *w->tables);
    w->tables[w->table_count++] = *r;
  }
  return n;
}

void native_write_tables(struct native_writer *w) {
  for (uint32_t slot = 0; slot < w->plan->slots; slot++)
    if (w->plan->registers[slot].kind == NATIVE_SCALAR)
      table_of(w, &w->plan->registers[slot]);
  for (int i = 0; i < 3; i++)
    if (w->plan->shape.thread[i].kind == NATIVE_SCALAR)
      table_of(w, &w->plan->shape.thread[i]);
  for (uint32_t n = 0; n < w->table_count; n++) {
    fprintf(w->out, "static const _Alignas(64) s32 o%u[LANES] = {", n);
    for (int l = 0; l < LANES; l++)
      fprintf(w->out, "%d, ", w->tables[n].offset[l]);
    fputs("};\n", w->out);
  }
}

struct native_string native_source(struct native_writer *w, uint32_t operand, const char *want,
                                   bool first_lane) {
  const int32_t slot = native_slot(w->plan, operand);
  const struct native_register r = native_operand(w->plan, operand);
  const char *type = "u32";
  struct native_string value;
  uint64_t bits;
  if (native_constant(w->plan, operand, is_wide(want) ? 8 : 4, &bits))
    return constant(bits, want);
  if (slot != NO_SLOT && r.kind == NATIVE_LANES)
    return lane_of_register(w, slot, want);
  if (slot != NO_SLOT)
    value = scalar(w, slot, &type);
  else if (r.kind == NATIVE_LANES)
    return native_string_of("NATIVE_AT(const %s, %c + %u)[l]", want, base_names[operand >> BASE_SHIFT],
                            operand & OFFSET_MASK);
  else
    value = native_string_of("*NATIVE_AT(const u32, %c + %u)", base_names[operand >> BASE_SHIFT],
                             operand & OFFSET_MASK);
  if (!native_is_same(&r) && !first_lane) {
    const char *bits_type = is_wide(type) ? "u64" : "u32";
    int32_t stride;
    if (native_has_stride(&r, &stride))
      value = native_string_of("%s + (%s)l * (%s)%d", convert(value.text, type, bits_type).text, bits_type,
                               bits_type, stride);
    else
      value = native_string_of("%s + (%s)o%u[l]", convert(value.text, type, bits_type).text, bits_type,
                               table_of(w, &r));
    type = bits_type;
  }
  return convert(value.text, type, want);
}

struct native_string native_define(struct native_writer *w, uint32_t operand, const char *type) {
  const int32_t slot = native_slot(w->plan, operand);
  struct native_value *v = &w->values[slot];
  const bool is_scalar = w->plan->registers[slot].kind == NATIVE_SCALAR;
  *v = (struct native_value){.run = is_scalar ? 0 : w->run,
                             .pc = native_place(w) + 1,
                             .touched = is_scalar ? v->touched : w->run,
                             .type = type,
                             .known = is_scalar,
                             .unsaved = is_scalar};
  if (!is_scalar)
    w->defined[w->defined_count++] = slot;
  return native_string_of("%c%d_%u", is_scalar ? 's' : 'v', slot, v->pc);
}

/* Returns whether anything reads the register's lanes from here on. */
static bool is_live(const struct native_writer *w, int32_t slot) {
  const struct native_block *b = &w->plan->blocks[w->block];
  for (uint32_t pc = w->pc; pc < b->end; pc++) {
    const struct native_operands o = native_operands_of(w->plan, pc);
    for (uint32_t i = 0; i < o.source_count; i++)
      if (o.source[i] == slot)
        return true;
    for (uint32_t i = 0; i < o.result_count; i++)
      if (o.result[i] == slot)
        return false;
  }
  return native_has(b->live_out, slot);
}

void native_flush(struct native_writer *w) {
  for (uint32_t i = 0; i < w->defined_count; i++) {
    const int32_t slot = w->defined[i];
    const struct native_value *v = &w->values[slot];
    if (v->run == w->run && is_live(w, slot)) {
      const char *type = !w->plan->masked ? v->type : is_wide(v->type) ? "u64" : "u32";
      const struct native_string value = convert(native_string_of("v%d_%u", slot, v->pc).text, v->type, type);
      fprintf(w->lanes_out, "NATIVE_AT(%s, f + %d)[l] = ", type, slot * NATIVE_SLOT);
      if (w->plan->masked)
        fprintf(w->lanes_out, "lane_choose_%s(mask >> l & 1, %s, NATIVE_AT(const %s, f + %d)[l]);\n", type,
                value.text, type, slot * NATIVE_SLOT);
      else
        fprintf(w->lanes_out, "%s;\n", value.text);
    }
    w->values[slot].run = 0;
  }
  fclose(w->lanes_out);
  fclose(w->after_out);
  if (w->lanes_length)
    fprintf(w->out, "NATIVE_FOR_LANES {\n%s}\n", w->lanes);
  fputs(w->after, w->out);
  free(w->lanes);
  free(w->after);
  w->lanes_out = open_memstream(&w->lanes, &w->lanes_length);
  w->after_out = open_memstream(&w->after, &w->after_length);
  fflush(w->after_out);
  w->run++;
  w->defined_count = 0;
  w->predicates = 0;
}

void native_read_predicate(struct native_writer *w, uint32_t operand) {
  if (operand != NO_OPERAND && w->predicates >> (operand / 4 % 64) & 1)
    native_flush(w);
}

void native_save(struct native_writer *w, const uint64_t *only) {
  for (uint32_t slot = 0; slot < w->plan->slots; slot++) {
    struct native_value *v = &w->values[slot];
    if (!v->unsaved)
      continue;
    v->unsaved = false;
    if (!only || native_has(only, (int32_t)slot))
      fprintf(w->out, "*NATIVE_AT(%s, f + %u) = s%u_%u;\n", v->type, slot * NATIVE_SLOT, slot, v->pc);
  }
}

void native_complete(struct native_writer *w, FILE *out, uint32_t operand) {
  const int32_t slot = native_slot(w->plan, operand);
  if (slot == NO_SLOT || w->plan->registers[slot].kind != NATIVE_SCALAR)
    return;
  const bool wide = w->plan->registers[slot].bytes == 8;
  fprintf(out, "native_complete(f + %d, %d, %s, o%u);\n", slot * NATIVE_SLOT, wide ? 8 : 4,
          native_source(w, operand, wide ? "u64" : "u32", true).text, table_of(w, &w->plan->registers[slot]));
}

uint32_t native_end(const struct native_writer *w) { return w->plan->blocks[w->block].end - w->plan->entry; }

struct native_writer *native_writer_new(const struct native_plan *plan, FILE *out) {
  struct native_writer *w = room_zeroed(1, sizeof *w);
  *w = (struct native_writer){.plan = plan, .out = out, .run = 1};
  w->values = room_zeroed(plan->slots + 1, sizeof *w->values);
  w->lanes_out = open_memstream(&w->lanes, &w->lanes_length);
  w->after_out = open_memstream(&w->after, &w->after_length);
  return w;
}

void native_writer_free(struct native_writer *w) {
  fclose(w->lanes_out);
  fclose(w->after_out);
  free(w->lanes);
  free(w->after);
  free(w->values);
  free(w->tables);
  free(w);
}
