#include "steps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/report.h"
#include "device/room.h"
#include "operand.h"
#include "steps_write.h"

struct steps_block {
  uint32_t warps;
  struct steps_warp warp[MAX_WARPS];
};

struct launched {
  char *kernel;
  uint64_t launches;
};

struct steps {
  FILE *file;
  struct steps_choice choice;
  bool is_written;
  struct launched *launched;
  uint32_t launched_count;
  struct steps_warp best; /* of the launch so far */
  struct steps_place at;
  bool has_fault; /* `best` ended with the fault */
};

bool steps_parse_block(const char *text, uint32_t block[3]) {
  block[0] = block[1] = block[2] = 0;
  for (int d = 0; d < 3; d++) {
    char *end;
    if (!isdigit((unsigned char)*text))
      return false;
    const unsigned long long number = strtoull(text, &end, 10);
    if (number >= STEPS_ANY || (*end && (*end != ',' || d == 2)))
      return false;
    block[d] = (uint32_t)number;
    if (!*end)
      return true;
    text = end + 1;
  }
  return false;
}

bool steps_parse_warp(const char *text, uint32_t *warp) {
  uint32_t parts[3];
  if (strchr(text, ',') || !steps_parse_block(text, parts) || parts[0] >= MAX_WARPS)
    return false;
  *warp = parts[0];
  return true;
}

struct steps *steps_new(FILE *file, const struct steps_choice *choice) {
  struct steps *s = room_zeroed(1, sizeof *s);
  s->file = file;
  s->choice = *choice;
  return s;
}

static void warp_free(struct steps_warp *w) {
  free(w->instructions);
  free(w->accesses);
  free(w->seen);
  *w = (struct steps_warp){0};
}

void steps_close(struct steps *s) {
  if (!s)
    return;
  for (uint32_t i = 0; i < s->launched_count; i++) {
    if (!s->is_written)
      fprintf(s->file, "launched\t%llu\t%s\n", (unsigned long long)s->launched[i].launches,
              s->launched[i].kernel);
    free(s->launched[i].kernel);
  }
  fflush(s->file);
  free(s->launched);
  free(s);
}

/* Launches */

static uint64_t count_launch(struct steps *s, const char *kernel) {
  uint32_t i = 0;
  while (i < s->launched_count && strcmp(s->launched[i].kernel, kernel) != 0)
    i++;
  if (i == s->launched_count) {
    s->launched = room_grown(s->launched, s->launched_count, sizeof *s->launched);
    s->launched[s->launched_count++] = (struct launched){room_copied(kernel), 0};
  }
  return ++s->launched[i].launches;
}

struct steps *steps_begin(struct steps *s, const struct launch *l) {
  char name[256];
  if (!s)
    return NULL;
  report_name(l->kernel->ptx->name, name, sizeof name);
  name[strcspn(name, "<")] = '\0';
  const uint64_t number = count_launch(s, name);
  const bool is_wanted = s->choice.kernel ? strcmp(s->choice.kernel, name) == 0 : s->launched_count == 1;
  return is_wanted && number == s->choice.launch ? s : NULL;
}

static uint64_t chosen_block(const struct steps_choice *c, const struct launch *l) {
  for (int d = 0; d < 3; d++)
    if (c->block[d] >= l->grid[d])
      return UINT64_MAX;
  return c->block[0] + l->grid[0] * (c->block[1] + (uint64_t)l->grid[1] * c->block[2]);
}

struct steps_block *steps_block_start(const struct launch *l, uint64_t block) {
  const struct steps *s = l->steps;
  if (!s || (s->choice.block[0] == STEPS_ANY ? block >= STEPS_BLOCKS : block != chosen_block(&s->choice, l)))
    return NULL;
  struct steps_block *b = room_zeroed(1, sizeof *b);
  b->warps = l->warps;
  for (uint32_t w = 0; w < l->warps; w++)
    if (s->choice.warp == STEPS_ANY || s->choice.warp == w)
      b->warp[w].seen = room_zeroed(l->module->code_count / 64 + 1, sizeof *b->warp[w].seen);
  return b;
}

void steps_block_finish(struct block *block) {
  struct steps_block *b = block->steps;
  if (!b)
    return;
  struct steps *s = block->launch->steps;
  const struct fault *fault = &block->worker->fault;
  for (uint32_t w = 0; w < b->warps; w++) {
    const bool faults = fault->kind && fault->block == block->index && fault->thread / LANES == w;
    if (b->warp[w].seen && !s->has_fault && (faults || b->warp[w].different > s->best.different)) {
      warp_free(&s->best);
      s->best = b->warp[w];
      s->at = (struct steps_place){.block = block->index, .warp = w};
      s->has_fault = faults;
    } else {
      warp_free(&b->warp[w]);
    }
  }
  free(b);
  block->steps = NULL;
}

