#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "breaks.h"
#include "checks.h"
#include "children.h"
#include "device/report.h"
#include "device/room.h"
#include "launch.h"
#include "model.h"
#include "module.h"
#include "protocol.h"
#include "recording.h"
#include "registers.h"
#include "steps.h"
#include "texture.h"
#include "totals.h"
#include "worker.h"

enum { ROOM = 1 << 20 }; /* one buffer holds requests up to this size; bulk data goes straight to memory */
enum { INBOX = 1 << 16, OUTBOX = 1 << 16 };
enum { ANSWERED = 16 };                   /* requests that may fail on request, see protocol.h */
enum { WORKSPACE_BYTES = 64 };            /* of a cooperative launch */
enum { LAUNCH_INSTRUCTIONS = 1000 };      /* that a launch by a kernel counts as, for SIMGPU_LAUNCH_BUDGET */
#define MAX_REQUEST (UINT64_C(256) << 20) /* except a write to memory */

struct server {
  int socket;
  struct device device;
  FILE *counters;
  struct source_report *report;
  struct addresses *addresses;
  struct steps *steps;
  struct breaks *breaks;
  struct checks *checks;
  bool lenient, strict, shares;
  struct textures textures;
  struct totals *totals;
  FILE *contents;
  struct order order;
  uint64_t failing_request, failing_launch;   /* SIM_ENV_FAIL, from 1; 0: none */
  uint64_t requests, queued, launch_requests; /* so far, of the kinds that may fail */
  bool is_chosen;                             /* this request fails */
  int recording;                              /* or -1 */
  uint64_t launches, instructions;            /* so far; instructions of warps */
  uint64_t family_instructions;               /* of the host's latest grid and what it launched, so far */
  struct text printed;                        /* by the kernel of this request */
  bool timed;                                 /* SIMGPU_SPEED is set */
  double busy, cpu;                           /* seconds in launches: wall time, CPU time of all cores */
  uint8_t *request;                           /* body of the current request */
  uint8_t *large; /* buffer of a request that is too long for ROOM or is kept; or NULL */
  struct sim_header header;
  uint64_t time_ns;
  enum sim_status fault; /* of the kernel that failed, or SIM_OK */
  uint8_t *inbox;        /* requests not yet read */
  size_t inbox_at, inbox_end;
  uint8_t *outbox; /* replies not yet sent */
  size_t outbox_length;
  jmp_buf end;
  int status; /* the return value of server_run */
};

atomic_bool server_serving = true;

