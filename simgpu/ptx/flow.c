/* Reconvergence points of diverged lanes. ptxas lets lanes reconverge within a loop's body even if some lanes leave the
 * loop there (BSSY, BREAK, BSYNC). Post-dominators are therefore computed per region: the whole function, its body
 * without early returns, and each loop's body without its exits. An iteration ends at the header. */
#include <string.h>

#include "ptx.h"

#define NO_LOOP UINT32_MAX
enum {
  MAX_DEPTH = 32, /* deeper loops count as part of those around them */
  FULL_DEPTH = 0, /* the function with every edge, early returns included */
  BODY_DEPTH,     /* the function without them; loops are deeper */
};

struct edges {
  uint32_t *nodes, count;
};
struct graph {
  struct edges *next, *previous;
  uint32_t count;
};

struct basic_block {
  uint32_t first, last; /* instructions [first, last) */
  uint32_t loop;        /* innermost, or NO_LOOP */
  uint32_t slot;        /* its number in the current region */
  uint32_t region;      /* the current region */
  uint32_t *reconverge; /* by edge: where lanes that diverge at the block's end reconverge */
  uint8_t *depths;      /* and the depth of its region */
  bool *resolved;
};

struct loop {
  uint32_t header, parent, depth;
};

struct flow {
  struct arena *arena;
  const struct ptx_function *function;
  struct basic_block *blocks; /* count of them, then the exit */
  struct graph graph;
  uint32_t exit;
  uint32_t *block_of; /* by instruction */
  uint32_t current;
  struct loop *loops; /* inner ones before those around them */
  uint32_t loop_count;
};

static bool is_branch(const struct ptx_inst *inst) { return ptx_is(inst, "bra") || ptx_is(inst, "brx"); }
static bool is_return(const struct ptx_inst *inst) { return ptx_is(inst, "ret") || ptx_is(inst, "exit"); }
static bool ends_block(const struct ptx_inst *inst) {
  return is_branch(inst) || is_return(inst) || ptx_is(inst, "trap");
}

/* The label, or the table of labels, that operand i names; or NULL. */
static const struct ptx_symbol *label_of(const struct ptx_inst *inst, uint32_t i) {
  const struct ptx_symbol *symbol = inst->operands[i].symbol;
  return symbol && symbol->kind == PTX_SYMBOL_LABEL ? symbol : NULL;
}

static uint32_t places_of(const struct ptx_symbol *label) {
  return !label ? 0 : label->target_count ? label->target_count : 1;
}

uint32_t ptx_target_count(const struct ptx_inst *inst) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < inst->operand_count; i++)
    count += places_of(label_of(inst, i));
  return count;
}

uint64_t ptx_target(const struct ptx_inst *inst, uint32_t n) {
  uint32_t i = 0;
  for (; n >= places_of(label_of(inst, i)); i++)
    n -= places_of(label_of(inst, i));
  const struct ptx_symbol *label = label_of(inst, i);
  return (label->target_count ? label->targets[n] : label)->offset;
}

/* Where a branch may go: calls visit(context, instruction index). */
static void for_targets(const struct ptx_inst *inst, uint32_t count, void (*visit)(void *, uint32_t),
                        void *context) {
  const uint32_t targets = is_branch(inst) ? ptx_target_count(inst) : 0;
  for (uint32_t n = 0; n < targets; n++)
    if (ptx_target(inst, n) <= count)
      visit(context, (uint32_t)ptx_target(inst, n));
}

/* Graphs */

static struct graph new_graph(struct arena *arena, uint32_t count) {
  return (struct graph){arena_alloc(arena, count, sizeof(struct edges)),
                        arena_alloc(arena, count, sizeof(struct edges)), count};
}

static void append(struct arena *arena, struct edges *e, uint32_t node) {
  e->nodes = arena_grow(arena, e->nodes, e->count, sizeof *e->nodes);
  e->nodes[e->count++] = node;
}

