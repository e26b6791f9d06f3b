#include "native_text.h"

#include <string.h>

#include "fences.h"
#include "native_access.h"
#include "native_lanes.h"
#include "native_state.h"
#include "operand.h"

enum { MOST_RESULTS = 4 }; /* of an instruction */

/* A shuffle of a whole warp. */
static void write_shuffle(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  struct native_string from[3];
  for (int i = 0; i < 3; i++)
    from[i] = native_source(w, op->src[i], "u32", false);
  fputs("{\n_Alignas(64) u32 a[LANES], i[LANES];\n", w->out);
  fprintf(w->out, "NATIVE_FOR_LANES {\na[l] = %s;\ni[l] = native_shuffle_from(%u, l, %s, %s);\n}\n",
          from[0].text, op->mode, from[1].text, from[2].text);
  if (op->dst[0] != NO_OPERAND)
    fprintf(w->out, "native_permute(NATIVE_AT(u32, f + %u), a, i);\n", op->dst[0]);
  if (op->dst[1] != NO_OPERAND)
    fprintf(w->out, "u32 h = 0;\nNATIVE_FOR_LANES h |= (u32)(i[l] < LANES) << l;\n*(u32 *)(f + %u) = h;\n",
            op->dst[1]);
  fputs("}\n", w->out);
}

/* A vote of a whole warp among all its lanes. */
static void write_vote(struct native_writer *w) {
  static const char *const results[] = {
      [VOTE_ALL] = "h == ALL_LANES", [VOTE_ANY] = "h != 0", [VOTE_UNIFORM] = "h == ALL_LANES || h == 0"};
  const struct op *op = &w->plan->code[w->pc];
  fprintf(w->out, "{\nconst u32 h = *(const u32 *)(s->bases[%u] + %u) ^ 0x%xu;\n", op->src[0] >> BASE_SHIFT,
          op->src[0] & OFFSET_MASK, operand_negated(op, 0));
  if (op->mode == VOTE_BALLOT)
    fprintf(w->out, "NATIVE_FOR_LANES NATIVE_AT(u32, f + %u)[l] = h;\n}\n", op->dst[0]);
  else
    fprintf(w->out, "*(u32 *)(f + %u) = %s ? ALL_LANES : 0;\n}\n", op->dst[0], results[op->mode]);
}

/* A warp-wide operation, after which all lanes continue; false: it is not one of those that are written out. */
static bool write_collective(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  uint64_t named;
  if (w->plan->masked)
    return false;
  if (op->code == OP_SHFL)
    write_shuffle(w);
  else if (op->code == OP_VOTE && native_constant(w->plan, op->src[3], 4, &named) && named == ALL_LANES)
    write_vote(w);
  else
    return op->code == OP_WARP_SYNC;
  return true;
}

/* The frame has the results. */
static void forget(struct native_writer *w, const struct native_operands *o) {
  for (uint32_t i = 0; i < o->result_count; i++)
    w->values[o->result[i]] = (struct native_value){.touched = w->run};
}

/* A call of the interpreter's function: it reads and writes the frame. */
static void write_rare(struct native_writer *w) {
  const struct native_operands o = native_operands_of(w->plan, w->pc);
  native_flush(w);
  const bool is_rounded = native_is_rounded(w->plan, w->pc),
             saturates = w->plan->code[w->pc].code == OP_SATURATE;
  if (is_rounded)
    native_write_rounded(w);
  else if (saturates)
    native_write_saturation(w);
  if (is_rounded || saturates || write_collective(w)) {
    forget(w, &o);
    return;
  }
  for (uint32_t i = 0; i < o.source_count; i++)
    native_complete(w, w->out, (uint32_t)o.source[i] * NATIVE_SLOT);
  const struct op *op = &w->plan->code[w->pc];
  if (w->plan->masked && native_is_collective(op))
    fprintf(w->out,
            "if (native_lacks(s, (const u32 *)(s->bases[%u] + %u), mask))\n  NATIVE_LEAVE_AT(%u, %u);\n",
            op->src[3] >> BASE_SHIFT, op->src[3] & OFFSET_MASK, native_place(w), native_end(w));
  fprintf(w->out, "if (!s->rare(s, %u, mask))\n  NATIVE_FAULT_AT(%u, %u);\n", native_place(w),
          native_place(w), native_end(w));
  forget(w, &o);
}

/* bra: goes on in the native code if all lanes go the same way. */
static void write_branch(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const uint32_t place = native_place(w), target = op->target - w->plan->entry, end = native_end(w);
  native_flush(w);
  native_save(w, w->plan->blocks[w->block].live_out);
  if (op->guard) {
    fprintf(w->out, "const u32 m%u = %s*(const u32 *)(f + %u)%s;\n", place,
            op->guard == GUARD_UNLESS ? "~" : "", op->predicate, w->plan->masked ? " & mask" : "");
    fprintf(w->out, "if (m%u == 0)\n  goto at_%u;\nif (m%u != mask)\n", place, end, place);
    if (w->plan->masked)
      fprintf(w->out, "{\ncounts[%u] += (u32)__builtin_popcount(m%u);\nNATIVE_DIVERGE_AT(%u, m%u);\n}\n",
              NATIVE_COUNTS * w->block + COUNT_TAKEN, place, place, place);
    else
      fprintf(w->out, "  NATIVE_LEAVE_AT(%u, %u);\n", place, end);
  }
  if (op->target <= w->pc)
    fprintf(w->out, "if (left > slice)\n  NATIVE_LEAVE_AT(%u, %u);\n", place, end);
  if (op->guard)
    fprintf(w->out, "counts[%u] += lanes;\n", NATIVE_COUNTS * w->block + COUNT_TAKEN);
  fprintf(w->out, "goto at_%u;\n", target);
}

