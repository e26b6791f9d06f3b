#include "children.h"

#include <stdlib.h>

#include "room.h"

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

/* The work of a stream runs in the order of its launches, and a piece ends with the last of its own children. So the
 * children of one grid run one after the other, each with all its descendants. */
enum sim_status children_run(struct children *c, struct memory *memory, enum sim_status status,
                             child_run *run, void *context) {
  struct child *launched = c->waiting, *unused = c->reserved;
  c->waiting = c->reserved = NULL;
  for (const struct child *child = unused; child; child = child->next)
    c->pending--;
  drop(memory, unused);
  c->depth++;
  for (int tail = 0; tail < 2; tail++)
    for (const struct child *child = launched; child; child = child->next) {
      if (child->is_tail != (bool)tail)
        continue;
      c->pending--;
      if (status == SIM_OK)
        status = run(context, child);
    }
  c->depth--;
  drop(memory, launched);
  return status;
}
