#include "native.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/room.h"
#include "native_compile.h"
#include "native_text.h"
#include "native_variant.h"

/* Warp instructions that a kernel of `n` instructions executes before its code is looked for in the cache, and before
 * it is compiled. The interpreter spends on them about 50 times as long as the device on writing the text, and about as
 * long as the compiler on both variants. */
static uint64_t look_up_after(uint64_t n) { return 1000000 + 20000 * n; }
static uint64_t compile_after(uint64_t n) { return 30000000 + 200000 * n; }
enum { MOST_SHAPES = 4, TRIALS = 15 };

static struct native *all;         /* of the process */
static const char *const *options; /* of the compiler */

void native_use(const char *const *chosen) { options = chosen; }

static enum native_mode { NATIVE_OFF, NATIVE_ON, NATIVE_ALWAYS, NATIVE_MODES } mode(void) {
  static const char *const names[] = {[NATIVE_OFF] = "off", [NATIVE_ON] = "on", [NATIVE_ALWAYS] = "always"};
  const char *chosen = getenv("SIMGPU_NATIVE");
  if (!chosen || !chosen[0])
    return NATIVE_ON;
  enum native_mode mode = NATIVE_OFF;
  while (mode < NATIVE_MODES && strcmp(names[mode], chosen) != 0)
    mode++;
  return mode;
}

bool native_chosen(void) { return mode() != NATIVE_MODES; }

bool native_is_off(void) { return mode() == NATIVE_OFF; }

static void ready(void *context, native_function *run) {
  struct native_variant *v = context;
  atomic_store_explicit(&v->run, run, memory_order_release);
}

/* The plans refer to the module until their texts are written. */
static void request(struct native *n, const struct launch *launch, bool wait, bool only_cached) {
  for (int i = 0; i < NATIVE_VARIANTS; i++) {
    struct native_variant *v = &n->variants[i];
    if (!v->plan)
      v->plan = native_plan_new(launch, i == NATIVE_MASKED);
    if (!v->plan)
      return;
    v->plan->module = launch->module;
    v->plan->code = launch->module->code;
  }
  native_plan_mark_scalars(n->variants[NATIVE_MASKED].plan, n->variants[NATIVE_FULL].plan);
  for (int i = 0; i < NATIVE_VARIANTS; i++)
    native_compile(native_text(n->variants[i].plan), options, only_cached, wait, ready, &n->variants[i]);
}

/* Several workers may come here at once: the first one does the work. */
static void consider(struct native *n, const struct launch *launch, uint64_t executed) {
  const bool always = mode() == NATIVE_ALWAYS;
  const uint64_t count = launch->kernel->end - launch->kernel->entry;
  if (native_has_code(n) || atomic_load_explicit(&n->compiled, memory_order_relaxed))
    return;
  if ((always || executed >= compile_after(count)) && !atomic_exchange(&n->compiled, true)) {
    request(n, launch, always, false);
    return;
  }
  if (executed >= look_up_after(count) && !atomic_exchange(&n->looked_up, true))
    request(n, launch, false, true);
}

/* The kernel's native code for the shape of this launch; NULL: the kernel has too many others. */
static struct native *native_of(struct kernel *k, const struct launch *launch) {
  for (struct native *n = k->native; n; n = n->next)
    if (memcmp(n->block, launch->block, sizeof n->block) == 0)
      return n;
  const struct native_shape shape = native_shape_of(launch);
  struct native **place = &k->native;
  for (int i = 0; i < MOST_SHAPES; i++, place = &(*place)->next) {
    if (!*place) {
      *place = room_zeroed(1, sizeof **place);
      (*place)->shape = shape;
      (*place)->earlier = all;
      all = *place;
    }
    if (memcmp(&(*place)->shape, &shape, sizeof shape) != 0)
      continue;
    memcpy((*place)->block, launch->block, sizeof(*place)->block);
    return *place;
  }
  return NULL;
}

struct native *native_begin(const struct launch *launch) {
  struct kernel *k = (struct kernel *)(uintptr_t)launch->kernel; /* our module owns it */
  const enum native_mode m = mode();
  if (m == NATIVE_OFF || m == NATIVE_MODES || launch->checks || launch->steps || launch->breaks ||
      launch->cluster_blocks > 1)
    return NULL;
  struct native *n = native_of(k, launch);
  if (!n)
    return NULL;
  n->always = m == NATIVE_ALWAYS;
  consider(n, launch, atomic_load(&n->executed));
  return n;
}

void native_spent(const struct launch *launch, uint64_t instructions, bool in_all) {
  struct native *n = launch->native;
  if (!n)
    return;
  if (in_all)
    atomic_fetch_add(&n->executed, instructions);
  else
    consider(n, launch, atomic_load_explicit(&n->executed, memory_order_relaxed) + instructions);
}

static bool has_variant(const struct native *n, int variant) {
  return atomic_load_explicit(&n->variants[variant].run, memory_order_acquire);
}

bool native_has_code(const struct native *n) { return has_variant(n, NATIVE_FULL); }

static uint64_t cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct native *native_choose(struct block *block) {
  const struct launch *launch = block->launch;
  struct native *n = launch->native;
  if (!n || !native_has_code(n))
    return NULL;
  const unsigned trials = atomic_load_explicit(&n->trials, memory_order_relaxed);
  if (n->always)
    return n;
  if (trials >= TRIALS)
    return 2 * atomic_load_explicit(&n->wins, memory_order_relaxed) > trials ? n : NULL;
  if (block->trace || block->steps || launch->cooperative || !has_variant(n, NATIVE_MASKED))
    return n; /* their times say nothing */
  block->worker->trial_start = cpu_time();
  return block->worker->trial_interpreted ? n : NULL;
}

void native_ended(struct block *block) {
  struct worker *w = block->worker;
  if (!w->trial_start)
    return;
  const uint64_t time = cpu_time() - w->trial_start;
  w->trial_start = 0;
  if (!w->trial_interpreted) {
    w->trial_interpreted = time + 1;
    return;
  }
  atomic_fetch_add(&w->launch->native->wins, time < w->trial_interpreted);
  atomic_fetch_add(&w->launch->native->trials, 1);
  w->trial_interpreted = 0;
}

void native_forget(struct kernel *k) {
  for (struct native *n = k->native, *next; n; n = next) {
    next = n->next;
    if (atomic_load(&n->compiled) || atomic_load(&n->looked_up))
      continue;
    struct native **place = &all;
    while (*place != n)
      place = &(*place)->earlier;
    *place = n->earlier;
    free(n);
  }
  k->native = NULL;
}

void native_stop(void) { native_compile_stop(); }
