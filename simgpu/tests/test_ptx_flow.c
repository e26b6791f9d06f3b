/* The reconvergence point of every branch: given by hand for the shapes that compilers emit, computed from the
 * definition for random graphs. */
#include "random_numbers.h"
#include "suite.h"

#include "ptx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct ptx_module *parsed(const char *body) {
  char text[8192];
  snprintf(text, sizeof text, ".entry k() { .reg .pred %%p<2>; .reg .b32 %%r<2>;\n%s\n}", body);
  struct ptx_module *m = ptx_parse(strdup(text));
  ck_assert_msg(m->error[0] == '\0' && ptx_parse_body(m, m->functions), "%s", m->error);
  return m;
}

/* One instruction per line. `meets`: the line, from 0, of each branch's reconvergence point, in order; the number
 * of lines stands for the end. */
static const struct {
  const char *name, *body;
  int meets[4];
} shapes[] = {
    {"if", "@%p1 bra A;\n membar.cta;\nA: ret;", {2}},
    {"if, else", "@%p1 bra A;\n membar.cta;\n bra B;\nA: membar.cta;\nB: ret;", {4, 4}},
    {"loop", "L: membar.cta;\n@%p1 bra L;\nret;", {2}},
    {"loop with a break", "L: @%p1 bra E;\n membar.cta;\n@%p1 bra L;\n membar.cta;\nE: ret;", {4, 3}},
    {"if in a loop", "L: @%p1 bra A;\n membar.cta;\nA: membar.cta;\n@%p1 bra L;\nret;", {2, 4}},
    {"nested", "@%p1 bra A;\n@%p0 bra B;\n membar.cta;\nB: membar.cta;\nA: ret;", {4, 3}},
    {"switch", "L: .branchtargets A, B, A;\nbrx.idx %r1, L;\nA: bra C;\nB: membar.cta;\nC: ret;", {3, 3}},
    {"two returns", "@%p1 bra A;\nret;\nA: ret;", {3}},
    {"predicated return", "@%p1 bra A;\n@%p0 ret;\nA: membar.cta;\nret;", {2}},
    {"endless loop", "@%p1 bra L;\nret;\nL: bra L;", {3, 2}},
    {"an if before an endless loop", "@%p1 bra L;\n membar.cta;\nL: bar.sync 0;\nbra L;", {2, 2}},
    {"unreachable code", "bra A;\n@%p1 bra A;\n membar.cta;\nA: ret;", {3, 3}},
    {"both paths to one place", "@%p1 bra A;\nA: ret;", {1}},
    {"to itself", "A: @%p1 bra A;\nret;", {1}},
    {"off the end", "@%p1 bra A;\n membar.cta;\nA:", {2}},
    {"a break out of an if", "L: @%p1 bra A;\n@%p0 bra E;\nA: membar.cta;\n@%p1 bra L;\nE: ret;", {2, 4, 4}},
    {"a break out of two loops",
     "L: membar.cta;\nM: @%p1 bra A;\n@%p0 bra E;\n@%p1 bra M;\nA: membar.cta;\n@%p0 bra L;\nE: ret;",
     {4, 6, 4, 6}},
    {"a return out of a loop",
     "L: @%p1 bra A;\n@%p0 bra R;\nA: @%p1 bra L;\nmembar.cta;\nR: ret;",
     {2, 4, 3}},
    {"a return out of an if", "@%p1 bra A;\n@%p0 bra R;\n membar.cta;\nA: membar.cta;\nR: ret;", {3, 4}},
    {"a trap out of an if", "@%p1 bra A;\n@%p0 bra B;\ntrap;\nB: membar.cta;\nA: membar.cta;\nret;", {4, 3}},
    {"continue", "L: @%p1 bra L;\n membar.cta;\n@%p0 bra L;\nret;", {0, 3}},
};

START_TEST(shapes_of_compilers) {
  struct ptx_module *m = parsed(shapes[_i].body);
  const struct ptx_function *f = m->functions;
  int branch = 0;
  for (uint32_t i = 0; i < f->inst_count; i++)
    if (strncmp(f->insts[i].op, "br", 2) == 0)
      ck_assert_msg((int)f->insts[i].reconverge == shapes[_i].meets[branch++],
                    "%s: the branch at %" PRIu32 " reconverges at %" PRIu32 ", expected %d", shapes[_i].name,
                    i, f->insts[i].reconverge, shapes[_i].meets[branch - 1]);
  ck_assert_int_gt(branch, 0);
  ptx_free(m);
}
END_TEST

