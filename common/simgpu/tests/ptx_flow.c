/* Where divergent ways meet: the immediate post-dominator of every branch, by hand for the shapes that
 * compilers make, and against the definition on random graphs. */
#include "../../support/random.h"
#include "../../tests/suite.h"

#include "ptx.h"

#include <inttypes.h>
#include <stdio.h>

static struct ptx_module *parsed(const char *body) {
  char text[8192];
  snprintf(text, sizeof text, ".entry k() { .reg .pred %%p<2>; .reg .b32 %%r<2>;\n%s\n}", body);
  struct ptx_module *m = ptx_parse(text, strlen(text));
  ck_assert_str_eq(m->error, "");
  return m;
}

/* One instruction a line; `meets` names, for each branch in order, the line where its ways meet, from 0; the
 * number of lines stands for the end. */
static const struct {
  const char *name, *body;
  int meets[4];
} shapes[] = {
    {"if", "@%p1 bra A;\n membar.cta;\nA: ret;", {2}},
    {"if, else", "@%p1 bra A;\n membar.cta;\n bra B;\nA: membar.cta;\nB: ret;", {4, 4}},
    {"loop", "L: membar.cta;\n@%p1 bra L;\nret;", {2}},
    {"loop with a break", "L: @%p1 bra E;\n membar.cta;\n@%p1 bra L;\n membar.cta;\nE: ret;", {4, 4}},
    {"if in a loop", "L: @%p1 bra A;\n membar.cta;\nA: membar.cta;\n@%p1 bra L;\nret;", {2, 4}},
    {"nested", "@%p1 bra A;\n@%p0 bra B;\n membar.cta;\nB: membar.cta;\nA: ret;", {4, 3}},
    {"switch", "L: .branchtargets A, B, A;\nbrx.idx %r1, L;\nA: bra C;\nB: membar.cta;\nC: ret;", {3, 3}},
    {"two returns", "@%p1 bra A;\nret;\nA: ret;", {3}},
    {"predicated return", "@%p1 bra A;\n@%p0 ret;\nA: membar.cta;\nret;", {4}},
    {"endless loop", "@%p1 bra L;\nret;\nL: bra L;", {1, 3}},
    {"code that nobody reaches", "bra A;\n@%p1 bra A;\n membar.cta;\nA: ret;", {3, 3}},
    {"both ways to one place", "@%p1 bra A;\nA: ret;", {1}},
    {"to itself", "A: @%p1 bra A;\nret;", {1}},
    {"off the end", "@%p1 bra A;\n membar.cta;\nA:", {2}},
};

START_TEST(shapes_of_compilers) {
  struct ptx_module *m = parsed(shapes[_i].body);
  const struct ptx_function *f = m->functions;
  int branch = 0;
  for (uint32_t i = 0; i < f->inst_count; i++)
    if (strncmp(f->insts[i].op, "br", 2) == 0)
      ck_assert_msg((int)f->insts[i].reconverge == shapes[_i].meets[branch++],
                    "%s: the branch at %" PRIu32 " meets at %" PRIu32 ", expected %d", shapes[_i].name, i,
                    f->insts[i].reconverge, shapes[_i].meets[branch - 1]);
  ck_assert_int_gt(branch, 0);
  ptx_free(m);
}
END_TEST

/* Random graphs */

enum { MOST = 24 }; /* instructions */

struct graph {
  int count; /* of instructions; node `count` is the end */
  bool edge[MOST + 1][MOST + 1];
};

static struct random source;
static int chance(int below) { return (int)(random_next(&source) % (uint64_t)below); }

/* A random program, and its graph written down on the way. */
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
      g->edge[i][a] = g->edge[i][i + 1] = true;
      break;
    case 3:
      used += sprintf(text + used, "brx.idx %%r1, T%d;\nT%d: .branchtargets I%d, I%d, I%d;\n", i, i, a, b, c);
      g->edge[i][a] = g->edge[i][b] = g->edge[i][c] = true;
      break;
    case 4:
      used += sprintf(text + used, "%sret;\n", a % 2 ? "@!%p1 " : "");
      g->edge[i][n] = true;
      g->edge[i][i + 1] |= a % 2;
      break;
    default:
      used += sprintf(text + used, "membar.cta;\n");
      g->edge[i][i + 1] = true;
    }
  }
}

/* Whether a path leads from `from` to the end that avoids `without` (−1: any path). */
static bool reaches_end(const struct graph *g, int from, int without) {
  bool seen[MOST + 1] = {false};
  int stack[MOST + 1], depth = 0;
  if (from != without) {
    stack[depth++] = from;
    seen[from] = true;
  }
  while (depth > 0) {
    int node = stack[--depth];
    for (int next = 0; next <= g->count; next++)
      if (g->edge[node][next] && next != without && !seen[next]) {
        seen[next] = true;
        stack[depth++] = next;
      }
  }
  return seen[g->count];
}

static bool post_dominates(const struct graph *g, int d, int node) {
  return reaches_end(g, node, -1) && !reaches_end(g, node, d);
}

/* Of the nodes after `node` that every path from it to the end passes the nearest, which all others
 * post-dominate; the end if there is none. */
static int meeting(const struct graph *g, int node) {
  int nearest = g->count;
  for (int d = 0; d < g->count; d++)
    if (d != node && post_dominates(g, d, node) && post_dominates(g, nearest, d))
      nearest = d;
  return nearest;
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
    for (int i = 0; i < g.count; i++)
      if (strncmp(f->insts[i].op, "br", 2) == 0)
        ck_assert_msg((int)f->insts[i].reconverge == meeting(&g, i),
                      "seed %d: the branch at %d meets at %" PRIu32 ", expected %d\n%s", round, i,
                      f->insts[i].reconverge, meeting(&g, i), text);
    ptx_free(m);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ptx_flow");
  TCase *tcase = tcase_create("reconvergence");
  tcase_add_loop_test(tcase, shapes_of_compilers, 0, (int)(sizeof shapes / sizeof *shapes));
  tcase_add_test(tcase, random_graphs);
  tcase_set_timeout(tcase, 60);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
