#include "several_run.h"

#include "allocate.h"
#include "cuda_check.h"
#include "grid.h"
#include "timing.h"

#include <math.h>

/* --- parts --- */

/* The rows before a rank, of `rows` in all. */
static int rows_before(int rows, int ranks, int rank, bool uneven) {
  if (!uneven || ranks == 1)
    return (int)((long)rows * rank / ranks);
  return 2 * rank + (int)((long)(rows - 2 * ranks) * rank * (rank - 1) / ((long)ranks * (ranks - 1)));
}

struct several_part several_part_of(int nx, int ny, const struct team_self *self, bool uneven) {
  const int before = rows_before(ny - 2, self->ranks, self->rank, uneven);
  const int rows = rows_before(ny - 2, self->ranks, self->rank + 1, uneven) - before;
  return (struct several_part){nx, ny, grid_pitch(nx), 1 + before, rows};
}

int several_ranks(int ny, int ranks) {
  const int most = (ny - 2) / 2;
  return most < 1 ? 1 : ranks < most ? ranks : most;
}

void several_free(struct several_result *result) {
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    CUDA_CHECK(cudaFree(result->u[colour]));
}

static void *zeros(size_t count, size_t size) {
  void *array;
  CUDA_CHECK(cudaMalloc(&array, count * size));
  CUDA_CHECK(cudaMemset(array, 0, count * size));
  return array;
}

/* --- streams --- */

/* Work of `inner` is the interior; `border` computes border rows and has all messages. */
struct streams {
  cudaStream_t inner, border;
  cudaEvent_t inner_done, border_done;
};

static struct streams streams_open(void) {
  struct streams s;
  int least, greatest;
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA_CHECK(cudaStreamCreateWithPriority(&s.inner, cudaStreamNonBlocking, least));
  CUDA_CHECK(cudaStreamCreateWithPriority(&s.border, cudaStreamNonBlocking, greatest));
  CUDA_CHECK(cudaEventCreateWithFlags(&s.inner_done, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&s.border_done, cudaEventDisableTiming));
  return s;
}

static void streams_wait(const struct streams *s) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(s->border));
  CUDA_CHECK(cudaStreamSynchronize(s->inner));
}

static void streams_close(struct streams *s) {
  CUDA_CHECK(cudaStreamDestroy(s->inner));
  CUDA_CHECK(cudaStreamDestroy(s->border));
  CUDA_CHECK(cudaEventDestroy(s->inner_done));
  CUDA_CHECK(cudaEventDestroy(s->border_done));
}

/* The next work of `border` comes after that of `inner`, or the reverse. */
static void border_after_inner(const struct streams *s) {
  CUDA_CHECK(cudaEventRecord(s->inner_done, s->inner));
  CUDA_CHECK(cudaStreamWaitEvent(s->border, s->inner_done, 0));
}
static void inner_after_border(const struct streams *s) {
  CUDA_CHECK(cudaEventRecord(s->border_done, s->border));
  CUDA_CHECK(cudaStreamWaitEvent(s->inner, s->border_done, 0));
}

/* Sends the `depth` first and last rows to the neighbours, and receives theirs into the halo. */
static void exchange(const struct team_self *self, const struct several_part *p, int depth, size_t size,
                     void *array, cudaStream_t stream) {
  char *rows = array;
  const size_t bytes = (size_t)(depth * p->pitch) * size;
  const int end = p->first + p->rows;
  team_group();
  if (self->rank > 0) {
    team_send(self, self->rank - 1, rows + (size_t)several_place(p, p->first) * size, bytes, stream);
    team_receive(self, self->rank - 1, rows + (size_t)several_place(p, p->first - depth) * size, bytes,
                 stream);
  }
  if (self->rank + 1 < self->ranks) {
    team_send(self, self->rank + 1, rows + (size_t)several_place(p, end - depth) * size, bytes, stream);
    team_receive(self, self->rank + 1, rows + (size_t)several_place(p, end) * size, bytes, stream);
  }
  team_group_end();
}

