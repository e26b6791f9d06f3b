#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  DEVICE_SOCKET = 3, /* descriptor number in the device process */
  IOVECS = 64,
  CLOSE_WAIT_MS = 5000,
  DEATH_WAIT_MS = 1000,
};

__attribute__((format(printf, 1, 2))) static bool complain(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "simgpu: %s\n", line);
  return false;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A descriptor that becomes readable when the process ends; -1 before Linux 5.3. */
static int watch_process(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

/* Waits a limited time for our device process to end. Returns false if it is still running. */
static bool await_device(pid_t device, int milliseconds, int *status) {
  struct pollfd ending = {.fd = watch_process(device), .events = POLLIN};
  const int64_t deadline = now_ms() + milliseconds;
  pid_t ended;
  for (;;) {
    ended = waitpid(device, status, WNOHANG);
    if (ended < 0 && errno == EINTR)
      continue;
    const int64_t left = deadline - now_ms();
    if (ended || left <= 0)
      break;
    poll(&ending, 1, ending.fd < 0 ? 1 : (int)left);
  }
  if (ended < 0) /* the program itself reaped it, so the cause is lost */
    *status = 0;
  if (ending.fd >= 0)
    close(ending.fd);
  return ended;
}

static void hang_up(struct connection *connection) {
  if (connection->socket >= 0)
    close(connection->socket);
  connection->socket = -1;
  connection->queued = 0;
  connection->inbox_at = connection->inbox_end = 0;
}

/* The device has closed the connection: reports why, if that is known. */
static bool device_ended(struct connection *connection) {
  int status = 0;
  hang_up(connection);
  if (connection->device && await_device(connection->device, DEATH_WAIT_MS, &status))
    connection->device = 0;
  if (WIFSIGNALED(status))
    return complain("the device process ended (killed by signal %d)", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status))
    return complain("the device process ended (exit status %d)", WEXITSTATUS(status));
  return complain("the device process ended");
}

bool connection_malformed(struct connection *connection, const char *what) {
  hang_up(connection);
  return complain("malformed reply from the device process: %s", what);
}

/* Fills at most `limit` iovecs with the rest of the rows after their first `done` bytes. */
static int describe_rows(struct iovec *iovecs, int limit, const struct host_rows *rows, size_t done) {
  int count = 0;
  if (!rows || !rows->width)
    return 0;
  size_t row = done / rows->width, column = done % rows->width;
  for (; row < rows->rows && count < limit; row++, column = 0)
    iovecs[count++] =
        (struct iovec){(char *)rows->address + row * rows->pitch + column, rows->width - column};
  return count;
}

/* After a failed system call. Returns true to try again. */
static bool retry(struct connection *connection) {
  if (errno == EINTR)
    return true;
  if (errno == EFAULT) {
    complain("a copy reads or writes host memory that the program does not own");
    raise(SIGSEGV); /* as a driver's copy would, at the same place */
  }
  return device_ended(connection);
}

static bool take_in(struct connection *connection);

/* The device may wait until the client reads, so its replies go first. */
static bool await_room(struct connection *connection) {
  struct pollfd socket = {.fd = connection->socket, .events = POLLOUT | (connection->queued ? POLLIN : 0)};
  if (poll(&socket, 1, -1) < 0)
    return retry(connection);
  return !(socket.revents & POLLIN) || take_in(connection);
}

/* Sends all of `first` and then all of `rows`. */
static bool send_all(struct connection *connection, struct host_rows first, const struct host_rows *rows) {
  size_t first_size = first.width, total = first_size + (rows ? rows->width * rows->rows : 0);
  for (size_t done = 0; done < total;) {
    struct iovec iovecs[IOVECS];
    int count = done < first_size ? describe_rows(iovecs, 1, &first, done) : 0;
    count += describe_rows(iovecs + count, IOVECS - count, rows, done < first_size ? 0 : done - first_size);
    struct msghdr message = {.msg_iov = iovecs, .msg_iovlen = (size_t)count};
    int flags = MSG_NOSIGNAL | (connection->queued ? MSG_DONTWAIT : 0);
    ssize_t sent = sendmsg(connection->socket, &message, flags);
    if (sent > 0)
      done += (size_t)sent;
    else if (!(errno == EAGAIN || errno == EWOULDBLOCK ? await_room(connection) : retry(connection)))
      return false;
  }
  return true;
}

