/* What the programs share that sweep a grid on the device in float: their options, their input, and the table of times.
 *
 *   program --variant v --sweeps 10 --u u.npy --f f.npy --out u1.npy
 *   program table --sizes 4096,8192 --csv table.csv
 *
 * The problem is −Δu = f on a domain of width 1, with u given on the boundary and h2f = h²·f rounded to float once
 * (reference_h2f_float). Without files, u and f are random. They depend only on --nx, --ny and --seed, so results of
 * all programs can be compared bit for bit.
 *
 * A program's exit status is 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written. */
#pragma once

#include "c_linkage.h"
#include "fields.h"
#include "options.h"
#include "sizes.h"
#include "table.h"
#include "unwritten.h"

C_LINKAGE_BEGIN

/* --- options --- */

/* With their defaults. A lab's tables name those that a command has: one row each. */
struct sweeps_settings {
  int nx, ny, seed, sweeps, colour, repeats;
  const char *u_path, *f_path, *out_path, *csv_path, *sizes;
};
extern struct sweeps_settings sweeps_settings;

enum { SWEEPS_BOTH, SWEEPS_RED, SWEEPS_BLACK }; /* --colour */
extern const char *const sweeps_colours[];

#define SWEEPS_NX                                                                                            \
  OPTIONS_INT("nx", &sweeps_settings.nx, FIELDS_MIN, FIELDS_MAX, "grid points per row; 65, or as in --u")
#define SWEEPS_NY                                                                                            \
  OPTIONS_INT("ny", &sweeps_settings.ny, FIELDS_MIN, FIELDS_MAX, "grid points per column; nx, or as in --u")
#define SWEEPS_U                                                                                             \
  OPTIONS_STRING("u", &sweeps_settings.u_path, "FILE", "initial u: ny x nx values, rounded to float32")
#define SWEEPS_F                                                                                             \
  OPTIONS_STRING("f", &sweeps_settings.f_path, "FILE", "right-hand side: ny x nx values, rounded to float32")
#define SWEEPS_SEED                                                                                          \
  OPTIONS_INT("seed", &sweeps_settings.seed, 0, 1 << 30, "seed of the random u and f, 0 on the boundary")
#define SWEEPS_SWEEPS OPTIONS_INT("sweeps", &sweeps_settings.sweeps, 0, 1 << 30, "how many")
#define SWEEPS_COLOUR                                                                                        \
  OPTIONS_CHOICE("colour", &sweeps_settings.colour, sweeps_colours,                                          \
                 "colour of the half-sweeps; both: whole sweeps")
#define SWEEPS_OUT                                                                                           \
  OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write u to this file: ny x nx float32")
#define SWEEPS_SIZES                                                                                         \
  OPTIONS_STRING("sizes", &sweeps_settings.sizes, "LIST", "grid points per row and per column")
#define SWEEPS_REPEATS                                                                                       \
  OPTIONS_INT("repeats", &sweeps_settings.repeats, 1, 1000, "repeats of each measurement, after one warm-up")
#define SWEEPS_CSV                                                                                           \
  OPTIONS_STRING("csv", &sweeps_settings.csv_path, "FILE", "also write the table to this file")

/* --- input --- */

struct grid sweeps_grid(void); /* of --nx and --ny, 65 by default */

/* Reads u and f from the files of the options. Without a file, u (f) stays NULL; the other file, or --nx
 * and --ny, set the grid. */
void sweeps_read(struct grid *g, float **u, float **f);

/* Draws u and f from --seed if they are NULL. The caller frees them. */
void sweeps_fill_random(struct grid g, float **u, float **f);

float *sweeps_h2f(struct grid g, const float *f); /* the caller frees it */

/* All of them on the host, from files or random. */
struct sweeps_input {
  struct grid g;
  float *u, *f, *h2f;
};
struct sweeps_input sweeps_input(void);
void sweeps_free(struct sweeps_input *in);

/* --- arrays --- */

/* Device memory: one array of ny rows of nx floats for u, another for h2f. */
struct sweeps_arrays {
  struct grid g;
  float *h2f, *u;
  float *next; /* NULL, or a second array, from cudaMalloc, of a method that is not in place */
};
struct sweeps_arrays sweeps_open(struct grid g, const float *h2f, const float *u);
void sweeps_get(const struct sweeps_arrays *d, float *u);
void sweeps_close(struct sweeps_arrays *d);

/* One line on the terminal: the variant, the grid, and the time of each of --sweeps, which took ms in all. */
void sweeps_print(const char *variant, struct grid g, double ms);

/* --- the table of times --- */

/* For each of --sizes, the time of a sweep of every variant, and its effective bandwidth as a fraction of copy
 * bandwidth, for 12 bytes per point (u and h2f read, u written, each once). CSV columns: n, variant, kernel,
 * sweep_ms, gigabytes_per_s, fraction_of_copy.
 *
 *   struct sweeps_times t;
 *   sweeps_times_open(&t);
 *   while (sweeps_times_next(&t)) {
 *     t.samples[0] = …;                                 milliseconds of a sweep of t.u, --repeats times
 *     sweeps_times_row(&t, "masked", "masked_kernel", part);
 *   }
 *   return sweeps_times_close(&t); */
struct sweeps_times {
  struct grid g; /* of this size, with u and h2f on the host */
  float *h2f, *u;
  double *samples; /* --repeats of them, of this variant */
  double copy_ms;  /* of a copy that moves as many bytes as a sweep must */
  struct sizes sizes;
  int next;
  struct table table;
};
void sweeps_times_open(struct sweeps_times *t);
bool sweeps_times_next(struct sweeps_times *t); /* false: there is no other size */

/* name: of the variant; kernel: the __global__ function, the key that joins the table with counters; part: that is not
 * written, or 0. */
void sweeps_times_row(struct sweeps_times *t, const char *name, const char *kernel, int part);
int sweeps_times_close(struct sweeps_times *t); /* returns the exit status */

C_LINKAGE_END
