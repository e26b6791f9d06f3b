#include "usage.h"

#include <stdlib.h>
#include <string.h>

#include "device/room.h"
#include "work_log.h"

enum { WORD = 4, SECTOR = 32, SECTORS = 8 }; /* SECTORS: in 64 words of 4 bytes */

static uint64_t words_of(const struct allocation *a) { return a->size / ORIGIN_BYTES + 1; }

static struct usage *usage_of(struct allocation *a) {
  if (!a->usage)
    a->usage = room_zeroed(1, sizeof *a->usage);
  return a->usage;
}

void usage_starts(struct memory *memory) {
  memory->wants_words = true;
  for (uint32_t i = 0; i < memory->count; i++) {
    struct allocation *a = memory->list[i];
    if (!a->by_kernel || a->is_heap)
      continue;
    usage_of(a)->kept = a->by_kernel;
    a->by_kernel = room_zeroed(words_of(a), sizeof *a->by_kernel);
  }
}

/* The sectors of these 64 words. */
static uint64_t sectors_of(uint64_t words) {
  uint64_t sectors = 0;
  for (unsigned n = 0; n < SECTORS; n++)
    sectors |= (uint64_t)((words >> n * SECTORS & 255) != 0) << n;
  return sectors;
}

static uint64_t sectors_at(const uint64_t *sectors, uint64_t k) {
  return sectors[k / SECTORS] >> k % SECTORS * SECTORS & 255;
}

/* NULL: all words. */
static bool is_written_twice(const uint64_t *written, const uint64_t *also, uint64_t count) {
  bool found = !written || !also;
  for (uint64_t k = 0; !found && k < count; k++)
    found = written[k] & also[k];
  return found;
}

static bool is_read_too(const uint64_t *written, const uint64_t *sectors, uint64_t count) {
  bool found = !written || !sectors;
  for (uint64_t k = 0; !found && k < count; k++)
    found = written[k] && sectors_of(written[k]) & sectors_at(sectors, k);
  return found;
}

static bool is_read_by(const uint64_t *sectors, const uint64_t *written, uint64_t count) {
  return is_read_too(written, sectors, count);
}

/* Whether work after `before` has used what `bits` stand for. */
static bool has_common(const struct usage_list *list, uint64_t before,
                       bool (*is_common)(const uint64_t *, const uint64_t *, uint64_t), const uint64_t *bits,
                       uint64_t count) {
  bool found = false;
  for (int n = 0; !found && n < list->count; n++)
    found = list->item[n].number > before && is_common(list->item[n].bits, bits, count);
  return found;
}

/* The stream of the earlier work, or WORK_LOG_ORDERED. written: by this launch; NULL: all words. */
static int disorder_of(const struct allocation *a, const uint64_t *written, const struct sim_ordered *o) {
  const struct usage *u = a->usage;
  for (unsigned s = 0; s < SIM_STREAMS; s++) {
    const uint64_t before = o->before[s];
    if (s != o->stream &&
        ((a->is_written && has_common(&u->written[s], before, is_written_twice, written, words_of(a))) ||
         (a->is_read && has_common(&u->written[s], before, is_read_too, a->sectors_read, words_of(a))) ||
         (a->is_written && has_common(&u->read[s], before, is_read_by, written, words_of(a)))))
      return (int)s;
  }
  return WORK_LOG_ORDERED;
}

static bool has_all(const uint64_t *bits, const uint64_t *others, uint64_t count) {
  bool found = !bits || others;
  for (uint64_t k = 0; bits && found && k < count; k++)
    found = !(others[k] & ~bits[k]);
  return found;
}

static uint64_t *copy_of(const uint64_t *bits, uint64_t count) {
  return bits ? memcpy(room_zeroed(count, sizeof *bits), bits, count * sizeof *bits) : NULL;
}

/* The oldest item joins the next one. */
static void join_oldest(struct usage_list *list, uint64_t count) {
  struct usage_item *old = &list->item[0], *next = &list->item[1];
  for (uint64_t k = 0; old->bits && next->bits && k < count; k++)
    next->bits[k] |= old->bits[k];
  if (!old->bits) {
    free(next->bits);
    next->bits = NULL;
  }
  free(old->bits);
  memmove(old, next, (size_t)--list->count * sizeof *old);
}

