/* hostile DEED: a program that misbehaves in one way, for test_program. */
#define _GNU_SOURCE /* pipe2, environ, unshare */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void write_without_end(FILE *file) {
  static char text[1 << 16];
  memset(text, 'x', sizeof text);
  while (fwrite(text, 1, sizeof text, file) == sizeof text)
    ;
  exit(0); /* reached if SIGXFSZ is ignored */
}

static void note_process(void) {
  FILE *file = fopen("process.txt", "w");
  if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
    exit(9);
}

/* The daemon leaves the process group, the session and its parent. */
static void leave_a_daemon(void) {
  int told[2];
  char byte;
  if (pipe2(told, 0) != 0)
    exit(9);
  if (fork() == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    close(told[0]);
    signal(SIGTERM, SIG_IGN);
    note_process();
    close(told[1]);
    for (;;)
      pause();
  }
  close(told[1]);
  exit(read(told[0], &byte, 1) == 0 ? 0 : 9); /* the daemon has started */
}

static void fork_without_end(void) {
  while (fork() != 0)
    usleep(1000);
  for (;;)
    pause();
}

static void take(size_t size) {
  volatile char *memory = malloc(size);
  for (size_t n = 0; memory && n < size; n += 4096)
    memory[n] = 1;
}

static void allocate_without_end(void) {
  for (;;)
    take(1 << 20);
}

static void *take_and_stay(void *unused) {
  take(72 << 20); /* above the limit, below that of a group */
  pause();
  return unused;
}

/* Then /proc/PID/stat says that the process has no memory. */
static void end_the_first_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, take_and_stay, NULL);
  syscall(SYS_exit, 0);
}

/* Memory that no process has resident. */
static void hide_memory(void) {
  enum { PIECE = 4 << 20, PIECES = 32 };
  const int zero = open("/dev/zero", O_RDWR);
  for (int n = 0; n < PIECES; n++) {
    char *memory = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    if (memory == MAP_FAILED)
      exit(9);
    memset(memory, 1, PIECE);
    madvise(memory, PIECE, MADV_DONTNEED);
  }
  exit(0);
}

/* Several processes that exceed the limit only together. */
static void allocate_in_children(void) {
  for (int n = 0; n < 4; n++)
    if (fork() == 0) {
      take(24 << 20);
      break;
    }
  for (;;)
    pause();
}

static void tell_surroundings(void) {
  char byte;
  for (char **variable = environ; *variable; variable++)
    puts(*variable);
  for (int n = 3; n < 100; n++)
    if (fcntl(n, F_GETFD) >= 0)
      printf("descriptor %d is open\n", n);
  struct rlimit core;
  getrlimit(RLIMIT_CORE, &core);
  int score = -1;
  FILE *file = fopen("/proc/self/oom_score_adj", "r");
  if (!file || fscanf(file, "%d", &score) != 1)
    exit(9);
  printf("input %zd, core %d, session %d, first to go %d\n", read(STDIN_FILENO, &byte, 1), (int)core.rlim_max,
         getsid(0) == getpid(), score);
  exit(0);
}

/* What no CUDA runtime sends. */
static void send_garbage(void) {
  char bytes[64];
  memset(bytes, 0xff, sizeof bytes);
  exit(write(3, bytes, sizeof bytes) == sizeof bytes ? 0 : 9);
}

/* The last words of a client whose device has ended, and a row that a device would write. */
static void pretend(void) {
  setenv("SIMGPU_COUNTERS", "own.csv", 1);
  fputs("simgpu: the device process ended (killed by signal 9)\nstencil.cu:7: race: write\n", stderr);
  exit(1);
}

/* What the run before wrote is not there. */
static void be_first(void) {
  const int file = open("mark", O_WRONLY | O_CREAT | O_EXCL, 0666);
  exit(file >= 0 ? 0 : 9);
}

static void leave_an_orphan(void) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    take(80 << 20);
  }
  for (;;)
    usleep(1000);
}

/* Exit status 9: there is another process than the first of the run and this one. */
static void be_alone(void) {
  DIR *processes = opendir("/proc");
  int count = 0;
  for (struct dirent *entry; processes && (entry = readdir(processes));)
    count += isdigit((unsigned char)entry->d_name[0]) != 0;
  exit(count == 2 ? 0 : 9);
}

/* A process that is its own ancestor's neighbour at every moment: it forks and ends without an end. */
static void leave_a_chain(void) {
  if (fork() != 0)
    exit(0);
  setsid();
  for (;;)
    if (fork() != 0)
      _exit(0);
}

static void kill_all(void) {
  kill(-1, SIGKILL);
  exit(0);
}

