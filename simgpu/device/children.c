#include "children.h"

#include <stdlib.h>

#include "device/room.h"

struct child *children_reserve(struct children *c, const struct child *like) {
  struct child *child = room_zeroed(1, sizeof *child);
  *child = *like;
  child->next = c->reserved;
  c->reserved = child;
  c->pending++;
  return child;
}

struct child *children_reserved(const struct children *c, uint64_t params) {
  struct child *child = c->reserved;
  while (child && (!child->params || child->params->base != params))
    child = child->next;
  return child;
}

void children_launch(struct children *c, struct child *child) {
  struct child **at = &c->reserved;
  while (*at != child)
    at = &(*at)->next;
  *at = child->next;
  child->next = NULL;
  if (!c->waiting)
    c->end = &c->waiting;
  *c->end = child;
  c->end = &child->next;
}

static void drop(struct memory *memory, struct child *list) {
  while (list) {
    struct child *next = list->next;
    if (list->params)
      memory_free(memory, list->params);
    free(list);
    list = next;
  }
}

/* Takes what the grid that ran has launched. A grid of a kernel (`parent`) is complete, and its launch no
 * longer pending, when its children are; its tail launches replace it. Returns the children, `parent` and
 * the tail launches. */
static struct child *family(struct children *c, struct memory *memory, struct child *parent) {
  struct child *tails = NULL, *first = NULL, **last_tail = &tails, **last = &first;
  for (const struct child *child = c->reserved; child; child = child->next)
    c->pending--;
  drop(memory, c->reserved);
  for (struct child *child = c->waiting; child; child = child->next) {
    struct child ***end = child->is_tail ? &last_tail : &last;
    **end = child;
    *end = &child->next;
  }
  *last_tail = NULL;
  *last = tails;
  if (parent) {
    parent->kind = CHILD_END;
    parent->next = tails;
    *last = parent;
  }
  c->waiting = c->reserved = NULL;
  return first;
}

/* Puts a list before another one. */
static struct child *join(struct child *list, struct child *rest) {
  struct child **end = &list;
  while (*end)
    end = &(*end)->next;
  *end = rest;
  return list;
}

/* The work of a stream runs in the order of its launches, and a piece ends with the last of its own children. So the
 * children of one grid run one after the other, each with all its descendants. A family may be deeper than the host's
 * stack, so the list of what remains is explicit. */
enum sim_status children_run(struct children *c, struct memory *memory, enum sim_status status,
                             child_run *run, void *context) {
  struct child *remaining = family(c, memory, NULL);
  while (remaining) {
    struct child *child = remaining;
    remaining = child->next;
    child->next = NULL;
    const bool is_grid = child->kind == CHILD_GRID;
    if (status == SIM_OK && child->kind != CHILD_END)
      status = run(context, child);
    if (is_grid) {
      remaining = join(family(c, memory, child), remaining);
      continue;
    }
    c->pending--;
    drop(memory, child);
  }
  return status;
}