/* Reads at least one byte of the replies to queued requests; `done` bytes of the first header are already
 * there. It reads no further than one header per queued request, because the data of the next request must go
 * straight to its place. */
static bool fill_inbox(struct connection *connection, size_t done) {
  size_t most = connection->queued * sizeof(struct sim_header) - done;
  most = most < sizeof connection->inbox ? most : sizeof connection->inbox;
  for (;;) {
    ssize_t received = recv(connection->socket, connection->inbox, most, 0);
    connection->inbox_at = 0;
    connection->inbox_end = received > 0 ? (size_t)received : 0;
    if (received > 0)
      return true;
    if (received == 0)
      return device_ended(connection);
    if (!retry(connection))
      return false;
  }
}

static size_t take_from_inbox(struct connection *connection, char *into, size_t size) {
  size_t held = connection->inbox_end - connection->inbox_at;
  size = size < held ? size : held;
  memcpy(into, connection->inbox + connection->inbox_at, size);
  connection->inbox_at += size;
  return size;
}

bool connection_receive(struct connection *connection, const struct host_rows *into) {
  size_t total = into->width * into->rows;
  if (connection->socket < 0)
    return false;
  for (size_t done = 0; done < total;) {
    struct iovec iovecs[IOVECS];
    struct msghdr message = {.msg_iov = iovecs,
                             .msg_iovlen = (size_t)describe_rows(iovecs, IOVECS, into, done)};
    ssize_t received = recvmsg(connection->socket, &message, 0);
    if (received > 0)
      done += (size_t)received;
    else if (received == 0)
      return device_ended(connection);
    else if (!retry(connection))
      return false;
  }
  return true;
}

bool connection_receive_text(struct connection *connection, size_t length) {
  if (!length)
    return true;
  size_t needed = connection->text_length + length;
  if (needed > connection->text_room) {
    char *text = realloc(connection->text, 2 * needed);
    if (!text)
      return connection_malformed(connection, "more text than fits in memory");
    connection->text = text;
    connection->text_room = 2 * needed;
  }
  char *to = connection->text + connection->text_length;
  size_t here = take_from_inbox(connection, to, length), rest = length - here;
  if (!connection_receive(connection, &(struct host_rows){to + here, rest, 1, rest}))
    return false;
  connection->text_length += length;
  return true;
}

void connection_note(struct connection *connection, enum sim_status status) {
  if (!connection->fault && status >= SIM_FAULT_ADDRESS)
    connection->fault = status;
}

static bool check_header(struct connection *connection, uint32_t type, const struct sim_header *reply) {
  if (reply->type != type || reply->status >= SIM_STATUSES || reply->length > SIM_MAX_MESSAGE)
    return connection_malformed(connection, "header");
  connection->clock_ns += reply->time_ns;
  return true;
}

/* Takes the reply to the oldest queued request. */
static bool take_in(struct connection *connection) {
  struct sim_header reply;
  for (size_t done = 0; done < sizeof reply;) {
    if (connection->inbox_at == connection->inbox_end && !fill_inbox(connection, done))
      return false;
    done += take_from_inbox(connection, (char *)&reply + done, sizeof reply - done);
  }
  uint32_t type = connection->types[connection->first];
  connection->first = (connection->first + 1) % CONNECTION_QUEUE;
  connection->queued--;
  if (!check_header(connection, type, &reply))
    return false;
  if (reply.length && type != SIM_LAUNCH)
    return connection_malformed(connection, reply.status ? "failure with data" : "length");
  if (reply.status && reply.status < SIM_FAULT_ADDRESS)
    return connection_malformed(connection, "refusal of queued work");
  connection_note(connection, reply.status);
  return connection_receive_text(connection, reply.length);
}

bool connection_settle(struct connection *connection) {
  while (connection->queued)
    if (!take_in(connection))
      return false;
  return true;
}

