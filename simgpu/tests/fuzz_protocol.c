/* Sends any bytes as a client's requests: each gets a reply or ends the connection, without and with
 * checks, and with totals. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "checks.h"
#include "fuzz.h"
#include "protocol.h"
#include "server.h"
#include "totals.h"

enum { MOST_BYTES = 64 << 10, MOST_MESSAGES = 256 };
#define DEVICE_MEMORY (UINT64_C(16) << 20)

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  setenv("SIMGPU_BUDGET", "70000", 1);
  setenv("SIMGPU_THREADS", "1", 1);
  return 0;
}

static size_t message(const uint8_t *data, size_t size, size_t at, struct sim_header *header) {
  if (size - at < sizeof *header)
    return 0;
  memcpy(header, data + at, sizeof *header);
  if (header->length > size - at - sizeof *header)
    return 0;
  return sizeof *header + (size_t)header->length;
}

/* A client may request 2^63 blocks and wait for them; the fuzzer requests few. */
static void shrink_grids(uint8_t *data, size_t size) {
  struct sim_header header;
  struct sim_launch launch;
  for (size_t at = 0, length; (length = message(data, size, at, &header)) > 0; at += length) {
    if (header.type != SIM_LAUNCH || header.length < sizeof launch)
      continue;
    memcpy(&launch, data + at + sizeof header, sizeof launch);
    for (int d = 0; d < 3; d++)
      launch.grid[d] = launch.grid[d] > 65535 ? launch.grid[d] : launch.grid[d] % 4;
    if (launch.grid[0] <= INT32_MAX)
      launch.grid[0] %= 4;
    memcpy(data + at + sizeof header, &launch, sizeof launch);
  }
}

static void *drain(void *socket) {
  char replies[65536];
  while (recv(*(int *)socket, replies, sizeof replies, 0) > 0)
    continue;
  return NULL;
}

enum { PLAIN, CHECKED, JUDGED }; /* without and with checks, and with totals, too */

static void serve(const uint8_t *requests, size_t size, int how) {
  enum { STREAMS = 5 };
  int ends[2], room = 4 * MOST_BYTES;
  pthread_t reader;
  FILE *streams[STREAMS];
  char *text[STREAMS];
  size_t text_size[STREAMS];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    abort();
  setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  if (pthread_create(&reader, NULL, drain, &ends[0]) != 0 ||
      send(ends[0], requests, size, MSG_NOSIGNAL) != (ssize_t)size || shutdown(ends[0], SHUT_WR) != 0)
    abort();
  for (int i = 0; i < STREAMS; i++)
    if (!(streams[i] = open_memstream(&text[i], &text_size[i])))
      abort();
  struct server_options options = {.memory = DEVICE_MEMORY,
                                   .recording = -1,
                                   .report = streams[0],
                                   .lines = streams[1],
                                   .counters = streams[2]};
  if (how != PLAIN)
    options.checks = checks_new(CHECK_ALL, streams[3]);
  if (how == JUDGED)
    options.totals = totals_new(streams[4], NULL, NULL, checks_of_streams(options.checks));
  int status = server_run(ends[1], &options);
  if (status != 0 && status != SERVER_MALFORMED)
    abort();
  close(ends[1]);
  pthread_join(reader, NULL);
  close(ends[0]);
  for (int i = 0; i < STREAMS; i++) {
    fclose(streams[i]);
    free(text[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > MOST_BYTES)
    return 0;
  uint8_t *requests = malloc(size);
  if (!requests)
    abort();
  memcpy(requests, data, size);
  shrink_grids(requests, size);
  for (int how = PLAIN; how <= JUDGED; how++)
    serve(requests, size, how);
  free(requests);
  return 0;
}

/* Usually changes the body of one message and corrects its length; otherwise repeats, moves or drops messages. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  size_t starts[MOST_MESSAGES + 1], count = 0, at = 0;
  struct sim_header header;
  for (size_t length; count < MOST_MESSAGES && (length = message(data, size, at, &header)) > 0; at += length)
    starts[count++] = at;
  starts[count] = at;
  if (count == 0 || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  size_t chosen = (seed >> 8) % count, start = starts[chosen], length = starts[chosen + 1] - start;
  uint8_t *copy = malloc(most + sizeof header);
  if (!copy)
    abort();
  memcpy(copy, data + start, length);
  if (seed % 8 == 1) { /* repeat the message somewhere */
    start = starts[(seed >> 16) % (count + 1)];
    size_t tail = size - start;
    if (size + length <= most) {
      memmove(data + start + length, data + start, tail);
      memcpy(data + start, copy, length);
      size += length;
    }
  } else if (seed % 8 == 2) { /* drop the message */
    memmove(data + start, data + start + length, size - start - length);
    size -= length;
  } else {
    memcpy(&header, copy, sizeof header);
    size_t others = size - length, room = most - others;
    size_t body = length - sizeof header;
    if (room > sizeof header)
      body = LLVMFuzzerMutate(copy + sizeof header, body, room - sizeof header);
    header.length = body;
    memcpy(copy, &header, sizeof header);
    memmove(data + start + sizeof header + body, data + start + length, size - start - length);
    memcpy(data + start, copy, sizeof header + body);
    size = others + sizeof header + body;
  }
  free(copy);
  return size;
}
