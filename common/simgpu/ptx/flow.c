#include <string.h>

#include "ptx.h"

struct block {
  uint32_t first, last; /* instructions [first, last) */
  uint32_t *next;       /* successors; the node after the last block is the exit */
  uint32_t next_count;
  uint32_t *previous;
  uint32_t previous_count;
  int32_t order;     /* in reverse post-order of the reversed graph, from the exit; -1: cannot reach it */
  int32_t dominator; /* immediate post-dominator, or -1 */
};

static bool is_op(const struct ptx_inst *inst, const char *base) {
  size_t length = strlen(base);
  return strncmp(inst->op, base, length) == 0 && (inst->op[length] == '.' || inst->op[length] == '\0');
}

static bool is_branch(const struct ptx_inst *inst) { return is_op(inst, "bra") || is_op(inst, "brx"); }

static bool ends_block(const struct ptx_inst *inst) {
  return is_branch(inst) || is_op(inst, "ret") || is_op(inst, "exit") || is_op(inst, "trap");
}

/* Where a branch may go: one label, or the list behind brx.idx. Calls visit(context, instruction index). */
static void for_targets(const struct ptx_inst *inst, uint32_t count, void (*visit)(void *, uint32_t),
                        void *context) {
  if (!is_branch(inst) || inst->operand_count == 0)
    return;
  const struct ptx_symbol *label = inst->operands[inst->operand_count - 1].symbol;
  if (!label || label->kind != PTX_SYMBOL_LABEL)
    return;
  if (label->target_count == 0 && label->offset <= count)
    visit(context, (uint32_t)label->offset);
  for (uint32_t i = 0; i < label->target_count; i++)
    if (label->targets[i]->offset <= count)
      visit(context, (uint32_t)label->targets[i]->offset);
}

struct graph {
  struct ptx_module *module;
  struct block *blocks; /* block_count of them and the exit */
  uint32_t block_count;
  uint32_t *block_of; /* by instruction */
  uint32_t current;
};

static void mark_leader(void *context, uint32_t inst) { ((bool *)context)[inst] = true; }

static void add_edge(void *context, uint32_t inst) {
  struct graph *g = context;
  struct block *from = &g->blocks[g->current], *to = &g->blocks[g->block_of[inst]];
  from->next = arena_grow(&g->module->arena, from->next, from->next_count, sizeof *from->next);
  from->next[from->next_count++] = g->block_of[inst];
  to->previous = arena_grow(&g->module->arena, to->previous, to->previous_count, sizeof *to->previous);
  to->previous[to->previous_count++] = g->current;
}

static void build(struct graph *g, const struct ptx_function *f) {
  struct arena *arena = &g->module->arena;
  bool *leader = arena_alloc(arena, f->inst_count + 1, sizeof *leader);
  leader[0] = leader[f->inst_count] = true;
  for (uint32_t i = 0; i < f->inst_count; i++) {
    if (ends_block(&f->insts[i]))
      leader[i + 1] = true;
    for_targets(&f->insts[i], f->inst_count, mark_leader, leader);
  }
  g->block_of = arena_alloc(arena, f->inst_count + 1, sizeof *g->block_of);
  g->blocks = arena_alloc(arena, f->inst_count + 1, sizeof *g->blocks);
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    if (leader[i]) {
      if (i > 0)
        g->blocks[g->block_count - 1].last = i;
      g->blocks[g->block_count++] = (struct block){.first = i, .last = i, .order = -1, .dominator = -1};
    }
    g->block_of[i] = g->block_count - 1;
  }
  uint32_t exit = --g->block_count;
  for (uint32_t b = 0; b < exit; b++) {
    const struct ptx_inst *last = &f->insts[g->blocks[b].last - 1];
    g->current = b;
    for_targets(last, f->inst_count, add_edge, g);
    bool leaves = is_op(last, "ret") || is_op(last, "exit") || is_op(last, "trap");
    if (leaves)
      add_edge(g, f->inst_count);
    if (!ends_block(last) || last->guard >= 0)
      add_edge(g, g->blocks[b].last);
  }
}

/* Depth-first over predecessors from the exit; returns how many nodes were met, listed last-finished first.
 */
static uint32_t reverse_post_order(struct graph *g, uint32_t *list) {
  uint32_t exit = g->block_count, depth = 0, finished = 0;
  uint32_t *stack = arena_alloc(&g->module->arena, exit + 1, sizeof *stack);
  uint32_t *edge = arena_alloc(&g->module->arena, exit + 1, sizeof *edge);
  uint32_t *post = arena_alloc(&g->module->arena, exit + 1, sizeof *post);
  bool *seen = arena_alloc(&g->module->arena, exit + 1, sizeof *seen);
  stack[depth++] = exit;
  seen[exit] = true;
  while (depth > 0) {
    uint32_t node = stack[depth - 1];
    if (edge[node] < g->blocks[node].previous_count) {
      uint32_t next = g->blocks[node].previous[edge[node]++];
      if (!seen[next]) {
        seen[next] = true;
        stack[depth++] = next;
      }
    } else {
      post[finished++] = node;
      depth--;
    }
  }
  for (uint32_t i = 0; i < finished; i++) {
    list[i] = post[finished - 1 - i];
    g->blocks[list[i]].order = (int32_t)i;
  }
  return finished;
}

static int32_t intersect(const struct graph *g, int32_t a, int32_t b) {
  while (a != b) {
    while (g->blocks[a].order > g->blocks[b].order)
      a = g->blocks[a].dominator;
    while (g->blocks[b].order > g->blocks[a].order)
      b = g->blocks[b].dominator;
  }
  return a;
}

static void post_dominators(struct graph *g) {
  uint32_t *list = arena_alloc(&g->module->arena, g->block_count + 1, sizeof *list);
  uint32_t count = reverse_post_order(g, list);
  g->blocks[g->block_count].dominator = (int32_t)g->block_count;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < count; i++) {
      struct block *b = &g->blocks[list[i]];
      int32_t fresh = -1;
      for (uint32_t e = 0; e < b->next_count; e++) {
        int32_t next = (int32_t)b->next[e];
        if (g->blocks[next].dominator < 0)
          continue;
        fresh = fresh < 0 ? next : intersect(g, next, fresh);
      }
      if (fresh != b->dominator) {
        b->dominator = fresh;
        changed = true;
      }
    }
  }
}

void ptx_flow(struct ptx_module *module, struct ptx_function *f) {
  struct graph g = {.module = module};
  build(&g, f);
  post_dominators(&g);
  for (uint32_t b = 0; b < g.block_count; b++) {
    struct ptx_inst *last = &f->insts[g.blocks[b].last - 1];
    int32_t dominator = g.blocks[b].dominator;
    last->reconverge = dominator < 0 ? f->inst_count : g.blocks[dominator].first;
  }
}