static bool send_request(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                         const struct host_rows *data) {
  struct {
    struct sim_header header;
    char fixed[sizeof(struct sim_texture)]; /* the longest */
  } message;
  message.header = (struct sim_header){.type = type, .length = size + (data ? data->width * data->rows : 0)};
  if (connection->socket < 0 || size > sizeof message.fixed || message.header.length > SIM_MAX_MESSAGE)
    return false;
  if (size)
    memcpy(message.fixed, fixed, size);
  size_t first = sizeof message.header + size;
  return send_all(connection, (struct host_rows){&message, first, 1, first}, data);
}

bool connection_request(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                        const struct host_rows *data, struct sim_header *reply) {
  return send_request(connection, type, fixed, size, data) && connection_settle(connection) &&
         connection_receive(connection, &(struct host_rows){reply, sizeof *reply, 1, sizeof *reply}) &&
         check_header(connection, type, reply);
}

bool connection_queue(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                      const struct host_rows *data) {
  if (connection->queued == CONNECTION_QUEUE)
    while (connection->queued > CONNECTION_QUEUE / 2)
      if (!take_in(connection))
        return false;
  if (!send_request(connection, type, fixed, size, data))
    return false;
  connection->types[(connection->first + connection->queued++) % CONNECTION_QUEUE] = type;
  return true;
}

/* For the grader: the environment names an open socket. */
static bool adopt_socket(struct connection *connection, const char *text) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  struct stat status;
  if (errno || end == text || *end || number < 0 || number > INT_MAX || fstat((int)number, &status) ||
      !S_ISSOCK(status.st_mode) || fcntl((int)number, F_SETFD, FD_CLOEXEC))
    return complain("%s=%s is not the number of an open socket", SIM_ENV_SOCKET, text);
  connection->socket = (int)number;
  return true;
}

static bool start_device(struct connection *connection) {
  const char *path = getenv(SIM_ENV_DEVICE);
  if (!path || !*path)
    path = device_path;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return complain("cannot create a socket for the device: %s", strerror(errno));

  char number[16];
  snprintf(number, sizeof number, "%d", DEVICE_SOCKET);
  char *arguments[] = {(char *)path, number, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], DEVICE_SOCKET);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  /* The program's pipes must not stay open in the device. */
  posix_spawn_file_actions_addclosefrom_np(&actions, DEVICE_SOCKET + 1);
#endif
  int error = posix_spawn(&connection->device, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    connection->device = 0;
    return complain("cannot start the device '%s': %s (%s can name another path)", path, strerror(error),
                    SIM_ENV_DEVICE);
  }
  connection->socket = ends[0];
  return true;
}

bool connection_open(struct connection *connection, struct sim_device_info *info) {
  *connection = (struct connection){.socket = -1};
  const char *inherited = getenv(SIM_ENV_SOCKET);
  if (!(inherited && *inherited ? adopt_socket(connection, inherited) : start_device(connection)))
    return false;

  struct sim_hello hello = {.version = SIM_PROTOCOL_VERSION};
  struct sim_header reply;
  if (!connection_request(connection, SIM_HELLO, &hello, sizeof hello, NULL, &reply))
    return false;
  if (reply.status == SIM_OK && reply.length != sizeof *info)
    return connection_malformed(connection, "hello");
  if (reply.status == SIM_OK &&
      !connection_receive(connection, &(struct host_rows){info, sizeof *info, 1, sizeof *info}))
    return false;
  if (reply.status != SIM_OK || info->version != SIM_PROTOCOL_VERSION) {
    hang_up(connection);
    return complain("the device does not speak version %u of the protocol: build it and the program from the "
                    "same source",
                    SIM_PROTOCOL_VERSION);
  }
  info->name[sizeof info->name - 1] = '\0';
  return true;
}

void connection_close(struct connection *connection) {
  int status;
  hang_up(connection);
  if (connection->device && !await_device(connection->device, CLOSE_WAIT_MS, &status)) {
    kill(connection->device, SIGKILL);
    waitpid(connection->device, &status, 0);
  }
  connection->device = 0;
}

void connection_abandon(struct connection *connection) {
  hang_up(connection);
  connection->device = 0;
  connection->text_length = 0; /* the parent prints it */
}
