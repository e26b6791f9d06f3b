/* Native code of loads and stores. The accesses whose addresses differ by known offsets are
 * written out; the others, and all unusual cases, are calls of the interpreter's functions. */
#include "native_access.h"

#include <string.h>

#include "access.h"
#include "fences.h"

struct place { /* of an access that is written out */
  bool is_shared, has_stride;
  uint32_t element, bytes; /* of an element, per lane */
  int32_t stride, low, high;
  struct native_register lanes;
};

static bool is_aligned(const struct place *p) {
  for (int l = 0; l < LANES; l++)
    if ((p->lanes.offset[l] - p->low) % (int32_t)p->bytes)
      return false;
  return true;
}

/* Returns whether two lanes access the same bytes: the higher one's value must stay. */
static bool overlaps(const struct place *p) {
  for (int a = 0; a < LANES; a++)
    for (int b = 0; b < a; b++)
      if (p->lanes.offset[a] == p->lanes.offset[b])
        return true;
  return false;
}

/* Returns whether the access is one of those that are written out. */
static bool is_plain(struct native_writer *w, struct place *p) {
  const struct op *op = &w->plan->code[w->pc];
  p->lanes = native_operand(w->plan, op->src[0]);
  p->element = ptx_type_bytes((enum ptx_type)op->type);
  p->bytes = p->element * op->count;
  p->has_stride = native_has_stride(&p->lanes, &p->stride);
  p->is_shared = op->space == PTX_SHARED;
  native_range(&p->lanes, &p->low, &p->high);
  if (w->plan->masked || p->lanes.kind != NATIVE_SCALAR || p->bytes > 16)
    return false;
  if (!is_aligned(p) || (op->code == OP_STORE && overlaps(p)))
    return false;
  if (p->is_shared)
    return p->bytes >= 4;
  return (op->space == PTX_GLOBAL || op->space == PTX_GENERIC || op->space == PTX_CONST) && p->has_stride &&
         (p->stride == 0 || p->stride == (int32_t)p->bytes);
}

/* The type of an element in memory, so that C extends it as PTX does. */
static const char *element_type(const struct op *op) {
  switch ((enum ptx_type)op->type) {
  case PTX_S8:
    return "int8_t";
  case PTX_S16:
    return "s16";
  case PTX_S32:
    return "s32";
  default:
    switch (ptx_type_bytes((enum ptx_type)op->type)) {
    case 1:
      return "u8";
    case 2:
      return "u16";
    case 4:
      return "u32";
    default:
      return "u64";
    }
  }
}

/* Writes the start of the access: `d` points at the lowest lane's data if it is one of the usual ones. */
static void find_data(struct native_writer *w, const struct place *p, bool is_store) {
  const struct op *op = &w->plan->code[w->pc];
  const uint32_t place = native_place(w);
  const char *type = op->wide_address ? "u64" : "u32";
  fprintf(w->out, "const u64 a%u = (%s)(%s + (%s)INT64_C(%lld));\n", place, type,
          native_source(w, op->src[0], type, true).text, type, (long long)op->offset + p->low);
  if (!p->is_shared) {
    fprintf(w->out, "u8 *const d%u = native_global(s, %u, a%u, %u, %d, %d, %d);\n", place, place, place,
            p->bytes, p->stride != 0, is_store, op->space != PTX_CONST);
    return;
  }
  uint32_t wavefronts, conflicts;
  access_shared_cost(p->lanes.offset, p->bytes, is_store ? USE_WRITE : USE_READ, &wavefronts, &conflicts);
  fprintf(w->out, "u8 *const d%u = native_shared(s, %u, a%u, %u, %u, %u, %u);\n", place, place, place,
          (uint32_t)(p->high - p->low) + p->bytes, p->bytes, wavefronts, conflicts);
  if (p->has_stride && p->stride > 0)
    return;
  fprintf(w->out, "static const _Alignas(64) u32 i%u[LANES] = {", place); /* distances in elements */
  for (int l = 0; l < LANES; l++)
    fprintf(w->out, "%u, ", (uint32_t)(p->lanes.offset[l] - p->low) / p->element);
  fputs("};\n", w->out);
}

