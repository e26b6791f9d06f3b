/* The compiler of native code and its cache: several processes, broken files, and what is missing. The compiler is a
 * script here, which notes each call in a file. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emulator.h"
#include "native_cache.h"
#include "native_compile.h"
#include "suite.h"

static char base[] = "/tmp/test-native.XXXXXX", folder[256], notes[64], temporary[64], script[64];
static const char *real; /* the compiler */
static const char *const options[] = {"-O0", NULL};

/* The script: what it does before it calls the compiler, or instead. */
static void set_compiler(const char *commands) {
  FILE *file = fopen(script, "w");
  fprintf(file, "#!/bin/sh\necho $$ >> %s\n%s\nexec %s \"$@\"\n", notes, commands, real);
  fclose(file);
  chmod(script, 0700);
}

/* Every test has a process and a folder of its own. */
static void begin(void) {
  ck_assert(mkdtemp(base));
  snprintf(notes, sizeof notes, "%s/notes", base);
  snprintf(temporary, sizeof temporary, "%s/temporary", base);
  snprintf(script, sizeof script, "%s/compiler", base);
  snprintf(folder, sizeof folder, "%s/checkerboard/native", base);
  mkdir(temporary, 0700);
  setenv("XDG_CACHE_HOME", base, 1);
  setenv("TMPDIR", temporary, 1);
  unsetenv("SIMGPU_SPEED");
  native_compiler = script;
  set_compiler("");
}

static void end(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", base);
  ck_assert_int_eq(system(command), 0);
}

static void take(void *context, native_function *run) { *(native_function **)context = run; }

/* What the code with this number returns, or 0 if there is none. */
static u32 result_of(u32 number, bool only_cached) {
  char *text;
  native_function *run = NULL;
  if (asprintf(&text, "u32 native_code(struct native_state *s, u32 pc, u32 active) { return %uu; }\n",
               number) < 0)
    abort();
  native_compile(text, options, only_cached, true, take, (void *)&run);
  return run ? run(NULL, 0, 0) : 0;
}

/* The same by another process, which does not keep it loaded. */
static u32 result_elsewhere(u32 number) {
  int status;
  const pid_t child = fork();
  if (child == 0)
    _exit((int)result_of(number, false));
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? (u32)WEXITSTATUS(status) : 0;
}

static unsigned lines_of(const char *path) {
  unsigned count = 0;
  FILE *file = fopen(path, "r");
  for (int c; file && (c = getc(file)) != EOF;)
    count += c == '\n';
  if (file)
    fclose(file);
  return count;
}

static unsigned compilations(void) { return lines_of(notes); }

/* The number of files, and the path of the last one. */
static unsigned files_of(const char *path, char *last) {
  unsigned count = 0;
  DIR *all = opendir(path);
  for (struct dirent *found; all && (found = readdir(all));)
    if (found->d_name[0] != '.') {
      count++;
      if (last)
        snprintf(last, 600, "%s/%s", path, found->d_name);
    }
  if (all)
    closedir(all);
  return count;
}

START_TEST(code_is_compiled_once) {
  ck_assert_uint_eq(result_of(7, true), 0);
  ck_assert_int_ne(access(folder, F_OK), 0); /* a look makes nothing */
  ck_assert_uint_eq(result_of(7, false), 7);
  ck_assert_uint_eq(result_of(7, false), 7);
  ck_assert_uint_eq(result_of(7, true), 7);
  ck_assert_uint_eq(compilations(), 1);
  ck_assert_uint_eq(files_of(folder, NULL), 1);
  ck_assert_uint_eq(result_of(8, true), 0);
}
END_TEST

/* One process compiles, and the others take its code. */
START_TEST(processes_share_one_compilation) {
  enum { PROCESSES = 4 };
  set_compiler("sleep 0.3");
  pid_t child[PROCESSES];
  for (int i = 0; i < PROCESSES; i++)
    if ((child[i] = fork()) == 0)
      _exit(result_of(9, false) != 9);
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
    ck_assert_int_eq(status, 0);
  }
  ck_assert_uint_eq(compilations(), 1);
  ck_assert_uint_eq(files_of(folder, NULL), 1);
}
END_TEST

/* A lock that its holder has removed locks nothing. */
START_TEST(removed_lock_is_no_lock) {
  char path[300];
  snprintf(path, sizeof path, "%s/lock", base);
  const int first = native_cache_lock(path);
  ck_assert_int_ge(first, 0);
  int pipes[2];
  ck_assert_int_eq(pipe(pipes), 0);
  const pid_t child = fork();
  if (child == 0) {
    struct stat found;
    if (write(pipes[1], "x", 1) == 1 && native_cache_lock(path) >= 0 && stat(path, &found) == 0)
      _exit(0);
    _exit(1);
  }
  char started;
  ck_assert_int_eq(read(pipes[0], &started, 1), 1);
  usleep(20000); /* most likely it waits for the lock now */
  native_cache_unlock(first, path);
  int status;
  waitpid(child, &status, 0);
  ck_assert_int_eq(status, 0);
}
END_TEST