/* No capability, no new namespace. */
static void try_rights(void) {
  char line[128];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if ((strncmp(line, "CapPrm:", 7) == 0 || strncmp(line, "CapEff:", 7) == 0 ||
         strncmp(line, "CapBnd:", 7) == 0 || strncmp(line, "CapAmb:", 7) == 0) &&
        strtoull(line + 7, NULL, 16) != 0)
      exit(9);
  if (!status || fclose(status) != 0 || unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0)
    exit(8);
  if (kill(1, SIGKILL) != 0 || getppid() != 1) /* a signal to process 1 has no effect */
    exit(7);
  for (int n = 4; n < 100; n++)
    if (fcntl(n, F_GETFD) >= 0)
      exit(6);
  exit(open("/etc/passwd", O_RDONLY) < 0 && open("/usr/file", O_WRONLY | O_CREAT, 0666) < 0 ? 0 : 5);
}

/* The file named by a link, and what can be done to it. */
static void use_files(void) {
  char text[16] = "";
  FILE *in = fopen("in.npy", "r"), *out = fopen("out.npy", "w");
  if (!in || !out || !fgets(text, sizeof text, in) || fputs(text, out) < 0 || fclose(out) != 0)
    exit(9);
  if (open("in.npy", O_WRONLY | O_TRUNC) >= 0 || write(open("in.npy", O_WRONLY), "x", 1) > 0 ||
      write(4, "x", 1) > 0)
    exit(8);
  if (unlink("out.npy") != 0 || symlink("/etc/passwd", "out.npy") != 0 ||
      symlink("/etc/passwd", "stdout.txt") != 0)
    exit(7);
  puts("read and written");
  exit(0);
}

static void sleep_on(void) {
  for (;;)
    usleep(1000);
}

static void wake_often(void) {
  for (;;)
    usleep(50);
}

static void ignore_signals(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  for (;;)
    pause();
}

static void wait_for_a_child(void) {
  if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0) /* vfork() without its shared memory */
    for (;;)
      pause();
}

static void spin(void) {
  for (volatile unsigned n = 0;; n++)
    ;
}

static void spin_elsewhere(void) {
  if (fork() == 0 && setsid() > 0)
    spin();
  pause();
}

static void print(void) { write_without_end(stdout); }
static void write_file(void) { write_without_end(fopen("file", "w")); }
static void allocate_and_end(void) { take(20 << 20); }
static void divide_by_zero(void) { raise(SIGFPE); }

static void end_after_a_line(void) {
  puts("the first line\nno convergence");
  exit(1);
}

static void overwrite_the_heap(void) {
  fputs("munmap_chunk(): invalid pointer\n", stderr);
  abort();
}

static void crash(void) { raise(SIGSEGV); }
static void kill_itself(void) { raise(SIGKILL); }
static void call_what_is_forbidden(void) { raise(SIGSYS); /* as the filter of system calls does */ }

static void print_on(void) {
  if (signal(SIGXFSZ, SIG_IGN) != SIG_ERR)
    write_without_end(stderr);
}

static const struct {
  const char *deed;
  void (*function)(void);
} deeds[] = {
    {"abort", abort},
    {"allocate and end", allocate_and_end},
    {"alone", be_alone},
    {"allocate in children", allocate_in_children},
    {"allocate", allocate_without_end},
    {"chain", leave_a_chain},
    {"daemon", leave_a_daemon},
    {"divide", divide_by_zero},
    {"end after a line", end_after_a_line},
    {"end the first thread", end_the_first_thread},
    {"file", write_file},
    {"files", use_files},
    {"first in its folder", be_first},
    {"forbidden", call_what_is_forbidden},
    {"fork", fork_without_end},
    {"garbage", send_garbage},
    {"hide memory", hide_memory},
    {"ignore", ignore_signals},
    {"kill all", kill_all},
    {"kill", kill_itself},
    {"orphan that allocates", leave_an_orphan},
    {"overwrite the heap", overwrite_the_heap},
    {"pretend", pretend},
    {"print on", print_on},
    {"print", print},
    {"rights", try_rights},
    {"segfault", crash},
    {"sleep", sleep_on},
    {"spin elsewhere", spin_elsewhere},
    {"spin", spin},
    {"surroundings", tell_surroundings},
    {"vfork", wait_for_a_child},
    {"wake", wake_often},
};

int main(int argc, char **argv) {
  const char *deed = argc > 1 ? argv[1] : "";
  for (size_t n = 0; n < sizeof deeds / sizeof *deeds; n++)
    if (strcmp(deed, deeds[n].deed) == 0)
      deeds[n].function();
  return atoi(deed);
}