static void link(struct arena *arena, struct graph *g, uint32_t from, uint32_t to) {
  append(arena, &g->next[from], to);
  append(arena, &g->previous[to], from);
}

/* Depth-first search along `next`: the reached nodes in reverse postorder, and the index of each node in that
 * list or -1. */
static uint32_t reverse_post_order(struct arena *arena, const struct edges *next, uint32_t count,
                                   uint32_t root, uint32_t *list, int32_t *order) {
  uint32_t depth = 0, finished = 0;
  uint32_t *stack = arena_alloc(arena, count, sizeof *stack), *edge = arena_alloc(arena, count, sizeof *edge);
  bool *seen = arena_alloc(arena, count, sizeof *seen);
  memset(order, -1, count * sizeof *order);
  stack[depth++] = root;
  seen[root] = true;
  while (depth > 0) {
    uint32_t node = stack[depth - 1];
    if (edge[node] < next[node].count) {
      uint32_t to = next[node].nodes[edge[node]++];
      if (!seen[to]) {
        seen[to] = true;
        stack[depth++] = to;
      }
    } else {
      list[count - 1 - finished++] = node;
      depth--;
    }
  }
  memmove(list, list + (count - finished), finished * sizeof *list);
  for (uint32_t i = 0; i < finished; i++)
    order[list[i]] = (int32_t)i;
  return finished;
}

static int32_t intersect(const int32_t *dominator, const int32_t *order, int32_t a, int32_t b) {
  while (a != b) {
    while (order[a] > order[b])
      a = dominator[a];
    while (order[b] > order[a])
      b = dominator[b];
  }
  return a;
}

/* The immediate dominator of each node that `root` reaches, else -1; that of `root` is itself. With next and
 * previous exchanged: post-dominators. */
static int32_t *dominators(struct arena *arena, const struct edges *next, const struct edges *previous,
                           uint32_t count, uint32_t root) {
  uint32_t *list = arena_alloc(arena, count, sizeof *list);
  int32_t *order = arena_alloc(arena, count, sizeof *order),
          *dominator = arena_alloc(arena, count, sizeof *dominator);
  uint32_t reached = reverse_post_order(arena, next, count, root, list, order);
  memset(dominator, -1, count * sizeof *dominator);
  dominator[root] = (int32_t)root;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < reached; i++) {
      const struct edges *from = &previous[list[i]];
      int32_t fresh = -1;
      for (uint32_t e = 0; e < from->count; e++) {
        int32_t node = (int32_t)from->nodes[e];
        if (dominator[node] >= 0)
          fresh = fresh < 0 ? node : intersect(dominator, order, node, fresh);
      }
      if (fresh != dominator[list[i]]) {
        dominator[list[i]] = fresh;
        changed = true;
      }
    }
  }
  return dominator;
}

/* Blocks */

static void mark_leader(void *context, uint32_t inst) { ((bool *)context)[inst] = true; }

static void add_edge(void *context, uint32_t inst) {
  struct flow *w = context;
  link(w->arena, &w->graph, w->current, w->block_of[inst]);
}

static const struct ptx_inst *last_of(const struct flow *w, uint32_t block) {
  return &w->function->insts[w->blocks[block].last - 1];
}

