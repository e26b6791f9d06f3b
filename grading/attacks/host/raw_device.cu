// Speaks to the device itself beside the runtime: it repeats all requests of the runtime, or answers for the device.
// with: TWICE ANSWER THREAD
// base: solution
// points: 100
// expect: PASS WRONG CRASH VIOLATION TIMEOUT UNWRITTEN
// seconds: 240
// hook
#include <pthread.h>
enum { TWICE, ANSWER, THREAD };
static void *speak(void *) {
  char bytes[4096];
  for (int n = 0; n < 100; n++)
    if (recv(3, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
      continue;
  return NULL;
}
static void hook(void) {
  pthread_t thread;
  char bytes[256];
  int ends[2];
  if (WITH == TWICE) {
    memset(bytes, 0, sizeof bytes);
    bytes[0] = 7;
    if (write(3, bytes, 24) < 0)
      return;
  }
  if (WITH == ANSWER && pipe(ends) == 0) {
    memset(bytes, 0, sizeof bytes);
    for (int n = 0; n < 64; n++)
      if (write(ends[1], bytes, sizeof bytes) < 0)
        break;
    dup2(ends[0], 3);
  }
  if (WITH == THREAD && pthread_create(&thread, NULL, speak, NULL) == 0)
    pthread_detach(thread);
}
