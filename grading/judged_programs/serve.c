#include "serve.h"
#include "allocate.h"
#include "error.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reserves standard output for answers. */
static int take_output(void) {
  const int out = dup(STDOUT_FILENO);
  if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    error_die("serve: cannot duplicate standard output: %s", strerror(errno));
  return out;
}

static void send(int out, const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    const ssize_t sent = write(out, bytes + done, count - done);
    if (sent < 0 && errno != EINTR)
      error_die("serve: cannot write the answer: %s", strerror(errno));
    done += sent > 0 ? (size_t)sent : 0;
  }
}

/* False at the end of input. */
static bool next_request(uint64_t *seed, int *count) {
  char line[64], *rest, *end;
  if (!fgets(line, sizeof line, stdin))
    return false;
  line[strcspn(line, "\n")] = '\0';
  *seed = strtoull(line, &rest, 10);
  const long number = strtol(rest, &end, 10);
  if (!isdigit((unsigned char)line[0]) || rest[0] != ' ' || !isdigit((unsigned char)rest[1]) || *end ||
      number > INT_MAX)
    error_die("serve: request '%s': expected SEED COUNT", line);
  *count = (int)number;
  return true;
}

int serve(size_t bytes, double (*answer)(void *context, uint64_t seed, int count, void *result),
          void *context) {
  const int out = take_output();
  char *result = allocate_zeroed(bytes, 1);
  uint64_t seed;
  int count;
  while (next_request(&seed, &count)) {
    const double ms = answer(context, seed, count, result);
    send(out, result, bytes);
    fprintf(stderr, "serve: seed %llu: %d in %.6f ms by device events\n", (unsigned long long)seed, count,
            ms);
  }
  free(result);
  close(out);
  return 0;
}
