#include "totals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "device/room.h"
#include "device/traffic.h"
#include "origin.h"
#include "usage.h"
#include "work_log.h"

/* PROGRAM_TEXT: bytes of instructions that a program may have anyway;
 * PROGRAM_DATA: of initial values, such as texts for printf. ENOUGH: work that is left keeps the device busy if it has
 * more than this fraction of the instructions that the host has just waited for. */
enum { WORD = 4, ENOUGH = 8, PROGRAM_TEXT = 2 << 20, PROGRAM_DATA = 4 << 10 };

struct command { /* the last launch of a kernel: its number, its grid and its parameters */
  uint8_t *text;
  uint64_t bytes;
  struct command *next;
};

struct totals {
  FILE *file, *traffic;
  struct work_log *work;
  struct checks *streams;
  uint64_t value[TOTAL_COUNT];
  struct sim_awaited awaited;
  uint64_t copies, awaited_copies; /* asynchronous ones to the host, as sim_awaited counts them */
  bool copied;                     /* such a copy came after the last launch */
  uint64_t commands, text, data; /* words of commands; bytes of instructions and initial values of modules */
  const char **texts;            /* of modules whose instructions are not in text yet */
  uint32_t text_count;
  uint64_t text_bytes;                /* of all of these texts */
  struct command *last;               /* of each kernel */
  struct sim_ordered ordered;         /* of the next work */
  bool has_streams;                   /* work was not in the legacy stream */
  uint64_t memory_calls, graph_calls; /* that the device has seen; that the client reports */
  bool is_ordered;                    /* `ordered` has not been used yet */
  uint64_t of_stream[SIM_STREAMS];    /* what SIM_ORDERED has numbered */
  bool is_read;                       /* the host has waited for a copy, and asked for no launch since */
  uint64_t *executed; /* instructions of the first n launches; room for the next power of two */
};

struct totals *totals_new(FILE *file, FILE *traffic, FILE *work, struct checks *streams) {
  struct totals *t = calloc(1, sizeof *t);
  if (!t)
    abort();
  t->file = file;
  t->traffic = traffic;
  t->streams = streams;
  t->work = work_log_new(work);
  t->has_streams = work;
  t->executed = calloc(1, sizeof *t->executed);
  if (!t->executed)
    abort();
  traffic_begin(traffic);
  return t;
}

bool totals_are_written(const struct totals *t) { return t && (t->file || t->traffic || t->work); }

struct work_log *totals_work_log(const struct totals *t) {
  return t ? t->work : NULL;
}

bool totals_count_waits(const struct totals *t) { return t && (t->file || t->work || t->streams); }

/* Adds the allocations that the program made and has not freed. */
static void count_living(const struct memory *memory, uint64_t *count, uint64_t *bytes) {
  for (uint32_t i = 0; i < memory->count; i++)
    if (!memory->list[i]->is_symbol && !memory->list[i]->is_heap && !memory->list[i]->is_host) {
      *count += 1;
      *bytes += memory->list[i]->size;
    }
}

static void write_totals(struct totals *t, const struct memory *memory) {
  static const char *const names[] = {
#define X(id, name) name,
      TOTALS(X)
#undef X
  };
  uint64_t bytes = 0;
  if (!t->file)
    return;
  count_living(memory, &t->value[TOTAL_LEAKED_ALLOCATIONS], &bytes);
  const uint64_t launches = t->value[TOTAL_LAUNCHES], awaited = t->awaited.launches;
  t->value[TOTAL_UNAWAITED_LAUNCHES] = launches > awaited ? launches - awaited : 0;
  t->value[TOTAL_UNAWAITED_COPIES] = t->copies - t->awaited_copies;
  fputs("name,value\n", t->file);
  for (int i = 0; i < TOTAL_COUNT; i++)
    fprintf(t->file, "%s,%" PRIu64 "\n", names[i], t->value[i]);
  fflush(t->file);
}

static uint64_t beyond(uint64_t bytes, uint64_t allowed) { return bytes > allowed ? bytes - allowed : 0; }

/* Without the lines that say where an instruction comes from: they are a third of it, or more. */
static uint64_t bytes_of_instructions(const char *text) {
  uint64_t bytes = 0;
  while (*text) {
    const char *line = text + strspn(text, " \t\r\n");
    const size_t length = strcspn(line, "\n");
    if (strncmp(line, ".loc", 4) != 0 || memchr(line, ';', length)) /* an instruction may follow */
      bytes += length;
    text = line + length;
  }
  return bytes;
}

/* Reads the texts of the modules, which takes a tenth of a short run. */
static void count_instructions(struct totals *t) {
  for (uint32_t i = 0; i < t->text_count; i++)
    t->text += bytes_of_instructions(t->texts[i]);
  t->text_count = 0;
  t->text_bytes = 0;
}

