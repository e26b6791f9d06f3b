#define _GNU_SOURCE /* dlopen, posix_spawn */
#include "native_compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/room.h"
#include "native_cache.h"

/* native_code.h with all that it includes; CMakeLists.txt */
__asm__(".section .rodata\n"
        ".global native_code_start, native_code_end\n"
        "native_code_start:\n"
        ".incbin \"" NATIVE_CODE "\"\n"
        "native_code_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char native_code_start[], native_code_end[];

static const char *const flags[] = {NATIVE_FLAGS};
const char *native_compiler = NATIVE_COMPILER;

enum { STOP_MS = 100 };

struct job {
  char *text;
  const char *const *options;
  bool only_cached, wait;
  void (*ready)(void *, native_function *);
  void *context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one compilation at a time */
static atomic_int compiler;                              /* its process group, or 0 */
static atomic_bool reported, stopped;                    /* stopped: no more compilations */
static _Atomic(char *) temporary;                        /* folder to remove, or NULL */

static void report(const char *why, const char *what) {
  if (getenv("SIMGPU_SPEED") && !atomic_exchange(&reported, true))
    fprintf(stderr, "simgpu: no native code: %s: %s\n", what, why);
}

static native_function *load(const char *path) {
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *found = object ? dlsym(object, "native_code") : NULL;
  native_function *run;
  memcpy(&run, &found, sizeof run);
  if (!run)
    report("cannot load it", path);
  return run;
}

static bool write_source(const char *path, const char *text) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file)
    return false;
  fwrite(native_code_start, 1, (size_t)(native_code_end - native_code_start), file);
  fputs(text, file);
  const bool written = !ferror(file);
  return fclose(file) == 0 && written;
}

/* Starts the compiler in a process group of its own, with nothing of the program's environment; 0 or an error. */
static int start_compiler(const char *const *arguments, pid_t *child) {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", language[] = "LC_ALL=C";
  char *const environment[] = {path, language, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(child, arguments[0], &actions, &attributes,
                                (char *const *)(uintptr_t)arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static bool run_compiler(const char *const *options, const char *source, const char *object) {
  const char *arguments[32] = {native_compiler};
  uint32_t count = 1;
  for (uint32_t i = 0; i < sizeof flags / sizeof *flags; i++)
    arguments[count++] = flags[i];
  for (; *options; options++)
    arguments[count++] = *options;
  const char *const rest[] = {"-x", "c", source, "-o", object, "-lm", NULL};
  memcpy(arguments + count, rest, sizeof rest);
  pid_t child;
  const int error = start_compiler(arguments, &child);
  if (error) {
    atomic_store(&stopped, true);
    report(strerror(error), native_compiler);
    return false;
  }
  atomic_store(&compiler, child);
  if (atomic_load(&stopped))
    kill(-child, SIGTERM);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  atomic_store(&compiler, 0);
  const bool compiled = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!compiled && !atomic_load(&stopped))
    report("failed", native_compiler);
  return compiled;
}

/* Compiles the text in the folder. If `path` is not NULL, the object gets that name. */
static native_function *compile_in(const char *folder, const struct job *job, const char *name,
                                   const char *path) {
  native_function *run = NULL;
  char source[4200], object[4200];
  snprintf(source, sizeof source, "%s/%s.%d.c", folder, name, (int)getpid());
  snprintf(object, sizeof object, "%s/%s.%d.tmp", folder, name, (int)getpid());
  if (!write_source(source, job->text))
    report("cannot write all of it", source);
  else if (run_compiler(job->options, source, object)) {
    const bool named = path && native_cache_seal(object, name) && rename(object, path) == 0;
    run = load(named ? path : object);
    if (named)
      native_cache_prune(folder);
  }
  unlink(source);
  unlink(object);
  return run;
}

/* Another process may compile the same text: then this one waits, and looks again. */
static native_function *compile_cached(const char *folder, const struct job *job, const char *name,
                                       const char *path) {
  char lock_path[4200];
  snprintf(lock_path, sizeof lock_path, "%s/%s.lock", folder, name);
  const int held = native_cache_lock(lock_path);
  native_function *run = native_cache_has(path, name) ? load(path) : NULL;
  if (!run)
    run = compile_in(folder, job, name, path);
  native_cache_unlock(held, lock_path);
  return run;
}

static native_function *compile_elsewhere(const struct job *job, const char *name) {
  if (!atomic_load(&temporary))
    atomic_store(&temporary, native_cache_temporary());
  if (atomic_load(&temporary))
    return compile_in(atomic_load(&temporary), job, name, NULL);
  report("cannot make a folder in it", "TMPDIR");
  return NULL;
}

static native_function *compile(const struct job *job) {
  char name[64], folder[4000], path[4200];
  const bool cached = native_cache_folder(folder, sizeof folder, !job->only_cached);
  const char *parts[] = {native_code_start, job->text, native_compiler, NATIVE_VERSION, NATIVE_FLAGS};
  native_cache_name(parts, sizeof parts / sizeof *parts, job->options, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  native_function *run = cached && native_cache_has(path, name) ? load(path) : NULL;
  if (run || job->only_cached)
    return run;
  pthread_mutex_lock(&lock);
  if (!atomic_load(&stopped))
    run = cached && access(folder, W_OK) == 0 ? compile_cached(folder, job, name, path)
                                              : compile_elsewhere(job, name);
  pthread_mutex_unlock(&lock);
  return run;
}

static void *work(void *context) {
  struct job *job = context;
  native_function *run = compile(job);
  if (run)
    job->ready(job->context, run);
  free(job->text);
  free(job);
  return NULL;
}

void native_compile(char *text, const char *const *options, bool only_cached, bool wait,
                    void (*ready)(void *, native_function *), void *context) {
  struct job *job = room_zeroed(1, sizeof *job);
  *job = (struct job){text, options, only_cached, wait, ready, context};
  pthread_t thread;
  if (wait) {
    work(job);
  } else if (pthread_create(&thread, NULL, work, job) == 0) {
    pthread_detach(thread);
  } else {
    free(job->text);
    free(job);
  }
}

void native_compile_stop(void) {
  atomic_store(&stopped, true);
  const int group = atomic_exchange(&compiler, 0);
  if (group > 0)
    kill(-group, SIGTERM); /* gcc removes its files */
  if (group <= 0 && !atomic_load(&temporary))
    return;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += STOP_MS * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  if (pthread_mutex_timedlock(&lock, &until) == 0 && atomic_load(&temporary)) /* its files are removed */
    rmdir(atomic_load(&temporary));
}