/* The checksum of u of all ranks. */
static unsigned long long checksum(const struct team_self *self, const struct several_result *result,
                                   int size) {
  unsigned long long total = 0, *all = zeros((size_t)self->ranks, sizeof *all),
                     *mine = zeros(1, sizeof *mine);
  unsigned long long *values = allocate_zeroed((size_t)self->ranks, sizeof *values);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    several_checksum(&result->part, colour, size, result->u[colour], mine);
  CUDA_CHECK(cudaDeviceSynchronize());
  team_gather(self, (const double *)mine, (double *)all, 1, NULL); /* only moved: any 8 bytes */
  CUDA_CHECK(cudaMemcpy(values, all, (size_t)self->ranks * sizeof *all, cudaMemcpyDeviceToHost));
  for (int rank = 0; rank < self->ranks; rank++)
    total += values[rank];
  CUDA_CHECK(cudaFree(all));
  CUDA_CHECK(cudaFree(mine));
  free(values);
  return total;
}

/* --- sweeps --- */

struct arrays {
  float *h2f[2], *u[2];
};

static void sweep_alone(const struct several_part *p, const struct arrays *a, int sweeps,
                        cudaStream_t stream) {
  for (int half = 0; half < 2 * sweeps; half++)
    several_half_sweep(p, several_all(p), half & 1, a->h2f[half & 1], a->u[!(half & 1)], a->u[half & 1],
                       stream);
}

/* A border row needs the rows beside it of the half-sweep before: the interior, and the halo. The interior needs border
 * rows, but neither the halo nor their messages. */
static void sweep_with_others(const struct team_self *self, const struct several_part *p,
                              const struct arrays *a, int sweeps, const struct streams *s) {
  const struct several_rows border = several_border(p, 1), interior = several_interior(p, 1);
  for (int half = 0; half < 2 * sweeps; half++) {
    const int colour = half & 1;
    float *u = a->u[colour];
    border_after_inner(s);
    several_half_sweep(p, interior, colour, a->h2f[colour], a->u[!colour], u, s->inner);
    several_half_sweep(p, border, colour, a->h2f[colour], a->u[!colour], u, s->border);
    inner_after_border(s);
    exchange(self, p, 1, sizeof *u, u, s->border);
  }
}

void several_sweeps(const struct team_self *self, int nx, int ny, bool uneven, int sweeps, int repeats,
                    double *ms, struct several_result *result) {
  struct streams s = streams_open();
  struct arrays a;
  const struct several_part p = several_part_of(nx, ny, self, uneven);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    a.h2f[colour] = zeros((size_t)several_elements(&p), sizeof(float));
    a.u[colour] = zeros((size_t)several_elements(&p), sizeof(float));
    several_fill_float(&p, colour, SEVERAL_ZERO, 1, 1, a.h2f[colour]);
    several_fill_float(&p, colour, SEVERAL_NUMBERS, 2, 1, a.u[colour]);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int n = 0; n < repeats; n++) {
    team_largest(self, 0);
    const double start = timing_now();
    if (self->ranks == 1)
      sweep_alone(&p, &a, sweeps, s.inner);
    else
      sweep_with_others(self, &p, &a, sweeps, &s);
    streams_wait(&s);
    ms[n] = team_largest(self, timing_now() - start) * 1e3;
  }
  *result = (struct several_result){.part = p, .u = {a.u[GRID_RED], a.u[GRID_BLACK]}};
  result->checksum = checksum(self, result, sizeof(float));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    CUDA_CHECK(cudaFree(a.h2f[colour]));
  streams_close(&s);
}

/* --- conjugate gradients --- */

enum { CHECK_EVERY = 32, VIEWS = 2 };

/* A solver of a rank. Sums of rows are gathered from all ranks, each in a slot for as many rows as the
 * largest part has. */
struct solver {
  const struct team_self *self;
  struct several_part p;
  struct several_cg cg;
  struct several_total total;
  double *gathered, *result; /* what total reads; one number */
  int *place, slot;
  struct several_state *views; /* in host memory: after the last stretch, and after the one before */
  cudaEvent_t arrived[VIEWS];
  struct streams s;
};

static int *places(const struct several_part *p, const struct team_self *self, bool uneven, int *slot) {
  int *place = allocate_zeroed((size_t)p->ny, sizeof *place), *array;
  *slot = 0;
  for (int rank = 0; rank < self->ranks; rank++) {
    const struct several_part other =
        several_part_of(p->nx, p->ny, &(struct team_self){.rank = rank, .ranks = self->ranks}, uneven);
    *slot = other.rows > *slot ? other.rows : *slot;
  }
  for (int rank = 0; rank < self->ranks; rank++) {
    const struct several_part other =
        several_part_of(p->nx, p->ny, &(struct team_self){.rank = rank, .ranks = self->ranks}, uneven);
    for (int n = 0; n < other.rows; n++)
      place[other.first - 1 + n] = rank * *slot + n;
  }
  CUDA_CHECK(cudaMalloc((void **)&array, (size_t)p->ny * sizeof *array));
  CUDA_CHECK(cudaMemcpy(array, place, (size_t)p->ny * sizeof *array, cudaMemcpyHostToDevice));
  free(place);
  return array;
}