static void build(struct flow *w) {
  const struct ptx_function *f = w->function;
  bool *leader = arena_alloc(w->arena, f->inst_count + 1, sizeof *leader);
  leader[0] = leader[f->inst_count] = true;
  for (uint32_t i = 0; i < f->inst_count; i++) {
    if (ends_block(&f->insts[i]))
      leader[i + 1] = true;
    for_targets(&f->insts[i], f->inst_count, mark_leader, leader);
  }
  uint32_t count = 0;
  w->block_of = arena_alloc(w->arena, f->inst_count + 1, sizeof *w->block_of);
  w->blocks = arena_alloc(w->arena, f->inst_count + 1, sizeof *w->blocks);
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    if (leader[i]) {
      if (i > 0)
        w->blocks[count - 1].last = i;
      w->blocks[count++] =
          (struct basic_block){.first = i, .last = i, .loop = NO_LOOP, .slot = NO_LOOP, .region = NO_LOOP};
    }
    w->block_of[i] = count - 1;
  }
  w->exit = count - 1;
  w->graph = new_graph(w->arena, count);
  for (uint32_t b = 0; b < w->exit; b++) {
    const struct ptx_inst *last = last_of(w, b);
    w->current = b;
    for_targets(last, f->inst_count, add_edge, w);
    if (is_return(last) || ptx_is(last, "trap"))
      add_edge(w, f->inst_count);
    if (!ends_block(last) || last->guard >= 0)
      add_edge(w, w->blocks[b].last);
    uint32_t edges = w->graph.next[b].count;
    w->blocks[b].reconverge = arena_alloc(w->arena, edges, sizeof *w->blocks[b].reconverge);
    w->blocks[b].depths = arena_alloc(w->arena, edges, sizeof *w->blocks[b].depths);
    w->blocks[b].resolved = arena_alloc(w->arena, edges, sizeof *w->blocks[b].resolved);
  }
}

/* Loops */

static uint32_t outermost(const struct flow *w, uint32_t loop) {
  while (w->loops[loop].parent != NO_LOOP)
    loop = w->loops[loop].parent;
  return loop;
}

static bool contains(const struct flow *w, uint32_t loop, uint32_t inner) {
  while (inner != NO_LOOP && inner != loop)
    inner = w->loops[inner].parent;
  return inner == loop;
}

/* The natural loop of the back edges to `header`: all blocks that reach them without passing through `header`.
 * Inner loops are already known and count as one node. */
static void find_loop(struct flow *w, uint32_t header, struct edges *work, const int32_t *order) {
  uint32_t loop = w->loop_count;
  w->loops = arena_grow(w->arena, w->loops, w->loop_count, sizeof *w->loops);
  w->loops[w->loop_count++] = (struct loop){header, NO_LOOP, 0};
  while (work->count > 0) {
    uint32_t node = work->nodes[--work->count];
    if (w->blocks[node].loop != NO_LOOP) {
      uint32_t inner = outermost(w, w->blocks[node].loop);
      if (inner == loop)
        continue;
      w->loops[inner].parent = loop;
      node = w->loops[inner].header;
    } else {
      w->blocks[node].loop = loop;
    }
    if (node != header)
      for (uint32_t e = 0; e < w->graph.previous[node].count; e++)
        if (order[w->graph.previous[node].nodes[e]] >= 0)
          append(w->arena, work, w->graph.previous[node].nodes[e]);
  }
  if (w->blocks[header].loop == NO_LOOP)
    w->blocks[header].loop = loop;
}

static bool dominates(const int32_t *dominator, uint32_t node, uint32_t other) {
  while (other != node && dominator[other] != (int32_t)other)
    other = (uint32_t)dominator[other];
  return other == node;
}

static uint32_t depth_of(const struct flow *w, uint32_t loop) {
  return loop == NO_LOOP ? BODY_DEPTH : w->loops[loop].depth;
}

static void find_loops(struct flow *w) {
  uint32_t count = w->graph.count, *list = arena_alloc(w->arena, count, sizeof *list);
  int32_t *order = arena_alloc(w->arena, count, sizeof *order);
  int32_t *dominator = dominators(w->arena, w->graph.next, w->graph.previous, count, 0);
  uint32_t reached = reverse_post_order(w->arena, w->graph.next, count, 0, list, order);
  for (uint32_t i = reached; i-- > 0;) {
    struct edges back = {0};
    uint32_t header = list[i];
    for (uint32_t e = 0; e < w->graph.previous[header].count; e++) {
      uint32_t from = w->graph.previous[header].nodes[e];
      if (order[from] >= order[header] && dominates(dominator, header, from))
        append(w->arena, &back, from);
    }
    if (back.count)
      find_loop(w, header, &back, order);
  }
  for (uint32_t l = w->loop_count; l-- > 0;)
    w->loops[l].depth = depth_of(w, w->loops[l].parent) + 1;
  for (uint32_t b = 0; b < w->exit; b++)
    while (w->blocks[b].loop != NO_LOOP && w->loops[w->blocks[b].loop].depth > MAX_DEPTH)
      w->blocks[b].loop = w->loops[w->blocks[b].loop].parent;
}