void steps_end(struct steps *s, const struct launch *launch, uint64_t number, const struct fault *fault) {
  if (s->best.seen) {
    s->at.launch = launch;
    s->at.number = number;
    steps_write(s->file, &s->at, &s->best);
    if (fault->kind)
      fprintf(s->file, "fault\t%d\n", s->has_fault);
  } else {
    fprintf(s->file, "outside\t%u,%u,%u\t%u\n", launch->grid[0], launch->grid[1], launch->grid[2],
            launch->warps);
  }
  fflush(s->file);
  s->is_written = true;
  warp_free(&s->best);
  s->has_fault = false;
}

/* Instructions */

static struct steps_warp *recorded(struct warp *w) {
  struct steps_warp *r = w->block->steps ? &w->block->steps->warp[w->index] : NULL;
  return r && r->seen ? r : NULL;
}

/* Room doubles at powers of two. */
void steps_add(struct warp *w, uint32_t pc, uint32_t mask) {
  struct steps_warp *r = recorded(w);
  if (!r || !mask || op_is_marker(w->block->launch->module->code[pc].code))
    return;
  r->different += !(r->seen[pc / 64] >> pc % 64 & 1);
  r->seen[pc / 64] |= UINT64_C(1) << pc % 64;
  if (r->executed++ >= STEPS_INSTRUCTIONS || r->access_count == STEPS_ACCESSES)
    return;
  r->instructions = room_grown(r->instructions, r->count, sizeof *r->instructions);
  r->instructions[r->count++] = (struct steps_instruction){pc, mask, r->access_count};
}

static bool is_full(const struct steps_warp *r) { return r->executed > r->count; }

void steps_undo(struct warp *w) {
  struct steps_warp *r = recorded(w);
  if (!r)
    return;
  r->count -= !is_full(r);
  r->executed--;
}

void steps_lanes(struct warp *w, uint32_t mask) {
  struct steps_warp *r = recorded(w);
  if (r && !is_full(r))
    r->instructions[r->count - 1].mask = mask;
}

static bool within(const uint8_t *host, const uint8_t *start, uint64_t bytes) {
  return (uintptr_t)host - (uintptr_t)start < bytes;
}

/* access_run() has made addresses relative to their space; the host's address shows which it is. */
static enum ptx_space space_of(const struct warp *w, const uint8_t *host) {
  const struct block *b = w->block;
  if (within(host, b->shared, b->launch->shared_bytes))
    return PTX_SHARED;
  if (within(host, b->local, b->local_stride * b->launch->warps * LANES))
    return PTX_LOCAL;
  if (within(host, b->launch->params, b->launch->kernel->ptx->param_bytes))
    return PTX_PARAM;
  return PTX_GLOBAL;
}

/* Returns a new access of the last instruction, or NULL. */
static struct steps_access *new_access(struct warp *w, const struct access *x, uint32_t bytes, enum use use) {
  struct steps_warp *r = recorded(w);
  if (!r || !x->mask || is_full(r) || r->access_count == STEPS_ACCESSES || bytes > STEPS_VALUE)
    return NULL;
  const uint8_t *host = x->host[__builtin_ctz(x->mask)];
  if (within(host, (const uint8_t *)w->block->reserved, RESERVED_SHARED_BYTES))
    return NULL; /* the words of cooperative groups */
  const enum ptx_space space = space_of(w, host);
  r->accesses = room_grown(r->accesses, r->access_count, sizeof *r->accesses);
  struct steps_access *a = &r->accesses[r->access_count++];
  *a = (struct steps_access){
      .use = (uint8_t)use, .space = (uint8_t)space, .count = 1, .mask = x->mask, .bytes = bytes};
  if (space == PTX_SHARED) {
    a->cost = x->wavefronts;
    a->ideal = x->ideal;
  } else if (space == PTX_GLOBAL) {
    a->cost = x->sectors;
  }
  memcpy(a->address, x->address, sizeof a->address);
  r->instructions[r->count - 1].accesses = r->access_count;
  return a;
}

static void from_memory(struct steps_access *a, const struct access *x) {
  FOR_ACTIVE(a->mask, l)
    memcpy(a->value[l], x->contiguous ? x->host[0] + (size_t)l * a->bytes : x->host[l], a->bytes);
}

void steps_access(struct warp *w, const struct access *x, const struct op *op, char **bases, uint32_t bytes,
                  enum use use) {
  struct steps_access *a = new_access(w, x, bytes, use);
  if (!a)
    return;
  const uint32_t element = bytes / op->count, register_bytes = op->wide ? 8 : 4;
  a->type = op->type;
  a->count = op->count;
  if (use == USE_READ || element > register_bytes) {
    from_memory(a, x);
    return;
  }
  FOR_ACTIVE(a->mask, l)
    for (uint32_t e = 0; e < op->count; e++)
      memcpy(a->value[l] + e * element, AT(op->src[1 + e]) + l * register_bytes, element);
}

void steps_copied(struct warp *w, const struct access *x, enum ptx_type type, uint32_t bytes, enum use use) {
  struct steps_access *a = new_access(w, x, bytes, use);
  if (!a)
    return;
  a->type = (uint8_t)type;
  a->count = (uint8_t)(bytes / ptx_type_bytes(type));
  from_memory(a, x);
}
