#define _GNU_SOURCE /* sched_getaffinity */
#include "worker.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "block.h"
#include "call.h"
#include "device/room.h"
#include "native.h"
#include "order.h"
#include "residents.h"
#include "touched.h"

unsigned worker_limit(void) {
  const char *chosen = getenv("SIMGPU_THREADS");
  long count = chosen ? strtol(chosen, NULL, 10) : 0;
  if (count < 1) {
    cpu_set_t set;
    count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  }
  return count > WORKERS ? WORKERS : (unsigned)count;
}

static struct {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  struct worker workers[WORKERS];
  pthread_t threads[WORKERS];
  unsigned count; /* started threads, without the caller */
  unsigned wanted, busy;
  uint64_t round;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .start = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

void worker_reachable(const struct launch *launch, void (*visit)(void *, uint32_t, uint32_t), void *context) {
  const struct module *m = launch->module;
  visit(context, launch->kernel->entry, launch->kernel->end);
  for (uint32_t i = 0; launch->kernel->calls && i < m->kernel_count; i++)
    if (!m->kernels[i].ptx->is_entry)
      visit(context, m->kernels[i].entry, m->kernels[i].end);
}

static void clear_statistics(void *context, uint32_t first, uint32_t end) {
  struct worker *worker = context;
  memset(worker->statistics + first, 0, (end - first) * sizeof *worker->statistics);
  memset(worker->last + first, 0, (end - first) * sizeof *worker->last);
}

static void prepare_worker(struct worker *worker, struct launch *launch) {
  const struct module *m = launch->module;
  worker->launch = launch;
  worker->next = worker->end = 0;
  worker->unspent = worker->longest_warp = worker->trial_start = worker->trial_interpreted = 0;
  worker->fault = worker->overrun = (struct fault){.kind = FAULT_NONE, .block = UINT64_MAX};
  if (worker->statistics_count < m->code_count) {
    free(worker->statistics);
    free(worker->last);
    worker->statistics_count = m->code_count;
    worker->statistics = room_aligned(m->code_count * sizeof *worker->statistics);
    worker->last = room_zeroed(m->code_count, sizeof *worker->last);
    room_mapped(worker->patterns, sizeof worker->patterns);
  }
  worker_reachable(launch, clear_statistics, worker);
  touched_reserve(worker, m->device->memory.slots);
  block_prepare(&worker->block, worker, launch);
}

static void note_printed(struct worker *worker, uint64_t block) {
  uint32_t n = worker->printed_count;
  size_t start = n ? worker->printed[n - 1].start + worker->printed[n - 1].length : 0;
  if (worker->text.length == start)
    return;
  worker->printed = room_grown(worker->printed, n, sizeof *worker->printed);
  worker->printed[worker->printed_count++] = (struct printed){block, start, worker->text.length - start};
}

static bool stopped(const struct launch *launch, uint64_t block) {
  return block > atomic_load_explicit(&launch->fault_block, memory_order_relaxed);
}

/* Blocks that are left out leave their results unwritten. */
static bool left_out(const struct launch *launch, uint64_t block) {
  const uint64_t last = launch->blocks < launch->every ? 1 : launch->blocks / launch->every;
  return !launch->cooperative && block % launch->every != 0 && block < launch->blocks - last;
}

/* The next block that runs, or NO_BLOCK. A worker takes several neighbouring blocks at a time, since they touch
 * neighbouring cache lines. */
static uint64_t next_block(struct worker *worker) {
  struct launch *launch = worker->launch;
  for (;;) {
    if (worker->next == worker->end) {
      worker->next = atomic_fetch_add(&launch->next, launch->run);
      worker->end = worker->next + launch->run < launch->blocks ? worker->next + launch->run : launch->blocks;
      if (worker->next >= launch->blocks) {
        worker->next = worker->end;
        return NO_BLOCK;
      }
    }
    const uint64_t block = order_at(launch->order, launch->blocks, worker->next++);
    if (!stopped(launch, block) && !left_out(launch, block))
      return block;
    if (stopped(launch, block) && !order_is_chosen(launch->order))
      return NO_BLOCK;
  }
}

/* Runs the block that has been started. Returns false after a fault, or if it had to run beside all that were left. */
static bool run_block(struct worker *worker) {
  struct block *block = &worker->block;
  struct waiting waiting = {0};
  const uint64_t index = block->index;
  while (block_step(block))
    if (residents_are_needed(&waiting, block)) {
      residents_run(worker, next_block);
      note_printed(worker, index);
      return false;
    }
  note_printed(worker, index);
  block_finish(block);
  return !worker->fault.kind;
}

static void run_blocks(struct worker *worker) {
  for (uint64_t block; (block = next_block(worker)) != NO_BLOCK;) {
    block_start(&worker->block, block);
    if (!run_block(worker))
      break;
  }
  residents_leave(worker);
}

/* The block of this rank in a cluster. */
static uint64_t block_of_cluster(const struct launch *l, uint64_t cluster, uint32_t rank) {
  const uint32_t *c = l->cluster, across = l->grid[0] / c[0], along = l->grid[1] / c[1];
  const uint64_t x = cluster % across * c[0] + rank % c[0],
                 y = cluster / across % along * c[1] + rank / c[0] % c[1],
                 z = cluster / across / along * c[2] + rank / c[0] / c[1];
  return (z * l->grid[1] + y) * l->grid[0] + x;
}

/* The blocks of a cluster share time slices, since they may wait for each other. */
static void run_cluster(struct worker *worker, struct block *blocks, uint64_t cluster) {
  const struct launch *launch = worker->launch;
  const uint32_t count = launch->cluster_blocks;
  for (uint32_t i = 0; i < count; i++)
    block_start(&blocks[i], block_of_cluster(launch, cluster, i));
  for (bool running = true; running && !worker->fault.kind;) {
    running = false;
    for (uint32_t i = 0; i < count && !worker->fault.kind; i++)
      running |= block_step(&blocks[order_at(launch->order, count, i)]);
    if (!running && !worker->fault.kind)
      running = barrier_release_cluster(blocks, count);
  }
  if (!worker->fault.kind)
    block_stuck(blocks, count);
  note_printed(worker, blocks[0].index);
  for (uint32_t i = 0; i < count; i++)
    block_finish(&blocks[i]);
}

static void run_clusters(struct worker *worker) {
  struct launch *launch = worker->launch;
  const uint64_t clusters = launch->blocks / launch->cluster_blocks;
  struct block *blocks = room_aligned(launch->cluster_blocks * sizeof *blocks);
  for (uint32_t i = 0; i < launch->cluster_blocks; i++) {
    memset(&blocks[i], 0, sizeof blocks[i]);
    block_prepare(&blocks[i], worker, launch);
    blocks[i].cluster = blocks;
  }
  for (uint64_t next; !worker->fault.kind && (next = atomic_fetch_add(&launch->next, 1)) < clusters;) {
    const uint64_t cluster = order_at(launch->order, clusters, next);
    if (!stopped(launch, block_of_cluster(launch, cluster, 0)))
      run_cluster(worker, blocks, cluster);
  }
  for (uint32_t i = 0; i < launch->cluster_blocks; i++)
    block_free(&blocks[i]);
  free(blocks);
}

static void run(struct worker *worker) {
  if (worker->launch->cluster_blocks > 1) {
    run_clusters(worker);
  } else if (worker->launch->cooperative) {
    residents_run(worker, next_block);
    note_printed(worker, 0); /* the output of its blocks is not separated */
  } else
    run_blocks(worker);
}

static void *serve_launches(void *context) {
  unsigned number = (unsigned)(uintptr_t)context;
  uint64_t round = 0;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.round == round || number > pool.wanted) {
      round = pool.round;
      pthread_cond_wait(&pool.start, &pool.lock);
    }
    round = pool.round;
    pthread_mutex_unlock(&pool.lock);
    run(&pool.workers[number]);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0)
      pthread_cond_signal(&pool.done);
  }
  return NULL;
}

unsigned worker_start(unsigned wanted) {
  while (pool.count + 1 < wanted) {
    if (pthread_create(&pool.threads[pool.count], NULL, serve_launches,
                       (void *)(uintptr_t)(pool.count + 1)) != 0)
      break;
    pool.count++;
  }
  return wanted < pool.count + 1 ? wanted : pool.count + 1;
}

struct worker *worker_run(struct launch *launch, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    prepare_worker(&pool.workers[i], launch);
  if (count > 1) {
    pthread_mutex_lock(&pool.lock);
    pool.wanted = pool.busy = count - 1;
    pool.round++;
    pthread_cond_broadcast(&pool.start);
    pthread_mutex_unlock(&pool.lock);
  }
  run(&pool.workers[0]);
  if (count > 1) {
    pthread_mutex_lock(&pool.lock);
    while (pool.busy > 0)
      pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
  }
  for (unsigned i = 0; i < count; i++) {
    native_count(&pool.workers[i]);
    call_free_frames(&pool.workers[i]);
  }
  return pool.workers;
}