static struct solver solver_open(const struct team_self *self, const struct several_task *task, bool uneven) {
  struct solver v = {
      .self = self, .p = several_part_of(task->nx, task->ny, self, uneven), .s = streams_open()};
  const size_t elements = (size_t)several_elements(&v.p);
  const double h = 1.0 / (task->nx - 1), kappa_h = task->kappa * h;
  v.cg.diagonal = 4 + kappa_h * kappa_h;
  v.cg.inv_diagonal = 1 / v.cg.diagonal;
  for (int n = 0; n < 2; n++) {
    double *h2f = zeros(elements, sizeof *h2f);
    several_fill_double(&v.p, n, SEVERAL_ZERO, task->seed, h * h, h2f);
    v.cg.h2f[n] = h2f;
    v.cg.u[n] = zeros(elements, sizeof(double));
    v.cg.p[n] = zeros(elements, sizeof(double));
    CUDA_CHECK(cudaEventCreateWithFlags(&v.arrived[n], cudaEventDisableTiming));
  }
  v.cg.r = zeros(elements, sizeof(double));
  v.place = places(&v.p, self, uneven, &v.slot);
  v.cg.sums = zeros((size_t)v.slot * SEVERAL_SUMS, sizeof(double));
  v.gathered = self->ranks == 1 ? v.cg.sums
                                : zeros((size_t)v.slot * SEVERAL_SUMS * (size_t)self->ranks, sizeof(double));
  v.result = zeros(1, sizeof *v.result);
  v.cg.state = zeros(1, sizeof *v.cg.state);
  v.total = (struct several_total){task->ny - 2, v.place, v.gathered};
  CUDA_CHECK(cudaMallocHost((void **)&v.views, VIEWS * sizeof *v.views));
  CUDA_CHECK(cudaDeviceSynchronize());
  return v;
}

/* All except u. */
static void solver_close(struct solver *v) {
  for (int n = 0; n < 2; n++) {
    CUDA_CHECK(cudaFree((void *)v->cg.h2f[n]));
    CUDA_CHECK(cudaFree(v->cg.p[n]));
    CUDA_CHECK(cudaEventDestroy(v->arrived[n]));
  }
  if (v->gathered != v->cg.sums)
    CUDA_CHECK(cudaFree(v->gathered));
  CUDA_CHECK(cudaFree(v->cg.r));
  CUDA_CHECK(cudaFree(v->cg.sums));
  CUDA_CHECK(cudaFree(v->place));
  CUDA_CHECK(cudaFree(v->result));
  CUDA_CHECK(cudaFree(v->cg.state));
  CUDA_CHECK(cudaFreeHost(v->views));
  streams_close(&v->s);
}

static void gather_sums(const struct solver *v) {
  team_gather(v->self, v->cg.sums, v->gathered, (size_t)v->slot * SEVERAL_SUMS, v->s.border);
}

/* The sum of squares of black points of x, or of both colours. The host waits. */
static double square(const struct solver *v, const double *red, const double *black) {
  double sum[2] = {0, 0};
  for (int n = 0; n < 2; n++) {
    const double *x = n == 0 ? red : black;
    if (!x)
      continue;
    several_squares(&v->p, x, v->cg.sums, v->s.border);
    gather_sums(v);
    several_sum(v->total, v->result, v->s.border);
    CUDA_CHECK(cudaMemcpyAsync(&sum[n], v->result, sizeof sum[n], cudaMemcpyDeviceToHost, v->s.border));
    CUDA_CHECK(cudaStreamSynchronize(v->s.border));
  }
  return sum[0] + sum[1];
}

/* Red points from black ones, and the square of the residual. */
static double complete(const struct solver *v) {
  if (v->self->ranks > 1)
    exchange(v->self, &v->p, SEVERAL_HALO, sizeof(double), v->cg.u[GRID_BLACK], v->s.border);
  several_red(&v->p, &v->cg, v->s.border);
  several_residual(&v->p, &v->cg, v->s.border);
  return square(v, NULL, v->cg.r);
}

