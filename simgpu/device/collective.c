#include "collective.h"

#include <string.h>

#include "operand.h"

/* Warp-wide operations */

/* The lane that lane l reads (PTX ISA, shfl.sync); *within: whether it is in range. Without branches, if mode is known. */
static inline u32 shuffle_from(enum shuffle_mode mode, u32 l, u32 by, u32 segments, bool *within) {
  const u32 clamp = segments & 31, segment = segments >> 8 & 31;
  const u32 lowest = l & segment, highest = lowest | (clamp & ~segment);
  const u32 from = mode == SHUFFLE_UP          ? l - by
                   : mode == SHUFFLE_DOWN      ? l + by
                   : mode == SHUFFLE_BUTTERFLY ? l ^ by
                                               : lowest | (by & ~segment);
  *within =
      mode == SHUFFLE_UP ? (s32)from >= (s32)highest : from <= highest; /* up: clamp holds the lower bound */
  return *within ? from & 31 : l;
}

/* All lanes: those that do not run read any value. Returns the lanes whose source is in range. */
static inline u32 shuffle_lanes(enum shuffle_mode mode, const u32 *const sources[3], u32 *result) {
  u32 inside = 0;
  for (u32 l = 0; l < LANES; l++) {
    bool within;
    result[l] = sources[0][shuffle_from(mode, l, sources[1][l] & 31, sources[2][l], &within)];
    inside |= (u32)within << l;
  }
  return inside;
}

static bool is_same_in_all(const u32 *lanes) {
  u32 other = 0;
  for (u32 l = 0; l < LANES; l++) /* all of them: a count that the compiler makes vectors of */
    other |= lanes[l] ^ lanes[0];
  return other == 0;
}

/* The same where all lanes name one distance, or one lane, and the warp is one segment, as in most sums of a warp. */
static u32 shuffle_whole_warp(enum shuffle_mode mode, const u32 *from, u32 by, u32 *result) {
  switch (mode) {
  case SHUFFLE_UP:
    memcpy(result, from, by * sizeof *from);
    memcpy(result + by, from, (LANES - by) * sizeof *from);
    return ALL_LANES << by;
  case SHUFFLE_DOWN:
    memcpy(result, from + by, (LANES - by) * sizeof *from);
    memcpy(result + LANES - by, from + LANES - by, by * sizeof *from);
    return ALL_LANES >> by;
  case SHUFFLE_BUTTERFLY:
    for (u32 l = 0; l < LANES; l++)
      result[l] = from[l ^ by];
    return ALL_LANES;
  case SHUFFLE_INDEX:
    for (u32 l = 0; l < LANES; l++)
      result[l] = from[by];
    return ALL_LANES;
  }
  return 0;
}

static u32 shuffle(enum shuffle_mode mode, const u32 *const sources[3], u32 *result) {
  const u32 whole = mode == SHUFFLE_UP ? 0 : LANES - 1;
  if ((sources[2][0] & (31u << 8 | 31u)) == whole && is_same_in_all(sources[1]) && is_same_in_all(sources[2]))
    return shuffle_whole_warp(mode, sources[0], sources[1][0] & 31, result);
  return mode == SHUFFLE_UP          ? shuffle_lanes(SHUFFLE_UP, sources, result)
         : mode == SHUFFLE_DOWN      ? shuffle_lanes(SHUFFLE_DOWN, sources, result)
         : mode == SHUFFLE_BUTTERFLY ? shuffle_lanes(SHUFFLE_BUTTERFLY, sources, result)
                                     : shuffle_lanes(SHUFFLE_INDEX, sources, result);
}

void collective_shuffle(const struct op *op, char **bases, u32 m) {
  const u32 *const sources[3] = {(u32 *)AT(op->src[0]), (u32 *)AT(op->src[1]), (u32 *)AT(op->src[2])};
  u32 result[LANES];
  const u32 inside = shuffle((enum shuffle_mode)op->mode, sources, result);
  if (op->dst[0] != NO_OPERAND) {
    u32 *d = (u32 *)AT(op->dst[0]);
    if (m == ALL_LANES)
      memcpy(d, result, sizeof result);
    else
      FOR_ACTIVE(m, l)
        d[l] = result[l];
  }
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], inside);
}