/* Random graphs */

enum { MOST = 24 }; /* instructions */

struct graph {
  int count; /* of instructions; node `count` is the end */
  bool edge[MOST + 1][MOST + 1];
  bool returns[MOST + 1], parts[MOST + 1]; /* a plain return; several successors */
};

static struct random source;
static int chance(int below) { return (int)(random_next(&source) % (uint64_t)below); }

/* A random program and its graph. */
static void write_program(struct graph *g, char *text) {
  *g = (struct graph){.count = 2 + chance(MOST - 1)};
  int n = g->count, used = 0;
  for (int i = 0; i < n; i++) {
    int a = chance(n), b = chance(n), c = chance(n);
    used += sprintf(text + used, "I%d: ", i);
    switch (chance(7)) {
    case 0:
      used += sprintf(text + used, "bra I%d;\n", a);
      g->edge[i][a] = true;
      break;
    case 1:
    case 2:
      used += sprintf(text + used, "@%%p1 bra I%d;\n", a);
      g->edge[i][a] = g->edge[i][i + 1] = g->parts[i] = true;
      break;
    case 3:
      used += sprintf(text + used, "brx.idx %%r1, T%d;\nT%d: .branchtargets I%d, I%d, I%d;\n", i, i, a, b, c);
      g->edge[i][a] = g->edge[i][b] = g->edge[i][c] = g->parts[i] = true;
      break;
    case 4:
      used += sprintf(text + used, "%sret;\n", a % 2 ? "@!%p1 " : "");
      g->edge[i][n] = true;
      g->edge[i][i + 1] |= a % 2;
      g->parts[i] = a % 2;
      g->returns[i] = !g->parts[i];
      break;
    default:
      used += sprintf(text + used, "membar.cta;\n");
      g->edge[i][i + 1] = true;
    }
  }
}

/* The nodes on paths from `from` that avoid `without` (−1: none), along the edges of `g` or against them. */
static void reach(const struct graph *g, int from, int without, bool backward, bool seen[MOST + 1]) {
  int stack[MOST + 1], depth = 0;
  memset(seen, 0, sizeof(bool[MOST + 1]));
  if (from != without) {
    stack[depth++] = from;
    seen[from] = true;
  }
  while (depth > 0) {
    int node = stack[--depth];
    for (int next = 0; next <= g->count; next++)
      if ((backward ? g->edge[next][node] : g->edge[node][next]) && next != without && !seen[next]) {
        seen[next] = true;
        stack[depth++] = next;
      }
  }
}

static bool leads(const struct graph *g, int from, int to, int without) {
  bool seen[MOST + 1];
  reach(g, from, without, false, seen);
  return seen[to];
}

/* A set of nodes, its end (of a loop: its header in the next iteration), and the edges within it. */
struct region {
  bool holds[MOST + 1];
  int end, size;
  struct graph graph;
};

static bool returns_early(const struct graph *g, int from, int to) {
  return g->parts[from] && (to == g->count || g->returns[to]);
}

static struct region new_region(const struct graph *g, const bool holds[MOST + 1], int end, bool early) {
  struct region r = {.end = end, .graph = {.count = g->count}};
  memcpy(r.holds, holds, sizeof r.holds);
  for (int i = 0; i < g->count; i++) {
    r.size += holds[i];
    for (int k = 0; k <= g->count; k++)
      r.graph.edge[i][k] = g->edge[i][k] && holds[i] && holds[k] && (early || !returns_early(g, i, k));
  }
  return r;
}

/* The natural loop of header h; false: there is none. */
static bool loop_of(const struct graph *g, int h, struct region *loop) {
  bool holds[MOST + 1] = {false}, found = false;
  for (int u = 0; u < g->count; u++) {
    bool reaching[MOST + 1];
    if (!g->edge[u][h] || !leads(g, 0, u, -1) || leads(g, 0, u, h))
      continue;
    found = true;
    reach(g, u, h, true, reaching);
    for (int i = 0; i < g->count; i++)
      holds[i] |= i == h || (reaching[i] && leads(g, 0, i, -1));
  }
  if (found)
    *loop = new_region(g, holds, h, false);
  return found;
}

