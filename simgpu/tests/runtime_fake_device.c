/* A device that computes nothing and misbehaves on request, to test the client.
 *
 * SIMGPU_FAKE="TYPE WHAT NUMBER" names the request that goes wrong and how:
 *   exit N, kill N   end before the reply, with this status or signal
 *   status N         this status, with nothing after the header
 *   type N, length N this value in the reply's header
 *   data N           a failure, with N bytes of data that it should not have
 *   count N          this parameter count in the description of a kernel
 *   offset N         this offset of its last parameter
 *   version N        this version in the description of the device
 *   hold N           no reply before a request of another type, even after N requests
 *   linger N         (TYPE 0) take N seconds to end after the client has hung up
 * Memory is one buffer at SIM_ADDRESS_FIRST. A launch stores its parameters there and prints "hello from a kernel". */
#include "../protocol.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char memory[1 << 20], message[2 << 20];
static uint64_t used = 512;
static int connection;

static struct {
  unsigned type;
  char what[16];
  unsigned long number;
} fake;

static int asked(unsigned type, const char *what) { return fake.type == type && !strcmp(fake.what, what); }

static int receive(void *into, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(connection, (char *)into + done, size - done);
    if (count <= 0)
      return 0;
    done += (size_t)count;
  }
  return 1;
}

static void send_all(const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = write(connection, (const char *)from + done, size - done);
    if (count <= 0)
      exit(0);
    done += (size_t)count;
  }
}

static void reply(unsigned type, const void *data, size_t size) {
  struct sim_header header = {
      .type = type, .status = SIM_OK, .length = size, .time_ns = type == SIM_ORDERED ? 0 : 1000};
  if (asked(type, "status")) {
    header.status = (uint32_t)fake.number;
    if (type != SIM_LAUNCH)
      header.length = size = 0;
  }
  if (asked(type, "data")) {
    header.status = SIM_INVALID_VALUE;
    data = memory;
    header.length = size = fake.number;
  }
  if (asked(type, "type"))
    header.type = (uint32_t)fake.number;
  if (asked(type, "length"))
    header.length = fake.number;
  send_all(&header, sizeof header);
  send_all(data, size);
}

/* Unanswered requests: their replies precede the next one. */
static unsigned held;

static void release(void) {
  const struct sim_header header = {.type = fake.type, .time_ns = 1000};
  for (; held; held--)
    send_all(&header, sizeof header);
}

/* Requests that a kernel's fault stops. */
static int dropped(unsigned type) {
  static int faulted;
  int work =
      type == SIM_LAUNCH || type == SIM_READ || type == SIM_WRITE || type == SIM_COPY || type == SIM_SET;
  if (faulted && work)
    send_all(&(struct sim_header){.type = type, .status = (uint32_t)fake.number}, sizeof(struct sim_header));
  int drop = faulted && work;
  faulted |= asked(type, "status") && fake.number >= SIM_FAULT_ADDRESS && fake.number < SIM_STATUSES;
  return drop;
}

static void answer_hello(void) {
  struct sim_device_info info = {
      .version = asked(SIM_HELLO, "version") ? (uint32_t)fake.number : SIM_PROTOCOL_VERSION,
      .compute_major = 9,
      .multiprocessors = 4,
      .warp_size = 32,
      .max_threads_per_block = 1024,
      .max_threads_per_multiprocessor = 2048,
      .max_blocks_per_multiprocessor = 32,
      .max_block = {1024, 1024, 64},
      .max_grid = {0x7fffffff, 65535, 65535},
      .shared_per_block = 48 << 10,
      .shared_per_block_optin = 227 << 10,
      .shared_per_multiprocessor = 228 << 10,
      .registers_per_block = 65536,
      .registers_per_multiprocessor = 65536,
      .counts_waits = 1,
      .shares = 1,
      .memory_bytes = sizeof memory,
      .name = "fake device",
  };
  reply(SIM_HELLO, &info, sizeof info);
}

