#include "kernels.h"
#include "allocate.h"
#include "csv.h"
#include "request_file.h"
#include "result.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a result's size. */
enum { MOST_KERNELS = 12, MOST_ROWS = 200, MOST_TEXT = 200, MOST_ACCESSES = 4, MOST_SEEN = 64 };
enum { AROUND = 1, GAP = 5, SIGNATURE = 12 }; /* lines that are shown without counts */

struct source {
  const char *file, *text;
  const char **line; /* where each line starts, from index 1; one more than there are lines */
  int count;
};

struct kernel {
  char name[128];
  double launches;
  json_t **rows;            /* by line number; NULL: not counted */
  json_t *accesses, *spare; /* spare: the request to show if none is wasteful */
  double seen[MOST_SEEN];   /* instructions */
  int seen_count;
};

struct reader {
  struct source source;
  struct kernel kernels[MOST_KERNELS];
  int count;
};

static struct source split(const char *file, const char *text, size_t size) {
  struct source source = {.file = file, .text = text, .count = 1};
  for (size_t n = 0; n < size; n++)
    source.count += text[n] == '\n';
  source.line = allocate_zeroed((size_t)source.count + 2, sizeof *source.line);
  int at = 1;
  source.line[1] = text;
  for (size_t n = 0; n < size; n++)
    if (text[n] == '\n')
      source.line[++at] = text + n + 1;
  source.line[source.count + 1] = text + size + 1;
  return source;
}

static bool is_source(const struct source *source, const char *path) {
  const char *slash = strrchr(path, '/');
  return strcmp(slash ? slash + 1 : path, source->file) == 0;
}

static struct kernel *find(struct reader *reader, const char *name, bool make) {
  for (int n = 0; n < reader->count; n++)
    if (strncmp(reader->kernels[n].name, name, sizeof reader->kernels[n].name - 1) == 0)
      return &reader->kernels[n];
  if (!make || reader->count == MOST_KERNELS)
    return NULL;
  struct kernel *kernel = &reader->kernels[reader->count++];
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  kernel->rows = allocate_zeroed((size_t)reader->source.count + 2, sizeof(json_t *));
  kernel->accesses = json_array();
  return kernel;
}

/* --- counts --- */

static json_t *counts(const struct csv *csv) {
  static const char *const columns[] = {
      "instructions",   "load_requests",   "load_sectors",         "load_fewest_sectors",
      "store_requests", "store_sectors",   "store_fewest_sectors", "atomic_requests",
      "atomic_sectors", "shared_requests", "shared_wavefronts",    "shared_fewest_wavefronts",
      "local_requests"};
  json_t *row = json_object();
  const double warps = csv_number(csv, "work_instructions");
  for (size_t n = 0; n < sizeof columns / sizeof *columns; n++)
    if (csv_number(csv, columns[n]) > 0)
      json_object_set_new(row, columns[n], json_integer((json_int_t)csv_number(csv, columns[n])));
  if (warps > 0)
    json_object_set_new(
        row, "lanes",
        json_real(floor(1e4 * csv_number(csv, "work_thread_instructions") / (REQUEST_LANES * warps) + 0.5) /
                  1e4));
  return row;
}

static void read_lines(struct reader *reader, const char *path) {
  struct csv csv;
  if (csv_open(&csv, path))
    while (csv_next(&csv)) {
      const double number = csv_number(&csv, "line");
      if (!is_source(&reader->source, csv_text(&csv, "file")) ||
          !(number >= 1 && number <= reader->source.count))
        continue;
      struct kernel *kernel = find(reader, csv_text(&csv, "kernel"), true);
      if (!kernel || kernel->rows[(int)number])
        continue;
      kernel->launches = csv_number(&csv, "launches");
      kernel->rows[(int)number] = counts(&csv);
    }
  csv_close(&csv);
}

/* --- accesses of one warp --- */

/* "0 4 8 - …": each lane's offset from the start of the sector, or of the row of banks, with the lowest address. */
static json_t *lanes_text(const struct request *request) {
  const long long unit = request->is_shared ? REQUEST_BANK_ROW : REQUEST_SECTOR;
  char text[REQUEST_LANES * 24] = "";
  long long first = request->address[0];
  for (int k = 1; k < request->lanes; k++)
    first = request->address[k] < first ? request->address[k] : first;
  for (int n = 0, k = 0, used = 0; n < REQUEST_LANES; n++) {
    const char *blank = n ? " " : "";
    used += k < request->lanes && request->lane[k] == n
                ? snprintf(text + used, sizeof text - (size_t)used, "%s%lld", blank,
                           request->address[k++] - first / unit * unit)
                : snprintf(text + used, sizeof text - (size_t)used, "%s-", blank);
  }
  return json_string(text);
}

static json_t *access_json(const struct request *request) {
  return json_pack("{s:I, s:o, s:s, s:I, s:I, s:o}", "line", (json_int_t)request->line, "operation",
                   result_string(request->operation), "space", request->is_shared ? "shared" : "global",
                   "bytes", (json_int_t)request->bytes, "cost", (json_int_t)request->cost, "lanes",
                   lanes_text(request));
}

