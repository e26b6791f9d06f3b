/* The frame of programs that sweep a grid on the device: the filter and the table of times.
 *
 *   program --variant v --sweeps 10 --u u.npy --f f.npy --out u1.npy
 *   program table --sizes 4096,8192 --csv table.csv
 *
 * A lab defines its variants and their arrays. The problem is −Δu = f on a domain of width 1, with u given
 * on the boundary and h2f = h²·f rounded to float once (reference_h2f_float). Without files, u and f are
 * random. They depend only on --nx, --ny and --seed, so results of all programs can be compared bit for bit.
 *
 * A program's exit status is 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written. */
#pragma once

#include "c_linkage.h"
#include "fields.h"
#include "heap.h"
#include "options.h"
#include "unwritten.h"

C_LINKAGE_BEGIN

/* Arrays on the device. open copies h2f and u there, get copies u back, and close releases them, even if
 * open or get reported an unwritten part. */
struct sweeps_layout {
  int (*open)(struct grid g, const float *h2f, const float *u, void **arrays);
  int (*get)(const void *arrays, float *u);
  void (*close)(void *arrays);
};

/* One array of ny rows of nx floats for u, another for h2f. */
struct sweeps_interleaved {
  struct grid g;
  float *h2f, *u;
  float *next; /* NULL, or a second array, from cudaMalloc, of a method that is not in place */
};
extern const struct sweeps_layout sweeps_interleaved_layout; /* arrays: a struct sweeps_interleaved */

struct sweeps_variant {
  const char *name;     /* of --variant */
  const char *function; /* the contract's function that sweeps, for the message that a part is not written */
  const char *kernel;   /* the __global__ function: the key that joins a table with counters */
  const struct sweeps_layout *layout;
  int (*half_sweep)(void *arrays, int colour); /* NULL when sweeps have no colours */
  int (*sweep)(void *arrays);                  /* NULL: red, then black */
  const char *half_function; /* the contract's function for half_sweep, unless it is `function` */
  int (*fused)(void *arrays, int sweeps); /* NULL, or up to at_once sweeps in one pass over memory */
  int at_once;
};

/* Options, with their defaults; a lab's tables name them through the macros below. */
struct sweeps_settings {
  int nx, ny, seed, sweeps, earlier, colour, repeats;
  const char *u_path, *f_path, *out_path, *csv_path, *sizes;
};
extern struct sweeps_settings sweeps_settings;
extern const char *const sweeps_colours[]; /* "both", "red", "black": --colour */

#define SWEEPS_GRID_OPTIONS                                                                                  \
  OPTIONS_INT("nx", &sweeps_settings.nx, FIELDS_MIN, FIELDS_MAX, "grid points per row; 65, or as in --u"),   \
      OPTIONS_INT("ny", &sweeps_settings.ny, FIELDS_MIN, FIELDS_MAX,                                         \
                  "grid points per column; nx, or as in --u")
#define SWEEPS_FIELD_OPTIONS                                                                                 \
  SWEEPS_GRID_OPTIONS,                                                                                       \
      OPTIONS_STRING("u", &sweeps_settings.u_path, "FILE", "initial u: ny x nx values, rounded to float32"), \
      OPTIONS_STRING("f", &sweeps_settings.f_path, "FILE",                                                   \
                     "right-hand side: ny x nx values, rounded to float32")
#define SWEEPS_SEED_OPTION                                                                                   \
  OPTIONS_INT("seed", &sweeps_settings.seed, 0, 1 << 30, "seed of the random u and f, 0 on the boundary")
#define SWEEPS_CSV_OPTION                                                                                    \
  OPTIONS_STRING("csv", &sweeps_settings.csv_path, "FILE", "also write the table to this file")

#define SWEEPS_APPLY_OPTIONS                                                                                 \
  SWEEPS_FIELD_OPTIONS, SWEEPS_SEED_OPTION,                                                                  \
      OPTIONS_INT("sweeps", &sweeps_settings.sweeps, 0, 1 << 30, "how many"),                                \
      OPTIONS_INT(                                                                                           \
          "earlier", &sweeps_settings.earlier, 0, 1000,                                                      \
          "first so many sweeps of each of three others: nx and ny exchanged, fewer rows, other arrays"),    \
      OPTIONS_CHOICE("colour", &sweeps_settings.colour, sweeps_colours,                                      \
                     "colour of the half-sweeps; both: whole sweeps"),                                       \
      HEAP_OPTION,                                                                                           \
      OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write u to this file: ny x nx float32")
#define SWEEPS_TABLE_OPTIONS                                                                                 \
  OPTIONS_STRING("sizes", &sweeps_settings.sizes, "LIST", "grid points per row and per column"),             \
      OPTIONS_INT("repeats", &sweeps_settings.repeats, 1, 1000,                                              \
                  "repeats of each measurement, after one warm-up"),                                         \
      SWEEPS_SEED_OPTION, SWEEPS_CSV_OPTION

#define SWEEPS_SERVE_OPTIONS SWEEPS_GRID_OPTIONS, SWEEPS_SEED_OPTION
#define SWEEPS_SERVE_HELP "answers requests \"SEED SWEEPS\" on standard input, for the grader's clock"

/* Reads u and f from the files of the options. Without a file, u (f) stays NULL; the other file, or --nx
 * and --ny, set the grid. */
void sweeps_read(struct grid *g, float **u, float **f);

/* Draws u and f from --seed if they are NULL. The caller frees them. */
void sweeps_fill_random(struct grid g, float **u, float **f);

float *sweeps_h2f(struct grid g, const float *f); /* the caller frees it */

/* The filter: the variant's sweeps of u. Prints one line with the time of a sweep. Returns the exit status.
 */
int sweeps_apply(const struct sweeps_variant *variant);

/* Sweeps of a random u, as serve.h says: the answer is u, ny rows of nx floats. f is the same for all
 * requests, u is not 0 on the boundary. Returns the exit status. */
int sweeps_serve(const struct sweeps_variant *variant);

/* For each of --sizes, the time of a sweep of every variant (or its share of at_once sweeps), and its
 * effective bandwidth as a fraction of copy bandwidth, for 12 bytes per point (u and h2f read, u written,
 * each once). CSV columns: n, variant, kernel, sweep_ms, gigabytes_per_s, fraction_of_copy. Returns the
 * exit status. */
int sweeps_table(int count, const struct sweeps_variant *variants);

C_LINKAGE_END
