// The program waits in each half-sweep and allocates there. Its client of the device hides it: it claims that the
// device counts no waits, sends no such messages, or sends false ones. Its own functions
// take the place of libc's.
// with: HELLO WAITS TALLIES ORDERS EARLIER
// base: solution
// hook
// points: 92
// seconds: 200
#define HELLO 1
#define WAITS 2
#define TALLIES 3
#define ORDERS 4
#define EARLIER 5
struct header {
  uint32_t type, status;
  uint64_t length, time;
};
enum { WAIT = 17, TALLY = 20 };

extern "C" ssize_t recvmsg(int file, struct msghdr *message, int flags) {
  const ssize_t got = syscall(SYS_recvmsg, file, message, flags);
  static bool seen;
  const size_t length = message->msg_iovlen > 0 ? message->msg_iov[0].iov_len : 0;
  if (WITH == HELLO && !seen && length >= 100 && got >= (ssize_t)length) {
    uint32_t *words = (uint32_t *)message->msg_iov[0].iov_base;
    for (size_t n = 16; n < 28; n++) /* behind sizes; before the name */
      if (words[n] == 1)
        words[n] = 0, seen = true;
  }
  return got;
}

extern "C" ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  header *h = message->msg_iovlen > 0 && message->msg_iov[0].iov_len >= sizeof(header)
                  ? (header *)message->msg_iov[0].iov_base
                  : NULL;
  uint64_t *body = (uint64_t *)(h + 1);
  if (h && WITH == WAITS && h->length == 24 && h->type == WAIT)
    body[0] = body[1] = body[2] = 0;
  if (h && WITH == EARLIER && h->length == 24 && h->type == WAIT)
    body[1] = body[2] = 0;
  if (h && WITH == TALLIES && h->type == TALLY)
    memset(body, 0, h->length);
  if (h && WITH == ORDERS && h->length == 8 * 18)
    body[0] = 0, body[1] = 1;
  return syscall(SYS_sendmsg, file, message, flags);
}

static void hook(void) {
  void *scratch;
  if (WITH == TALLIES) {
    cudaMalloc(&scratch, 256);
    cudaFree(scratch);
  } else {
    cudaDeviceSynchronize();
  }
}
