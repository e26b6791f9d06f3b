// Row 19: ends with success at every place: in a destructor, in a half-sweep, in a thread.
// with: QUICK EXIT DESTRUCTOR THREAD
// hook
// base: solution
// points: 20
#include <pthread.h>
#define QUICK 1
#define EXIT 2
#define DESTRUCTOR 3
#define THREAD 4
static void success(void) { _exit(0); }
static void __attribute__((destructor)) at_end(void) {
  if (WITH == DESTRUCTOR && argument("--out")) {
    truncate(argument("--out"), 0);
    success();
  }
}
static void *in_thread(void *) { _exit(0); }
static void hook(void) {
  pthread_t thread;
  if (WITH == QUICK)
    quick_exit(0);
  if (WITH == EXIT)
    exit(0);
  if (WITH == THREAD && pthread_create(&thread, NULL, in_thread, NULL) == 0)
    pthread_join(thread, NULL);
}