/* Regions: a loop, by its number; then the function's body; then the whole function */

static uint32_t body_of(const struct flow *w) { return w->loop_count; }
static uint32_t full_of(const struct flow *w) { return w->loop_count + 1; }

static bool returns_at_once(const struct flow *w, uint32_t block) {
  return block == w->exit || (w->blocks[block].last == w->blocks[block].first + 1 &&
                              is_return(last_of(w, block)) && last_of(w, block)->guard < 0);
}

/* A trap, or a branch to the end of the function while another path continues. */
static bool is_early_return(const struct flow *w, uint32_t from, uint32_t to) {
  return (ptx_is(last_of(w, from), "trap") && to == w->exit) ||
         (w->graph.next[from].count > 1 && returns_at_once(w, to));
}

/* The smallest region that contains the edge. */
static uint32_t region_of_edge(const struct flow *w, uint32_t from, uint32_t to) {
  if (is_early_return(w, from, to))
    return full_of(w);
  uint32_t loop = w->blocks[from].loop;
  while (loop != NO_LOOP && !contains(w, loop, w->blocks[to].loop))
    loop = w->loops[loop].parent;
  return loop == NO_LOOP ? body_of(w) : loop;
}

static uint32_t region_depth(const struct flow *w, uint32_t region) {
  return region == full_of(w) ? FULL_DEPTH : region == body_of(w) ? BODY_DEPTH : w->loops[region].depth;
}

/* The loop directly within `region` that contains `block`, or none. */
static uint32_t child_with(const struct flow *w, uint32_t region, uint32_t block) {
  uint32_t loop = w->blocks[block].loop, child = NO_LOOP;
  while (loop != NO_LOOP && loop != region) {
    child = loop;
    loop = w->loops[loop].parent;
  }
  return child;
}

/* An endless loop: lanes that get there reconverge at its header, although no path from there leads to the end. */
static bool is_endless(const struct flow *w, uint32_t loop, const struct edges *members) {
  for (uint32_t i = 0; i < members->count; i++) {
    const uint32_t from = members->nodes[i];
    for (uint32_t e = 0; contains(w, loop, w->blocks[from].loop) && e < w->graph.next[from].count; e++)
      if (!contains(w, loop, w->blocks[w->graph.next[from].nodes[e]].loop))
        return false;
  }
  return true;
}

/* Sets the reconvergence points of the region's branches: their post-dominators. `members`: its blocks. */
static void resolve(struct flow *w, uint32_t region, const struct edges *members) {
  uint32_t end = members->count; /* the loop's next iteration, or the function's exit */
  struct graph g = new_graph(w->arena, end + 1);
  for (uint32_t i = 0; i < members->count; i++) {
    w->blocks[members->nodes[i]].slot = i;
    w->blocks[members->nodes[i]].region = region;
  }
  uint32_t last = region < w->loop_count ? w->loops[region].header : w->exit;
  for (uint32_t i = 0; i < members->count; i++) {
    uint32_t from = members->nodes[i];
    for (uint32_t e = 0; e < w->graph.next[from].count; e++) {
      uint32_t to = w->graph.next[from].nodes[e];
      if (region != full_of(w) && is_early_return(w, from, to))
        continue;
      if (to == last)
        link(w->arena, &g, i, end);
      else if (w->blocks[to].region == region)
        link(w->arena, &g, i, w->blocks[to].slot);
    }
  }
  for (uint32_t loop = 0; loop < w->loop_count; loop++)
    if (w->blocks[w->loops[loop].header].region == region && loop != region && is_endless(w, loop, members))
      link(w->arena, &g, w->blocks[w->loops[loop].header].slot, end);
  int32_t *dominator = dominators(w->arena, g.previous, g.next, end + 1, end);
  for (uint32_t i = 0; i < members->count; i++) {
    uint32_t from = members->nodes[i], child = child_with(w, region, from);
    struct basic_block *b = &w->blocks[from];
    int32_t at = dominator[i];
    while (at >= 0 && at != (int32_t)end && child != NO_LOOP &&
           contains(w, child, w->blocks[members->nodes[at]].loop))
      at = dominator[at];
    for (uint32_t e = 0; e < w->graph.next[from].count; e++) {
      uint32_t own = region_of_edge(w, from, w->graph.next[from].nodes[e]);
      if (b->resolved[e] || (at < 0 && region != full_of(w)) ||
          region_depth(w, own) < region_depth(w, region))
        continue;
      b->resolved[e] = true;
      b->reconverge[e] = w->blocks[at < 0 || at == (int32_t)end ? last : members->nodes[at]].first;
      b->depths[e] = (uint8_t)region_depth(w, region);
    }
  }
}

