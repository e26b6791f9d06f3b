/* Counters of a launch, with Nsight Compute's names where they exist. */
#pragma once

#include <stdio.h>

#include "device/machine.h"

/* id, column */
#define COUNTERS(X)                                                                                          \
  X(WARP_INSTRUCTIONS, "smsp__inst_executed.sum")                                                            \
  X(THREAD_INSTRUCTIONS, "smsp__thread_inst_executed.sum")                                                   \
  X(GLOBAL_LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")                                 \
  X(GLOBAL_LOAD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")                                   \
  X(GLOBAL_STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")                                \
  X(GLOBAL_STORE_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")                                  \
  X(GLOBAL_RED_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum")                                 \
  X(GLOBAL_RED_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum")                                   \
  X(GLOBAL_ATOM_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum")                               \
  X(GLOBAL_ATOM_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum")                                 \
  X(SHARED_LOADS, "smsp__sass_inst_executed_op_shared_ld.sum")                                               \
  X(SHARED_STORES, "smsp__sass_inst_executed_op_shared_st.sum")                                              \
  X(SHARED_ATOMICS, "smsp__sass_inst_executed_op_shared_atom.sum")                                           \
  X(SHARED_LOAD_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")                          \
  X(SHARED_STORE_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")                         \
  X(SHARED_ATOMIC_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum")                      \
  X(SHARED_LOAD_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")                       \
  X(SHARED_STORE_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")                      \
  X(ASYNC_REQUESTS, "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum")                         \
  X(ASYNC_SECTORS, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum")                           \
  X(ASYNC_BYTES, "smsp__sass_data_bytes_mem_global_op_ldgsts.sum")                                           \
  X(BULK_REQUESTS, "simgpu__bulk_requests.sum")                                                              \
  X(BULK_SECTORS, "simgpu__bulk_sectors.sum")                                                                \
  X(LOCAL_LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum")                                   \
  X(LOCAL_STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum")                                  \
  X(FADD, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum")                                             \
  X(FMUL, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum")                                             \
  X(FFMA, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")                                             \
  X(DADD, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum")                                             \
  X(DMUL, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum")                                             \
  X(DFMA, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum")                                             \
  X(WORK_WARPS, "simgpu__inst_executed_op_work.sum")                                                         \
  X(WORK_THREADS, "simgpu__thread_inst_executed_op_work.sum")                                                \
  X(BARRIERS, "simgpu__barriers.sum")                                                                        \
  X(DIVERGENT, "simgpu__divergent_branches.sum")                                                             \
  X(BYTES_LOADED, "smsp__sass_data_bytes_mem_global_op_ld.sum")                                              \
  X(BYTES_STORED, "smsp__sass_data_bytes_mem_global_op_st.sum")                                              \
  X(UNIQUE_READ, "simgpu__unique_sectors_global_ld.sum")                                                     \
  X(UNIQUE_WRITTEN, "simgpu__unique_sectors_global_st.sum")                                                  \
  X(TIME_MODEL, "simgpu__time_model_ns")                                                                     \
  X(FLOAT_ATOMICS, "simgpu__fp_atomics.sum")                                                                 \
  X(LONGEST_WARP, "simgpu__inst_executed_longest_warp.max")                                                  \
  X(PRINTS, "simgpu__prints.sum")                                                                            \
  X(SLEEPS, "simgpu__sleeps.sum")                                                                            \
  X(SPILLS, "simgpu__spilled_registers.max")

enum counter {
#define X(id, column) COUNTER_##id,
  COUNTERS(X)
#undef X
      COUNTER_COUNT
};

struct counters {
  uint64_t value[COUNTER_COUNT];
};

/* Additions: other atomics of floats are typed as bits. */
bool counters_adds_floats(const struct op *op);

/* Memory access or floating-point arithmetic: the work for which active lanes are counted. */
static inline bool counters_is_work(const struct op *op) {
  return op->class >= CLASS_FADD && op->class <= CLASS_LOCAL_STORE;
}

/* Adds the statistics of one instruction. */
void counters_add(struct counters *counters, const struct op *op, const struct instruction_statistics *stats);

/* Writes the CSV header, and one row per launch. The kernel's name has no parameters. */
void counters_write_header(FILE *file);
void counters_write_row(FILE *file, uint64_t launch, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], const struct counters *counters);