/* The result's lanes differ as planned only if none wraps around: else the interpreter continues here. */
static void write_wrap_check(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *sign = op->code == OP_CVT_U64_U32 || op->code == OP_MUL_WIDE_U32 || op->code == OP_MAD_WIDE_U32
                         ? "u32"
                         : "s32";
  native_flush(w);
  native_save(w, NULL);
  for (uint32_t i = 0; i < (op->code == OP_CVT_U64_U32 || op->code == OP_CVT_S64_S32 ? 1 : 2); i++) {
    const struct native_register r = native_operand(w->plan, op->src[i]);
    int32_t low, high;
    native_range(&r, &low, &high);
    if (low || high)
      fprintf(w->out, "if (__builtin_expect(native_wraps_%s(%s, %d, %d), 0))\n  NATIVE_LEAVE_AT(%u, %u);\n",
              sign, native_source(w, op->src[i], "u32", true).text, low, high, native_place(w),
              native_end(w));
  }
}

static void write_instruction(struct native_writer *w) {
  if (w->defined_count + MOST_RESULTS > NATIVE_RUN)
    native_flush(w);
  if (native_may_wrap(w->plan, w->pc))
    write_wrap_check(w);
  switch (native_way_of(w->plan, w->pc)) {
  case NATIVE_LANE:
    native_write_lane(w);
    break;
  case NATIVE_ACCESS:
    native_write_access(w);
    break;
  case NATIVE_RARE:
    write_rare(w);
    break;
  case NATIVE_BRANCH:
    write_branch(w);
    break;
  default:
    if (fences_has(&w->plan->code[w->pc]))
      fputs("__atomic_thread_fence(__ATOMIC_SEQ_CST);\n", w->out);
  }
}

static uint32_t count_instructions(const struct native_plan *p, const struct native_block *b) {
  uint32_t count = 0;
  for (uint32_t pc = b->first; pc < b->end; pc++)
    count += !op_is_marker(p->code[pc].code);
  return count;
}

static void write_block(struct native_writer *w) {
  const struct native_plan *p = w->plan;
  const struct native_block *b = &p->blocks[w->block];
  const enum native_way way = native_way_of(p, b->first);
  const uint32_t first = b->first - p->entry;
  fprintf(w->out, "at_%u: {\n", first);
  if (way == NATIVE_STOP) {
    fprintf(w->out, "NATIVE_LEAVE(%u);\n}\n", first);
    return;
  }
  if (way == NATIVE_RECONVERGE) {
    fprintf(w->out, "if (native_meets(s, %u, %u))\n  NATIVE_%s(%u);\n}\n", first, p->code[b->first].depth,
            p->masked ? "MEET_AT" : "LEAVE", first);
    return;
  }
  if (way == NATIVE_TURN) {
    fprintf(w->out, "if (s->warp->turns)\n  NATIVE_LEAVE(%u);\n}\n", first);
    return;
  }
  memset(w->values, 0, (p->slots + 1) * sizeof *w->values);
  fprintf(w->out, "counts[%u]++;\nleft -= %u;\n", NATIVE_COUNTS * w->block + COUNT_RUNS,
          count_instructions(p, b));
  if (p->masked)
    fprintf(w->out, "counts[%u] += lanes;\n", NATIVE_COUNTS * w->block + COUNT_LANES);
  if (b->writes_scalar)
    fprintf(w->out, "s->wrote |= 0x%xu;\n", 1u << native_class_of(w->block));
  for (w->pc = b->first; w->pc < b->end; w->pc++)
    write_instruction(w);
  native_flush(w);
  native_save(w, b->live_out);
  fputs("}\n", w->out);
}

char *native_text(const struct native_plan *p) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  struct native_writer *w = native_writer_new(p, out);
  native_write_tables(w);
  fprintf(
      out,
      "u32 native_code(struct native_state *s, u32 pc, u32 active) {\n"
      "%su32 mask = %s, lanes = (u32)__builtin_popcount(mask);\n"
      "char *const f = s->bases[BASE_FRAME], *const t = s->bases[BASE_WARP], *const b = s->bases[BASE_BLOCK];\n"
      "u64 *const counts = s->counts;\nconst u64 slice = s->slice;\nu64 left = s->left;\n"
      "_Alignas(64) u64 a[LANES];\nu32 left_at, left_end, away;\nagain:\nswitch (pc) {\n",
      p->masked ? "" : "const ", p->masked ? "active" : "ALL_LANES");
  for (uint32_t n = 0; n < p->block_count; n++)
    fprintf(out, "case %u:\n  goto at_%u;\n", p->blocks[n].first - p->entry, p->blocks[n].first - p->entry);
  fputs("}\nNATIVE_LEAVE(pc);\n", out);
  for (w->block = 0; w->block < p->block_count; w->block++)
    write_block(w);
  fprintf(out, "at_%u:\nreturn %u;\n%sNATIVE_EXITS\n}\n", p->end - p->entry, p->end - p->entry,
          p->masked ? "NATIVE_TURNS\n" : "");
  native_writer_free(w);
  fclose(out);
  return text;
}
