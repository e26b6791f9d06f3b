/* The order of the work of a run, as the device has recorded it: SIMGPU_WORK. */
#include "gpu_work.h"

#include "allocate.h"
#include "csv.h"
#include "lab_suite.h"
#include "plural.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct grid gpu_work_grid(int nx, const struct gpu_work_split *split) {
  int rows = 0;
  for (int k = 0; k < split->gpus; k++)
    rows += split->rows[k];
  return grid_make(nx, rows + 2);
}

const char *gpu_work_list(const struct gpu_work_split *split) {
  static char text[80];
  text[0] = '\0';
  for (int k = 0; k < split->gpus; k++)
    sprintf(text + strlen(text), "%s%d", k ? "," : "", split->rows[k]);
  return text;
}

const char *gpu_work_words(int nx, const struct gpu_work_split *split) {
  static char text[160];
  snprintf(text, sizeof text, "nx %d, %d GPU%s with %s row%s", nx, split->gpus, PLURAL(split->gpus),
           gpu_work_list(split), split->gpus == 1 && split->rows[0] == 1 ? "" : "s");
  return text;
}

/* --- the record --- */

enum { STREAMS = 16, ARRAYS = 4, NOTHING = -1 }; /* ARRAYS: of a part: u and h2f of each colour */
static const char variable[] = "SIMGPU_WORK", path[] = "work.csv";
static const char *const colours[] = {"red", "black"};

/* A row of the record: a use of an array. */
struct use {
  int work, stream, unordered, part,
      array; /* unordered: a stream; part, array: NOTHING if it is none of these */
  long number, after[STREAMS];
  int first, last; /* rows of the part that are written, or, if none are, read */
  double bytes;
  bool reads, writes, is_launch, is_copy;
};

static struct run {
  int nx, count;
  struct gpu_work_split split;
  struct use *use;
} run;

void gpu_work_record(void) {
  unlink(path);
  setenv(variable, path, 1);
}

static double row_bytes(void) { return grid_pitch(run.nx) * (double)sizeof(double); }

/* parts_open fills the arrays of each part, in this order. */
static int find_array(double address, bool is_fill) {
  static double known[SUITE_08_MOST * ARRAYS];
  static int count;
  if (run.count == 0)
    count = 0;
  for (int n = 0; n < count; n++)
    if (!(known[n] < address || known[n] > address))
      return n;
  if (!is_fill || count == run.split.gpus * ARRAYS)
    return NOTHING;
  known[count] = address;
  return count++;
}

static struct use read_use(const struct csv *csv) {
  const char *kind = csv_text(csv, "kind"), *access = csv_text(csv, "access"),
             *unordered = csv_text(csv, "unordered");
  const int n = find_array(csv_number(csv, "allocation"), strcmp(kind, "fill") == 0);
  struct use use = {.work = (int)csv_number(csv, "work"),
                    .stream = (int)csv_number(csv, "stream"),
                    .unordered = unordered[0] ? atoi(unordered) : NOTHING,
                    .part = n == NOTHING ? NOTHING : n / ARRAYS,
                    .array = n == NOTHING ? NOTHING : n % ARRAYS,
                    .number = (long)csv_number(csv, "number"),
                    .first = (int)(csv_number(csv, "first") / row_bytes()),
                    .last = (int)((csv_number(csv, "end") - 1) / row_bytes()),
                    .bytes = csv_number(csv, "bytes"),
                    .reads = strchr(access, 'r'),
                    .writes = strchr(access, 'w'),
                    .is_launch = strcmp(kind, "launch") == 0,
                    .is_copy = strcmp(kind, "copy") == 0};
  const char *after = csv_text(csv, "after");
  for (int s = 0; s < STREAMS; s++)
    use.after[s] = strtol(after, (char **)&after, 10);
  return use;
}

bool gpu_work_read(int nx, const struct gpu_work_split *split) {
  enum { USES = 1 << 16 };
  struct csv csv;
  unsetenv(variable);
  free(run.use);
  run = (struct run){.nx = nx, .split = *split, .use = allocate_zeroed(USES, sizeof *run.use)};
  const bool is_there = lab_suite_is_simulated() && csv_open(&csv, path);
  while (is_there && run.count < USES && csv_next(&csv)) {
    const struct use use = read_use(&csv);
    run.use[run.count++] = use;
  }
  if (is_there)
    csv_close(&csv);
  return is_there;
}

/* --- what a use is --- */

static bool is_u(const struct use *use) { return use->array == GRID_RED || use->array == GRID_BLACK; }
static int rows_of(const struct use *use) { return run.split.rows[use->part]; }
static bool computes(const struct use *use) { return use->is_launch && use->writes && is_u(use); }
static bool is_border(const struct use *use) { return use->first == 1 || use->last == rows_of(use); }
static bool has_row(const struct use *use, int row) { return use->first <= row && row <= use->last; }

