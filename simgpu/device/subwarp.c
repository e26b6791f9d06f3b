#include "subwarp.h"

#include "operand.h"

enum { JOIN_SLICES = 4 }; /* full time slices after which lanes at a join continue without the others */

/* If all joins are in use (no known program needs that many), the subwarp continues without reconvergence. */
static int32_t new_join(struct warp *w, struct join join) {
  if (w->joins_used == UINT64_MAX)
    return join.outer;
  int32_t index = __builtin_ctzll(~w->joins_used);
  w->joins_used |= UINT64_C(1) << index;
  w->joins[index] = join;
  return index;
}

static void free_join(struct warp *w, int32_t index) { w->joins_used &= ~(UINT64_C(1) << index); }

static struct subwarp *add_subwarp(struct warp *w, struct subwarp subwarp) {
  w->subwarps[w->subwarp_count] = subwarp;
  return &w->subwarps[w->subwarp_count++];
}

uint32_t subwarp_lanes_at_end(const struct warp *w) {
  uint32_t lanes = 0;
  for (uint64_t used = w->joins_used; used; used &= used - 1) {
    const struct join *j = &w->joins[__builtin_ctzll(used)];
    if (w->block->launch->module->code[j->pc + 1].code == OP_EXIT)
      lanes |= j->arrived;
  }
  return lanes;
}

u32 subwarp_taking_part(const struct subwarp *s, const struct op *op) {
  if (!op->guard)
    return s->mask;
  const u32 held = *(const u32 *)(s->frame->registers + op->predicate);
  return s->mask & (op->guard == GUARD_IF ? held : ~held);
}

void subwarp_remove(struct warp *w, struct subwarp *s) {
  const struct subwarp *last = &w->subwarps[--w->subwarp_count];
  if (s != last) /* a copy would wait for the stores of its members */
    *s = *last;
}

/* The join at `point` for all lanes that are in the region of `depth` with the subwarp. It lies outside the joins
 * of deeper regions. */
static int32_t join_at(struct warp *w, struct subwarp *s, u32 point, u32 depth) {
  int32_t at = s->join;
  struct join *inner = NULL;
  while (at >= 0 && w->joins[at].frame == s->frame && w->joins[at].depth > depth) {
    inner = &w->joins[at];
    at = inner->outer;
  }
  if (at >= 0 && w->joins[at].pc == point && w->joins[at].frame == s->frame)
    return at;
  at = new_join(w, (struct join){.expected = inner ? inner->expected : s->mask,
                                 .pc = point,
                                 .depth = (u8)depth,
                                 .outer = at,
                                 .frame = s->frame});
  *(inner ? &inner->outer : &s->join) = at;
  return at;
}

void subwarp_diverge(struct warp *w, struct subwarp *s, u32 away, u32 target, u32 point, u32 depth) {
  int32_t join = join_at(w, s, point, depth);
  bool is_innermost = join >= 0 && join == s->join && w->joins[join].pc == point;
  s->mask &= ~away;
  if (target == point && is_innermost) { /* the lanes are already there */
    w->joins[s->join].arrived |= away;
    return;
  }
  struct subwarp other = *s;
  other.mask = away;
  other.pc = target;
  if (s->pc == point && is_innermost) {
    w->joins[s->join].arrived |= s->mask;
    *s = other;
  } else {
    add_subwarp(w, other);
  }
}

/* The join no longer waits for the lanes `gone`. If it is then complete, its lanes continue. */
static void leave_join(struct warp *w, int32_t index, u32 gone) {
  struct join *j = &w->joins[index];
  j->expected &= ~gone;
  if (j->arrived != j->expected)
    return;
  if (j->expected)
    add_subwarp(w, (struct subwarp){
                       .mask = j->expected, .pc = j->pc, .join = j->outer, .barrier = -1, .frame = j->frame});
  free_join(w, index);
}

