#define _GNU_SOURCE /* pipe2 */
#include "time_session.h"
#include "error.h"
#include "timing.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLOSE_SECONDS = 5, PIPE_BYTES = 1 << 20 };

/* The program waits for requests, so it may be idle. A real GPU's runtime needs memory of its own. */
static const struct supervisor_limits limits = {
    .cpu_seconds = 300,
    .seconds = 1800,
    .memory = UINT64_C(8) << 30,
    .file = UINT64_C(64) << 20,
    .processes = 32,
    .foreign = true,
};

struct session session_open(const char *const *words, const struct jail *jail) {
  struct session session = {0};
  struct supervisor_limits jailed = limits;
  jailed.jail = jail;
  int requests[2], answers[2]; /* a socket, since writing to a closed pipe would end us */
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests) != 0 || pipe2(answers, O_CLOEXEC) != 0)
    error_die("%s: cannot connect: %s", words[0], strerror(errno));
  fcntl(answers[0], F_SETPIPE_SZ, PIPE_BYTES);
  session.process = program_start(&(struct program_order){
      .arguments = words, .limits = &jailed, .input = requests[1], .output = answers[1]});
  close(requests[1]);
  close(answers[1]);
  session.to = requests[0];
  session.from = answers[0];
  return session;
}

/* Waits until deadline for something to read: returns 1, or 0 after the deadline. */
static int wait_for(int from, double deadline) {
  struct pollfd one = {.fd = from, .events = POLLIN};
  int ready;
  do {
    const double left = deadline - timing_now();
    ready = poll(&one, 1, left > 0 ? (int)ceil(1000 * left) : 0);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

static enum session_status receive(int from, char *answer, size_t bytes, double deadline) {
  for (size_t done = 0; done < bytes;) {
    if (!wait_for(from, deadline))
      return SESSION_TIMED_OUT;
    const ssize_t got = read(from, answer + done, bytes - done);
    if (got == 0 || (got < 0 && errno != EINTR))
      return SESSION_ENDED;
    done += got > 0 ? (size_t)got : 0;
  }
  return SESSION_ANSWERED;
}

enum session_status session_request(struct session *session, uint64_t seed, int count, void *answer,
                                    size_t bytes, double limit, double *seconds) {
  char request[64], byte;
  if (wait_for(session->from, 0))
    return read(session->from, &byte, 1) == 1 ? SESSION_UNREQUESTED : SESSION_ENDED;
  const int length = snprintf(request, sizeof request, "%llu %d\n", (unsigned long long)seed, count);
  const double start = timing_now();
  if (send(session->to, request, (size_t)length, MSG_NOSIGNAL) != length)
    return SESSION_ENDED;
  const enum session_status status = receive(session->from, answer, bytes, start + limit);
  *seconds = timing_now() - start;
  return status;
}

void session_end(struct session *session) {
  if (session->to >= 0)
    close(session->to);
  session->to = -1;
}

struct program_result session_close(struct session *session) {
  session_end(session);
  struct program_result result = program_finish(&session->process, CLOSE_SECONDS);
  close(session->from);
  return result;
}

double session_device_ms(const struct program_result *result) {
  double ms = NAN, last = NAN;
  for (const char *at = result->message; (at = strstr(at, "serve: seed ")); at++)
    if (sscanf(at, "serve: seed %*u: %*d in %lf ms", &ms) == 1)
      last = ms;
  return last;
}