/* The first and the last row alone may be one launch. */
static bool is_mixed(const struct use *use) {
  const int points = (run.nx - 1) / 2; /* at most, of a colour in a row */
  return is_border(use) && use->last - use->first > 1 && use->bytes > 2.0 * points * (double)sizeof(double);
}

static bool is_before(const struct use *a, const struct use *b) {
  return a->stream == b->stream ? a->number < b->number : b->after[a->stream] >= a->number;
}

/* The use of the same work that writes u; NULL: none does. */
static const struct use *written_by(const struct use *use) {
  for (const struct use *other = run.use; other < run.use + run.count; other++)
    if (other->work == use->work && other->writes && is_u(other))
      return other;
  return NULL;
}

enum kind { BORDER, INNER, SENT, SQUARES };
static const char *const kind_words[] = {
    [BORDER] = "border rows", [INNER] = "inner rows", [SENT] = "copies", [SQUARES] = "square_rows"};

/* The part is that which computes or sends. */
static enum kind kind_of(const struct use *use, int *part) {
  const struct use *written = written_by(use);
  *part = use->part;
  if (use->is_copy) {
    for (const struct use *source = run.use; source < run.use + run.count; source++)
      if (source->work == use->work && !source->writes && source->part != NOTHING)
        *part = source->part;
    return SENT;
  }
  if (!written)
    return SQUARES;
  *part = written->part;
  return is_border(written) ? BORDER : INNER;
}

/* --- copies --- */

static void check_copied_rows(const char *function, const struct use *use) {
  if (use->is_copy && use->writes && use->bytes > row_bytes())
    ck_abort_msg(
        "%s, %s: a copy has %.0f bytes, %.1f rows: expected %.0f bytes, one row of the colour: the halo row alone "
        "travels",
        function, gpu_work_words(run.nx, &run.split), use->bytes, use->bytes / row_bytes(), row_bytes());
  if (use->is_launch && use->writes && is_u(use) && (use->first < 1 || use->last > rows_of(use)))
    ck_abort_msg("%s, %s: a kernel writes a halo row of GPU %d: expected cudaMemcpyPeerAsync to send it",
                 function, gpu_work_words(run.nx, &run.split), use->part);
}

void gpu_work_check_copies(const char *function, int exchanges) {
  const int expected = 2 * (run.split.gpus - 1) * exchanges;
  int copies = 0;
  for (const struct use *use = run.use; use < run.use + run.count; use++) {
    check_copied_rows(function, use);
    copies += use->is_copy && use->writes;
  }
  if (copies != expected)
    ck_abort_msg(
        "%s, %s: %d copies between the GPUs in %d exchange%s: expected %d: one row in each direction between "
        "neighbours, by cudaMemcpyPeerAsync",
        function, gpu_work_words(run.nx, &run.split), copies, exchanges, PLURAL(exchanges), expected);
}

/* --- order --- */

/* The last work of a stream that used some of the same rows and that `use` does not follow; NULL: it is not known. */
static const struct use *disturbed(const struct use *use) {
  for (const struct use *other = use - 1; other >= run.use; other--)
    if (other->stream == use->unordered && other->part == use->part && other->array == use->array &&
        (other->writes || use->writes) && !is_before(other, use) && other->first <= use->last &&
        use->first <= other->last)
      return other;
  return NULL;
}

static const char *advice_for(enum kind late, int late_part, enum kind early, int early_part) {
  if (late == BORDER && early == SENT)
    return "the border stream waits for `sent` of the neighbour whose row it reads";
  if ((late == BORDER || late == SQUARES) && early == INNER)
    return "the border stream waits for inner_done, recorded after the inner rows of the half-sweep before";
  if (late == INNER && early == BORDER)
    return "the inner stream waits for border_done, recorded after the border rows";
  if (late == SENT && early == BORDER && late_part == early_part)
    return "a row is sent in the border stream, behind the launch that computes it";
  if (late == SENT && early == INNER)
    return "border rows are launches of their own in the border stream, and are sent there";
  if (late == SENT)
    return "a border stream waits for `sent` of both neighbours at the end of each exchange, so the next copy finds their "
           "halo rows unused";
  return "events order the streams";
}

static void check_default_stream(const char *function, const struct use *use) {
  int part;
  if (use->stream != 0 || !(computes(use) || use->is_copy))
    return;
  const enum kind kind = kind_of(use, &part);
  ck_abort_msg(
      "%s, %s: GPU %d's %s %s in the default stream: expected the streams of the part: they do not wait for the "
      "default stream",
      function, gpu_work_words(run.nx, &run.split), part, kind_words[kind], kind == SQUARES ? "is" : "are");
}