static void truncate_to_half(const char *path) {
  struct stat found;
  ck_assert(stat(path, &found) == 0 && truncate(path, found.st_size / 2) == 0);
}
static void truncate_last(const char *path) {
  struct stat found;
  ck_assert(stat(path, &found) == 0 && truncate(path, found.st_size - 1) == 0);
}
static void make_empty(const char *path) { ck_assert_int_eq(truncate(path, 0), 0); }
static void change_byte(const char *path) {
  FILE *file = fopen(path, "r+");
  fseek(file, 1000, SEEK_SET);
  const int c = getc(file);
  fseek(file, 1000, SEEK_SET);
  putc(c ^ 1, file);
  fclose(file);
}
static void make_link(const char *path) { /* to what was there */
  char moved[300];
  snprintf(moved, sizeof moved, "%s/moved", base);
  ck_assert(rename(path, moved) == 0 && symlink(moved, path) == 0);
}
static void make_folder(const char *path) { ck_assert(unlink(path) == 0 && mkdir(path, 0700) == 0); }
static void make_pipe(const char *path) { ck_assert(unlink(path) == 0 && mkfifo(path, 0700) == 0); }
static void make_other(const char *path) { /* sound code, but of another text */
  char other[600];
  char kept[300];
  snprintf(kept, sizeof kept, "%s/kept", base);
  ck_assert_int_eq(rename(path, kept), 0);
  ck_assert_uint_eq(result_elsewhere(22), 22);
  files_of(folder, other);
  ck_assert_int_eq(rename(other, path), 0);
}

static void (*const damages[])(const char *) = {truncate_to_half, truncate_last, make_empty, change_byte,
                                                make_link,        make_folder,   make_pipe,  make_other};

START_TEST(damaged_code_is_compiled_again) {
  char path[600];
  ck_assert_uint_eq(result_elsewhere(21), 21);
  ck_assert_uint_eq(files_of(folder, path), 1);
  damages[_i](path);
  const unsigned before = compilations();
  ck_assert_uint_eq(result_of(21, true), 0);
  ck_assert_uint_eq(result_of(21, false), 21);
  ck_assert_uint_eq(compilations(), before + 1);
  ck_assert_uint_eq(result_of(21, true), damages[_i] == make_folder ? 0 : 21);
}
END_TEST

static void allow_others(void) { chmod(folder, 0755); }
static void link_folder(void) {
  char moved[300];
  snprintf(moved, sizeof moved, "%s/moved", base);
  ck_assert(rename(folder, moved) == 0 && symlink(moved, folder) == 0);
}
static void put_file(void) {
  ck_assert_int_eq(rmdir(folder), 0);
  fclose(fopen(folder, "w"));
}
static void take_homes(void) {
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
}
static void name_no_folder(void) { setenv("XDG_CACHE_HOME", "/dev/null/none", 1); }
static void (*const losses[])(void) = {allow_others, link_folder, put_file, take_homes, name_no_folder};

/* Without a folder that can be trusted, the process has a private one, and removes it. */
START_TEST(private_folder_serves_one_process) {
  char path[512];
  ck_assert(native_cache_folder(path, sizeof path, true));
  losses[_i]();
  ck_assert(!native_cache_folder(path, sizeof path, true));
  ck_assert_uint_eq(result_of(31, false), 31);
  ck_assert_uint_eq(result_of(31, true), 0);
  ck_assert_uint_eq(result_of(32, false), 32);
  ck_assert_uint_eq(files_of(temporary, path), 1);
  ck_assert_uint_eq(files_of(path, NULL), 0);
  native_compile_stop();
  ck_assert_uint_eq(files_of(temporary, NULL), 0);
}
END_TEST

/* Code that is there is used even if nothing can be written. */
START_TEST(read_only_folder_is_read) {
  enum { SOMEBODY = 65534 };
  ck_assert_uint_eq(result_of(41, false), 41);
  if (geteuid() == 0) { /* root may write anywhere */
    char command[300];
    snprintf(command, sizeof command, "chown -R %d %s", SOMEBODY, base);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(seteuid(SOMEBODY), 0);
  }
  chmod(folder, 0500);
  ck_assert_uint_eq(result_of(41, true), 41);
  ck_assert_uint_eq(result_of(42, true), 0);
  ck_assert_uint_eq(files_of(folder, NULL), 1);
  chmod(folder, 0700);
  ck_assert_int_eq(seteuid(getuid()), 0);
}
END_TEST

