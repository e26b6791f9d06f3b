/* Lab 06, the host's side of the loop in parts 5 and 6 of pcg.cu. Read the declarations, not the bodies. */
#pragma once

#include "host_solve.h"

enum { RUNNING = -1 }; /* beside the values of pcg_status */

/* In device memory. The last block of a kernel to arrive changes it; the next kernel reads it. */
struct loop_state {
  double rho, alpha, beta;
  double enough; /* r·r at which to stop */
  int iteration, limit, status;
  unsigned arrived;
};

/* A tile has 8 rows of 64 points of a colour. */
enum { TILE_X = 64, TILE_Y = 8, LOOP_BLOCKS = 1056 };

/* What the kernels of a loop share. Its vectors have all points, or the black ones alone. */
struct loop {
  int across, down, tiles; /* tiles side by side; one below another in a colour; in all */
  double inv_diagonal;     /* 1/diagonal */
  double *u, *r, *p0, *p1; /* after an even number of iterations the last direction is p0, else p1 */
  double *partial;         /* LOOP_BLOCKS numbers: one for each block */
  loop_state *state;
  double *squares; /* r·r after iteration n at (n − 1) % check_every */
  int check_every;
};

/* Makes a graph of check_every iterations: a stretch. Returns 0 or the part that is not written. */
typedef int loop_capture(const pcg_grid *g, loop l, cudaStream_t stream, cudaGraphExec_t *stretch);

/* Launches stretches until the state is no longer RUNNING. While one runs, the host reads the state after
 * the previous one.
 * colours: 2 for all points, 1 for the black ones. u, r: the vectors of these points. square: r·r. */
static int loop_solve(solve *s, int colours, double *u, double *r, double square, loop_capture *capture);

/* --- the bodies --- */

/* The host's copy of a loop's state and squares after a stretch, in pinned memory. */
enum { VIEWS = 2 };
struct view {
  loop_state *state;
  double *squares;
  cudaEvent_t arrived;
};

static view view_open(int check_every) {
  view v;
  CUDA_CHECK(cudaMallocHost((void **)&v.state, sizeof *v.state));
  CUDA_CHECK(cudaMallocHost((void **)&v.squares, check_every * sizeof *v.squares));
  CUDA_CHECK(cudaEventCreateWithFlags(&v.arrived, cudaEventDisableTiming));
  return v;
}

static void view_close(view *v) {
  CUDA_CHECK(cudaFreeHost(v->state));
  CUDA_CHECK(cudaFreeHost(v->squares));
  CUDA_CHECK(cudaEventDestroy(v->arrived));
}

static void view_queue(view *v, const loop &l, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(v->state, l.state, sizeof *v->state, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaMemcpyAsync(v->squares, l.squares, l.check_every * sizeof *v->squares,
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaEventRecord(v->arrived, stream));
}

/* Records the results of a stretch. Returns false when the loop has ended. */
static bool solve_look(solve *s, const view *v) {
  const int before = s->result->iterations, limit = s->control.limit; /* history has room for no more */
  const int done = v->state->iteration < limit ? v->state->iteration : limit;
  while (s->result->iterations < done) {
    s->result->iterations++;
    if (s->control.history)
      s->control.history[s->result->iterations] =
          sqrt(v->squares[s->result->iterations - 1 - before]) / s->f_norm;
  }
  if (v->state->status != RUNNING)
    s->result->status = (pcg_status)v->state->status;
  else if (v->state->iteration == before) {
    fprintf(stderr,
            "the loop would never end: no iteration of a stretch was counted: does each kernel have a block "
            "that is the last to arrive, and is the counter of arrivals 0 again for the next kernel?\n");
    exit(1);
  }
  return v->state->status == RUNNING;
}

static void run_stretches(solve *s, const loop &l, cudaStream_t stream, cudaGraphExec_t stretch) {
  view views[VIEWS] = {view_open(l.check_every), view_open(l.check_every)};
  bool running = true;
  for (int n = 0; running; n++) {
    CUDA_CHECK(cudaGraphLaunch(stretch, stream));
    view_queue(&views[n % VIEWS], l, stream);
    if (n == 0)
      continue;
    const view *last = &views[(n - 1) % VIEWS];
    CUDA_CHECK(cudaEventSynchronize(last->arrived));
    running = solve_look(s, last);
  }
  CUDA_CHECK(cudaStreamSynchronize(stream));
  for (view &v : views)
    view_close(&v);
}

static int loop_solve(solve *s, int colours, double *u, double *r, double square, loop_capture *capture) {
  const int n = colours * s->n / 2, across = blocks_for(s->g->pitch, TILE_X);
  const int down = blocks_for(s->g->ny - 2, TILE_Y);
  loop l = {across, down, across * down * colours, 1 / s->g->diagonal, u, r};
  const double goal = s->control.tolerance * s->f_norm;
  const loop_state start = {square, 0, 0, goal * goal, 0, s->control.limit, RUNNING, 0};
  cudaStream_t stream;
  cudaGraphExec_t stretch;
  l.p0 = device_array<double>(n);
  l.p1 = device_array<double>(n);
  l.partial = device_array<double>(LOOP_BLOCKS);
  l.state = device_array<loop_state>(1);
  l.squares = device_array<double>(s->control.check_every);
  l.check_every = s->control.check_every;
  CUDA_CHECK(cudaMemcpy(l.state, &start, sizeof start, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaStreamCreate(&stream));
  const int part = capture(s->g, l, stream, &stretch);
  if (!part) {
    run_stretches(s, l, stream, stretch);
    CUDA_CHECK(cudaGraphExecDestroy(stretch));
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
  for (double *array : {l.p0, l.p1, l.partial, l.squares})
    CUDA_CHECK(cudaFree(array));
  CUDA_CHECK(cudaFree(l.state));
  return part;
}
