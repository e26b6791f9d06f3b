/* Solvers of the student's program (setup.h) as the suites run them: other problems before the one that counts, wider
 * rows, and a server for the grader's clock. */
#pragma once

#include "heap.h"
#include "serve.h"
#include "setup.h"

void judged_set_wider(const char *text);
#define JUDGED_WIDER                                                                                         \
  OPTIONS_CALL("wider", judged_set_wider, "N",                                                               \
               "elements by which rows are longer than they need be: a multiple of 32")

/* The calls before the one that counts: what a solver keeps from their problems does not fit p. First sides are
 * exchanged, then there are fewer rows, then another f, all with another factor; from JUDGED_OTHERS on they are equal
 * to p, for --heap.
 * function: its name; solve: calls it with the factor, and frees what it returns. */
enum { JUDGED_EXCHANGED, JUDGED_FEWER_ROWS, JUDGED_OTHER_F, JUDGED_OTHERS };
double judged_other_factor(double factor); /* between 0 and 2, as this one; another one, except for 0.5 */
void judged_solve_earlier(const struct setup *p, int calls, const char *function, double factor,
                          void (*solve)(struct setup *problem, double factor));
#define JUDGED_CALLS(calls)                                                                                  \
  OPTIONS_INT("calls", calls, 1, 1000,                                                                       \
              "calls of the function; the last one counts, and earlier ones have other problems")

/* For programs that serve (serve.h): h2f of one random f for all requests, and a random u for each request,
 * both on the device and split. The answer is u, split too. nx is a multiple of 64, so that the answer has no
 * padding and as many elements as the grid has points. */
struct judged_served {
  struct grid g;
  double *h2f, *u;
  double *pool[2]; /* of each colour, on the host: u of a request begins at one of its rows */
};
struct judged_served judged_serve(struct grid g);
void judged_take(const struct judged_served *served, uint64_t seed);  /* a request's u */
void judged_answer(const struct judged_served *served, void *values); /* u to the host */