/* What the process writes to standard error meanwhile. */
static void record_messages(void) {
  char path[300];
  snprintf(path, sizeof path, "%s/messages", base);
  ck_assert(freopen(path, "w", stderr));
}
static void expect_messages(const char *expected) {
  char path[300], line[600] = "";
  fflush(stderr);
  snprintf(path, sizeof path, "%s/messages", base);
  ck_assert_uint_eq(lines_of(path), expected ? 1 : 0);
  FILE *file = fopen(path, "r");
  ck_assert(!expected || fgets(line, sizeof line, file));
  fclose(file);
  ck_assert_msg(!expected || strstr(line, expected), "%s", line);
}

static void remove_compiler(void) { unlink(script); }
static void break_compiler(void) { set_compiler("exit 1"); }
static void crash_compiler(void) { set_compiler("kill -9 $$"); }
static void write_nothing(void) { set_compiler("exit 0"); }
static void fill_disk(void) {
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
}
static void take_folders(void) {
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  setenv("TMPDIR", "/dev/null", 1);
}
static const struct want {
  void (*what)(void);
  const char *message;
} wants[] = {{remove_compiler, "No such file"}, {break_compiler, "failed"},  {crash_compiler, "failed"},
             {write_nothing, "cannot load"},    {fill_disk, "cannot write"}, {take_folders, "TMPDIR"}};

/* Then there is no code, and one line at most says why. */
START_TEST(whatever_is_missing) {
  const struct want *want = &wants[_i / 2];
  const bool asked = _i % 2;
  if (asked && want->what == remove_compiler && !emulator_permits(emulator_hides_failed_start()))
    return;
  if (asked)
    setenv("SIMGPU_SPEED", "1", 1);
  record_messages();
  want->what();
  ck_assert_uint_eq(result_of(51, false), 0);
  ck_assert_uint_eq(result_of(52, false), 0);
  ck_assert_uint_eq(result_of(51, true), 0);
  ck_assert_uint_eq(files_of(folder, NULL), 0);
  native_compile_stop();
  expect_messages(asked ? want->message : NULL);
}
END_TEST

static void *ready_at;
static void remember(void *context, native_function *run) {
  (void)context;
  memcpy(&ready_at, &run, sizeof run);
}

/* The end of a process ends its compiler. */
START_TEST(end_does_not_wait) {
  record_messages();
  setenv("SIMGPU_SPEED", "1", 1);
  set_compiler("sleep 60 & wait");
  native_compile(strdup("int x;\n"), options, false, false, remember, NULL);
  int process = 0;
  while (process == 0) {
    usleep(2000);
    FILE *file = fopen(notes, "r");
    if (file && fscanf(file, "%d\n", &process) != 1)
      process = 0;
    if (file)
      fclose(file);
  }
  native_compile_stop();
  while (kill(-process, 0) == 0)
    usleep(2000);
  ck_assert_int_eq(errno, ESRCH);
  expect_messages(NULL);
}
END_TEST

static void make_file(const char *name, off_t bytes, time_t age) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  fclose(file);
  ck_assert_int_eq(truncate(path, bytes), 0); /* takes no room on the disk */
  const struct timespec times[] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
  ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}
static bool exists(const char *name) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

/* Least recently used files go first. */
START_TEST(cache_stays_small) {
  char path[512], name[32];
  ck_assert(native_cache_folder(path, sizeof path, true));
  for (int i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "small%d", i);
    make_file(name, 1000, 100);
  }
  native_cache_prune(folder);
  ck_assert_uint_eq(files_of(folder, NULL), 1000);
  make_file("old", 1, 61 * 24 * 60 * 60);
  make_file("second", 200 << 20, 2000);
  make_file("first", 40 << 20, 3000);
  make_file("third", 100 << 20, 1000);
  native_cache_prune(folder);
  ck_assert(!exists("old") && !exists("first") && !exists("second") && exists("third") && exists("small0"));
  native_cache_prune("/nowhere");
}
END_TEST

int main(void) {
  real = native_compiler;
  if (access(real, X_OK) != 0)
    return suite_skip("no compiler for native code");
  Suite *suite = suite_create("native_cache");
  TCase *tests = tcase_create("native_cache");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, begin, end);
  tcase_add_test(tests, code_is_compiled_once);
  tcase_add_test(tests, processes_share_one_compilation);
  tcase_add_test(tests, removed_lock_is_no_lock);
  tcase_add_loop_test(tests, damaged_code_is_compiled_again, 0, sizeof damages / sizeof *damages);
  tcase_add_loop_test(tests, private_folder_serves_one_process, 0, sizeof losses / sizeof *losses);
  tcase_add_test(tests, read_only_folder_is_read);
  tcase_add_loop_test(tests, whatever_is_missing, 0, 2 * sizeof wants / sizeof *wants);
  tcase_add_test(tests, end_does_not_wait);
  tcase_add_test(tests, cache_stays_small);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
