/* Lab 04, as the suite runs it: other calls of a function before the one that counts, arrays that correct code on the
 * host packs, rows that are longer than they need be, and a server. */
#define main lab_main
#include "../../labs/04_split_layout/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "judged.h"
#include "judged_grids.h"
#include "judged_sweeps.h"

/* --- options --- */

/* --pack: who packs and unpacks for sweeps; PACK_WIDE: the host, into rows that are longer than they need be. */
enum { PACK_ON_DEVICE, PACK_ON_HOST, PACK_WIDE };
static const char *const packers[] = {
    [PACK_ON_DEVICE] = "device", [PACK_ON_HOST] = "host", [PACK_WIDE] = "wide", NULL};
static int packer = PACK_ON_DEVICE, wider; /* wider: places of a row beyond those that it needs */
static int calls = 1;                      /* of a function; the last one counts */

#define CALLS_OPTION(functions)                                                                              \
  OPTIONS_INT("calls", &calls, 1, 1000, "calls of " functions ", one after the other")
#define WIDER_OPTION                                                                                         \
  OPTIONS_INT("wider", &wider, 0, 1024, "places by which rows are longer than they need be: a multiple of 32")

static const struct options_option more_apply[] = {
    OPTIONS_CHOICE(
        "pack", &packer, packers,
        "who packs: split_pack; correct code on the host, to test a sweep alone, also into longer rows"),
    WIDER_OPTION,
    CALLS_OPTION("split_pack and split_unpack for an array"),
    JUDGED_EARLIER,
    JUDGED_FAR,
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option more_pack[] = {
    WIDER_OPTION, JUDGED_FAR, CALLS_OPTION("split_pack"), HEAP_OPTION, OPTIONS_END,
};
static const struct options_option more_sgemm[] = {
    JUDGED_FAR,
    CALLS_OPTION("the function"),
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"),
    OPTIONS_INT("fuse", &fuse, 1, FUSED_MAX, "fused: sweeps in one pass over memory"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_SEED,
    OPTIONS_END,
};

static int pitch_of(struct grid g) {
  enum { WIDER = 32 };
  return grid_pitch(g.nx) + (packer == PACK_WIDE ? WIDER : wider);
}

/* --- packing --- */

/* Both colours go to the device in one copy, like the interleaved array. */
static int pack_on_host(const struct split *d, const float *values, float *const *colours) {
  const size_t points = grid_split_points(d->g), bytes = points * sizeof(float);
  const size_t row = bytes / (size_t)d->g.ny, pitch = (size_t)d->pitch * sizeof(float);
  float *both = allocate_zeroed(2 * points, sizeof *both), *sent;
  grid_split_pack(d->g, sizeof *both, values, both, both + points);
  CUDA_CHECK(cudaMalloc((void **)&sent, 2 * bytes));
  CUDA_CHECK(cudaMemcpy(sent, both, 2 * bytes, cudaMemcpyHostToDevice));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    if (pitch > row) /* padding may hold any number */
      CUDA_CHECK(cudaMemset(colours[colour], 0xff, split_bytes(d)));
    CUDA_CHECK(cudaMemcpy2D(colours[colour], pitch, sent + (size_t)colour * points, row, row, (size_t)d->g.ny,
                            cudaMemcpyDeviceToDevice));
  }
  CUDA_CHECK(cudaFree(sent));
  free(both);
  return 0;
}

/* Zeros the padding of a colour, whose rows have grid_pitch places. In every second row an odd nx leaves
 * a place more. */
static void clear_padding(const struct split *d, int colour, float *u) {
  const size_t places = (size_t)grid_pitch(d->g.nx), place = sizeof *u, pitch = places * place,
               width = ((size_t)d->g.nx + 1) / 2;
  const size_t first = grid_colour_columns(d->g, 0, colour) < (int)width ? 0 : 1, rows = (size_t)d->g.ny;
  CUDA_CHECK(cudaMemset2D(u + width, pitch, 0, pitch - width * place, rows));
  if (d->g.nx % 2)
    CUDA_CHECK(cudaMemset2D(u + first * places + width - 1, 2 * pitch, 0, place, (rows - first + 1) / 2));
}

static int unpack_on_host(const struct split *d, float *u) {
  const size_t points = grid_split_points(d->g), bytes = points * sizeof(float);
  const size_t row = bytes / (size_t)d->g.ny, pitch = (size_t)d->pitch * sizeof(float);
  float *both = allocate_zeroed(2 * points, sizeof *both), *fetched;
  CUDA_CHECK(cudaMalloc((void **)&fetched, 2 * bytes));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    float *copy = fetched + (size_t)colour * points;
    CUDA_CHECK(cudaMemcpy2D(copy, row, d->u[colour], pitch, row, (size_t)d->g.ny, cudaMemcpyDeviceToDevice));
    clear_padding(d, colour, copy);
  }
  CUDA_CHECK(cudaMemcpy(both, fetched, 2 * bytes, cudaMemcpyDeviceToHost));
  grid_split_unpack(d->g, sizeof *both, both, both + points, u);
  CUDA_CHECK(cudaFree(fetched));
  free(both);
  return 0;
}