static void resolve_all(struct flow *w) {
  struct edges *members = arena_alloc(w->arena, w->loop_count + 2, sizeof *members);
  for (uint32_t b = 0; b < w->exit; b++) {
    for (uint32_t loop = w->blocks[b].loop; loop != NO_LOOP; loop = w->loops[loop].parent)
      append(w->arena, &members[loop], b);
    append(w->arena, &members[body_of(w)], b);
    append(w->arena, &members[full_of(w)], b);
  }
  for (uint32_t region = 0; region <= full_of(w); region++)
    if (members[region].count)
      resolve(w, region, &members[region]);
}

/* For the interpreter */

static void tell_branch(struct flow *w, uint32_t block, struct ptx_inst *inst) {
  const struct basic_block *b = &w->blocks[block];
  inst->reconvergences = arena_alloc(w->arena, w->graph.next[block].count, sizeof *inst->reconvergences);
  inst->reconverge = w->function->inst_count;
  inst->depth = UINT8_MAX;
  for (uint32_t e = 0; e < w->graph.next[block].count; e++) {
    inst->reconvergences[e] = (struct ptx_reconvergence){b->reconverge[e], b->depths[e]};
    if (b->depths[e] < inst->depth) {
      inst->reconverge = b->reconverge[e];
      inst->depth = b->depths[e];
    }
  }
}

/* Lanes that take an edge out of a region leave the joins in it. */
static void tell_leaving(struct flow *w, uint32_t from, uint32_t e, struct ptx_inst *insts) {
  uint32_t to = w->graph.next[from].nodes[e];
  uint32_t own = region_of_edge(w, from, to), inner = w->blocks[from].loop;
  if (to == w->exit || own == (inner == NO_LOOP ? body_of(w) : inner))
    return;
  struct ptx_inst *inst = &insts[w->blocks[to].first];
  uint8_t depth = (uint8_t)region_depth(w, own);
  uint32_t follow = w->blocks[from].reconverge[e];
  if (inst->leaves != PTX_NOT_LEFT && inst->follow != follow)
    follow = PTX_NO_FOLLOW;
  inst->follow = follow;
  inst->leaves = depth < inst->leaves ? depth : inst->leaves;
}

void ptx_flow(struct ptx_module *module, struct ptx_function *f) {
  struct flow w = {.arena = &module->arena, .function = f};
  build(&w);
  find_loops(&w);
  resolve_all(&w);
  for (uint32_t i = 0; i < f->inst_count; i++)
    f->insts[i].leaves = PTX_NOT_LEFT;
  for (uint32_t b = 0; b < w.exit; b++) {
    tell_branch(&w, b, &f->insts[w.blocks[b].last - 1]);
    for (uint32_t e = 0; e < w.graph.next[b].count; e++)
      tell_leaving(&w, b, e, f->insts);
  }
}
