#include "device_runtime.h"

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "checks.h"
#include "children.h"
#include "device/report.h"
#include "device/room.h"
#include "launch_limits.h"
#include "model.h"
#include "operand.h"
#include "registers.h"
#include "touched.h"

/* Codes of cudaError_t, limits and streams, as in driver_types.h and cuda_device_runtime_api.h. */
enum {
  ERROR_NONE = 0,
  ERROR_INVALID_VALUE = 1,
  ERROR_MEMORY = 2,
  ERROR_CONFIGURATION = 9,
  ERROR_PENDING = 69,
  ERROR_INVALID_FUNCTION = 98,
  ERROR_INVALID_DEVICE = 101,
  ERROR_PTX = 218,
  ERROR_HANDLE = 400,
  ERROR_NOT_SUPPORTED = 801,
  ERROR_CLUSTER = 912,
};
enum { STREAM_PER_THREAD = 2, STREAM_TAIL = 3, STREAM_FIRE_AND_FORGET = 4, FIRST_HANDLE = 0x100 };
enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2 };
enum { LIMIT_HEAP = 2, LIMIT_PENDING = 4 };

struct caller { /* one thread's call */
  struct warp *warp;
  struct device *device;
  const struct frame *frame;
  const struct call *call;
  u32 lane;
};

/* Argument i, after the result. */
static const char *argument_at(const struct caller *c, u32 i) {
  return call_parameter(c->frame, c->call->arguments[1 + i].own, c->lane);
}

static u64 argument(const struct caller *c, u32 i) {
  return operand_read((const u8 *)argument_at(c, i), c->call->arguments[1 + i].size);
}

/* Where the thread may store a result of `bytes` bytes, or NULL. */
static u8 *writable(const struct caller *c, u64 address, u64 bytes) {
  struct block *block = c->warp->block;
  const u64 local = address - LOCAL_WINDOW, shared = address - SHARED_WINDOW, stride = block->local_stride,
            size = block->launch->shared_bytes;
  if (local < stride && bytes <= stride - local)
    return block->local + (c->warp->index * LANES + c->lane) * stride + local;
  if (shared < size && bytes <= size - shared)
    return block->shared + shared;
  const struct allocation *a = memory_find(&c->device->memory, address);
  if (a && a->is_constant)
    return NULL;
  if (a)
    checks_written(block->launch->checks, &c->device->memory, address, bytes, 1, bytes);
  return memory_at(&c->device->memory, address, bytes);
}

static u64 store(const struct caller *c, u64 address, const void *value, u64 bytes) {
  u8 *to = writable(c, address, bytes);
  if (!to)
    return ERROR_INVALID_VALUE;
  memcpy(to, value, bytes);
  return ERROR_NONE;
}

static u64 store_int(const struct caller *c, u32 i, int value) {
  return store(c, argument(c, i), &value, sizeof value);
}

/* The last error of each thread */

static u16 *last_error(const struct caller *c) {
  struct block *block = c->warp->block;
  if (!block->errors)
    block->errors = room_zeroed(MAX_BLOCK_THREADS, sizeof *block->errors);
  return &block->errors[c->warp->index * LANES + c->lane];
}

static void record_error(const struct caller *c, u64 error) {
  if (error)
    *last_error(c) = (u16)error;
}

static u64 get_last_error(const struct caller *c) {
  const u64 error = *last_error(c);
  *last_error(c) = ERROR_NONE;
  return error;
}

static u64 peek_at_last_error(const struct caller *c) { return *last_error(c); }

static const struct error_text {
  u32 code;
  const char *name, *text;
} error_texts[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "errors.def"
#undef ERROR
};
enum { ERROR_TEXTS = sizeof error_texts / sizeof *error_texts };

/* A text in device memory, or a null pointer. It is kept until the memory is closed. */
static u64 device_text(const struct caller *c, u64 *kept, const char *text) {
  struct allocation *a = *kept ? NULL : memory_allocate(&c->device->memory, strlen(text) + 1);
  if (!a)
    return *kept;
  strcpy((char *)a->host, text);
  a->is_symbol = true;
  return *kept = a->base;
}

static u64 error_text(const struct caller *c, bool name) {
  if (!c->device->error_texts)
    c->device->error_texts = room_zeroed(2 * ERROR_TEXTS, sizeof *c->device->error_texts);
  const u64 code = argument(c, 0);
  for (u32 i = 0; i < ERROR_TEXTS; i++)
    if (error_texts[i].code == code)
      return device_text(c, &c->device->error_texts[2 * i + name],
                         name ? error_texts[i].name : error_texts[i].text);
  return 0;
}