bool subwarp_reconverge(struct warp *w, struct subwarp *s, const struct op *op, u32 pc) {
  while (s->join >= 0 && w->joins[s->join].frame == s->frame) {
    int32_t index = s->join;
    struct join *j = &w->joins[index];
    if (j->pc == pc) {
      j->arrived |= s->mask;
      if (j->arrived != j->expected)
        return false;
      s->mask = j->expected;
      s->join = j->outer;
      free_join(w, index);
    } else if (j->depth > op->depth) {
      if (op->reconverge != PTX_NO_FOLLOW && j->expected != s->mask)
        join_at(w, s, op->reconverge, op->depth);
      s->join = j->outer;
      leave_join(w, index, s->mask);
    } else {
      break;
    }
  }
  return true;
}

void subwarp_expire_join(struct warp *w, struct subwarp *s, u64 taken) {
  const u64 slice = w->block->time_slice > SHORT_SLICE ? w->block->time_slice : SHORT_SLICE;
  s->taken += taken;
  if (s->join < 0 || s->taken < JOIN_SLICES * slice)
    return;
  struct join *j = &w->joins[s->join];
  s->taken = 0;
  s->apart = true;
  if (j->arrived)
    add_subwarp(w, (struct subwarp){.mask = j->arrived,
                                    .pc = j->pc,
                                    .join = j->outer,
                                    .barrier = -1,
                                    .apart = true,
                                    .frame = j->frame});
  j->expected &= ~j->arrived;
  j->arrived = 0;
}

static bool can_reunite(const struct subwarp *a, const struct subwarp *b) {
  return a->pc == b->pc && a->join == b->join && a->frame == b->frame && a->barrier < 0 && b->barrier < 0 &&
         !a->waits && !b->waits;
}

bool subwarp_reunite(struct warp *w) {
  const u32 before = w->subwarp_count;
  for (u32 k = 0; k < w->subwarp_count; k++)
    for (u32 other = w->subwarp_count - 1; other > k; other--)
      if (can_reunite(&w->subwarps[k], &w->subwarps[other])) {
        w->subwarps[k].mask |= w->subwarps[other].mask;
        w->subwarps[k].apart = w->subwarps[k].mask != w->live;
        subwarp_remove(w, &w->subwarps[other]);
      }
  return w->subwarp_count < before;
}

void subwarp_leave_joins(struct warp *w, int32_t join, u32 gone) {
  while (join >= 0) {
    int32_t outer = w->joins[join].outer;
    leave_join(w, join, gone);
    join = outer;
  }
}

bool subwarp_exit(struct warp *w, struct subwarp *s, u32 gone) {
  const int32_t join = s->join;
  w->live &= ~gone;
  w->block->exited += (u32)__builtin_popcount(gone);
  w->block->progress++;
  for (u32 i = 0; i < w->subwarp_count; i++)
    w->subwarps[i].waits = false; /* no lane waits for them now */
  s->mask &= ~gone;
  const bool continues = s->mask != 0;
  if (!continues)
    subwarp_remove(w, s);
  subwarp_leave_joins(w, join, gone);
  return continues;
}

u64 subwarp_same_target(struct warp *w, struct subwarp *s, const struct op *op, char **bases) {
  const u64 *targets = (u64 *)AT(op->src[0]);
  u64 target = targets[__builtin_ctz(s->mask)];
  u32 others = 0;
  FOR_ACTIVE(s->mask, l)
    others |= (u32)(targets[l] != target) << l;
  if (others)
    subwarp_diverge(w, s, others, s->pc, op->reconverge, PTX_NOT_LEFT - 1);
  return target;
}

void subwarp_branch_indexed(struct warp *w, struct subwarp *s, const struct op *op, char **bases, u32 m) {
  const u32 *index = (u32 *)AT(op->src[0]), count = (u32)op->target_count;
  const struct target *targets = &w->block->launch->module->targets[op->first_target];
  if (m != s->mask)
    subwarp_diverge(w, s, s->mask & ~m, s->pc + 1, op->reconverge, op->depth);
  for (;;) {
    const struct target *target = &targets[index[__builtin_ctz(s->mask)] % count];
    u32 group = 0;
    FOR_ACTIVE(s->mask, l)
      group |= (u32)(targets[index[l] % count].pc == target->pc) << l;
    if (group == s->mask) {
      s->pc = target->pc;
      return;
    }
    subwarp_diverge(w, s, group, target->pc, target->reconverge, target->depth);
  }
}