static void add(struct usage_list *list, uint64_t number, const uint64_t *bits, uint64_t count) {
  int left = 0;
  for (int n = 0; n < list->count; n++)
    if (has_all(bits, list->item[n].bits, count))
      free(list->item[n].bits);
    else
      list->item[left++] = list->item[n];
  list->count = left;
  if (left == USAGE_KEPT)
    join_oldest(list, count);
  list->item[list->count++] = (struct usage_item){number, copy_of(bits, count)};
}

static void note(struct allocation *a, const uint64_t *written, const struct sim_ordered *o) {
  struct usage *u = a->usage;
  if (a->is_read)
    add(&u->read[o->stream], o->number, a->sectors_read, a->size / SECTOR / 64 + 1);
  if (a->is_written)
    add(&u->written[o->stream], o->number, written, words_of(a));
}

/* True if the use is unordered. */
static bool use(const struct memory *memory, struct allocation *a, const uint64_t *written,
                const struct sim_ordered *order) {
  const int disorder = disorder_of(a, written, order);
  note(a, written, order);
  work_log_add(memory->work_log, &(struct work_log_use){a, order, written, disorder});
  return disorder != WORK_LOG_ORDERED;
}

/* The words of this launch join those of all kernels. */
static void restore(struct allocation *a, uint64_t *written) {
  if (!written)
    return;
  a->by_kernel = a->usage->kept;
  a->usage->kept = NULL;
  for (uint64_t k = 0; k < words_of(a); k++)
    a->by_kernel[k] |= written[k];
  free(written);
}

static void set_bits(uint64_t *bits, uint64_t first, uint64_t last) {
  for (uint64_t k = first / 64; k <= last / 64; k++)
    bits[k] |= (k == first / 64 ? ~UINT64_C(0) << first % 64 : ~UINT64_C(0)) &
               (k == last / 64 ? ~UINT64_C(0) >> (63 - last % 64) : ~UINT64_C(0));
}

/* A bit for each `unit` bytes of the rows. */
static uint64_t *bits_of(const struct allocation *a, const struct sim_rows *r, uint64_t unit) {
  uint64_t *bits = room_zeroed(a->size / unit / 64 + 2, sizeof *bits);
  for (uint64_t i = 0; i < r->rows; i++) {
    const uint64_t first = r->address - a->base + (r->rows > 1 ? i * r->pitch : 0);
    const uint64_t end = first + r->width < a->size ? first + r->width : a->size;
    if (first < end)
      set_bits(bits, first / unit, (end - 1) / unit);
  }
  return bits;
}

const struct allocation *usage_moved(const struct memory *memory, const struct sim_rows *rows, bool writes,
                                     const struct sim_ordered *order) {
  struct allocation *a = memory_find(memory, rows->address);
  uint64_t *bits = memory->wants_words ? bits_of(a, rows, writes ? WORD : SECTOR) : NULL;
  uint64_t *const written = writes ? bits : NULL;
  usage_of(a);
  a->is_written = writes;
  a->is_read = !writes;
  a->sectors_read = writes ? NULL : bits;
  const struct allocation *found = use(memory, a, written, order) ? a : NULL;
  a->sectors_read = NULL;
  a->is_read = a->is_written = false;
  free(bits);
  return found;
}

const struct allocation *usage_ends(struct memory *memory, const struct sim_ordered *order) {
  const struct allocation *found = NULL;
  for (uint32_t i = 0; i < memory->count; i++) {
    struct allocation *a = memory->list[i];
    uint64_t *written = a->usage && a->usage->kept ? a->by_kernel : NULL;
    if (a->is_read || a->is_written) {
      usage_of(a);
      if (use(memory, a, written, order) && !found)
        found = a;
    }
    restore(a, written);
    free(a->sectors_read);
    a->sectors_read = NULL;
    a->is_read = a->is_written = false;
  }
  return found;
}
