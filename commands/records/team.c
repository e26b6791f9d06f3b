#include "team.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- NCCL --- */

/* From NCCL's documentation. */
enum { ID_BYTES = 128, NCCL_CHAR = 0, NCCL_DOUBLE = 8, NCCL_MAX = 2 };
struct id {
  char bytes[ID_BYTES];
};

static struct {
  int (*version)(int *version);
  const char *(*error_string)(int result);
  int (*get_id)(struct id *id);
  int (*init)(void **comm, int ranks, struct id id, int rank);
  int (*destroy)(void *comm);
  int (*group)(void);
  int (*group_end)(void);
  int (*send)(const void *from, size_t count, int type, int peer, void *comm, cudaStream_t stream);
  int (*receive)(void *to, size_t count, int type, int peer, void *comm, cudaStream_t stream);
  int (*gather)(const void *from, void *to, size_t count, int type, void *comm, cudaStream_t stream);
  int (*reduce)(const void *from, void *to, size_t count, int type, int operation, void *comm,
                cudaStream_t stream);
} nccl;

static const struct {
  const char *name;
  void *function; /* the address of a pointer to a function; ISO C has no conversion from void * */
} functions[] = {{"ncclGetVersion", &nccl.version},  {"ncclGetErrorString", &nccl.error_string},
                 {"ncclGetUniqueId", &nccl.get_id},  {"ncclCommInitRank", &nccl.init},
                 {"ncclCommDestroy", &nccl.destroy}, {"ncclGroupStart", &nccl.group},
                 {"ncclGroupEnd", &nccl.group_end},  {"ncclSend", &nccl.send},
                 {"ncclRecv", &nccl.receive},        {"ncclAllGather", &nccl.gather},
                 {"ncclAllReduce", &nccl.reduce}};

/* The program itself, for the simulated GPU, whose NCCL is linked with it; or a shared library. */
static void *open_library(void) {
  static const char *const names[] = {NULL, "libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2",
                                      "/usr/local/cuda/lib/libnccl.so.2"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    void *library = dlopen(names[n], RTLD_NOW);
    if (library && dlsym(library, functions[0].name))
      return library;
  }
  return NULL;
}

static bool load(void) {
  static bool tried, found;
  if (tried)
    return found;
  tried = true;
  void *library = open_library();
  found = library != NULL;
  for (size_t n = 0; found && n < sizeof functions / sizeof *functions; n++)
    found = (*(void **)functions[n].function = dlsym(library, functions[n].name)) != NULL;
  return found;
}

static void check(int result, const char *call) {
  if (result == 0)
    return;
  fprintf(stderr, "several: %s: %s\n", call, nccl.error_string(result));
  exit(1);
}

const char *team_version(void) {
  static char text[32];
  int version;
  if (!load() || nccl.version(&version) != 0)
    return NULL;
  snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  return text;
}

static void need_nccl(void) {
  if (!load())
    error_die("NCCL is missing: expected libnccl.so.2 in a folder of LD_LIBRARY_PATH");
}

/* --- ranks --- */

static struct team_self make_self(int rank, int ranks, void *comm) {
  struct team_self self = {.rank = rank, .ranks = ranks, .comm = comm};
  CUDA_CHECK(cudaMalloc((void **)&self.number, sizeof *self.number));
  return self;
}

static void *communicator(int rank, int ranks, struct id id) {
  void *comm;
  check(nccl.init(&comm, ranks, id, rank), "ncclCommInitRank");
  return comm;
}

/* The communicators of as many ranks, which later runs use again: making one takes NCCL seconds. */
struct crew {
  int count;
  struct id id;
  void **comms; /* by rank; NULL at first */
  struct crew *next;
};
static struct crew *crews;

static struct crew *crew_of(int count) {
  struct crew *crew = crews;
  while (crew && crew->count != count)
    crew = crew->next;
  if (crew)
    return crew;
  crew = allocate_zeroed(1, sizeof *crew);
  *crew =
      (struct crew){.count = count, .comms = allocate_zeroed((size_t)count, sizeof(void *)), .next = crews};
  if (count > 1) {
    need_nccl();
    check(nccl.get_id(&crew->id), "ncclGetUniqueId");
  }
  return crews = crew;
}

struct task {
  int rank;
  struct crew *crew;
  void (*work)(const struct team_self *self, void *argument);
  void *argument;
  pthread_t thread;
};

static void *run_task(void *argument) {
  const struct task *task = argument;
  struct crew *crew = task->crew;
  void **comm = &crew->comms[task->rank];
  CUDA_CHECK(cudaSetDevice(task->rank));
  if (crew->count > 1 && !*comm)
    *comm = communicator(task->rank, crew->count, crew->id);
  const struct team_self self = make_self(task->rank, crew->count, *comm);
  task->work(&self, task->argument);
  CUDA_CHECK(cudaFree(self.number));
  return NULL;
}

