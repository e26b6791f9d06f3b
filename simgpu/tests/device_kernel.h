/* Runs small PTX kernels inside the suite's process. */
#pragma once

#include "launch.h"
#include "module.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { KERNEL_WORDS = 1024 };

static struct counters kernel_counters;
static uint32_t kernel_results[KERNEL_WORDS]; /* the words at b after the kernel */

/* Runs `body` as a kernel with parameters a and b, each the address of KERNEL_WORDS zero words. %rd1 and %rd2
 * hold the thread's own word of each, %r1 the thread's number in its block, %r2 the block's, %r3 the lane,
 * %rd3 four times %r1. `functions` precedes the kernel. */
static enum sim_status kernel_try(const char *functions, const char *body, uint32_t blocks,
                                  uint32_t threads) {
  static const char prologue[] =
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<5>;\n"
      ".shared .align 16 .b8 s[8192];\n"
      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
      "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; and.b32 %r3, %r1, "
      "31;\n";
  static struct device device;
  char text[8192], error[1024];
  snprintf(text, sizeof text, "%s.entry k(.param .u64 a, .param .u64 b) {\n%s%s\nret;\n}", functions,
           prologue, body);
  memory_open(&device.memory, 1 << 20);
  struct module *m = module_load(&device, strdup(text), error, sizeof error);
  ck_assert_msg(m != NULL, "%s", error);
  struct allocation *a = memory_allocate(&device.memory, sizeof kernel_results),
                    *b = memory_allocate(&device.memory, sizeof kernel_results);
  ck_assert(a && b);
  memset(a->host, 0, a->size);
  memset(b->host, 0, b->size);
  uint64_t params[] = {a->base, b->base};
  uint32_t entry = 0;
  while (!m->kernels[entry].ptx->is_entry)
    entry++;
  struct launch_request request = {.module = m,
                                   .kernel = module_kernel(m, entry),
                                   .grid = {blocks, 1, 1},
                                   .block = {threads, 1, 1},
                                   .params = (uint8_t *)params};
  memset(&kernel_counters, 0, sizeof kernel_counters);
  enum sim_status status = launch_run(&request, &kernel_counters);
  memcpy(kernel_results, b->host, sizeof kernel_results);
  module_unload(m);
  memory_close(&device.memory);
  return status;
}

static inline void kernel_run(const char *body, uint32_t blocks, uint32_t threads) {
  ck_assert_int_eq(kernel_try("", body, blocks, threads), SIM_OK);
}