/* The grid of a call. What a function keeps from earlier calls does not fit the last one: first fewer columns,
 * then fewer rows. */
static struct grid grid_of_call(struct grid g, int call) {
  if (call < calls - 1 && call == 0)
    return grid_make(judged_fewer_rows(grid_make(g.ny, g.nx)).ny, g.ny);
  return call < calls - 1 && call == 1 ? judged_fewer_rows(g) : g;
}

static int pack_often(const struct split *d, const float *values, float *const *colours) {
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemcpy(interleaved, values, bytes, cudaMemcpyHostToDevice));
  int part = 0;
  struct heap heap = heap_watch("split_pack");
  for (int n = 0; n < calls && !part; n++) {
    const struct grid g = grid_of_call(d->g, n);
    part = split_pack(g.nx, g.ny, pitch_of(g), interleaved, colours[GRID_RED], colours[GRID_BLACK]);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

static int unpack_often(const struct split *d, float *u) {
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemset(interleaved, 0xff, bytes));
  int part = 0;
  struct heap heap = heap_watch("split_unpack");
  for (int n = 0; n < calls && !part; n++) {
    const struct grid g = grid_of_call(d->g, n);
    part = split_unpack(g.nx, g.ny, pitch_of(g), d->u[GRID_RED], d->u[GRID_BLACK], interleaved);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(u, interleaved, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

/* --- sweeps --- */

static int judged_open(struct grid g, const float *h2f, const float *u, void **arrays) {
  struct split *d = allocate_zeroed(1, sizeof *d);
  *d = (struct split){.g = g, .pitch = pitch_of(g)};
  *arrays = d;
  split_allocate(d, d->h2f);
  split_allocate(d, d->u);
  int (*const to_colours)(const struct split *, const float *, float *const *) =
      packer == PACK_ON_DEVICE ? pack_often : pack_on_host;
  const int part = to_colours(d, h2f, d->h2f);
  return part ? part : to_colours(d, u, d->u);
}

static int judged_get(const void *arrays, float *u) {
  return packer == PACK_ON_DEVICE ? unpack_often(arrays, u) : unpack_on_host(arrays, u);
}

static void judged_close(void *arrays) {
  split_close(arrays);
  free(arrays);
}

static void judged_open_far(struct grid g, const float *u, void **arrays) {
  const struct grid strip = judged_far_strip(g);
  const size_t count = grid_split_points(strip);
  struct split *d = allocate_zeroed(1, sizeof *d);
  *d = (struct split){.g = g, .pitch = grid_pitch(g.nx)};
  judged_far_open(
      split_bytes(d), 4,
      (void **[]){(void **)&d->h2f[0], (void **)&d->h2f[1], (void **)&d->u[0], (void **)&d->u[1]});
  float *colours = allocate_zeroed(2 * count, sizeof *colours);
  grid_split_pack(strip, sizeof *u, u, colours, colours + count);
  for (int c = GRID_RED; c <= GRID_BLACK; c++)
    judged_far_put(d->u[c], grid_split_points(g), count, sizeof *u, colours + (size_t)c * count);
  free(colours);
  *arrays = d;
}

static void judged_get_far(const void *arrays, float *u) {
  const struct split *d = arrays;
  const struct grid strip = judged_far_strip(d->g);
  const size_t count = grid_split_points(strip);
  float *colours = allocate_zeroed(2 * count, sizeof *colours);
  for (int c = GRID_RED; c <= GRID_BLACK; c++)
    judged_far_get(d->u[c], grid_split_points(d->g), count, sizeof *u, colours + (size_t)c * count);
  grid_split_unpack(strip, sizeof *u, colours, colours + count, u);
  free(colours);
}

/* The largest grid through both functions, or through fused sweeps: arrays without values. */
static int judged_pack_far(void) {
  struct split d = {.g = sweeps_grid()};
  float *from, *to;
  d.pitch = grid_pitch(d.g.nx);
  judged_far_open(grid_points(d.g) * sizeof *from, 2, (void **[]){(void **)&from, (void **)&to});
  judged_far_open(split_bytes(&d), 2, (void **[]){(void **)&d.u[0], (void **)&d.u[1]});
  unwritten_check(split_pack(d.g.nx, d.g.ny, d.pitch, from, d.u[0], d.u[1]), "split_pack");
  unwritten_check(split_unpack(d.g.nx, d.g.ny, d.pitch, d.u[0], d.u[1], to), "split_unpack");
  return judged_far_close(4, (void *[]){from, to, d.u[0], d.u[1]});
}

static int judged_fused_far(void) {
  struct split d = {.g = sweeps_grid()};
  d.pitch = grid_pitch(d.g.nx);
  judged_far_open(split_bytes(&d), 6,
                  (void **[]){(void **)&d.h2f[0], (void **)&d.h2f[1], (void **)&d.u[0], (void **)&d.u[1],
                              (void **)&d.next[0], (void **)&d.next[1]});
  unwritten_check(fused_sweeps(&d, fuse), "gs_fused");
  return judged_far_close(6, (void *[]){d.h2f[0], d.h2f[1], d.u[0], d.u[1], d.next[0], d.next[1]});
}

static int judged_sgemm_far(const struct product *p) {
  const struct product_function *f = &product_functions[p->variant];
  const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
  struct matrices d = {.m = p->m, .n = p->n, .k = p->k};
  judged_far_open(m * k * sizeof(float), 1, (void **[]){(void **)&d.a});
  judged_far_open(k * n * sizeof(float), 1, (void **[]){(void **)&d.b});
  judged_far_open(m * n * sizeof(float), 1, (void **[]){(void **)&d.c});
  unwritten_check(f->multiply(d.m, d.n, d.k, d.a, d.b, d.c), f->function);
  return judged_far_close(3, (void *[]){d.a, d.b, d.c});
}

static int judged_pass(void *arrays, int limit, int *done) { return pass(arrays, variant, limit, done); }

/* --- commands --- */

static int judged_pack(void) {
  struct sweeps_input in = sweeps_input();
  struct split d = {.g = in.g, .pitch = pitch_of(in.g)};
  split_allocate(&d, d.next);
  split_poison(&d, d.next);
  unwritten_check(pack_often(&d, in.u, d.next), "split_pack");
  show_packed(&d);
  sweeps_free(&in);
  return 0;
}

/* Earlier calls have fewer columns, then fewer rows, in parts of the arrays. */
static int judged_sgemm(const struct product *p) {
  struct matrices d = matrices_open(p, p->m, p->n, p->k);
  const struct product_function *f = &product_functions[p->variant];
  const struct stopwatch watch = stopwatch_start();
  struct heap heap = heap_watch(f->function);
  for (int call = 0; call < calls; call++) {
    const bool is_other = call < calls - 1;
    const int columns = is_other && call == 0 ? (d.n + 1) / 2 : d.n,
              rows = is_other && call == 1 ? (d.m + 1) / 2 : d.m;
    unwritten_check(f->multiply(rows, columns, d.k, d.a, d.b, d.c), f->function);
    if (call > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  stopwatch_mark(watch);
  product_show(p, &d, watch); /* the first wait: any wait of the function itself comes before it */
  matrices_close(&d);
  return 0;
}

int main(int argc, char **argv) {
  enum { SERVE = COMMANDS };
  static const struct judged_layout layout = {judged_open, judged_get, judged_close, judged_open_far,
                                              judged_get_far};
  const struct options_command judged[] = {
      [APPLY] = {NULL, "sweeps of u", judged_options(apply_options, more_apply)},
      [TABLE] = commands[TABLE],
      [PACK] = {"pack", "u in the split layout", judged_options(pack_options, more_pack)},
      [LEFT] = commands[LEFT],
      [SGEMM] = {"sgemm", "C = A B", judged_options(sgemm_options, more_sgemm)},
      [SGEMM_TABLE] = commands[SGEMM_TABLE],
      [SERVE] = {"serve", JUDGED_SERVE_HELP, serve_options},
      OPTIONS_END,
  };
  const int command = options_parse("one array per colour, wide loads, tiles, judged", judged, argc, argv);
  const struct judged_sweeps sweeps = {variant_names[variant], function_names[variant], &layout, judged_pass};
  if (wider % 32 != 0)
    error_die("--wider %d: expected a multiple of 32", wider);
  switch (command) {
  case APPLY:
    check_colour();
    return judged_far > 0 && variant == FUSED ? judged_fused_far() : judged_sweeps_apply(&sweeps);
  case PACK:
    return judged_far > 0 ? judged_pack_far() : judged_pack();
  case SGEMM:
    return judged_far > 0 ? judged_sgemm_far(&product) : judged_sgemm(&product);
  case SERVE:
    return judged_sweeps_serve(&sweeps);
  default:
    return run(command);
  }
}
