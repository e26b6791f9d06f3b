/* Work that kernels launch: grids, copies and fills. It waits until the blocks of the grid that launched it
 * have run; a parent and its children never run at the same time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"
#include "protocol.h"

struct kernel;
struct module;

enum { CHILDREN_PENDING = 2048 /* initial cudaLimitDevRuntimePendingLaunchCount */ };

enum child_kind {
  CHILD_GRID,
  CHILD_COPY,
  CHILD_FILL,
  CHILD_END /* of a grid that has run: its children have, too */
};

struct child {
  struct child *next;
  enum child_kind kind;
  bool is_tail; /* runs after all other children of its parent */
  const struct kernel *parent, *kernel;
  struct module *module;
  uint32_t grid[3], block[3], shared_dynamic;
  struct allocation *params; /* of a grid: the kernel that launches it writes them there */
  struct sim_copy copy;      /* CHILD_COPY */
  struct sim_rows fill;      /* CHILD_FILL */
};

struct children {
  struct child *waiting, **end; /* in the order of their launches; end: where the next one goes */
  struct child *reserved;       /* the kernel has their parameter buffers, and has not launched them */
  uint64_t pending, limit;      /* children that are reserved or incomplete, of all grids */
  uint64_t streams;             /* and events that kernels have created */
};

/* A new child of the grid that runs; it is not launched yet. */
struct child *children_reserve(struct children *children, const struct child *like);
/* The reserved child with this parameter buffer, or NULL. */
struct child *children_reserved(const struct children *children, uint64_t params);
/* Launches a reserved child. */
void children_launch(struct children *children, struct child *child);

/* Runs one piece of work, without the children of a grid. Returns SIM_OK or the fault that stops the rest. */
typedef enum sim_status child_run(void *context, const struct child *child);
/* A grid of the host has ended with `status`: runs all its descendants unless that is a fault. */
enum sim_status children_run(struct children *children, struct memory *memory, enum sim_status status,
                             child_run *run, void *context);