/* The index of element e of lane l, from `d` on. */
static struct native_string index_of(const struct native_writer *w, const struct place *p, uint32_t e) {
  struct native_string index;
  if (p->has_stride && p->stride >= 0)
    snprintf(index.text, sizeof index.text, "l * %u + %u", (uint32_t)p->stride / p->element, e);
  else
    snprintf(index.text, sizeof index.text, "i%u[l] + %u", native_place(w), e);
  return index;
}

/* The general case, by the interpreter's function. */
static void write_general(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  native_complete(w, w->out, op->src[0]);
  for (uint32_t e = 0; op->code == OP_STORE && e < op->count; e++)
    native_complete(w, w->out, op->src[1 + e]);
  fprintf(w->out, "if (!s->access(s, %u, mask))\n  NATIVE_FAULT_AT(%u, %u);\n", native_place(w),
          native_place(w), native_end(w));
}

/* Returns whether a function of native_code.h may do the access, whose addresses are known at run time only. */
static bool has_function(const struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  return ptx_type_bytes((enum ptx_type)op->type) * op->count <= 16 &&
         (op->space == PTX_GLOBAL || op->space == PTX_GENERIC || op->space == PTX_CONST ||
          op->space == PTX_SHARED || op->space == PTX_LOCAL);
}

/* Ends the loop being collected; it leaves the lanes' addresses in `a`. */
static void write_addresses(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide_address ? "u64" : "u32";
  const struct native_string address = native_source(w, op->src[0], type, false);
  fprintf(w->lanes_out, "a[l] = (%s)(%s + (%s)INT64_C(%lld));\n", type, address.text, type,
          (long long)op->offset);
  native_flush(w);
}

/* An access that is not written out. */
static void write_call(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  if (!has_function(w)) {
    native_flush(w);
    write_general(w);
    return;
  }
  write_addresses(w);
  for (uint32_t e = 0; op->code == OP_STORE && e < op->count; e++)
    native_complete(w, w->out, op->src[1 + e]);
  fprintf(w->out, "if (__builtin_expect(!native_%s(s, %u, mask, a), 0)) {\n",
          op->code == OP_STORE ? "store" : "load", native_place(w));
  write_general(w);
  fputs("}\n", w->out);
}

/* Results become variables of the block if they are scalars; else they are in the frame. */
static void define_results(struct native_writer *w, bool general) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32";
  for (uint32_t e = 0; e < op->count; e++) {
    const int32_t slot = native_slot(w->plan, op->dst[e]);
    if (slot == NO_SLOT)
      continue;
    if (w->plan->registers[slot].kind == NATIVE_SCALAR) {
      const struct native_string name = native_define(w, op->dst[e], type);
      if (general)
        fprintf(w->out, "const %s %s = *NATIVE_AT(const %s, f + %u);\n", type, name.text, type, op->dst[e]);
      else
        fprintf(w->out, "const %s %s = x%u_%u;\n", type, name.text, native_place(w), e);
    } else {
      w->values[slot] = (struct native_value){.touched = w->run};
    }
  }
}

static int32_t slot_of_element(const struct native_writer *w, uint32_t e) {
  const uint32_t to = w->plan->code[w->pc].dst[e];
  return to == NO_OPERAND ? NO_SLOT : native_slot(w->plan, to);
}

/* The loop being collected must end before the access changes lanes that it uses. */
static void respect_run(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  for (uint32_t e = 0; e < op->count; e++) {
    const int32_t slot = slot_of_element(w, e);
    if (slot != NO_SLOT && w->values[slot].touched == w->run) {
      native_flush(w);
      return;
    }
  }
}

/* Whether the element's register differs from lane to lane. */
static bool is_by_lane(const struct native_writer *w, uint32_t e) {
  const int32_t slot = slot_of_element(w, e);
  return slot != NO_SLOT && w->plan->registers[slot].kind != NATIVE_SCALAR;
}