static u64 get_error_string(const struct caller *c) { return error_text(c, false); }

static u64 get_error_name(const struct caller *c) { return error_text(c, true); }

/* Launches */

/* The kernel with this address; *error: why there is none. */
static const struct kernel *kernel_at(const struct caller *c, u64 address, u64 *error) {
  const struct module *m = c->warp->block->launch->module;
  const u64 number = (address - FUNCTION_WINDOW) / FUNCTION_BYTES;
  *error = ERROR_INVALID_FUNCTION;
  if (address < FUNCTION_WINDOW || address % FUNCTION_BYTES || number >= m->kernel_count)
    return NULL;
  struct kernel *k = &m->kernels[number];
  if (k->refusal) {
    report_refusal(k);
    *error = ERROR_PTX;
  }
  return k->ptx->is_entry && k->ptx->has_body && !k->refusal ? k : NULL;
}

/* `k`: the kernel to launch, or NULL for other work. Only the first refusal is reported. */
static u64 refuse_pending(const struct caller *c, const struct kernel *k) {
  char name[256], parent[256];
  if (c->device->children.pending < c->device->children.limit)
    return ERROR_NONE;
  if (c->device->reported_pending)
    return ERROR_PENDING;
  c->device->reported_pending = true;
  fprintf(stderr,
          "simgpu: launch of %s in %s refused: %llu launches are pending; expected at most %llu: raise "
          "cudaLimitDevRuntimePendingLaunchCount with cudaDeviceSetLimit\n",
          k ? report_name(k->ptx->name, name, sizeof name) : "a copy",
          report_name(c->warp->block->launch->kernel->ptx->name, parent, sizeof parent),
          (unsigned long long)c->device->children.pending, (unsigned long long)c->device->children.limit);
  return ERROR_PENDING;
}

/* Fills `child` with a launch, or returns why it is refused. */
static u64 describe(const struct caller *c, struct child *child, u64 function, const char *grid,
                    const char *block, u32 shared) {
  u64 error;
  *child = (struct child){.kind = CHILD_GRID,
                          .parent = c->warp->block->launch->kernel,
                          .module = c->warp->block->launch->module,
                          .kernel = kernel_at(c, function, &error),
                          .shared_dynamic = shared};
  memcpy(child->grid, grid, sizeof child->grid);
  memcpy(child->block, block, sizeof child->block);
  if (!child->kernel)
    return error;
  if (limits_refuse(child->kernel, child->grid, child->block, shared, false))
    return ERROR_CONFIGURATION; /* for all reasons, as recorded on an H200 */
  uint32_t cluster[3];
  for (int d = 0; d < 3; d++)
    cluster[d] = child->kernel->ptx->cluster[d] ? child->kernel->ptx->cluster[d] : 1;
  if (limits_refuse_cluster(child->kernel, child->grid, cluster, false, CLUSTER_BLOCKS))
    return ERROR_CLUSTER;
  return refuse_pending(c, child->kernel);
}

/* Reserves room for the parameters; returns its address or null. */
static u64 reserve(const struct caller *c, struct child *child, u64 bytes) {
  struct allocation *a = memory_allocate(&c->device->memory, bytes ? bytes : 1);
  if (!a) {
    record_error(c, ERROR_MEMORY);
    return 0;
  }
  a->is_symbol = true; /* the host cannot free it */
  child->params = a;
  children_reserve(&c->device->children, child);
  return a->base;
}

static u64 get_parameter_buffer(const struct caller *c) {
  const u64 error = refuse_pending(c, NULL);
  record_error(c, error);
  return error ? 0 : reserve(c, &(struct child){.kind = CHILD_GRID}, argument(c, 1));
}

static u64 get_parameter_buffer_v2(const struct caller *c) {
  struct child child;
  const u64 error =
      describe(c, &child, argument(c, 0), argument_at(c, 1), argument_at(c, 2), (u32)argument(c, 3));
  record_error(c, error);
  return error ? 0 : reserve(c, &child, child.kernel->ptx->param_bytes);
}

/* Named streams belong to the grid; no stream runs at the same time as another, so they need no state. */
static bool is_stream(const struct caller *c, u64 stream) {
  return stream <= STREAM_FIRE_AND_FORGET ||
         (stream >= FIRST_HANDLE && stream - FIRST_HANDLE < c->device->children.streams);
}