static bool send_all(const struct server *s, const void *from, uint64_t length) {
  for (const uint8_t *at = from; length > 0;) {
    ssize_t sent = send(s->socket, at, length > INT32_MAX ? INT32_MAX : length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    length -= (uint64_t)sent;
  }
  return true;
}

/* Flushes the counters first: a client that has the reply to a launch must find its row in the file. */
static bool send_replies(struct server *s) {
  const size_t length = s->outbox_length;
  s->outbox_length = 0;
  if (s->counters)
    fflush(s->counters);
  return send_all(s, s->outbox, length);
}

_Noreturn static void stop(struct server *s, const char *format, ...) {
  send_replies(s);
  if (format) {
    va_list args;
    va_start(args, format);
    fputs("simgpu-device: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
  }
  s->status = format ? SERVER_MALFORMED : 0;
  longjmp(s->end, 1);
}

/* Receives at least a byte; returns 0 at the end. Sends replies first if the client may wait for them. */
static size_t receive_some(struct server *s, void *into, size_t room) {
  for (;;) {
    ssize_t got = recv(s->socket, into, room, s->outbox_length ? MSG_DONTWAIT : 0);
    if (got >= 0) {
      recording_add(s->recording, into, (size_t)got);
      return (size_t)got;
    }
    if (errno == EINTR)
      continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
      return 0;
    if (!send_replies(s))
      stop(s, NULL);
  }
}

static void receive(struct server *s, void *into, uint64_t length) {
  for (uint8_t *at = into; length > 0;) {
    size_t held = s->inbox_end - s->inbox_at, got = held < length ? held : length;
    if (held) {
      memcpy(at, s->inbox + s->inbox_at, got);
      s->inbox_at += got;
    } else if (length >= INBOX) {
      got = receive_some(s, at, length > INT32_MAX ? INT32_MAX : length);
    } else {
      s->inbox_at = 0;
      s->inbox_end = receive_some(s, s->inbox, INBOX);
      if (s->inbox_end)
        continue;
    }
    if (!got)
      stop(s, at == (uint8_t *)&s->header ? NULL : "the client closed the connection within a request");
    at += got;
    length -= got;
  }
}

static void transmit(struct server *s, const void *from, uint64_t length) {
  bool good = length <= OUTBOX - s->outbox_length || send_replies(s);
  if (good && length > OUTBOX)
    good = send_all(s, from, length);
  else if (good && length) {
    memcpy(s->outbox + s->outbox_length, from, length);
    s->outbox_length += length;
  }
  if (!good)
    stop(s, NULL);
}

static void reply(struct server *s, enum sim_status status, const void *body, uint64_t length) {
  if (status != SIM_OK)
    length = 0;
  struct sim_header header = {
      .type = s->header.type, .status = status, .length = length, .time_ns = s->time_ns};
  transmit(s, &header, sizeof header);
  transmit(s, body, length);
}

/* Includes the text that a kernel printed before a fault. */
static void reply_text(struct server *s, enum sim_status status, const struct text *text) {
  struct sim_header header = {
      .type = s->header.type, .status = status, .length = text->length, .time_ns = s->time_ns};
  transmit(s, &header, sizeof header);
  transmit(s, text->bytes, text->length);
}

/* After a fault, answers the request with the fault; returns whether it did. */
static bool drop(struct server *s) {
  if (s->fault)
    reply(s, s->fault, NULL, 0);
  return s->fault;
}

/* The fixed part of the request; a shorter body ends the connection. */
static const void *fixed(struct server *s, uint64_t size) {
  if (s->header.length < size)
    stop(s, "malformed request %u: %llu bytes, expected at least %llu", s->header.type,
         (unsigned long long)s->header.length, (unsigned long long)size);
  return s->request;
}

static struct module *module_numbered(struct server *s, uint32_t id) {
  return id < s->device.module_count ? s->device.modules[id] : NULL;
}

/* Excludes device functions and kernels without a body. */
static bool is_kernel(const struct kernel *k) { return k->ptx->is_entry && k->ptx->has_body; }

/* Kernels are numbered module * 65536 + index. */
static struct kernel *kernel_numbered(struct server *s, uint32_t id, struct module **module) {
  *module = module_numbered(s, id >> 16);
  struct kernel *k =
      *module && (id & 0xffff) < (*module)->kernel_count ? module_kernel(*module, id & 0xffff) : NULL;
  return k && is_kernel(k) && !k->refusal ? k : NULL;
}

static void answer_hello(struct server *s) {
  const struct sim_hello *hello = fixed(s, sizeof *hello);
  struct sim_device_info info = model_device;
  info.memory_bytes = s->device.memory.limit;
  info.counts_waits = totals_count_waits(s->totals);
  info.shares = s->shares;
  info.answered = s->strict || s->failing_request || s->failing_launch ? ANSWERED : 0;
  reply(s, hello->version == SIM_PROTOCOL_VERSION ? SIM_OK : SIM_INVALID_VALUE, &info, sizeof info);
}

/* Prints a line for each function that cannot be decoded. */
static void report_refusals(const struct module *m) {
  enum { MOST_LINES = 10 };
  uint32_t reported = 0;
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    const struct kernel *k = &m->kernels[i];
    if (k->refusal && !k->refused_for_callee && reported++ < MOST_LINES)
      fprintf(stderr, "simgpu: %s\n", k->refusal);
  }
  if (reported > MOST_LINES)
    fprintf(stderr, "simgpu: %u more function%s not supported\n", reported - MOST_LINES,
            reported - MOST_LINES == 1 ? " is" : "s are");
}

static void answer_module_load(struct server *s) {
  char error[1024];
  char *text = (char *)s->large;
  s->large = NULL;
  text[s->header.length] = '\0';
  struct module *m = module_load(&s->device, text, error, sizeof error);
  if (m && (m->kernel_count > 0xffff || s->device.module_count > 0x7fff)) {
    snprintf(error, sizeof error, "too many kernels or modules");
    module_unload(m);
    m = NULL;
  }
  if (!m) {
    fprintf(stderr, "simgpu: %s\n", error);
    reply(s, SIM_BAD_PTX, NULL, 0);
    return;
  }
  struct module **modules =
      realloc(s->device.modules, (s->device.module_count + 1) * sizeof(struct module *));
  if (!modules)
    abort();
  s->device.modules = modules;
  modules[s->device.module_count] = m;
  totals_loaded(s->totals, m->ptx);
  breaks_loaded(s->breaks, m->ptx);
  report_refusals(m);
  struct sim_id id = {.id = s->device.module_count++};
  reply(s, SIM_OK, &id, sizeof id);
}

static bool has_name(const struct server *s, const struct sim_find *find, const char *name) {
  return find->name_length == s->header.length - sizeof *find && strlen(name) == find->name_length &&
         memcmp(name, s->request + sizeof *find, find->name_length) == 0;
}

static void describe_kernel(struct server *s, struct module *m, uint32_t index, uint32_t id) {
  struct kernel *k = module_kernel(m, index);
  const struct ptx_function *f = k->ptx;
  if (k->refusal) { /* reported once; only launches of this kernel fail */
    report_refusal(k);
    reply(s, SIM_BAD_PTX, NULL, 0);
    return;
  }
  struct {
    struct sim_kernel_info info;
    struct sim_param params[SIM_MAX_PARAMS];
  } body = {.info = {.kernel = id,
                     .param_count = f->param_count,
                     .param_bytes = f->param_bytes,
                     .registers = kernel_registers(k),
                     .shared_static = k->shared_static,
                     .local_bytes = kernel_local_bytes(k),
                     .constant_bytes = 0,
                     .max_threads = kernel_most_threads(k)}};
  memcpy(body.info.cluster, f->cluster, sizeof body.info.cluster);
  if (f->param_count > SIM_MAX_PARAMS || f->param_bytes > SIM_MAX_PARAM_BYTES) {
    fprintf(stderr, "simgpu: kernel '%s' has %u bytes of parameters; at most %u are supported\n", f->name,
            f->param_bytes, SIM_MAX_PARAM_BYTES);
    reply(s, SIM_BAD_PTX, NULL, 0);
    return;
  }
  for (uint32_t i = 0; i < f->param_count; i++)
    body.params[i] = (struct sim_param){(uint32_t)f->params[i]->offset, (uint32_t)f->params[i]->size};
  reply(s, SIM_OK, &body, sizeof body.info + f->param_count * sizeof *body.params);
}

static void answer_kernel_find(struct server *s) {
  const struct sim_find *find = fixed(s, sizeof *find);
  struct module *m = module_numbered(s, find->module);
  for (uint32_t i = 0; m && i < m->kernel_count; i++)
    if (is_kernel(&m->kernels[i]) && has_name(s, find, m->kernels[i].ptx->name)) {
      describe_kernel(s, m, i, find->module << 16 | i);
      return;
    }
  reply(s, SIM_NOT_FOUND, NULL, 0);
}

static void answer_symbol_find(struct server *s) {
  const struct sim_find *find = fixed(s, sizeof *find);
  const struct module *m = module_numbered(s, find->module);
  for (uint32_t i = 0; m && i < m->variable_count; i++)
    if (m->addresses[i] && has_name(s, find, m->ptx->variables[i]->name)) {
      struct sim_range range = {m->addresses[i], m->ptx->variables[i]->size};
      reply(s, SIM_OK, &range, sizeof range);
      return;
    }
  reply(s, SIM_NOT_FOUND, NULL, 0);
}

/* The name of a kernel or managed variable, by its number among all functions or variables; NULL: it is neither. */
static const char *listed_name(const struct module *m, uint32_t kind, uint32_t i) {
  if (kind == SIM_LIST_KERNELS)
    return is_kernel(&m->kernels[i]) ? m->kernels[i].ptx->name : NULL;
  return m->ptx->variables[i]->is_managed && m->addresses[i] ? m->ptx->variables[i]->name : NULL;
}

static void answer_list(struct server *s) {
  const struct sim_list *list = fixed(s, sizeof *list);
  const struct module *m = module_numbered(s, list->module);
  if (!m || list->kind > SIM_LIST_MANAGED) {
    reply(s, m ? SIM_INVALID_VALUE : SIM_NOT_FOUND, NULL, 0);
    return;
  }
  const uint32_t most = list->kind == SIM_LIST_KERNELS ? m->kernel_count : m->variable_count;
  char *names = NULL;
  size_t size = 0;
  FILE *text = open_memstream(&names, &size);
  for (uint32_t i = 0; text && i < most; i++) {
    const char *name = listed_name(m, list->kind, i);
    if (name)
      fwrite(name, 1, strlen(name) + 1, text);
  }
  if (!text || fclose(text) != 0)
    abort();
  reply(s, SIM_OK, names, size);
  free(names);
}

static void answer_kernel_limit(struct server *s) {
  const struct sim_kernel_limit *limit = fixed(s, sizeof *limit);
  struct module *m;
  struct kernel *k = kernel_numbered(s, limit->kernel, &m);
  if (!k) {
    reply(s, SIM_NOT_FOUND, NULL, 0);
  } else if (k->shared_static > MODEL_SHARED_OPTIN ||
             limit->shared_dynamic > MODEL_SHARED_OPTIN - k->shared_static) {
    reply(s, SIM_INVALID_VALUE, NULL, 0);
  } else {
    k->shared_dynamic_max = limit->shared_dynamic;
    reply(s, SIM_OK, NULL, 0);
  }
}

static void answer_allocate(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  struct allocation *a = range->size ? memory_allocate(&s->device.memory, range->size) : NULL;
  struct sim_range got = {a ? a->base : 0, range->size};
  checks_allocated(s->checks, a);
  totals_add(s->totals, TOTAL_ALLOCATED_BYTES, a ? a->size : 0);
  if (a)
    totals_called_for_memory(s->totals);
  reply(s, a ? SIM_OK : range->size ? SIM_OUT_OF_MEMORY : SIM_INVALID_VALUE, &got, sizeof got);
}

static void keep_contents(const struct server *s, const struct allocation *a) {
  if (s->contents && !a->is_symbol && !a->is_heap && !a->is_host && !a->physical) {
    fwrite(&a->size, sizeof a->size, 1, s->contents);
    fwrite(a->host, 1, a->size, s->contents);
    fflush(s->contents);
  }
}

static void answer_free(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  struct allocation *a = memory_find(&s->device.memory, range->address);
  bool good = a && a->base == range->address && !a->is_symbol && !a->is_heap && !a->is_host && !a->physical;
  totals_add(s->totals, TOTAL_FREED_BYTES, good ? a->size : 0);
  if (good) {
    totals_called_for_memory(s->totals);
    keep_contents(s, a);
    memory_free(&s->device.memory, a);
  } else {
    checks_bad_free(s->checks, &s->device.memory, range->address);
  }
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* As on hardware, also finds mapped memory without access. */
static void answer_range_find(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  const struct allocation *a = memory_find(&s->device.memory, range->address);
  const struct mapping *m = virtual_find(&s->device.virtual, range->address);
  struct sim_range got = {a ? a->base : m ? m->base : 0, a ? a->size : m ? m->size : 0};
  reply(s, a || m ? SIM_OK : SIM_NOT_FOUND, &got, sizeof got);
}

/* Refused after a kernel has called malloc(): CUDA Runtime API, cudaDeviceSetLimit(). */
static void answer_heap_limit(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  struct memory *memory = &s->device.memory;
  bool good = !memory->heap_started && range->size <= memory->limit;
  if (good)
    memory->heap_limit = range->size;
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* A launch that waits costs memory. */
static void answer_pending_limit(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  const bool good = range->size <= s->device.memory.limit / MEMORY_ALIGN;
  if (good)
    s->device.children.limit = range->size;
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* Host address of the first of `rows` rows in contiguous memory, or NULL if they are not in it. */
static uint8_t *rows_at(struct server *s, uint64_t address, uint64_t width, uint64_t rows, uint64_t pitch) {
  if (width == 0 || rows == 0 || width > SIM_MAX_MESSAGE || rows > SIM_MAX_MESSAGE / width)
    return NULL;
  if (rows > 1 && (pitch < width || pitch > SIM_MAX_MESSAGE / rows))
    return NULL;
  return memory_at(&s->device.memory, address, rows > 1 ? (rows - 1) * pitch + width : width);
}

/* The same, if all devices may write them. */
static uint8_t *rows_to(struct server *s, uint64_t address, uint64_t width, uint64_t rows, uint64_t pitch) {
  uint8_t *const at = rows_at(s, address, width, rows, pitch);
  const uint64_t bytes = rows > 1 ? (rows - 1) * pitch + width : width;
  return at && !memory_is_read_only(&s->device.memory, address, bytes) ? at : NULL;
}

/* The host cannot use the heap of kernels: CUDA C++ Programming Guide, Dynamic Global Memory Allocation. */
static bool in_heap(struct server *s, uint64_t address) {
  const struct allocation *a = memory_find(&s->device.memory, address);
  return a && a->is_heap;
}

static void answer_write(struct server *s) {
  const struct sim_rows *r = fixed(s, sizeof *r);
  uint8_t *to = s->fault || s->is_chosen || in_heap(s, r->address)
                    ? NULL
                    : rows_to(s, r->address, r->width, r->rows, r->pitch);
  uint64_t body = s->header.length - sizeof *r;
  bool whole = r->width && r->rows && body / r->width == r->rows && body % r->width == 0;
  uint8_t *kept = to && whole ? totals_keep(s->totals, r, to) : NULL;
  if (to && whole) {
    if (r->rows == 1 || r->pitch == r->width)
      receive(s, to, body);
    else
      for (uint64_t i = 0; i < r->rows; i++)
        receive(s, to + i * r->pitch, r->width);
  } else {
    static uint8_t sink[65536];
    for (uint64_t left = body; left > 0; left -= left < sizeof sink ? left : sizeof sink)
      receive(s, sink, left < sizeof sink ? left : sizeof sink);
  }
  if (drop(s))
    return;
  if (s->is_chosen) {
    reply(s, SIM_FAILED_ON_REQUEST, NULL, 0);
    return;
  }
  if (to && whole)
    checks_written(s->checks, &s->device.memory, r->address, r->width, r->rows, r->pitch);
  if (kept)
    totals_refreshed(s->totals, &s->device.memory, r, kept);
  else if (to && whole)
    totals_written(s->totals, &s->device.memory, r);
  s->time_ns = model_transfer(body, r->value & SIM_ROWS_PINNED);
  reply(s, to && whole ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* What the client says about itself has to fit what the device has seen. */
static void expect(struct server *s, bool is_possible, const char *what) {
  if (!is_possible && !s->fault && !s->failing_request && !s->failing_launch)
    stop(s, "%s", what);
}

static void answer_read(struct server *s) {
  const struct sim_read *read = fixed(s, sizeof *read);
  const struct sim_rows *r = &read->rows;
  if (drop(s))
    return;
  const uint8_t *from = rows_at(s, r->address, r->width, r->rows, r->pitch);
  if (!from || in_heap(s, r->address)) {
    reply(s, SIM_INVALID_VALUE, NULL, 0);
    return;
  }
  expect(s, totals_read(s->totals, &s->device.memory, read), "a copy to the host that nothing waits for");
  s->time_ns = model_transfer(r->width * r->rows, r->value & SIM_ROWS_PINNED);
  struct sim_header header = {.type = s->header.type, .length = r->width * r->rows, .time_ns = s->time_ns};
  transmit(s, &header, sizeof header);
  if (r->rows == 1 || r->pitch == r->width)
    transmit(s, from, header.length);
  else
    for (uint64_t i = 0; i < r->rows; i++)
      transmit(s, from + i * r->pitch, r->width);
}

static bool copy_rows(struct server *s, const struct sim_copy *c) {
  uint8_t *to = rows_to(s, c->target, c->width, c->rows, c->target_pitch);
  const uint8_t *from = rows_at(s, c->source, c->width, c->rows, c->source_pitch);
  if (!to || !from)
    return false;
  for (uint64_t i = 0; i < c->rows; i++)
    memmove(to + i * c->target_pitch, from + i * c->source_pitch, c->width);
  for (uint64_t i = 0; i < c->rows; i++)
    checks_copied(s->checks, &s->device.memory, c->target + i * c->target_pitch,
                  c->source + i * c->source_pitch, c->width);
  totals_copied(s->totals, &s->device.memory, c);
  return true;
}

static bool is_on_host(const struct server *s, uint64_t address) {
  const struct allocation *a = memory_find(&s->device.memory, address);
  return a && a->is_host;
}

static void answer_copy(struct server *s) {
  const struct sim_copy *c = fixed(s, sizeof *c);
  if (drop(s))
    return;
  const bool good = !in_heap(s, c->target) && !in_heap(s, c->source) && copy_rows(s, c);
  s->time_ns = is_on_host(s, c->target) || is_on_host(s, c->source)
                   ? model_transfer(c->width * c->rows, true)
                   : model_copy(c->target, c->width * c->rows);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static bool set_rows(struct server *s, const struct sim_rows *r) {
  uint8_t *to = rows_to(s, r->address, r->width, r->rows, r->pitch);
  if (!to || (r->value_size != 1 && r->value_size != 2 && r->value_size != 4) || r->width % r->value_size)
    return false;
  for (uint64_t i = 0; i < r->rows; i++) {
    uint8_t *row = to + i * r->pitch;
    if (r->value_size == 1)
      memset(row, (int)(r->value & 0xff), r->width);
    else
      for (uint64_t k = 0; k < r->width; k += r->value_size)
        memcpy(row + k, &r->value, r->value_size);
  }
  checks_written(s->checks, &s->device.memory, r->address, r->width, r->rows, r->pitch);
  totals_set(s->totals, &s->device.memory, r);
  return true;
}

static void answer_set(struct server *s) {
  const struct sim_rows *r = fixed(s, sizeof *r);
  if (drop(s))
    return;
  const bool good = !in_heap(s, r->address) && set_rows(s, r);
  s->time_ns = model_fill(r->width * r->rows);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum sim_status launch_timed(struct server *s, const struct launch_request *request,
                                    struct counters *counters) {
  double start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
  enum sim_status status = launch_run(request, counters);
  s->busy += seconds(CLOCK_MONOTONIC) - start;
  s->cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  return status;
}

/* Runs one grid, and counts it. */
static enum sim_status run_grid(struct server *s, struct launch_request *r, const struct sim_launch *l,
                                uint64_t length) {
  struct counters counters = {0};
  r->number = s->launches + 1;
  r->instructions_before = s->family_instructions;
  totals_starts(s->totals, &s->device.memory);
  const enum sim_status status = s->timed ? launch_timed(s, r, &counters) : launch_run(r, &counters);
  totals_used(s->totals, &s->device.memory, r->kernel->ptx->name);
  memory_sweep(&s->device.memory);
  if (status != SIM_OK && status < SIM_FAULT_ADDRESS) /* refused */
    return status;
  s->time_ns += counters.value[COUNTER_TIME_MODEL];
  s->launches++;
  totals_ran(s->totals, counters.value[COUNTER_WARP_INSTRUCTIONS]);
  totals_launched(s->totals, l, length);
  s->instructions += counters.value[COUNTER_WARP_INSTRUCTIONS];
  s->family_instructions += counters.value[COUNTER_WARP_INSTRUCTIONS] + LAUNCH_INSTRUCTIONS;
  char name[256];
  if (s->counters)
    counters_write_row(s->counters, s->launches, report_name(r->kernel->ptx->name, name, sizeof name),
                       l->grid, l->block, &counters);
  return status;
}

/* A copy or a fill by a kernel. */
static enum sim_status refuse_child(const struct child *child, uint64_t address) {
  char name[256];
  fprintf(stderr,
          "simgpu: a %s in %s reaches 0x%llx, which is not in one allocation: expected device memory\n",
          child->kind == CHILD_COPY ? "cudaMemcpyAsync" : "cudaMemsetAsync",
          report_name(child->parent->ptx->name, name, sizeof name), (unsigned long long)address);
  return SIM_FAULT_ADDRESS;
}

static enum sim_status run_child_grid(struct server *s, const struct child *child) {
  const struct kernel *k = child->kernel;
  struct launch_request request = {.module = child->module,
                                   .kernel = k,
                                   .shared_dynamic = child->shared_dynamic,
                                   .params = child->params->host,
                                   .printed = &s->printed,
                                   .report = s->report,
                                   .addresses = s->addresses,
                                   .steps = s->steps,
                                   .breaks = s->breaks,
                                   .checks = s->checks,
                                   .order = &s->order};
  memcpy(request.grid, child->grid, sizeof request.grid);
  memcpy(request.block, child->block, sizeof request.block);
  struct {
    struct sim_launch fixed;
    uint8_t params[SIM_MAX_PARAM_BYTES];
  } text = {.fixed = {.kernel = (uint32_t)(k - child->module->kernels),
                      .shared_dynamic = child->shared_dynamic,
                      .param_bytes = k->ptx->param_bytes}};
  memcpy(text.fixed.grid, child->grid, sizeof child->grid);
  memcpy(text.fixed.block, child->block, sizeof child->block);
  memcpy(text.params, child->params->host, k->ptx->param_bytes);
  return run_grid(s, &request, &text.fixed, sizeof text.fixed + k->ptx->param_bytes);
}

static enum sim_status run_child(void *context, const struct child *child) {
  struct server *s = context;
  if (child->kind == CHILD_GRID)
    return run_child_grid(s, child);
  const struct sim_copy *c = &child->copy;
  const struct sim_rows *r = &child->fill;
  if (child->kind == CHILD_COPY && !copy_rows(s, c))
    return refuse_child(child,
                        rows_to(s, c->target, c->width, c->rows, c->target_pitch) ? c->source : c->target);
  if (child->kind == CHILD_FILL && !set_rows(s, r))
    return refuse_child(child, r->address);
  s->time_ns +=
      child->kind == CHILD_COPY ? model_copy(c->target, c->width * c->rows) : model_fill(r->width * r->rows);
  return SIM_OK;
}

/* A grid of the host, and what its kernels launch. */
static enum sim_status run_family(struct server *s, struct launch_request *request,
                                  const struct sim_launch *l) {
  s->family_instructions = 0;
  enum sim_status status = run_grid(s, request, l, s->header.length);
  status = children_run(&s->device.children, &s->device.memory, status, run_child, s);
  return status;
}

static void answer_launch(struct server *s) {
  const struct sim_launch *l = fixed(s, sizeof *l);
  if (drop(s))
    return;
  expect(s, totals_is_ordered(s->totals), "a launch whose order is not known");
  struct module *m;
  const struct kernel *k = kernel_numbered(s, l->kernel, &m);
  if (!k || l->param_bytes != k->ptx->param_bytes || s->header.length != sizeof *l + l->param_bytes) {
    reply(s, k ? SIM_INVALID_VALUE : SIM_NOT_FOUND, NULL, 0);
    return;
  }
  struct launch_request request = {.module = m,
                                   .kernel = k,
                                   .shared_dynamic = l->shared_dynamic,
                                   .params = s->request + sizeof *l,
                                   .printed = &s->printed,
                                   .report = s->report,
                                   .addresses = s->addresses,
                                   .steps = s->steps,
                                   .breaks = s->breaks,
                                   .checks = s->checks,
                                   .order = &s->order};
  memcpy(request.grid, l->grid, sizeof request.grid);
  memcpy(request.block, l->block, sizeof request.block);
  request.cooperative = l->flags & SIM_LAUNCH_COOPERATIVE;
  request.large_clusters = l->flags & SIM_LAUNCH_LARGE_CLUSTERS;
  for (int d = 0; d < 3; d++)
    request.cluster[d] = l->flags >> (8 + 8 * d) & 0xff;
  struct allocation *workspace =
      request.cooperative ? memory_allocate(&s->device.memory, WORKSPACE_BYTES) : NULL;
  if (request.cooperative && !workspace) {
    reply(s, SIM_OUT_OF_MEMORY, NULL, 0);
    return;
  }
  if (workspace) {
    memset(workspace->host, 0, WORKSPACE_BYTES);
    request.workspace = workspace->base;
  }
  const enum sim_status status = run_family(s, &request, l);
  if (status == SIM_OK || status >= SIM_FAULT_ADDRESS)
    totals_has_launched(s->totals);
  if (workspace)
    memory_free(&s->device.memory, workspace);
  if (status >= SIM_FAULT_ADDRESS)
    s->fault = status;
  reply_text(s, status, &s->printed);
  s->printed.length = 0;
}

static void answer_wait(struct server *s) {
  const struct sim_awaited *awaited = fixed(s, sizeof *awaited);
  expect(s, totals_waited(s->totals, awaited), "a wait for what there is not, or for nothing");
  reply(s, SIM_OK, NULL, 0);
}

static void answer_tally(struct server *s) {
  const struct sim_tally *tally = fixed(s, sizeof *tally);
  totals_tally(s->totals, tally);
  reply(s, SIM_OK, NULL, 0);
}

/* Whether grading refuses a request; the first time, a line says so. */
static bool is_refused(const struct server *s, bool *reported, const char *line) {
  if (s->strict && !*reported)
    fputs(line, stderr);
  *reported |= s->strict;
  return s->strict;
}

/* Not in grading: its counters know only loads and stores. */
static void answer_texture_new(struct server *s) {
  const struct sim_texture *texture = fixed(s, sizeof *texture);
  static bool reported;
  const bool refused = is_refused(
      s, &reported,
      "simgpu: texture and surface objects are not supported where counters or checks judge a program "
      "(SIMGPU_STRICT=1): read memory by plain loads or __ldg\n");
  struct sim_id id = {.id = refused ? 0 : texture_new(&s->textures, texture)};
  reply(s, refused ? SIM_NOT_PERMITTED : id.id ? SIM_OK : SIM_INVALID_VALUE, &id, sizeof id);
}

static void answer_texture_free(struct server *s) {
  const struct sim_id *id = fixed(s, sizeof *id);
  reply(s, texture_free(&s->textures, id->id) ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* Not in grading: a value would reach the host without a copy. */
static void answer_condition_set(struct server *s) {
  const struct sim_condition *c = fixed(s, sizeof *c);
  static bool reported;
  const bool refused = is_refused(
      s, &reported,
      "simgpu: conditional nodes of graphs are not supported where counters or checks judge a program "
      "(SIMGPU_STRICT=1): let kernels decide whether they do anything\n");
  const bool known = c->number - 1 < SIM_CONDITIONS;
  if (known && !refused)
    s->device.conditions[c->number - 1] = c->value;
  reply(s, refused ? SIM_NOT_PERMITTED : known ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_condition_get(struct server *s) {
  const struct sim_id *id = fixed(s, sizeof *id);
  const bool known = id->id - 1 < SIM_CONDITIONS && !s->strict;
  const struct sim_condition c = {id->id, known ? s->device.conditions[id->id - 1] : 0};
  reply(s, known ? SIM_OK : SIM_INVALID_VALUE, &c, sizeof c);
}

static void answer_ordered(struct server *s) {
  expect(s, totals_ordered(s->totals, &s->device.memory, fixed(s, sizeof(struct sim_ordered))),
         "an order of launches that cannot be");
  reply(s, SIM_OK, NULL, 0);
}

/* Not for a judge: what the host writes into shared memory has no origin. Not for a recording: it can name the files of
 * any process of this user. The file of a client is opened only where the client could open it. */
static int open_file(const struct server *s, int32_t process, int32_t file) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, (int)file);
  return s->shares ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

static int open_file_of(const struct server *s, const struct sim_share *share) {
  return open_file(s, share->process, share->file);
}

static void answer_share(struct server *s) {
  const struct sim_share *share = fixed(s, sizeof *share);
  struct allocation *a = memory_find(&s->device.memory, share->address);
  const int file = a && a->base == share->address ? open_file_of(s, share) : -1;
  const bool good = file >= 0 && memory_share(a, file);
  if (file >= 0)
    close(file);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_register(struct server *s) {
  const struct sim_share *share = fixed(s, sizeof *share);
  const int file = open_file_of(s, share);
  const bool good = share->file < 0
                        ? memory_mirror(&s->device.memory, share->address, share->size)
                        : file >= 0 && memory_register(&s->device.memory, share->address, share->size, file);
  if (file >= 0)
    close(file);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_unregister(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  struct allocation *a = memory_find(&s->device.memory, range->address);
  const bool good = a && a->base == range->address && a->is_host;
  if (good)
    memory_free(&s->device.memory, a);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* Totals that serve the checks of streams alone end here. */
static void leave_streams(struct server *s) {
  totals_close(s->totals, &s->device.memory);
  s->totals = NULL;
  s->device.memory.has_origins = false;
}

/* Virtual memory management. Not for a judge: the totals know one address of each byte, and aliases have two. */
static bool is_virtual_refused(struct server *s) {
  static bool reported;
  const bool refused = s->strict || totals_are_written(s->totals);
  if (!refused)
    leave_streams(s);
  if (refused && !reported)
    fputs(
        "simgpu: virtual memory management (cuMemAddressReserve, cuMemCreate) is not supported where counters or checks "
        "judge a program (SIMGPU_STRICT=1, SIMGPU_TOTALS): allocate memory with cudaMalloc\n",
        stderr);
  reported |= refused;
  return refused;
}

static void answer_reserve(struct server *s) {
  const struct sim_reserve *reserve = fixed(s, sizeof *reserve);
  struct sim_range got = {.size = reserve->size};
  const enum sim_status status =
      is_virtual_refused(s) ? SIM_NOT_PERMITTED : virtual_reserve(&s->device.virtual, reserve, &got.address);
  reply(s, status, &got, sizeof got);
}

static void answer_unreserve(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  const bool good = virtual_unreserve(&s->device.virtual, range->address, range->size);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_physical_new(struct server *s) {
  const struct sim_physical *is = fixed(s, sizeof *is);
  enum sim_status status = SIM_NOT_PERMITTED;
  struct physical *p =
      is_virtual_refused(s) ? NULL : virtual_create(&s->device.virtual, &s->device.memory, is, &status);
  checks_created(s->checks, p);
  const struct sim_id id = {.id = p ? p->id : 0};
  reply(s, status, &id, sizeof id);
}

static void answer_physical_file(struct server *s) {
  const struct sim_physical_file *is = fixed(s, sizeof *is);
  struct physical *p = virtual_physical(&s->device.virtual, is->id);
  const int file = p ? open_file(s, is->process, is->file) : -1;
  const bool good = file >= 0 && virtual_use_file(&s->device.virtual, p, file);
  if (file >= 0)
    close(file);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

/* NULL: there is no such memory, or the program has no reference to it. */
static struct physical *referenced(struct server *s) {
  const struct sim_id *id = fixed(s, sizeof *id);
  struct physical *p = virtual_physical(&s->device.virtual, id->id);
  return p && p->references ? p : NULL;
}

static void answer_physical_find(struct server *s) {
  const struct physical *p = referenced(s);
  const struct sim_physical is = p ? p->is : (struct sim_physical){0};
  reply(s, p ? SIM_OK : SIM_NOT_FOUND, &is, sizeof is);
}

/* The program may ask for memory that is only mapped. */
static void answer_physical_keep(struct server *s) {
  const struct sim_id *id = fixed(s, sizeof *id);
  struct physical *p = virtual_physical(&s->device.virtual, id->id);
  if (p)
    p->references++;
  reply(s, p ? SIM_OK : SIM_NOT_FOUND, NULL, 0);
}

static void answer_physical_drop(struct server *s) {
  struct physical *p = referenced(s);
  const bool good = p && virtual_drop(&s->device.virtual, &s->device.memory, p);
  reply(s, good ? SIM_OK : SIM_NOT_FOUND, NULL, 0);
}

static void answer_map(struct server *s) {
  reply(s, virtual_map(&s->device.virtual, fixed(s, sizeof(struct sim_map))), NULL, 0);
}

static void answer_unmap(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  const bool good = virtual_unmap(&s->device.virtual, &s->device.memory, range->address, range->size);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_access(struct server *s) {
  const struct sim_access *access = fixed(s, sizeof *access);
  const bool good = virtual_access(&s->device.virtual, &s->device.memory, access);
  reply(s, good ? SIM_OK : SIM_INVALID_VALUE, NULL, 0);
}

static void answer_mapping_find(struct server *s) {
  const struct sim_range *range = fixed(s, sizeof *range);
  const struct mapping *m = virtual_find(&s->device.virtual, range->address);
  struct sim_mapping got = {0};
  if (m)
    got = (struct sim_mapping){m->base, m->size, m->physical->id, m->physical->is.device, {0}};
  if (m)
    memcpy(got.access, m->access, sizeof got.access);
  reply(s, m ? SIM_OK : SIM_NOT_FOUND, &got, sizeof got);
}

static void answer_memory_info(struct server *s) {
  struct sim_memory_info info = {s->device.memory.limit - s->device.memory.used, s->device.memory.limit};
  reply(s, SIM_OK, &info, sizeof info);
}

static void open_memory(struct server *s, uint64_t limit) {
  memory_open(&s->device.memory, limit);
  s->device.memory.has_origins = s->totals;
  s->device.memory.work_log = totals_work_log(s->totals);
  s->device.memory.wants_words = s->device.memory.work_log;
  s->device.memory.lenient = s->lenient;
  s->device.children = (struct children){.limit = CHILDREN_PENDING};
}

static void close_device(struct server *s) {
  for (uint32_t i = 0; i < s->device.module_count; i++)
    module_unload(s->device.modules[i]);
  free(s->device.modules);
  s->device.modules = NULL;
  s->device.module_count = 0;
  texture_free_all(&s->textures);
  free(s->device.error_texts);
  s->device.error_texts = NULL;
  memory_close(&s->device.memory);
  virtual_close(&s->device.virtual);
}

static void answer_reset(struct server *s) {
  uint64_t limit = s->device.memory.limit;
  if (s->checks)
    findings_forget_modules(s->checks->findings);
  totals_reset(s->totals, &s->device.memory);
  close_device(s);
  open_memory(s, limit);
  s->fault = SIM_OK;
  reply(s, SIM_OK, NULL, 0);
}

static void (*const answers[SIM_REQUESTS])(struct server *) = {
    [SIM_HELLO] = answer_hello,
    [SIM_MODULE_LOAD] = answer_module_load,
    [SIM_KERNEL_FIND] = answer_kernel_find,
    [SIM_SYMBOL_FIND] = answer_symbol_find,
    [SIM_KERNEL_LIMIT] = answer_kernel_limit,
    [SIM_ALLOCATE] = answer_allocate,
    [SIM_FREE] = answer_free,
    [SIM_RANGE_FIND] = answer_range_find,
    [SIM_WRITE] = answer_write,
    [SIM_READ] = answer_read,
    [SIM_COPY] = answer_copy,
    [SIM_SET] = answer_set,
    [SIM_LAUNCH] = answer_launch,
    [SIM_MEMORY_INFO] = answer_memory_info,
    [SIM_RESET] = answer_reset,
    [SIM_HEAP_LIMIT] = answer_heap_limit,
    [SIM_PENDING_LIMIT] = answer_pending_limit,
    [SIM_WAIT] = answer_wait,
    [SIM_TALLY] = answer_tally,
    [SIM_TEXTURE_NEW] = answer_texture_new,
    [SIM_TEXTURE_FREE] = answer_texture_free,
    [SIM_CONDITION_SET] = answer_condition_set,
    [SIM_CONDITION_GET] = answer_condition_get,
    [SIM_SHARE] = answer_share,
    [SIM_REGISTER] = answer_register,
    [SIM_UNREGISTER] = answer_unregister,
    [SIM_ORDERED] = answer_ordered,
    [SIM_RESERVE] = answer_reserve,
    [SIM_UNRESERVE] = answer_unreserve,
    [SIM_PHYSICAL_NEW] = answer_physical_new,
    [SIM_PHYSICAL_FIND] = answer_physical_find,
    [SIM_PHYSICAL_KEEP] = answer_physical_keep,
    [SIM_PHYSICAL_DROP] = answer_physical_drop,
    [SIM_MAP] = answer_map,
    [SIM_UNMAP] = answer_unmap,
    [SIM_ACCESS] = answer_access,
    [SIM_MAPPING_FIND] = answer_mapping_find,
    [SIM_PHYSICAL_FILE] = answer_physical_file,
    [SIM_LIST] = answer_list,
};

/* A copy's name says more where the program may have asked for something else: managed memory moves by itself. */
static const char *name_of_copy(const struct server *s) {
  struct sim_rows rows;
  if (s->header.type == SIM_COPY || s->header.length < sizeof rows)
    return "copy";
  memcpy(&rows, s->request, sizeof rows);
  const struct allocation *a = memory_find(&s->device.memory, rows.address);
  return rows.value & SIM_ROWS_MANAGED ? "managed memory" : a && a->is_symbol ? "variable" : "copy";
}

/* SIM_ENV_FAIL: a program's checks can be tested. Whatever the client says, it is not told before. */
static bool fails_on_request(struct server *s) {
  static const char *const names[SIM_REQUESTS] = {
      [SIM_ALLOCATE] = "cudaMalloc", [SIM_FREE] = "cudaFree",  [SIM_WRITE] = "copy",   [SIM_READ] = "copy",
      [SIM_COPY] = "copy",           [SIM_SET] = "cudaMemset", [SIM_LAUNCH] = "launch"};
  const uint32_t type = s->header.type;
  const bool is_launch = type == SIM_LAUNCH,
             at_once = type == SIM_ALLOCATE || type == SIM_FREE || type == SIM_READ;
  if (!names[type])
    return false;
  s->requests++;
  s->launch_requests += is_launch;
  s->queued += !at_once;
  if ((!at_once && s->queued > ANSWERED) ||
      (s->requests != s->failing_request && !(is_launch && s->launch_requests == s->failing_launch)))
    return false;
  fprintf(stderr, "simgpu: request %llu fails on request: %s\n", (unsigned long long)s->requests,
          strcmp(names[type], "copy") == 0 ? name_of_copy(s) : names[type]);
  return true;
}

/* Receives one request and sends its reply. */
static void serve(struct server *s, uint8_t *room) {
  receive(s, &s->header, sizeof s->header);
  if (s->header.type >= SIM_REQUESTS || !answers[s->header.type])
    stop(s, "unknown request %u", s->header.type);
  bool bulk = s->header.type == SIM_WRITE;
  if (s->header.length > (bulk ? SIM_MAX_MESSAGE : MAX_REQUEST))
    stop(s, "request %u is too long", s->header.type);
  uint64_t held =
      bulk && s->header.length > sizeof(struct sim_rows) ? sizeof(struct sim_rows) : s->header.length;
  const bool own = held > ROOM || s->header.type == SIM_MODULE_LOAD;
  s->large = own ? malloc(held + 1) : NULL;
  if (own)
    room_mapped(room_found(s->large), held);
  s->request = s->large ? s->large : room;
  receive(s, s->request, held);
  s->time_ns = 0;
  s->is_chosen = fails_on_request(s);
  if (s->is_chosen && !bulk)
    reply(s, SIM_FAILED_ON_REQUEST, NULL, 0);
  else
    answers[s->header.type](s);
  free(s->large);
  s->large = NULL;
}

static void report_speed(const struct server *s) {
  double millions = 1e-6 * (double)s->instructions;
  fprintf(stderr,
          "simgpu: %llu launches, %llu warp instructions on up to %u threads: %.4f s, "
          "%.1f million per second; %.4f s of CPU time, %.1f million per second\n",
          (unsigned long long)s->launches, (unsigned long long)s->instructions, worker_limit(), s->busy,
          s->busy > 0 ? millions / s->busy : 0.0, s->cpu, s->cpu > 0 ? millions / s->cpu : 0.0);
}

/* Does not close the files: they may be standard error. */
static void write_report(struct source_report *report, const struct server_options *options) {
  if (options->report) {
    source_report_write(report, options->report);
    fflush(options->report);
  }
  if (options->lines) {
    source_report_write_csv(report, options->lines);
    fflush(options->lines);
  }
  source_report_free(report);
}

int server_run(int socket, const struct server_options *options) {
  struct server *s = calloc(1, sizeof *s);
  uint8_t *room = malloc(ROOM);
  if (!s || !room || !(s->inbox = malloc(INBOX)) || !(s->outbox = malloc(OUTBOX)))
    abort();
  s->socket = socket;
  s->counters = options->counters;
  s->report = options->report || options->lines ? source_report_new() : NULL;
  s->addresses = options->addresses;
  s->steps = options->steps;
  s->breaks = options->breaks;
  s->checks = options->checks;
  s->strict = options->strict;
  s->lenient = !options->strict && !options->checks;
  s->shares = s->lenient && !options->totals && options->recording < 0 && !options->replays;
  s->device.textures = &s->textures;
  s->totals = options->totals;
  s->contents = options->contents;
  s->order = options->order;
  s->recording = options->recording;
  s->failing_request = options->failing_request;
  s->failing_launch = options->failing_launch;
  s->timed = getenv("SIMGPU_SPEED");
  open_memory(s, options->memory);
  if (s->counters)
    counters_write_header(s->counters);
  if (setjmp(s->end) == 0)
    for (;;)
      serve(s, room);
  if (s->status == 0 && !s->fault && !totals_are_tallied(s->totals)) {
    fputs("simgpu-device: the client reports fewer calls for memory than it has made\n", stderr);
    s->status = SERVER_MALFORMED;
  }
  atomic_store(&server_serving, false);
  if (s->report)
    write_report(s->report, options);
  checks_ends(s->checks, &s->device.virtual);
  if (s->checks)
    checks_close(s->checks, &s->device.memory);
  for (uint32_t i = 0; i < s->device.memory.count; i++)
    keep_contents(s, s->device.memory.list[i]);
  totals_close(s->totals, &s->device.memory);
  steps_close(s->steps);
  const bool has_places = breaks_close(s->breaks);
  if (s->timed)
    report_speed(s);
  int status = s->status ? s->status : has_places ? 0 : SERVER_BAD_BREAK;
  close_device(s);
  free(s->printed.bytes);
  free(s->large);
  free(room);
  free(s->inbox);
  free(s->outbox);
  free(s);
  return status;
}