/* Lanes of `waiting` that name the same members as its first lane, and those members. */
static u32 next_group(const u32 *members, u32 waiting, u32 *group_members) {
  *group_members = members[__builtin_ctz(waiting)];
  u32 group = 0;
  FOR_ACTIVE(waiting, l)
    if (members[l] == *group_members)
      group |= 1u << l;
  return group;
}

static void vote_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 held = (PREDICATE_SOURCE(0)) & members;
  if (op->mode == VOTE_BALLOT) {
    u32 *d = (u32 *)AT(op->dst[0]);
    FOR_ACTIVE(m, l)
      d[l] = held;
    return;
  }
  bool result = op->mode == VOTE_ALL   ? held == members
                : op->mode == VOTE_ANY ? held != 0
                                       : held == members || held == 0;
  SET_PREDICATE(op->dst[0], result ? ALL_LANES : 0);
}

static void match_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 same[LANES], unanimous = ALL_LANES;
  const char *a = AT(op->src[0]);
  u32 bytes = op->wide ? 8 : 4;
  FOR_ACTIVE(m, l) {
    same[l] = 0;
    FOR_ACTIVE(members, k)
      if (memcmp(a + l * bytes, a + k * bytes, bytes) == 0)
        same[l] |= 1u << k;
    if (same[l] != members)
      unanimous = 0;
  }
  u32 *d = op->dst[0] == NO_OPERAND ? NULL : (u32 *)AT(op->dst[0]);
  FOR_ACTIVE(m, l)
    if (d)
      d[l] = op->mode == MATCH_ALL ? members & unanimous : same[l];
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], unanimous);
}

static u32 combine(const struct op *op, u32 a, u32 b) {
  bool less = op->type == PTX_S32 ? (s32)a < (s32)b : a < b;
  switch (op->mode) {
  case ATOM_ADD:
    return a + b;
  case ATOM_AND:
    return a & b;
  case ATOM_OR:
    return a | b;
  case ATOM_XOR:
    return a ^ b;
  case ATOM_MIN:
    return less ? a : b;
  default:
    return less ? b : a;
  }
}

static void reduce_group(const struct op *op, char **bases, u32 m, u32 members) {
  const u32 *a = (u32 *)AT(op->src[0]);
  u32 result = a[__builtin_ctz(members)], *d = (u32 *)AT(op->dst[0]);
  FOR_ACTIVE(members &(members - 1), l)
    result = combine(op, result, a[l]);
  FOR_ACTIVE(m, l)
    d[l] = result;
}

static void elect_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 leader = (u32)__builtin_ctz(members);
  if (op->dst[0] != NO_OPERAND)
    FOR_ACTIVE(m, l)
      ((u32 *)AT(op->dst[0]))[l] = leader;
  SET_PREDICATE(op->dst[1], 1u << leader);
}

/* vote, match, redux and elect among the members that each lane names; lanes of a warp may name different
 * ones. */
void collective_run(const struct op *op, char **bases, u32 m) {
  const u32 *named = (u32 *)AT(op->src[3]);
  for (u32 waiting = m, members; waiting;) {
    u32 group = next_group(named, waiting, &members);
    waiting &= ~group;
    members &= m;
    if (members == 0)
      members = group; /* lanes that omit themselves: undefined */
    if (op->code == OP_VOTE)
      vote_group(op, bases, group, members);
    else if (op->code == OP_MATCH)
      match_group(op, bases, group, members);
    else if (op->code == OP_ELECT)
      elect_group(op, bases, group, members);
    else
      reduce_group(op, bases, group, members);
  }
}

u32 collective_gather(struct warp *w, struct subwarp *s, const u32 *named, u32 pc, u32 mask, u32 m) {
  u32 missing = 0, here = m;
  FOR_ACTIVE(m, l)
    missing |= named[l];
  missing &= w->live & ~w->at_end & ~mask;
  if (__builtin_expect(missing == 0, 1))
    return m;
  for (u32 i = 0; i < w->subwarp_count; i++) {
    const struct subwarp *o = &w->subwarps[i];
    if (o != s && o->waits && o->pc == pc && o->frame == s->frame)
      here |= o->mask;
  }
  s->waits = (missing & ~here) != 0;
  for (u32 i = 0; i < w->subwarp_count && !s->waits; i++) {
    struct subwarp *o = &w->subwarps[i];
    if (o != s && o->waits && o->pc == pc && o->frame == s->frame) {
      o->waits = false;
      o->pc = pc + 1;
    }
  }
  return s->waits ? 0 : here;
}