void gpu_work_check_order(const char *function) {
  for (const struct use *use = run.use; use < run.use + run.count; use++) {
    check_default_stream(function, use);
    if (use->unordered == NOTHING || use->part == NOTHING)
      continue;
    const struct use *other = disturbed(use);
    int late_part, early_part = NOTHING;
    const enum kind late = kind_of(use, &late_part), early = other ? kind_of(other, &early_part) : SQUARES;
    if (!other)
      ck_abort_msg(
          "%s, %s: GPU %d's %s (%s) may run at the same time as earlier work that uses the same rows: expected that "
          "events order the streams",
          function, gpu_work_words(run.nx, &run.split), late_part, kind_words[late], colours[use->array % 2]);
    ck_abort_msg(
        "%s, %s: GPU %d's %s may run at the same time as GPU %d's %s before, and both use %s points of GPU %d: "
        "expected: %s",
        function, gpu_work_words(run.nx, &run.split), late_part, kind_words[late], early_part,
        kind_words[early], colours[use->array % 2], use->part,
        advice_for(late, late_part, early, early_part));
  }
}

/* --- overlap --- */

/* The n-th launch, from 0, that computes this row of a part. */
static const struct use *computed(int part, int colour, int row, int n) {
  for (const struct use *use = run.use; use < run.use + run.count; use++)
    if (computes(use) && use->part == part && use->array == colour && has_row(use, row) &&
        (row == 1 || row == rows_of(use) || !is_border(use) || is_mixed(use)) && n-- == 0)
      return use;
  return NULL;
}

/* The n-th copy that sends this row. */
static const struct use *sent(int part, int colour, int row, int n) {
  for (const struct use *use = run.use; use < run.use + run.count; use++)
    if (use->is_copy && !use->writes && use->part == part && use->array == colour && has_row(use, row) &&
        n-- == 0)
      return use;
  return NULL;
}

static void check_pair(int part, const struct use *border, const struct use *inner) {
  if (border->work == inner->work || is_mixed(border) || is_mixed(inner))
    ck_abort_msg(
        "sg_half_sweep, %s: one launch computes border rows and inner rows of GPU %d: expected launches of their own "
        "for the border rows, so that these are sent while the inner rows are computed",
        gpu_work_words(run.nx, &run.split), part);
  if (border->stream == inner->stream)
    ck_abort_msg(
        "sg_half_sweep, %s: GPU %d's inner rows are in the same stream as its border rows: expected the stream "
        "`inner`: in one stream, the inner rows and the copies wait for each other",
        gpu_work_words(run.nx, &run.split), part);
}

static void check_copy(int part, const struct use *copy, const struct use *inner) {
  if (copy && is_before(inner, copy))
    ck_abort_msg(
        "sg_half_sweep, %s: GPU %d sends its border rows after its inner rows: expected that it sends them while it "
        "computes the inner rows: no event may make the border stream wait for the inner rows of the same half-sweep",
        gpu_work_words(run.nx, &run.split), part);
  if (copy && is_before(copy, inner))
    ck_abort_msg(
        "sg_half_sweep, %s: GPU %d computes its inner rows after it has sent its border rows: expected both at the same "
        "time: border_done is recorded before the copies",
        gpu_work_words(run.nx, &run.split), part);
}

/* GPUs that wait for each other's rows of the same half-sweep compute one after the other. */
static void check_neighbour(int part, int other, const struct use *early, const struct use *border) {
  if (early && is_before(early, border))
    ck_abort_msg(
        "sg_half_sweep, %s: GPU %d's border rows wait for those of GPU %d of the same half-sweep: expected that they "
        "wait for the half-sweep before: the GPUs compute one after the other",
        gpu_work_words(run.nx, &run.split), part, other);
}

/* main.c exchanges both colours first: the copies of half-sweep n are the next ones. */
static void check_half_sweep(int part, int colour, int n) {
  const int rows = run.split.rows[part], gpus = run.split.gpus;
  const struct use *border = computed(part, colour, 1, n),
                   *inner = rows > 2 ? computed(part, colour, 2, n) : NULL;
  if (!border || (rows > 2 && !inner))
    ck_abort_msg("sg_half_sweep, %s: no kernel of GPU %d computes its %s points in half-sweep %d",
                 gpu_work_words(run.nx, &run.split), part, colours[colour], 2 * n + colour + 1);
  if (inner) {
    check_pair(part, border, inner);
    check_copy(part, sent(part, colour, 1, n + 1), inner);
    check_copy(part, sent(part, colour, rows, n + 1), inner);
  }
  if (part > 0)
    check_neighbour(part, part - 1, computed(part - 1, colour, 1, n), border);
  if (part < gpus - 1)
    check_neighbour(part, part + 1, computed(part + 1, colour, 1, n), border);
}

/* Parts have at least three rows. */
void gpu_work_check_overlap(int sweeps) {
  for (int n = 0; n < sweeps; n++)
    for (int colour = 0; colour < 2; colour++)
      for (int part = 0; part < run.split.gpus; part++)
        check_half_sweep(part, colour, n);
}