static u64 launch_child(const struct caller *c, struct child *child, u64 stream) {
  if (!is_stream(c, stream))
    return ERROR_HANDLE;
  child->is_tail = stream == STREAM_TAIL;
  children_launch(&c->device->children, child);
  return ERROR_NONE;
}

static u64 launch_device(const struct caller *c) {
  struct child *child = children_reserved(&c->device->children, argument(c, 1)), described;
  if (!child)
    return ERROR_INVALID_VALUE;
  const u64 error =
      describe(c, &described, argument(c, 0), argument_at(c, 2), argument_at(c, 3), (u32)argument(c, 4));
  if (error || child->params->size < described.kernel->ptx->param_bytes)
    return error ? error : ERROR_INVALID_VALUE;
  described.next = child->next;
  described.params = child->params;
  *child = described;
  return launch_child(c, child, argument(c, 5));
}

static u64 launch_device_v2(const struct caller *c) {
  struct child *child = children_reserved(&c->device->children, argument(c, 0));
  return child && child->kernel ? launch_child(c, child, argument(c, 1)) : ERROR_INVALID_VALUE;
}

/* Copies and fills */

static u64 launch_work(const struct caller *c, struct child *work, u64 stream) {
  const u64 error = is_stream(c, stream) ? refuse_pending(c, NULL) : ERROR_HANDLE;
  work->parent = c->warp->block->launch->kernel;
  return error ? error : launch_child(c, children_reserve(&c->device->children, work), stream);
}

static u64 memcpy_async(const struct caller *c) {
  const u64 bytes = argument(c, 2);
  struct child work = {.kind = CHILD_COPY, .copy = {argument(c, 0), bytes, argument(c, 1), bytes, bytes, 1}};
  return bytes ? launch_work(c, &work, argument(c, 4)) : ERROR_NONE;
}

static u64 memcpy_2d_async(const struct caller *c) {
  struct child work = {.kind = CHILD_COPY,
                       .copy = {argument(c, 0), argument(c, 1), argument(c, 2), argument(c, 3),
                                argument(c, 4), argument(c, 5)}};
  if (work.copy.width > work.copy.target_pitch || work.copy.width > work.copy.source_pitch)
    return ERROR_INVALID_VALUE;
  return work.copy.width && work.copy.rows ? launch_work(c, &work, argument(c, 7)) : ERROR_NONE;
}

static u64 memset_async(const struct caller *c) {
  const u64 bytes = argument(c, 2);
  struct child work = {.kind = CHILD_FILL, .fill = {argument(c, 0), bytes, 1, bytes, (u32)argument(c, 1), 1}};
  return bytes ? launch_work(c, &work, argument(c, 3)) : ERROR_NONE;
}

static u64 memset_2d_async(const struct caller *c) {
  struct child work = {
      .kind = CHILD_FILL,
      .fill = {argument(c, 0), argument(c, 3), argument(c, 4), argument(c, 1), (u32)argument(c, 2), 1}};
  if (work.fill.width > work.fill.pitch)
    return ERROR_INVALID_VALUE;
  return work.fill.width && work.fill.rows ? launch_work(c, &work, argument(c, 5)) : ERROR_NONE;
}

/* Streams and events. The work of a grid's children runs in the order of its launches, which every order that events
 * can ask for permits. */

static u64 new_handle(const struct caller *c, u32 flags, u32 demanded) {
  const u64 handle = FIRST_HANDLE + c->device->children.streams++;
  return flags == demanded ? store(c, argument(c, 0), &handle, sizeof handle) : ERROR_INVALID_VALUE;
}

static u64 stream_create(const struct caller *c) {
  return new_handle(c, (u32)argument(c, 1), STREAM_NON_BLOCKING);
}

static u64 event_create(const struct caller *c) {
  return new_handle(c, (u32)argument(c, 1), EVENT_DISABLE_TIMING);
}

static u64 use_handle(const struct caller *c) {
  const u64 handle = argument(c, 0);
  return handle >= FIRST_HANDLE && is_stream(c, handle) ? ERROR_NONE : ERROR_HANDLE;
}

static u64 event_record(const struct caller *c) {
  return is_stream(c, argument(c, 1)) ? use_handle(c) : ERROR_HANDLE;
}