void totals_close(struct totals *t, const struct memory *memory) {
  if (!t)
    return;
  write_totals(t, memory);
  if (t->text + t->text_bytes > PROGRAM_TEXT) /* otherwise it has no more than it may have anyway */
    count_instructions(t);
  const uint64_t words = (beyond(t->text, PROGRAM_TEXT) + beyond(t->data, PROGRAM_DATA)) / WORD;
  traffic_end(t->traffic, t->value[TOTAL_LAUNCHES], t->commands + words);
  for (struct command *c = t->last, *next; c; c = next) {
    next = c->next;
    free(c->text);
    free(c);
  }
  work_log_free(t->work);
  free(t->texts);
  free(t->executed);
  free(t);
}

void totals_add(struct totals *t, enum total total, uint64_t count) {
  if (t)
    t->value[total] += count;
}

void totals_ran(struct totals *t, uint64_t instructions) {
  if (!t)
    return;
  const uint64_t launches = ++t->value[TOTAL_LAUNCHES];
  if ((launches & (launches - 1)) == 0 &&
      !(t->executed = realloc(t->executed, 2 * launches * sizeof *t->executed)))
    abort();
  t->executed[launches] = t->executed[launches - 1] + instructions;
  t->copied = false;
}

void totals_loaded(struct totals *t, const struct ptx_module *module) {
  if (!t || !t->traffic)
    return;
  t->texts = room_grown(t->texts, t->text_count, sizeof *t->texts);
  t->texts[t->text_count++] = module->text;
  t->text_bytes += strlen(module->text);
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (module->variables[i]->data)
      t->data += module->variables[i]->size;
}

/* The last launch of the kernel that `text` names, at first one of zeros. */
static struct command *last_command(struct totals *t, const uint8_t *text, uint64_t bytes) {
  struct command *c = t->last;
  while (c && (c->bytes != bytes || memcmp(c->text, text, WORD) != 0))
    c = c->next;
  if (c)
    return c;
  c = malloc(sizeof *c);
  uint8_t *zeros = calloc(1, bytes);
  if (!c || !zeros)
    abort();
  memcpy(zeros, text, WORD);
  *c = (struct command){zeros, bytes, t->last};
  return t->last = c;
}

/* A launch that repeats the last one of its kernel carries nothing but its turn. */
void totals_launched(struct totals *t, const void *command, uint64_t bytes) {
  if (!t)
    return;
  const uint8_t *text = command;
  struct command *last = last_command(t, text, bytes);
  t->commands++;
  for (uint64_t at = 0; at < bytes; at += WORD)
    t->commands += memcmp(last->text + at, text + at, bytes - at < WORD ? bytes - at : WORD) != 0;
  memcpy(last->text, text, bytes);
}

bool totals_ordered(struct totals *t, struct memory *memory, const struct sim_ordered *ordered) {
  if (!t)
    return true;
  bool is_possible = ordered->stream < SIM_STREAMS && ordered->number == t->of_stream[ordered->stream] + 1;
  for (int n = 0; n < SIM_STREAMS; n++)
    is_possible &= ordered->before[n] <= t->of_stream[n];
  if (is_possible) {
    t->ordered = *ordered;
    t->of_stream[ordered->stream]++;
    t->has_streams |= ordered->stream > 0;
    memory->wants_words |= t->has_streams;
  }
  t->is_ordered = true;
  return is_possible;
}

bool totals_is_ordered(struct totals *t) {
  const bool is_ordered = !totals_count_waits(t) || t->is_ordered;
  if (t)
    t->is_ordered = false;
  return is_ordered;
}

void totals_has_launched(struct totals *t) {
  if (t)
    t->is_read = false;
}

/* disordered: what the work must not use yet, or NULL. */
static void note_order(struct totals *t, enum total total, const char *kernel,
                       const struct allocation *disordered) {
  t->value[total] += disordered != NULL;
  checks_disordered(t->streams, kernel, disordered);
  t->is_ordered = false;
}

/* A copy from, or to, these rows, if the client has told its order. */
static void use(struct totals *t, const struct memory *memory, const char *kind, const struct sim_rows *rows,
                bool writes) {
  work_log_begin(t->work, kind, NULL);
  if (t->is_ordered)
    note_order(t, TOTAL_CONCURRENT_COPIES, NULL, usage_moved(memory, rows, writes, &t->ordered));
}

void totals_starts(struct totals *t, struct memory *memory) {
  if (t && t->has_streams)
    usage_starts(memory);
}

void totals_used(struct totals *t, struct memory *memory, const char *kernel) {
  if (!t)
    return;
  work_log_begin(t->work, "launch", kernel);
  note_order(t, TOTAL_CONCURRENT_LAUNCHES, kernel, usage_ends(memory, &t->ordered));
}