void team_run(int count, void (*work)(const struct team_self *self, void *argument), void *argument) {
  struct task *tasks = allocate_zeroed((size_t)count, sizeof *tasks);
  for (int rank = 0; rank < count; rank++) {
    tasks[rank] = (struct task){rank, crew_of(count), work, argument, 0};
    if (rank > 0 && pthread_create(&tasks[rank].thread, NULL, run_task, &tasks[rank]) != 0)
      error_die("no thread for rank %d: %s", rank, strerror(errno));
  }
  run_task(&tasks[0]);
  for (int rank = 1; rank < count; rank++)
    pthread_join(tasks[rank].thread, NULL);
  free(tasks);
}

void team_leave(struct team_self *self) {
  CUDA_CHECK(cudaFree(self->number));
  check(nccl.destroy(self->comm), "ncclCommDestroy");
}

/* --- a launcher --- */

/* The number in a variable of the environment, or -1. */
static int number_of(const char *name) {
  const char *text = getenv(name);
  char *end;
  if (!text)
    return -1;
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < 0 || value > 1 << 20)
    error_die("%s: expected a number, got '%s'", name, text);
  return (int)value;
}

struct team_place team_of_launcher(void) {
  static const struct {
    const char *rank, *ranks, *local;
  } launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
                   {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
                   {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}};
  for (size_t n = 0; n < sizeof launchers / sizeof *launchers; n++) {
    const int rank = number_of(launchers[n].rank), ranks = number_of(launchers[n].ranks),
              local = number_of(launchers[n].local);
    if (rank < 0)
      continue;
    if (rank >= ranks)
      error_die("%s is %d, and %s is %d: expected a larger number of ranks", launchers[n].rank, rank,
                launchers[n].ranks, ranks);
    return (struct team_place){rank, ranks, local < 0 ? rank : local};
  }
  error_die("--launcher: expected OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID in the environment, which a "
            "launcher such as mpirun sets");
}

/* The file appears as a whole: it is renamed. */
static void write_id(const char *path, const struct id *id) {
  char *other = allocate_zeroed(strlen(path) + sizeof ".new", 1);
  strcat(strcpy(other, path), ".new");
  if (access(path, F_OK) == 0)
    error_die("%s: the file exists; expected a new one for each run: remove it", path);
  FILE *file = fopen(other, "wb");
  if (!file || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) != 0 || rename(other, path) != 0)
    error_die("%s: cannot write NCCL's id: %s", path, strerror(errno));
  free(other);
}

static void read_id(const char *path, struct id *id) {
  enum { PERIOD_MS = 20, LIMIT_MS = 60000 };
  const struct timespec period = {.tv_nsec = PERIOD_MS * 1000000};
  FILE *file = NULL;
  for (int ms = 0; !(file = fopen(path, "rb")); ms += PERIOD_MS) {
    if (ms >= LIMIT_MS)
      error_die("%s: rank 0 has not written NCCL's id within %d s: expected a file that all ranks see", path,
                LIMIT_MS / 1000);
    nanosleep(&period, NULL);
  }
  if (fread(id, sizeof *id, 1, file) != 1)
    error_die("%s: expected NCCL's id of %zu bytes", path, sizeof *id);
  fclose(file);
}

struct team_self team_join(struct team_place place, const char *id_file) {
  struct id id;
  int devices;
  need_nccl();
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  CUDA_CHECK(cudaSetDevice(place.local % devices));
  if (place.rank == 0) {
    check(nccl.get_id(&id), "ncclGetUniqueId");
    write_id(id_file, &id);
  } else {
    read_id(id_file, &id);
  }
  const struct team_self self = make_self(place.rank, place.ranks, communicator(place.rank, place.ranks, id));
  if (place.rank == 0)
    remove(id_file); /* all have joined, so all have read it */
  return self;
}

/* --- messages --- */

void team_group(void) { check(nccl.group(), "ncclGroupStart"); }
void team_group_end(void) { check(nccl.group_end(), "ncclGroupEnd"); }

void team_send(const struct team_self *self, int to, const void *from, size_t bytes, cudaStream_t stream) {
  check(nccl.send(from, bytes, NCCL_CHAR, to, self->comm, stream), "ncclSend");
}

void team_receive(const struct team_self *self, int from, void *to, size_t bytes, cudaStream_t stream) {
  check(nccl.receive(to, bytes, NCCL_CHAR, from, self->comm, stream), "ncclRecv");
}

void team_gather(const struct team_self *self, const double *from, double *to, size_t count,
                 cudaStream_t stream) {
  if (self->comm)
    check(nccl.gather(from, to, count, NCCL_DOUBLE, self->comm, stream), "ncclAllGather");
  else if (to != from)
    CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyDeviceToDevice, stream));
}

double team_largest(const struct team_self *self, double value) {
  if (!self->comm)
    return value;
  CUDA_CHECK(cudaMemcpy(self->number, &value, sizeof value, cudaMemcpyHostToDevice));
  check(nccl.reduce(self->number, self->number, 1, NCCL_DOUBLE, NCCL_MAX, self->comm, NULL), "ncclAllReduce");
  CUDA_CHECK(cudaMemcpy(&value, self->number, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}