static u64 stream_wait(const struct caller *c) {
  const u64 event = argument(c, 1);
  return is_stream(c, argument(c, 0)) && event >= FIRST_HANDLE && is_stream(c, event) ? ERROR_NONE
                                                                                      : ERROR_HANDLE;
}

/* Memory from the heap of kernels */

static u64 heap_malloc(const struct caller *c) {
  struct allocation *a = memory_heap_allocate(&c->device->memory, argument(c, 1));
  const u64 address = a ? a->base : 0;
  checks_allocated(c->warp->block->launch->checks, a);
  const u64 error = store(c, argument(c, 0), &address, sizeof address);
  return error ? error : a ? ERROR_NONE : ERROR_MEMORY;
}

static u64 heap_free(const struct caller *c) {
  const u64 address = argument(c, 0);
  struct allocation *a = memory_find(&c->device->memory, address);
  if (!address)
    return ERROR_NONE;
  if (!a || a->base != address || !a->is_heap)
    return ERROR_INVALID_VALUE;
  memory_heap_free(&c->device->memory, a);
  return ERROR_NONE;
}

/* Queries */

static u64 get_attribute(const struct caller *c) {
  const struct sim_device_info *d = &model_device;
  const struct {
    u32 attribute, value;
  } known[] = {{1, d->max_threads_per_block},
               {2, d->max_block[0]},
               {3, d->max_block[1]},
               {4, d->max_block[2]},
               {5, d->max_grid[0]},
               {6, d->max_grid[1]},
               {7, d->max_grid[2]},
               {8, d->shared_per_block},
               {9, d->constant_memory},
               {10, d->warp_size},
               {12, d->registers_per_block},
               {13, d->clock_khz},
               {16, d->multiprocessors},
               {36, d->memory_clock_khz},
               {37, d->memory_bus_bits},
               {38, d->l2_bytes},
               {39, d->max_threads_per_multiprocessor},
               {75, d->compute_major},
               {76, d->compute_minor},
               {81, d->shared_per_multiprocessor},
               {82, d->registers_per_multiprocessor},
               {97, d->shared_per_block_optin},
               {106, d->max_blocks_per_multiprocessor}};
  if (argument(c, 2) != 0)
    return ERROR_INVALID_DEVICE;
  for (u32 i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].attribute == argument(c, 1))
      return store_int(c, 0, (int)known[i].value);
  return ERROR_NOT_SUPPORTED;
}

static u64 get_limit(const struct caller *c) {
  const u64 limit = argument(c, 1),
            value = limit == LIMIT_HEAP ? c->device->memory.heap_limit : c->device->children.limit;
  return limit == LIMIT_HEAP || limit == LIMIT_PENDING ? store(c, argument(c, 0), &value, sizeof value)
                                                       : ERROR_NOT_SUPPORTED;
}

static u64 get_device_count(const struct caller *c) { return store_int(c, 0, 1); }

static u64 store_zero(const struct caller *c) { return store_int(c, 0, 0); }

static u64 get_shared_config(const struct caller *c) {
  return store_int(c, 0, 1); /* cudaSharedMemBankSizeFourByte */
}

static u64 get_attributes(const struct caller *c) {
  struct {
    u64 shared, constants, local;
    int threads, registers, ptx, binary, cache, dynamic, carveout;
  } attributes = {0};
  u64 error;
  const struct kernel *k = kernel_at(c, argument(c, 1), &error);
  if (!k)
    return error;
  attributes.shared = k->shared_static;
  attributes.local = kernel_local_bytes(k);
  attributes.threads = (int)kernel_most_threads(k);
  attributes.registers = (int)kernel_registers(k);
  attributes.ptx = attributes.binary = (int)(model_device.compute_major * 10 + model_device.compute_minor);
  attributes.dynamic = (int)k->shared_dynamic_max;
  attributes.carveout = -1;
  return store(c, argument(c, 0), &attributes, sizeof attributes);
}

static u64 occupancy(const struct caller *c) {
  u64 error;
  const struct kernel *k = kernel_at(c, argument(c, 1), &error);
  const u32 threads = (u32)argument(c, 2);
  const u64 shared = argument(c, 3);
  if (!k || !threads)
    return k ? ERROR_INVALID_VALUE : error;
  if (threads > MAX_BLOCK_THREADS || shared > k->shared_dynamic_max)
    return store_int(c, 0, 0);
  const u32 warps = (threads + LANES - 1) / LANES;
  return store_int(c, 0, (int)model_resident(k, warps, k->shared_static + (u32)shared));
}