/* What has happened stays so. */
static void raise_to(struct totals *t, enum total total, uint64_t count) {
  t->value[total] = count > t->value[total] ? count : t->value[total];
}

void totals_tally(struct totals *t, const struct sim_tally *tally) {
  if (!t)
    return;
  t->value[TOTAL_LEAKED_PINNED] = tally->pinned;
  t->value[TOTAL_LEAKED_OBJECTS] = tally->objects;
  t->value[TOTAL_MEMORY_CALLS] = tally->memory_calls;
  if (tally->early > t->value[TOTAL_EARLY_ACCESSES])
    checks_unawaited(t->streams, tally->early - t->value[TOTAL_EARLY_ACCESSES]);
  raise_to(t, TOTAL_EARLY_ACCESSES, tally->early);
  raise_to(t, TOTAL_ORDERED_CALLS, tally->ordered_calls);
  raise_to(t, TOTAL_MAPPED_WRITES, tally->mapped_writes);
  raise_to(t, TOTAL_HOST_FUNCTIONS, tally->host_functions);
  raise_to(t, TOTAL_GRAPHS_MADE, tally->graphs_made);
  t->graph_calls = tally->graph_calls;
}

void totals_called_for_memory(struct totals *t) {
  if (t)
    t->memory_calls++;
}

bool totals_are_tallied(const struct totals *t) {
  return !totals_count_waits(t) ||
         t->value[TOTAL_MEMORY_CALLS] + t->value[TOTAL_ORDERED_CALLS] + t->graph_calls >= t->memory_calls;
}

void totals_reset(struct totals *t, const struct memory *memory) {
  uint64_t bytes = 0;
  if (!t)
    return;
  count_instructions(t);
  count_living(memory, &t->value[TOTAL_LEAKED_ALLOCATIONS], &bytes);
}

/* Whether the launches after the first `now` are too few for a host that has waited for those from `before` on. */
static bool is_starved(const struct totals *t, uint64_t before, uint64_t now) {
  const uint64_t launches = t->value[TOTAL_LAUNCHES];
  now = now < launches ? now : launches;
  return before < now && t->executed[launches] - t->executed[now] <
                             (t->executed[now] - t->executed[before] + ENOUGH - 1) / ENOUGH;
}

static void know(struct totals *t, const struct sim_awaited *a) {
  struct sim_awaited *known = &t->awaited;
  const uint64_t before = known->launches;
  if (a->copies > known->copies && t->awaited_copies < t->copies)
    t->awaited_copies++; /* one wait for several copies: the host could not use them one by one */
  t->value[TOTAL_LAUNCH_WAITS] += a->launches > known->launches;
  known->work = a->work > known->work ? a->work : known->work;
  known->launches = a->launches > known->launches ? a->launches : known->launches;
  known->copies = a->copies > known->copies ? a->copies : known->copies;
  t->value[TOTAL_HOST_WAITS]++;
  t->value[TOTAL_IDLE_WAITS] += known->launches >= t->value[TOTAL_LAUNCHES];
  t->value[TOTAL_STARVED_WAITS] += is_starved(t, before, known->launches);
}

/* The client sends a wait only if the host knows more after it. */
bool totals_waited(struct totals *t, const struct sim_awaited *awaited) {
  if (!totals_count_waits(t))
    return true;
  const bool is_possible = awaited->work > t->awaited.work && awaited->launches >= t->awaited.launches &&
                           awaited->launches <= t->value[TOTAL_LAUNCHES];
  if (awaited->work > t->awaited.work)
    know(t, awaited);
  return is_possible;
}

/* Rows of one allocation, with the pitch of a single row made harmless. */
static struct traffic_rows rows_of(const struct memory *memory, const struct sim_rows *r) {
  const struct allocation *a = memory_find(memory, r->address);
  return (struct traffic_rows){a, r->address - a->base, r->width, r->rows, r->rows > 1 ? r->pitch : 0};
}

static void mark_by_host(const struct traffic_rows *r) {
  for (uint64_t i = 0; i < r->rows; i++)
    origin_by_host(r->allocation, r->offset + i * r->pitch, r->width);
}

void totals_written(struct totals *t, const struct memory *memory, const struct sim_rows *r) {
  if (!t)
    return;
  const struct traffic_rows rows = rows_of(memory, r);
  mark_by_host(&rows);
  use(t, memory, "write", r, true);
  traffic_copied(t->traffic, false, &rows);
  t->value[TOTAL_BYTES_TO_DEVICE] += r->width * r->rows;
}

