#include "check_copies.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "check_report.h"
#include "device/room.h"

void check_copies_start(struct copies *c) {
  if (!c)
    return;
  memset(c->of_word, 0, c->words * sizeof *c->of_word);
  memset(c->first, 0, sizeof c->first);
  memset(c->committed, 0, sizeof c->committed);
  c->count = 1;
  c->free = c->live = 0;
}

void check_copies_free(struct copies *c) {
  if (!c)
    return;
  free(c->list);
  free(c->of_word);
  free(c);
}

static struct copies *copies_of(const struct block *block) {
  struct copies **c = &block->check->copies;
  const uint32_t words = (block->launch->shared_bytes + 3) / 4;
  if (*c && (*c)->words >= words)
    return *c;
  check_copies_free(*c);
  *c = room_zeroed(1, sizeof **c);
  (*c)->of_word = room_zeroed(words, sizeof *(*c)->of_word);
  (*c)->words = words;
  (*c)->count = 1;
  return *c;
}

static uint32_t new_copy(struct copies *c) {
  uint32_t index = c->free;
  c->live++;
  if (index) {
    c->free = c->list[index].next;
    return index;
  }
  c->list = room_grown(c->list, c->count, sizeof *c->list);
  return c->count++;
}

void check_copies_started(const struct check_call *call) {
  const struct block *block = call->warp->block;
  struct copies *c = copies_of(block);
  FOR_ACTIVE(call->access->mask, l) {
    const uint64_t address = call->access->address[l];
    const uint32_t thread = call->warp->index * LANES + l;
    if (address >= block->launch->shared_bytes)
      continue;
    const uint32_t index = new_copy(c);
    c->list[index] = (struct copy){.next = c->first[thread],
                                   .thread = thread,
                                   .pc = call->pc,
                                   .word = (uint32_t)address / 4,
                                   .words = call->bytes / 4,
                                   .group = c->committed[thread]};
    c->first[thread] = index;
    for (uint32_t k = 0; k < call->bytes / 4; k++)
      c->of_word[address / 4 + k] = index;
  }
}

/* Records the write at the end of the copy, so that other accesses are ordered with the end and not with the start. */
static void note_written(const struct block *block, const struct copy *copy) {
  struct check_block *k = block->check;
  const struct shadow *s = k->shared;
  record *written = shadow_plane(s, &k->shared->written);
  for (uint64_t at = (uint64_t)copy->word * 4 >> s->shift;
       at <= (((uint64_t)copy->word + copy->words) * 4 - 1) >> s->shift; at++)
    written[at] = (record)k->checks->now << RECORD_TIME_SHIFT | (record)copy->thread << RECORD_THREAD_SHIFT |
                  (copy->pc < RECORD_PLACE ? copy->pc : RECORD_PLACE);
  k->checks->used = true;
}

static void remove_copy(struct copies *c, uint32_t *link) {
  const uint32_t index = *link;
  struct copy *copy = &c->list[index];
  for (uint32_t k = 0; k < copy->words; k++)
    if (c->of_word[copy->word + k] == index)
      c->of_word[copy->word + k] = 0;
  *link = copy->next;
  copy->next = c->free;
  c->free = index;
  c->live--;
}

void check_copies_group(const struct warp *warp, const struct op *op, uint32_t mask) {
  struct copies *c = warp->block->check->copies;
  if (!c)
    return;
  FOR_ACTIVE(mask, l) {
    const uint32_t thread = warp->index * LANES + l;
    if (op->copies == COPIES_COMMIT) {
      c->committed[thread]++;
      continue;
    }
    for (uint32_t *link = &c->first[thread]; *link;) {
      const struct copy *copy = &c->list[*link];
      if (op->copies == COPIES_WAIT_ALL || (uint64_t)copy->group + op->groups < c->committed[thread]) {
        note_written(warp->block, copy);
        remove_copy(c, link);
      } else {
        link = &c->list[*link].next;
      }
    }
  }
}

void check_copies_attach(const struct check_call *call) {
  struct copies *c = call->warp->block->check->copies;
  if (!c)
    return;
  FOR_ACTIVE(call->access->mask, l)
    for (uint32_t i = c->first[call->warp->index * LANES + l]; i; i = c->list[i].next)
      if (!c->list[i].barrier) {
        c->list[i].barrier = 1 + (uint32_t)call->access->address[l];
        note_written(call->warp->block, &c->list[i]);
      }
}

void check_copies_arrived(const struct block *block, const uint64_t *addresses, uint32_t mask) {
  struct copies *c = block->check->copies;
  uint64_t before = UINT64_MAX;
  if (!c)
    return;
  FOR_ACTIVE(mask, l) {
    const uint64_t address = addresses[l];
    if (address == before || c->live == 0)
      continue;
    before = address;
    for (uint32_t thread = 0; thread < block->launch->threads; thread++)
      for (uint32_t *link = &c->first[thread]; *link;)
        if (c->list[*link].barrier == 1 + address)
          remove_copy(c, link);
        else
          link = &c->list[*link].next;
  }
}

void check_copies_access(const struct check_call *call) {
  const struct block *block = call->warp->block;
  const struct copies *c = block->check->copies;
  FOR_ACTIVE(call->access->mask, l) {
    const uint64_t address = call->access->address[l];
    for (uint64_t word = address / 4;
         address < block->launch->shared_bytes && word * 4 < address + call->bytes; word++)
      if (c->of_word[word]) {
        const uint64_t start = word * 4 > address ? word * 4 : address;
        check_report_unfinished(call, l, start, &c->list[c->of_word[word]]);
        break;
      }
  }
}