/* Whether every path of at least one step from `node` to the end of the region passes d. */
static bool is_passed(const struct region *r, int node, int d) {
  bool avoids = false;
  for (int next = 0; next <= r->graph.count; next++)
    if (r->graph.edge[node][next])
      avoids |= next != d && (next == r->end || (d == r->end ? leads(&r->graph, next, r->end, -1)
                                                             : leads(&r->graph, next, r->end, d)));
  return !avoids;
}

static bool reaches_end(const struct region *r, int node) {
  bool reaches = false;
  for (int next = 0; next <= r->graph.count; next++)
    reaches |= r->graph.edge[node][next] && leads(&r->graph, next, r->end, -1);
  return reaches;
}

/* The first node outside `inner` that all paths from `node` to the region's end pass. */
static int meeting_in(const struct region *r, const struct region *inner, int node) {
  int nearest = r->end;
  for (int d = 0; d < r->graph.count; d++)
    if (d != node && d != r->end && r->holds[d] && !(inner && inner->holds[d]) && reaches_end(r, d) &&
        is_passed(r, node, d) && (nearest == r->end || !is_passed(r, nearest, d) || is_passed(r, d, nearest)))
      nearest = nearest == r->end || is_passed(r, d, nearest) ? d : nearest;
  return nearest;
}

/* The reconvergence point of `node` in the outermost region that one of its edges needs. */
static int meeting(const struct graph *g, const struct region *regions, int count, int node) {
  int result = g->count, largest = -1;
  for (int to = 0; to <= g->count; to++) {
    if (!g->edge[node][to])
      continue;
    const struct region *own = NULL, *inner = NULL;
    for (int i = 0; i < count; i++) { /* from small to large */
      if (!regions[i].holds[node])
        continue;
      if (regions[i].graph.edge[node][to] && reaches_end(&regions[i], node)) {
        own = &regions[i];
        break;
      }
      if (i + 2 < count)
        inner = &regions[i];
    }
    if (own ? own->size + (own == &regions[count - 1]) > largest : largest < MOST + 2) {
      largest = own ? own->size + (own == &regions[count - 1]) : MOST + 2;
      result = own ? meeting_in(own, inner, node) : g->count;
    }
  }
  return result;
}

static int larger(const void *a, const void *b) {
  return ((const struct region *)a)->size - ((const struct region *)b)->size;
}

static bool is_left(const struct graph *g, const struct region *loop) {
  bool left = false;
  for (int i = 0; i < g->count; i++)
    for (int k = 0; k <= g->count; k++)
      left |= g->edge[i][k] && loop->holds[i] && !loop->holds[k];
  return left;
}

/* The header of an endless loop counts as a way to the end of the regions around it. */
static int regions_of(const struct graph *g, struct region regions[MOST + 2]) {
  bool all[MOST + 1];
  int count = 0;
  memset(all, true, sizeof all);
  for (int h = 0; h < g->count; h++)
    count += loop_of(g, h, &regions[count]);
  qsort(regions, (size_t)count, sizeof *regions, larger);
  regions[count++] = new_region(g, all, g->count, false);
  regions[count++] = new_region(g, all, g->count, true);
  for (int n = 0; n < count - 2; n++)
    for (int i = 0; i < count && !is_left(g, &regions[n]); i++)
      if (i != n && regions[i].holds[regions[n].end])
        regions[i].graph.edge[regions[n].end][regions[i].end] = true;
  return count;
}

START_TEST(random_graphs) {
  struct graph g;
  char text[4096];
  for (int round = 0; round < 3000; round++) {
    source = random_seed((uint64_t)round);
    write_program(&g, text);
    struct ptx_module *m = parsed(text);
    const struct ptx_function *f = m->functions;
    ck_assert_uint_eq(f->inst_count, (uint32_t)g.count);
    struct region regions[MOST + 2];
    int count = regions_of(&g, regions);
    for (int i = 0; i < g.count; i++)
      if (strncmp(f->insts[i].op, "br", 2) == 0)
        ck_assert_msg((int)f->insts[i].reconverge == meeting(&g, regions, count, i),
                      "seed %d: the branch at %d reconverges at %" PRIu32 ", expected %d\n%s", round, i,
                      f->insts[i].reconverge, meeting(&g, regions, count, i), text);
    ptx_free(m);
  }
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("reconvergence");
  tcase_add_loop_test(tcase, shapes_of_compilers, 0, (int)(sizeof shapes / sizeof *shapes));
  tcase_add_test(tcase, random_graphs);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("ptx_flow", tcase);
}