void totals_set(struct totals *t, const struct memory *memory, const struct sim_rows *r) {
  if (!t)
    return;
  const struct traffic_rows rows = rows_of(memory, r);
  mark_by_host(&rows);
  use(t, memory, "fill", r, true);
  traffic_changed(t->traffic, (struct digest){r->value ? 1 : 0, 0}, r->value ? 1 : 0, 1);
  t->commands += TRAFFIC_PLACE + (r->rows > 1 ? TRAFFIC_ROWS : 0);
  t->value[TOTAL_BYTES_ON_DEVICE] += r->width * r->rows;
  t->value[TOTAL_BYTES_FILLED] += r->width * r->rows;
}

void totals_copied(struct totals *t, const struct memory *memory, const struct sim_copy *c) {
  if (!t)
    return;
  const struct allocation *to = memory_find(memory, c->target), *from = memory_find(memory, c->source);
  for (uint64_t i = 0; i < c->rows; i++)
    origin_copied(to, c->target + i * c->target_pitch - to->base, from,
                  c->source + i * c->source_pitch - from->base, c->width);
  work_log_begin(t->work, "copy", NULL);
  if (t->is_ordered) {
    const struct sim_rows source = {c->source, c->width, c->rows, c->source_pitch, 0, 0},
                          target = {c->target, c->width, c->rows, c->target_pitch, 0, 0};
    const struct allocation *reads = usage_moved(memory, &source, false, &t->ordered),
                            *writes = usage_moved(memory, &target, true, &t->ordered);
    note_order(t, TOTAL_CONCURRENT_COPIES, NULL, reads ? reads : writes);
  }
  t->commands += 2 * TRAFFIC_PLACE;
  t->value[TOTAL_BYTES_ON_DEVICE] += c->width * c->rows;
}

/* The host has it as managed memory. Returns true the first time. */
static bool note_managed(struct totals *t, struct allocation *a) {
  const bool new = !a->is_managed;
  t->value[TOTAL_MANAGED_BYTES] += new ? a->size : 0;
  a->is_managed = true;
  return new;
}

/* A blocking copy is work that the host then knows; one copy may be several requests. */
static bool is_awaited(struct totals *t, const struct sim_awaited *awaited) {
  const bool is_awaited = awaited->work > t->awaited.work || (t->is_read && awaited->work == t->awaited.work);
  t->is_read = true;
  return !totals_count_waits(t) || is_awaited;
}

bool totals_read(struct totals *t, const struct memory *memory, const struct sim_read *read) {
  if (!t)
    return true;
  const struct traffic_rows r = rows_of(memory, &read->rows);
  traffic_copied(t->traffic, true, &r);
  if (read->rows.value & SIM_ROWS_MANAGED) {
    note_managed(t, memory_find(memory, read->rows.address));
    return true;
  }
  use(t, memory, "read", &read->rows, false);
  for (uint64_t i = 0; i < r.rows; i++)
    t->value[TOTAL_WORDS_NOT_BY_A_KERNEL] +=
        origin_count_others(r.allocation, r.offset + i * r.pitch, r.width);
  t->value[TOTAL_COPIES_TO_HOST]++;
  t->value[TOTAL_BYTES_TO_HOST] += r.width * r.rows;
  if (!(read->rows.value & SIM_ROWS_ASYNCHRONOUS)) {
    const bool is_possible = is_awaited(t, &read->awaited);
    know(t, &read->awaited);
    return is_possible;
  }
  t->copies += !t->copied;
  t->copied = true;
  return true;
}

uint8_t *totals_keep(const struct totals *t, const struct sim_rows *r, const uint8_t *bytes) {
  if (!t || !(r->value & SIM_ROWS_MANAGED) || r->rows != 1)
    return NULL;
  uint8_t *kept = malloc(r->width);
  if (!kept)
    abort();
  return memcpy(kept, bytes, r->width);
}

void totals_refreshed(struct totals *t, const struct memory *memory, const struct sim_rows *r,
                      uint8_t *kept) {
  struct allocation *a = memory_find(memory, r->address);
  static const uint8_t zero[WORD];
  const bool new = note_managed(t, a); /* then the host's side is zero until it writes there */
  const struct traffic_rows rows = rows_of(memory, r);
  struct digest changed = {0, 0};
  uint64_t count = 0;
  const uint8_t *now = rows.allocation->host + rows.offset;
  for (uint64_t at = 0; at < r->width; at += WORD) {
    const uint64_t bytes = r->width - at < WORD ? r->width - at : WORD;
    if (memcmp(kept + at, now + at, bytes) == 0)
      continue;
    origin_by_host(rows.allocation, rows.offset + at, bytes);
    if (new &&memcmp(zero, now + at, bytes) == 0)
      continue;
    t->value[TOTAL_BYTES_TO_DEVICE] += bytes;
    count++;
    traffic_digest(&changed, now + at, bytes);
  }
  traffic_changed(t->traffic, changed, count, r->width / WORD + 1);
  free(kept);
}