/* Every kernel takes (u64, u32, u8 at 16). */
static void answer_kernel(void) {
  struct {
    struct sim_kernel_info info;
    struct sim_param params[3];
  } answer = {{.kernel = 7, .param_count = 3, .param_bytes = 17, .registers = 40, .max_threads = 1024},
              {{0, 8}, {8, 4}, {16, 1}}};
  if (asked(SIM_KERNEL_FIND, "count"))
    answer.info.param_count = (uint32_t)fake.number;
  if (asked(SIM_KERNEL_FIND, "offset"))
    answer.params[2].offset = (uint32_t)fake.number;
  reply(SIM_KERNEL_FIND, &answer, sizeof answer);
}

static char *at(uint64_t address) { return memory + (address - SIM_ADDRESS_FIRST) % sizeof memory; }

static void answer_read(void) {
  struct sim_rows rows;
  static char data[sizeof memory];
  memcpy(&rows, message, sizeof rows);
  for (uint64_t row = 0; row < rows.rows; row++)
    memcpy(data + row * rows.width, at(rows.address + row * rows.pitch), rows.width);
  reply(SIM_READ, data, rows.rows * rows.width);
}

static void answer_write(void) {
  struct sim_rows rows;
  memcpy(&rows, message, sizeof rows);
  for (uint64_t row = 0; row < rows.rows; row++)
    memcpy(at(rows.address + row * rows.pitch), message + sizeof rows + row * rows.width, rows.width);
  reply(SIM_WRITE, NULL, 0);
}

static void answer_range(unsigned type) {
  struct sim_range range = {SIM_ADDRESS_FIRST, 64};
  if (type == SIM_ALLOCATE) {
    memcpy(&range, message, sizeof range);
    range.address = SIM_ADDRESS_FIRST + used;
    used += (range.size + 511) / 512 * 512;
  }
  reply(type, &range, sizeof range);
}

static void answer(const struct sim_header *request) {
  static const char text[] = "hello from a kernel\n";
  switch (request->type) {
  case SIM_HELLO:
    answer_hello();
    break;
  case SIM_MODULE_LOAD:
  case SIM_TEXTURE_NEW:
  case SIM_PHYSICAL_NEW:
    reply(request->type, &(struct sim_id){1, 0}, sizeof(struct sim_id));
    break;
  case SIM_CONDITION_GET:
    reply(request->type, &(struct sim_condition){1, 0}, sizeof(struct sim_condition));
    break;
  case SIM_PHYSICAL_FIND:
    reply(request->type, &(struct sim_physical){SIM_GRANULE, 0, 0}, sizeof(struct sim_physical));
    break;
  case SIM_MAPPING_FIND:
    reply(request->type, &(struct sim_mapping){SIM_ADDRESS_FIRST, SIM_GRANULE, 1, 0, {0}},
          sizeof(struct sim_mapping));
    break;
  case SIM_KERNEL_FIND:
    answer_kernel();
    break;
  case SIM_ALLOCATE:
  case SIM_RANGE_FIND:
  case SIM_SYMBOL_FIND:
  case SIM_RESERVE:
    answer_range(request->type);
    break;
  case SIM_READ:
    answer_read();
    break;
  case SIM_WRITE:
    answer_write();
    break;
  case SIM_LAUNCH:
    memcpy(memory, message + sizeof(struct sim_launch), request->length - sizeof(struct sim_launch));
    reply(request->type, text, sizeof text - 1);
    break;
  case SIM_MEMORY_INFO:
    reply(request->type, &(struct sim_memory_info){1, 2}, sizeof(struct sim_memory_info));
    break;
  default:
    reply(request->type, NULL, 0);
  }
}

int main(int argc, char **argv) {
  const char *text = getenv("SIMGPU_FAKE");
  if (argc != 2 || (text && sscanf(text, "%u %15s %lu", &fake.type, fake.what, &fake.number) != 3))
    return 2;
  connection = atoi(argv[1]);
  struct sim_header request;
  while (receive(&request, sizeof request) && request.length <= sizeof message &&
         receive(message, request.length)) {
    if (asked(request.type, "exit"))
      return (int)fake.number;
    if (asked(request.type, "kill"))
      raise((int)fake.number);
    if (asked(request.type, "hold") && ++held <= fake.number)
      continue;
    release();
    if (!dropped(request.type))
      answer(&request);
  }
  if (asked(0, "linger"))
    sleep((unsigned)fake.number);
  return 0;
}