static bool was_seen(struct kernel *kernel, double instruction) {
  for (int n = 0; n < kernel->seen_count; n++)
    if (!(kernel->seen[n] < instruction) && !(kernel->seen[n] > instruction))
      return true;
  if (kernel->seen_count < MOST_SEEN)
    kernel->seen[kernel->seen_count++] = instruction;
  return false;
}

static void add_access(struct reader *reader, const struct request *request) {
  struct kernel *kernel =
      is_source(&reader->source, request->file) ? find(reader, request->kernel, false) : NULL;
  if (!kernel || !request->lanes || was_seen(kernel, request->instruction))
    return;
  if (request_is_wasteful(request) && json_array_size(kernel->accesses) < MOST_ACCESSES)
    json_array_append_new(kernel->accesses, access_json(request));
  else if (!kernel->spare && !request->is_shared)
    kernel->spare = access_json(request);
}

static void read_accesses(struct reader *reader, const char *path) {
  struct request_file file;
  struct request request;
  request_file_open(&file, path);
  while (request_file_next(&file, &request))
    add_access(reader, &request);
  request_file_close(&file);
}

/* --- the result --- */

static json_t *line_text(const struct source *source, int number) {
  char text[MOST_TEXT + 1];
  const char *start = source->line[number];
  const long length = source->line[number + 1] - start - 1;
  snprintf(text, sizeof text, "%.*s", length < MOST_TEXT ? (int)length : MOST_TEXT, start);
  text[strcspn(text, "\r")] = '\0';
  for (char *tab = text; (tab = strchr(tab, '\t'));)
    *tab = ' ';
  return result_string(text);
}

static bool has_word(const struct source *source, int number, const char *word) {
  const long length = source->line[number + 1] - source->line[number] - 1;
  const char *at = strstr(source->line[number], word);
  return at && at < source->line[number] + length;
}

/* Lines near a counted one, and the kernel's signature. */
static void mark(const struct source *source, const struct kernel *kernel, bool *shown) {
  int last = 0;
  for (int n = 1; n <= source->count; n++) {
    if (!kernel->rows[n])
      continue;
    for (int k = n - AROUND; k <= n + AROUND; k++)
      if (k >= 1 && k <= source->count && source->line[k][0] != '\n')
        shown[k] = true;
    for (int k = last + 1; last && n - last <= GAP && k < n; k++)
      shown[k] = true;
    for (int head = n; !last && head >= 1 && head > n - SIGNATURE; head--)
      if (has_word(source, head, "__global__")) {
        for (int k = head; k < n; k++)
          shown[k] = true;
        break;
      }
    last = n;
  }
}

static json_t *rows(const struct source *source, const struct kernel *kernel) {
  json_t *list = json_array();
  bool *shown = allocate_zeroed((size_t)source->count + 2, sizeof *shown);
  mark(source, kernel, shown);
  for (int n = 1; n <= source->count && json_array_size(list) < MOST_ROWS; n++)
    if (shown[n]) {
      json_t *row = json_pack("{s:i, s:o}", "line", n, "text", line_text(source, n));
      if (kernel->rows[n])
        json_object_update(row, kernel->rows[n]);
      json_array_append_new(list, row);
    }
  free(shown);
  return list;
}

static json_t *kernel_json(const struct reader *reader, struct kernel *kernel,
                           const struct kernels_run *run) {
  if (json_array_size(kernel->accesses) == 0 && kernel->spare)
    json_array_append(kernel->accesses, kernel->spare);
  return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o}", "kernel", result_string(kernel->name), "run",
                   result_string(run->arguments), "file", result_string(reader->source.file), "launches",
                   (json_int_t)kernel->launches, "lines", rows(&reader->source, kernel), "accesses",
                   kernel->accesses);
}

json_t *kernels_read(const struct kernels_run *run, const char *file, const char *text, size_t size) {
  struct reader *reader = allocate_zeroed(1, sizeof *reader);
  json_t *list = json_array();
  reader->source = split(file, text, size);
  read_lines(reader, run->lines);
  read_accesses(reader, run->addresses);
  for (int k = 0; k < reader->count; k++) {
    struct kernel *kernel = &reader->kernels[k];
    json_array_append_new(list, kernel_json(reader, kernel, run));
    for (int n = 1; n <= reader->source.count; n++)
      json_decref(kernel->rows[n]);
    json_decref(kernel->spare);
    free(kernel->rows);
  }
  free(reader->source.line);
  free(reader);
  return list;
}

static bool is_there(const json_t *kernels, const json_t *kernel) {
  size_t n;
  json_t *other;
  json_array_foreach((json_t *)kernels, n, other) {
    if (json_equal(json_object_get(other, "kernel"), json_object_get(kernel, "kernel")))
      return true;
  }
  return false;
}

void kernels_gather(json_t *lab) {
  json_t *all = json_array(), *item, *kernel;
  size_t n, k;
  json_array_foreach(json_object_get(lab, "items"), n, item) {
    json_array_foreach(json_object_get(item, "kernels"), k, kernel) {
      if (!is_there(all, kernel) && json_array_size(all) < MOST_KERNELS)
        json_array_append(all, kernel);
    }
    json_object_del(item, "kernels");
  }
  if (json_array_size(all) > 0)
    json_object_set(lab, "kernels", all);
  json_decref(all);
}
