#include "metric.h"
#include "counter_file.h"

#include <string.h>

#define REQUESTS                                                                                             \
  "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"
#define SECTORS                                                                                              \
  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"
#define ATOMIC_SECTORS                                                                                       \
  "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"
/* Every way to global memory: a kernel that reads by atomics or by bulk copies moves sectors, too. An atomic moves each
 * sector twice: it reads and writes. Asynchronous copies of lanes to shared memory are among the loads. */
#define ALL_SECTORS SECTORS, ATOMIC_SECTORS, ATOMIC_SECTORS, "simgpu__bulk_sectors.sum"
#define ALL_REQUESTS                                                                                         \
  REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",                                              \
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "simgpu__bulk_requests.sum"
/* No kernel that a metric of conflicts judges needs atomics of shared memory: all their wavefronts are too many. */
#define CONFLICTS                                                                                            \
  "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",                                                \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",                                            \
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
#define BYTES                                                                                                \
  "smsp__sass_data_bytes_mem_global_op_ld.sum", "smsp__sass_data_bytes_mem_global_op_st.sum",                \
      "smsp__sass_data_bytes_mem_global_op_ldgsts.sum"

#define TIME "simgpu__time_model_ns"

static const struct metric metrics[] = {
    {"active_lanes",
     "of the lanes active",
     "thread instructions / (32 × warp instructions), for memory and arithmetic instructions",
     {"simgpu__thread_inst_executed_op_work.sum"},
     {"simgpu__inst_executed_op_work.sum"},
     1.0 / 32,
     METRIC_LANES},
    {"lanes_of_steps",
     "of the lanes needed",
     "11 × points / (32 × warp instructions), for memory and arithmetic instructions: a step has 11",
     {NULL},
     {"simgpu__inst_executed_op_work.sum"},
     11.0 / 32,
     METRIC_LANES},
    {"bytes_per_sector",
     "of 32 bytes per sector",
     "bytes requested / sectors of global memory",
     {BYTES},
     {SECTORS},
     1,
     METRIC_SECTORS},
    {"bytes_of_steps_per_sector",
     "bytes per sector",
     "56 × points / sectors of global memory: a step reads 6 doubles and writes one",
     {NULL},
     {ALL_SECTORS},
     56,
     METRIC_SECTORS},
    {"sectors_per_request",
     "sectors per request",
     "sectors / requests of global memory",
     {SECTORS},
     {REQUESTS},
     1,
     METRIC_SECTORS},
    {"sectors_per_point",
     "sectors per point",
     "sectors of global memory / points",
     {ALL_SECTORS},
     {NULL},
     1,
     METRIC_SECTORS},
    {"requests_per_point",
     "requests per point",
     "requests of global memory / points",
     {ALL_REQUESTS},
     {NULL},
     1,
     METRIC_REQUESTS},
    {"requests_per_entry",
     "requests per entry",
     "requests of global memory / entries of the result",
     {ALL_REQUESTS},
     {NULL},
     1,
     METRIC_REQUESTS},
    {"memory_bytes_per_point",
     "bytes per point",
     "32 × distinct sectors read and written / points",
     {"simgpu__unique_sectors_global_ld.sum", "simgpu__unique_sectors_global_st.sum"},
     {NULL},
     32,
     METRIC_TRAFFIC},
    {"of_copy",
     "of copy bandwidth",
     "fewest bytes of the work / modelled time, compared with a copy; fewer transfers can exceed 1",
     {NULL},
     {TIME},
     1,
     METRIC_TIME},
    {"tflops",
     "TFLOP/s",
     "floating-point operations of the work / modelled time",
     {NULL},
     {TIME},
     1e-3,
     METRIC_TIME},
    {"model_time", "microseconds", "modelled time of an iteration", {TIME}, {NULL}, 1e-3, METRIC_TIME},
    {"local_requests",
     "of the warp instructions",
     "requests of local memory / warp instructions",
     {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"},
     {"smsp__inst_executed.sum"},
     1,
     METRIC_LOCAL},
    {"conflicts_per_entry",
     "conflicts per entry",
     "wavefronts of shared memory beyond the ideal / entries of the result",
     {CONFLICTS},
     {NULL},
     1,
     METRIC_CONFLICTS},
    {"conflicts_per_point",
     "conflicts per point",
     "wavefronts of shared memory beyond the ideal / points",
     {CONFLICTS},
     {NULL},
     1,
     METRIC_CONFLICTS},
};

const struct metric *metric_find(const char *name) {
  for (size_t n = 0; n < sizeof metrics / sizeof *metrics; n++)
    if (strcmp(metrics[n].name, name) == 0)
      return &metrics[n];
  return NULL;
}

/* The sum of the columns; per if there are none. */
static bool add(const char *const *columns, const struct metric_run *run, double *sum, struct error *error) {
  double value, less = 0;
  *sum = columns[0] ? 0 : run->per;
  for (; *columns; columns++, *sum += value - less)
    if (!counter_file_sum(run->counters, run->kernel, *columns, &value, error) ||
        (run->less && !counter_file_sum(run->less, run->kernel, *columns, &less, error)))
      return false;
  return true;
}

bool metric_measure(const struct metric *metric, const struct metric_run *run, double *value,
                    struct error *error) {
  double above, below;
  if (!add(metric->above, run, &above, error) || !add(metric->below, run, &below, error))
    return false;
  if (!(below > 0))
    return error_set(error, "%s makes no requests of this kind",
                     run->kernel[0] ? run->kernel : "the program");
  *value = metric->scale * above / below;
  return true;
}
