#include "collective.h"

#include <string.h>

#include "check_block.h"
#include "operand.h"
#include "subwarp.h"

/* Warp-wide operations */

/* The lane that lane l reads (PTX ISA, shfl.sync); *within: whether it is in range. Without branches, if
 * mode is known. */
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

/* vote, match, redux and elect among the members that each lane names; lanes of a warp may name different ones. */
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

/* --- one operation at several places --- */

enum { MEMBERS = 3, RESULTS = 2 }; /* the source that names the members */

/* The operands of all lanes: a frame of its own. */
struct meeting {
  _Alignas(64) char src[MEMBERS + 1][8 * LANES];
  char dst[RESULTS][8 * LANES];
};

static bool is_read(const struct op *op, u32 n) {
  return n == MEMBERS || op->code == OP_SHFL ||
         (n == 0 && (op->code == OP_VOTE || op->code == OP_MATCH || op->code == OP_REDUX));
}

static bool is_written(const struct op *op, u32 n) {
  const bool has =
      n == 0 ? op->code != OP_WARP_SYNC : op->code == OP_SHFL || op->code == OP_MATCH || op->code == OP_ELECT;
  return has && op->dst[n] != NO_OPERAND;
}

static bool is_predicate(const struct op *op, u32 n) {
  return n == 1 || (op->code == OP_VOTE && op->mode != VOTE_BALLOT);
}

static void copy_lanes(char *to, const char *from, u32 bytes, u32 m) {
  FOR_ACTIVE(m, l)
    memcpy(to + l * bytes, from + l * bytes, bytes);
}

static void bring(struct meeting *x, const struct op *op, char **bases, u32 m) {
  for (u32 n = 0; n <= MEMBERS; n++)
    if (is_read(op, n) && n == 0 && op->code == OP_VOTE)
      *(u32 *)x->src[n] |= PREDICATE_SOURCE(n) & m;
    else if (is_read(op, n))
      copy_lanes(x->src[n], AT(op->src[n]), n == 0 && op->wide ? 8 : 4, m);
}

/* The operation for the lanes `m`, whose operands have been brought. */
static void meet(struct meeting *x, struct op op, u32 m) {
  char *bases[BASES] = {[BASE_FRAME] = (char *)x};
  for (u32 n = 0; n <= MEMBERS; n++)
    op.src[n] = (u32)(x->src[n] - (char *)x);
  for (u32 n = 0; n < RESULTS; n++)
    op.dst[n] = (u32)(x->dst[n] - (char *)x);
  op.negate = 0;
  if (op.code == OP_SHFL)
    collective_shuffle(&op, bases, m);
  else if (op.code != OP_WARP_SYNC)
    collective_run(&op, bases, m);
}

static void take(const struct meeting *x, const struct op *op, char **bases, u32 m) {
  for (u32 n = 0; n < RESULTS; n++)
    if (is_written(op, n) && is_predicate(op, n))
      SET_PREDICATE(op->dst[n], *(const u32 *)x->dst[n]);
    else if (is_written(op, n))
      copy_lanes(AT(op->dst[n]), x->dst[n], 4, m);
}

static bool is_here(const struct subwarp *o, const struct subwarp *s) {
  return o->pc == s->pc && o->frame == s->frame;
}

static void set_bases(const struct warp *w, const struct subwarp *s, char **bases) {
  memcpy(bases, w->bases, sizeof w->bases);
  bases[BASE_FRAME] = s->frame->registers;
}

/* The lanes that the subwarp's first lane names. */
static u32 members_of(const struct warp *w, const struct subwarp *s, const struct op *op) {
  char *bases[BASES];
  set_bases(w, s, bases);
  return ((const u32 *)AT(op->src[MEMBERS]))[__builtin_ctz(s->mask)];
}

bool collective_meets(const struct warp *w, const struct subwarp *o, const struct subwarp *s) {
  if (is_here(o, s))
    return true;
  const struct op *const code = w->block->launch->module->code, *a = &code[o->pc], *b = &code[s->pc];
  return a->code == b->code && a->mode == b->mode && a->type == b->type && a->wide == b->wide &&
         !op_is_matrix(a->code) && members_of(w, o, a) == members_of(w, s, b);
}

/* The lanes at one place of an operation, and all places of it. */
struct place {
  struct subwarp *subwarp;
  u32 lanes;
};
struct places {
  struct place list[LANES];
  u32 count;
};

/* All lanes have arrived. The interpreter counts the operation at the first place. */
static void exchange(struct warp *w, const struct places *places) {
  const struct op *const code = w->block->launch->module->code;
  const u32 pc = places->list[0].subwarp->pc;
  struct meeting x = {0};
  char *bases[BASES];
  u32 all = 0;
  for (u32 i = 0; i < places->count; i++) {
    const struct place *p = &places->list[i];
    set_bases(w, p->subwarp, bases);
    bring(&x, &code[p->subwarp->pc], bases, p->lanes);
    all |= p->lanes;
  }
  meet(&x, code[pc], all);
  if (w->block->check)
    check_block_together(w, pc, (const u32 *)x.src[MEMBERS], all);
  for (u32 i = 0; i < places->count; i++) {
    const struct place *p = &places->list[i];
    struct instruction_statistics *stats = &w->block->worker->statistics[p->subwarp->pc];
    set_bases(w, p->subwarp, bases);
    take(&x, &code[p->subwarp->pc], bases, p->lanes);
    stats->warps += i > 0;
    stats->threads += i > 0 ? (u32)__builtin_popcount(p->lanes) : 0;
  }
}

static void go_on(struct subwarp *s) {
  s->waits = false;
  s->pc++;
}

struct gathered collective_gather(struct warp *w, struct subwarp *s, const u32 *named, u32 pc, u32 mask,
                                  u32 m) {
  struct places places; /* large: not set where no lane is missing */
  const u32 elsewhere = w->live & ~w->at_end & ~mask;
  u32 missing = 0, here = m;
  if (__builtin_expect(elsewhere == 0, 1))
    return (struct gathered){m, false};
  FOR_ACTIVE(m, l)
    missing |= named[l] & elsewhere;
  if (missing == 0)
    return (struct gathered){m, false};
  s->pc = pc;
  s->mask = mask;
  places.count = 1;
  for (u32 i = 0; i < w->subwarp_count; i++) {
    struct subwarp *o = &w->subwarps[i];
    if (o == s || !o->waits || !collective_meets(w, o, s))
      continue;
    const u32 lanes = subwarp_taking_part(o, &w->block->launch->module->code[o->pc]);
    missing &= ~o->mask;
    if (is_here(o, s))
      here |= lanes;
    else
      places.list[places.count++] = (struct place){o, lanes};
  }
  s->waits = missing != 0;
  if (s->waits)
    return (struct gathered){0, false};
  places.list[0] = (struct place){s, here};
  if (places.count > 1)
    exchange(w, &places);
  for (u32 i = 0; i < w->subwarp_count; i++)
    if (&w->subwarps[i] != s && w->subwarps[i].waits && is_here(&w->subwarps[i], s))
      go_on(&w->subwarps[i]);
  for (u32 i = 1; i < places.count; i++)
    go_on(places.list[i].subwarp);
  return (struct gathered){here, places.count > 1};
}
