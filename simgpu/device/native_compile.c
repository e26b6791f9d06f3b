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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native_cache.h"
#include "room.h"

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

struct job {
  char *text;
  const char *const *options;
  bool only_cached;
  void (*ready)(void *, native_function *);
  void *context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one compilation at a time */
static atomic_int compiler;                              /* its process, or 0 */
static char *temporary;                                  /* folder to remove, or NULL */

static native_function *load(const char *path) {
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *found = object ? dlsym(object, "native_code") : NULL;
  native_function *run;
  memcpy(&run, &found, sizeof run);
  return run;
}

static bool write_source(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  fwrite(native_code_start, 1, (size_t)(native_code_end - native_code_start), file);
  fputs(text, file);
  const bool written = !ferror(file);
  return fclose(file) == 0 && written;
}

/* The compiler gets nothing of the program's environment. */
static bool run_compiler(const char *const *options, const char *source, const char *object) {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", language[] = "LC_ALL=C";
  char *const environment[] = {path, language, NULL};
  const char *arguments[32] = {NATIVE_COMPILER};
  uint32_t count = 1;
  for (uint32_t i = 0; i < sizeof flags / sizeof *flags; i++)
    arguments[count++] = flags[i];
  for (; *options; options++)
    arguments[count++] = *options;
  const char *const rest[] = {"-x", "c", source, "-o", object, "-lm", NULL};
  memcpy(arguments + count, rest, sizeof rest);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  const int failed =
      posix_spawn(&child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return false;
  atomic_store(&compiler, child);
  setpriority(PRIO_PROCESS, (id_t)child, 10);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  atomic_store(&compiler, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static native_function *compile(const struct job *job) {
  char name[64], path[4096], source[4200], object[4200];
  const char *folder = native_cache_folder();
  const char *parts[] = {native_code_start, job->text, NATIVE_COMPILER, NATIVE_VERSION};
  native_cache_name(parts, sizeof parts / sizeof *parts, job->options, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s.so", folder ? folder : "", name);
  if (folder && access(path, R_OK) == 0)
    return load(path);
  if (job->only_cached)
    return NULL;
  if (!folder && !temporary)
    temporary = native_cache_temporary();
  if (!folder && !temporary)
    return NULL;
  const char *place = folder ? folder : temporary;
  snprintf(source, sizeof source, "%s/%s.%d.c", place, name, (int)getpid());
  snprintf(object, sizeof object, "%s/%s.%d.tmp", place, name, (int)getpid());
  native_function *run = NULL;
  if (write_source(source, job->text) && run_compiler(job->options, source, object)) {
    if (folder && rename(object, path) == 0) {
      native_cache_prune(folder);
      run = load(path);
    } else {
      run = load(object);
    }
  }
  unlink(source);
  unlink(object);
  return run;
}

static void *work(void *context) {
  struct job *job = context;
  pthread_mutex_lock(&lock);
  native_function *run = compile(job);
  if (run)
    job->ready(job->context, run);
  else if (!job->only_cached && getenv("SIMGPU_SPEED"))
    fprintf(stderr, "simgpu: no native code: %s failed\n", NATIVE_COMPILER);
  pthread_mutex_unlock(&lock);
  free(job->text);
  free(job);
  return NULL;
}

void native_compile(char *text, const char *const *options, bool only_cached, bool wait,
                    void (*ready)(void *, native_function *), void *context) {
  struct job *job = room_zeroed(1, sizeof *job);
  *job = (struct job){text, options, only_cached, ready, context};
  pthread_t thread;
  if (wait || pthread_create(&thread, NULL, work, job) != 0)
    work(job);
  else
    pthread_detach(thread);
}

void native_compile_stop(void) {
  const int child = atomic_exchange(&compiler, 0);
  if (child > 0)
    kill(child, SIGKILL);
  if (temporary)
    rmdir(temporary);
}