/* Names, without __cudaCDP2 */

static const struct function {
  const char *name;
  u64 (*run)(const struct caller *c);
  struct device_runtime_signature signature;
  bool gives_no_error; /* the result is no error of this call */
} functions[] = {
    {"GetParameterBuffer", get_parameter_buffer, {8, 2, {8, 8}}, true},
    {"GetParameterBufferV2", get_parameter_buffer_v2, {8, 4, {8, 12, 12, 4}}, true},
    {"LaunchDevice", launch_device, {4, 6, {8, 8, 12, 12, 4, 8}}, false},
    {"LaunchDeviceV2", launch_device_v2, {4, 2, {8, 8}}, false},
    {"GetLastError", get_last_error, {4, 0, {0}}, true},
    {"PeekAtLastError", peek_at_last_error, {4, 0, {0}}, true},
    {"GetErrorString", get_error_string, {8, 1, {4}}, true},
    {"GetErrorName", get_error_name, {8, 1, {4}}, true},
    {"DeviceGetAttribute", get_attribute, {4, 3, {8, 4, 4}}, false},
    {"DeviceGetLimit", get_limit, {4, 2, {8, 4}}, false},
    {"DeviceGetCacheConfig", store_zero, {4, 1, {8}}, false},
    {"DeviceGetSharedMemConfig", get_shared_config, {4, 1, {8}}, false},
    {"GetDeviceCount", get_device_count, {4, 1, {8}}, false},
    {"GetDevice", store_zero, {4, 1, {8}}, false},
    {"StreamCreateWithFlags", stream_create, {4, 2, {8, 4}}, false},
    {"StreamDestroy", use_handle, {4, 1, {8}}, false},
    {"StreamWaitEvent", stream_wait, {4, 3, {8, 8, 4}}, false},
    {"EventCreateWithFlags", event_create, {4, 2, {8, 4}}, false},
    {"EventRecord", event_record, {4, 2, {8, 8}}, false},
    {"EventRecordWithFlags", event_record, {4, 3, {8, 8, 4}}, false},
    {"EventDestroy", use_handle, {4, 1, {8}}, false},
    {"FuncGetAttributes", get_attributes, {4, 2, {8, 8}}, false},
    {"Malloc", heap_malloc, {4, 2, {8, 8}}, false},
    {"Free", heap_free, {4, 1, {8}}, false},
    {"MemcpyAsync", memcpy_async, {4, 5, {8, 8, 8, 4, 8}}, false},
    {"Memcpy2DAsync", memcpy_2d_async, {4, 8, {8, 8, 8, 8, 8, 8, 4, 8}}, false},
    {"MemsetAsync", memset_async, {4, 4, {8, 4, 8, 8}}, false},
    {"Memset2DAsync", memset_2d_async, {4, 6, {8, 8, 4, 8, 8, 8}}, false},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", occupancy, {4, 4, {8, 8, 4, 8}}, false},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", occupancy, {4, 5, {8, 8, 4, 8, 4}}, false},
};

static const char prefix[] = "__cudaCDP2";

bool device_runtime_has(const char *name) { return strncmp(name, prefix, strlen(prefix)) == 0; }

/* A name with _ptsz is that of a program whose default stream is one per thread. */
int device_runtime_find(const char *name) {
  if (!device_runtime_has(name))
    return -1;
  name += strlen(prefix);
  const size_t length = strlen(name), end = length > 5 && strcmp(name + length - 5, "_ptsz") == 0 ? 5 : 0;
  for (int i = 0; i < (int)(sizeof functions / sizeof *functions); i++)
    if (strlen(functions[i].name) == length - end && memcmp(functions[i].name, name, length - end) == 0)
      return i;
  return -1;
}

const struct device_runtime_signature *device_runtime_signature(int function) {
  return &functions[function].signature;
}

void device_runtime_run(struct warp *w, const struct op *op, const struct frame *f, u32 m) {
  struct module *module = w->block->launch->module;
  const struct function *function = &functions[op->mode];
  FOR_ACTIVE(m, l) {
    const struct caller c = {w, module->device, f, &module->calls[op->call], l};
    const u64 result = function->run(&c);
    if (!function->gives_no_error)
      record_error(&c, result);
    memcpy(call_parameter(f, c.call->arguments[0].own, l), &result, function->signature.result);
  }
  touched_reserve(w->block->worker, module->device->memory.slots);
}
