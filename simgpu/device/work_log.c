#include "work_log.h"

#include <inttypes.h>

#include "device/report.h"
#include "device/room.h"

enum { WORD = 4, SECTOR = 32 };

struct work_log {
  FILE *file;
  uint64_t number;
  const char *kind, *kernel;
};

struct work_log *work_log_new(FILE *file) {
  if (!file)
    return NULL;
  struct work_log *log = room_zeroed(1, sizeof *log);
  log->file = file;
  fputs("work,kind,kernel,stream,number,after,unordered,access,allocation,size,first,end,bytes\n", file);
  return log;
}

void work_log_free(struct work_log *log) {
  if (log)
    fflush(log->file);
  free(log);
}

void work_log_begin(struct work_log *log, const char *kind, const char *kernel) {
  if (!log)
    return;
  log->number++;
  log->kind = kind;
  log->kernel = kernel;
}

struct extent {
  uint64_t first, end, bytes; /* bytes: in between that are used */
};

/* bits: one for each `unit` bytes; NULL: all are set. */
static struct extent extent_of(const struct allocation *a, const uint64_t *bits, uint64_t unit) {
  const uint64_t units = (a->size + unit - 1) / unit;
  struct extent e = {a->size, 0, 0};
  if (!bits)
    return (struct extent){0, a->size, a->size};
  for (uint64_t k = 0; k < units; k++)
    if (bits[k / 64] >> k % 64 & 1) {
      const uint64_t end = (k + 1) * unit < a->size ? (k + 1) * unit : a->size;
      e = (struct extent){e.end ? e.first : k * unit, end, e.bytes + end - k * unit};
    }
  return e;
}

static void write_numbers(FILE *file, const uint64_t *numbers, int count) {
  for (int n = 0; n < count; n++)
    fprintf(file, "%s%" PRIu64, n ? " " : "", numbers[n]);
}

void work_log_add(struct work_log *log, const struct work_log_use *use) {
  const struct allocation *a = use->allocation;
  char name[256] = "";
  if (!log)
    return;
  const struct extent e =
      a->is_written ? extent_of(a, use->written, WORD) : extent_of(a, a->sectors_read, SECTOR);
  if (log->kernel)
    report_name(log->kernel, name, sizeof name);
  fprintf(log->file, "%" PRIu64 ",%s,", log->number, log->kind);
  report_csv_text(log->file, name);
  fprintf(log->file, ",%" PRIu64 ",%" PRIu64 ",", use->order->stream, use->order->number);
  write_numbers(log->file, use->order->before, SIM_STREAMS);
  if (use->unordered == WORK_LOG_ORDERED)
    fputs(",", log->file);
  else
    fprintf(log->file, ",%d", use->unordered);
  fprintf(log->file, ",%s%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
          a->is_read ? "r" : "", a->is_written ? "w" : "", a->base, a->size, e.first, e.end, e.bytes);
}