static void iterate_alone(const struct solver *v) {
  several_direction(&v->p, &v->cg, v->s.border);
  several_alpha(v->total, v->cg.state, v->s.border);
  several_update(&v->p, several_all(&v->p), &v->cg, v->s.border);
  several_beta(v->total, v->cg.state, v->s.border);
}

/* The halo of r travels while the interior is updated; that of p is computed from it. */
static void iterate_with_others(const struct solver *v) {
  const struct streams *s = &v->s;
  several_direction(&v->p, &v->cg, s->border);
  gather_sums(v);
  several_alpha(v->total, v->cg.state, s->border);
  inner_after_border(s);
  several_update(&v->p, several_border(&v->p, SEVERAL_HALO), &v->cg, s->border);
  several_update(&v->p, several_interior(&v->p, SEVERAL_HALO), &v->cg, s->inner);
  exchange(v->self, &v->p, SEVERAL_HALO, sizeof(double), v->cg.r, s->border);
  border_after_inner(s);
  gather_sums(v);
  several_beta(v->total, v->cg.state, s->border);
}

/* The host looks at the state before the last stretch of iterations, so the device does not wait for it. All ranks have
 * the same state, and stop after the same stretch. */
static struct several_state iterate(const struct solver *v, int limit) {
  struct several_state last;
  bool running = true;
  for (int stretch = 0, launched = 0; running && launched < limit; stretch++) {
    const int now = stretch % VIEWS, before = !now;
    for (int n = 0; n < CHECK_EVERY && launched < limit; n++, launched++)
      if (v->self->ranks == 1)
        iterate_alone(v);
      else
        iterate_with_others(v);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(
        cudaMemcpyAsync(&v->views[now], v->cg.state, sizeof last, cudaMemcpyDeviceToHost, v->s.border));
    CUDA_CHECK(cudaEventRecord(v->arrived[now], v->s.border));
    if (stretch > 0) {
      CUDA_CHECK(cudaEventSynchronize(v->arrived[before]));
      running = v->views[before].status == SEVERAL_RUNNING;
    }
  }
  streams_wait(&v->s);
  CUDA_CHECK(cudaMemcpy(&last, v->cg.state, sizeof last, cudaMemcpyDeviceToHost));
  return last;
}

/* One solution from u = 0. Returns the seconds of its iterations on this rank. */
static double solve(const struct solver *v, const struct several_task *task, struct pcg_result *solved) {
  const size_t bytes = (size_t)several_elements(&v->p) * sizeof(double);
  for (int n = 0; n < 2; n++) {
    CUDA_CHECK(cudaMemset(v->cg.u[n], 0, bytes));
    CUDA_CHECK(cudaMemset(v->cg.p[n], 0, bytes));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  const double norm = sqrt(square(v, v->cg.h2f[GRID_RED], v->cg.h2f[GRID_BLACK])), first = complete(v);
  const double goal = task->tolerance * norm;
  struct several_state state = {first, 0, 0, goal * goal, 0, task->limit, SEVERAL_RUNNING};
  if (first <= state.enough)
    state.status = PCG_CONVERGED;
  CUDA_CHECK(cudaMemcpy(v->cg.state, &state, sizeof state, cudaMemcpyHostToDevice));
  if (v->self->ranks > 1)
    exchange(v->self, &v->p, SEVERAL_HALO, sizeof(double), v->cg.r, v->s.border);
  streams_wait(&v->s);
  team_largest(v->self, 0);
  const double start = timing_now();
  state = iterate(v, task->limit);
  const double seconds = timing_now() - start;
  *solved = (struct pcg_result){state.status, state.iteration, sqrt(complete(v)) / norm};
  return seconds;
}

void several_solve(const struct team_self *self, const struct several_task *task, bool uneven, int repeats,
                   double *ms, struct pcg_result *solved, struct several_result *result) {
  struct solver v = solver_open(self, task, uneven);
  for (int n = 0; n < repeats; n++)
    ms[n] = team_largest(self, solve(&v, task, solved)) * 1e3;
  *result = (struct several_result){.part = v.p, .u = {v.cg.u[GRID_RED], v.cg.u[GRID_BLACK]}};
  result->checksum = checksum(self, result, sizeof(double));
  solver_close(&v);
}