/* Elements in one loop: it then has no gaps, so the compiler reads whole vectors and separates them. */
static void load_in_loop(struct native_writer *w, const struct place *p) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32";
  fputs("NATIVE_FOR_LANES {\n", w->out);
  for (uint32_t e = 0; e < op->count; e++)
    if (is_by_lane(w, e))
      fprintf(w->out, "NATIVE_AT(%s, f + %u)[l] = (%s)((const %s *)d%u)[%s];\n", type, op->dst[e], type,
              element_type(op), native_place(w), index_of(w, p, e).text);
  fputs("}\n", w->out);
}

static void load_elements(struct native_writer *w, const struct place *p) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32", *element = element_type(op);
  const uint32_t place = native_place(w);
  const bool is_word = p->element == 4 && !op->wide;
  const bool near = !p->has_stride && is_word && p->high - p->low + p->bytes <= LANES * 4;
  const bool far = p->has_stride && is_word && p->stride > 16;
  for (uint32_t e = 0; e < op->count; e++) {
    const int32_t slot = slot_of_element(w, e);
    if (slot == NO_SLOT)
      continue;
    if (w->plan->registers[slot].kind == NATIVE_SCALAR)
      fprintf(w->out, "x%u_%u = (%s)((const %s *)d%u)[%u];\n", place, e, type, element, place, e);
    else if (near)
      fprintf(w->out, "native_permute(NATIVE_AT(u32, f + %u), (const u32 *)d%u + %u, i%u);\n", op->dst[e],
              place, e, place);
    else if (far)
      fprintf(w->out, "native_pick(NATIVE_AT(u32, f + %u), d%u + %u, %u);\n", op->dst[e], place,
              e * p->element, (uint32_t)p->stride);
  }
  if (!near && !far)
    load_in_loop(w, p);
}

static void write_load(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32";
  struct place p;
  if (!is_plain(w, &p)) {
    write_call(w);
    define_results(w, true);
    return;
  }
  respect_run(w);
  find_data(w, &p, false);
  for (uint32_t e = 0; e < op->count; e++)
    fprintf(w->out, "%s x%u_%u = 0;\n(void)x%u_%u;\n", type, native_place(w), e, native_place(w), e);
  fprintf(w->out, "if (__builtin_expect(d%u != NULL, 1)) {\n", native_place(w));
  load_elements(w, &p);
  fputs("} else {\n", w->out);
  write_general(w);
  for (uint32_t e = 0; e < op->count; e++)
    if (op->dst[e] != NO_OPERAND)
      fprintf(w->out, "x%u_%u = *NATIVE_AT(const %s, f + %u);\n", native_place(w), e, type, op->dst[e]);
  fputs("}\n", w->out);
  define_results(w, false);
}

/* The values lie in the frame, are scalars or constants. */
static void write_store(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32", *element = element_type(op);
  struct place p;
  if (!is_plain(w, &p)) {
    write_call(w);
    return;
  }
  native_flush(w);
  struct native_string values[4];
  find_data(w, &p, true);
  for (uint32_t e = 0; e < op->count; e++)
    values[e] = native_source(w, op->src[1 + e], type, false);
  fprintf(w->out, "if (__builtin_expect(d%u != NULL, 1)) {\nNATIVE_FOR_LANES {\n", native_place(w));
  for (uint32_t e = 0; e < op->count; e++)
    fprintf(w->out, "((%s *)d%u)[%s] = (%s)(%s);\n", element, native_place(w), index_of(w, &p, e).text,
            element, values[e].text);
  fputs("}\n} else {\n", w->out);
  write_general(w);
  fputs("}\n", w->out);
}

void native_write_access(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  if (fences_orders(op))
    fputs("__atomic_thread_fence(__ATOMIC_ACQ_REL);\n", w->out);
  if (op->code == OP_LOAD)
    write_load(w);
  else
    write_store(w);
  if (fences_orders(op))
    fputs("__atomic_thread_fence(__ATOMIC_ACQ_REL);\n", w->out);
}
