/* Versions, messages, communicators, groups. */
#include "processes.h"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <unistd.h>

std::mutex library_lock;
static std::condition_variable changed;
static std::list<clique> cliques;
static thread_local char last_message[512];

ncclResult_t complain(ncclResult_t result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  fprintf(stderr, "simgpu: %s\n", last_message);
  return result;
}

ncclResult_t ncclGetVersion(int *version) {
  if (!version)
    return complain(ncclInvalidArgument, "ncclGetVersion: expected a pointer, got NULL");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  static const char *const texts[] = {"no error",
                                      "unhandled cuda error",
                                      "unhandled system error",
                                      "internal error",
                                      "invalid argument",
                                      "invalid usage",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return result >= 0 && result < ncclNumResults ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t) { return last_message; }

/* --- waiting --- */

static unsigned long long calls;

void wake_all() {
  calls++;
  changed.notify_all();
}

static bool has_other_threads() {
  int entries = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks)
    return true;
  while (entries < 4 && readdir(tasks)) /* with . and .. */
    entries++;
  closedir(tasks);
  return entries > 3;
}

static bool waits(const ncclComm *comm) { return comm->waits_for >= 0 && !comm->is_done(comm->argument); }

/* True if the rank for which comm waits does itself wait, for one that waits, and so on, or is gone. */
static bool waits_in_vain(const ncclComm *comm) {
  const clique &all = *comm->all;
  int rank = comm->waits_for;
  for (int n = 0; n < all.ranks(); n++) {
    const ncclComm *next = all.members[rank].get();
    if (next && next->is_gone)
      return true;
    if (!next || !waits(next))
      return false;
    rank = next->waits_for;
  }
  return true;
}

/* For so many seconds without any call, a thread waits for another one: SIMGPU_NCCL_WAIT, or the default. */
int patience() {
  enum { DEFAULT = 300 };
  const char *text = getenv("SIMGPU_NCCL_WAIT");
  const int seconds = text ? atoi(text) : 0;
  return seconds > 0 ? seconds : DEFAULT;
}

bool wait_for(std::unique_lock<std::mutex> &lock, ncclComm *comm, int rank, bool (*is_done)(const void *),
              const void *argument) {
  const int limit = patience();
  unsigned long long seen = calls;
  comm->waits_for = rank, comm->is_done = is_done, comm->argument = argument;
  changed.notify_all(); /* another thread may wait for this one */
  bool possible = true;
  for (int idle = 0; !is_done(argument) && possible; idle = seen == calls ? idle : 0, seen = calls) {
    possible = idle < limit && has_other_threads() && !waits_in_vain(comm);
    /* the other thread may end, which wakes nobody */
    if (possible && changed.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::timeout)
      idle++;
  }
  comm->waits_for = -1;
  return possible;
}

/* --- groups --- */

static thread_local int depth;
static thread_local std::vector<operation_ptr> queued;
static thread_local std::vector<ncclComm *> made;

static ncclResult_t communicators_meet(const std::vector<ncclComm *> &communicators);

static ncclResult_t run_queued() {
  std::vector<operation_ptr> calls;
  std::vector<ncclComm *> communicators;
  calls.swap(queued);
  communicators.swap(made);
  const ncclResult_t met = communicators_meet(communicators);
  return met == ncclSuccess ? operations_run(calls) : met;
}

ncclResult_t group_add(operation_ptr one) {
  queued.push_back(std::move(one));
  return depth ? ncclSuccess : run_queued();
}

ncclResult_t ncclGroupStart(void) {
  depth++;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  if (depth == 0)
    return complain(ncclInvalidUsage, "ncclGroupEnd: expected an ncclGroupStart before it");
  return --depth ? ncclSuccess : run_queued();
}

/* --- communicators --- */

/* What an id holds. */
struct ticket {
  char magic[8];
  unsigned long long process, number, time;
  std::string name() const {
    return "simgpu-nccl." + std::to_string(process) + "." + std::to_string(number) + "." +
           std::to_string(time);
  }
};
static const char magic[8] = "simnccl";

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  static unsigned long long numbers;
  if (!id)
    return complain(ncclInvalidArgument, "ncclGetUniqueId: expected a pointer, got NULL");
  const std::lock_guard<std::mutex> lock(library_lock);
  ticket t = {{},
              (unsigned long long)getpid(),
              ++numbers,
              (unsigned long long)std::chrono::system_clock::now().time_since_epoch().count()};
  memcpy(t.magic, magic, sizeof magic);
  memset(id, 0, sizeof *id);
  memcpy(id, &t, sizeof t);
  return ncclSuccess;
}

/* The clique of an id, which the first rank makes. */
static clique *find_clique(unsigned long long key, int ranks) {
  for (clique &one : cliques)
    if (one.key == key)
      return &one;
  cliques.emplace_back(key, ranks);
  return &cliques.back();
}

static ncclResult_t join(ncclComm_t *comm, int ranks, unsigned long long key, int rank, int device) {
  const std::lock_guard<std::mutex> lock(library_lock);
  clique *all = find_clique(key, ranks);
  if (all->ranks() != ranks)
    return complain(ncclInvalidArgument,
                    "ncclCommInitRank: rank %d says %d ranks, but others of this id said %d", rank, ranks,
                    all->ranks());
  if (all->members[rank])
    return complain(ncclInvalidUsage,
                    "ncclCommInitRank: rank %d of this id is there already; expected each rank once", rank);
  for (const std::unique_ptr<ncclComm> &member : all->members)
    if (member && member->device == device)
      return complain(
          ncclInvalidUsage,
          "ncclCommInitRank: ranks %d and %d use device %d; expected a device of its own for each rank "
          "(cudaSetDevice before the call)",
          member->rank, rank, device);
  all->members[rank].reset(new ncclComm{all, rank, device, false, -1, NULL, NULL, {}});
  *comm = all->members[rank].get();
  all->joined++;
  wake_all();
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  ticket t;
  int device;
  memcpy(&t, &id, sizeof t);
  if (!comm)
    return complain(ncclInvalidArgument, "ncclCommInitRank: expected a pointer to a communicator, got NULL");
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return complain(ncclInvalidArgument, "ncclCommInitRank: rank %d of %d ranks; expected 0 <= rank < ranks",
                    rank, ranks);
  if (memcmp(t.magic, magic, sizeof magic) != 0)
    return complain(ncclInvalidArgument, "ncclCommInitRank: expected an id from ncclGetUniqueId");
  if (cudaGetDevice(&device) != cudaSuccess)
    return complain(ncclUnhandledCudaError, "ncclCommInitRank: no device");
  ncclResult_t joined = join(comm, ranks, t.number, rank, device);
  if (joined == ncclSuccess && ranks > 1 &&
      (t.process != (unsigned long long)getpid() || processes_launched()))
    joined = processes_join(*comm, t.name());
  if (joined != ncclSuccess)
    return joined;
  made.push_back(*comm);
  return depth ? ncclSuccess : run_queued();
}

static bool is_complete(const void *all) {
  return ((const clique *)all)->joined == ((const clique *)all)->ranks();
}

static ncclResult_t communicators_meet(const std::vector<ncclComm *> &communicators) {
  for (ncclComm *comm : communicators) {
    if (comm->box) {
      const ncclResult_t met = processes_meet(comm);
      if (met != ncclSuccess)
        return met;
      continue;
    }
    std::unique_lock<std::mutex> lock(library_lock);
    const clique &all = *comm->all;
    const int missing =
        (int)(std::find(all.members.begin(), all.members.end(), nullptr) - all.members.begin());
    if (!is_complete(&all) && !wait_for(lock, comm, missing, is_complete, &all))
      return complain(
          ncclInvalidUsage,
          "ncclCommInitRank: rank %d waits for rank %d, which never comes; expected a thread for each "
          "rank, or all ranks between ncclGroupStart and ncclGroupEnd",
          comm->rank, missing);
  }
  return ncclSuccess;
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  int there = 0;
  ncclUniqueId id;
  ticket t;
  if (!comms || count < 1)
    return complain(ncclInvalidArgument, "ncclCommInitAll: expected an array for at least 1 communicator");
  if (cudaGetDeviceCount(&there) != cudaSuccess)
    return complain(ncclUnhandledCudaError, "ncclCommInitAll: no device");
  for (int rank = 0; rank < count; rank++) {
    const int device = devices ? devices[rank] : rank;
    if (device < 0 || device >= there)
      return complain(
          ncclInvalidUsage,
          "ncclCommInitAll: device %d; there are %d: expected 0 to %d (SIMGPU_DEVICES sets their number)",
          device, there, there - 1);
    if (std::find(devices, devices + (devices ? rank : 0), device) != devices + (devices ? rank : 0))
      return complain(ncclInvalidUsage,
                      "ncclCommInitAll: device %d twice; expected a device of its own for each rank", device);
  }
  ncclGetUniqueId(&id);
  memcpy(&t, &id, sizeof t);
  for (int rank = 0; rank < count; rank++)
    join(&comms[rank], count, t.number, rank, devices ? devices[rank] : rank);
  return ncclSuccess;
}

/* Says which messages nobody has received. */
static ncclResult_t check_received(const clique &all, const char *where) {
  ncclResult_t result = ncclSuccess;
  for (int sender = 0; sender < all.ranks(); sender++)
    for (int receiver = 0; receiver < all.ranks(); receiver++)
      for (const operation_ptr &send : all.sends[all.pair(sender, receiver)])
        result = complain(
            ncclInvalidUsage,
            "%s: rank %d sent %zu bytes to rank %d, which has not received them; expected an ncclRecv for "
            "each ncclSend",
            where, sender, send->bytes(), receiver);
  return result;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  if (comm->box)
    return processes_leave(comm);
  const std::lock_guard<std::mutex> lock(library_lock);
  clique *all = comm->all;
  comm->is_gone = true;
  wake_all();
  if (++all->left < all->ranks())
    return ncclSuccess;
  const ncclResult_t result = check_received(*all, "ncclCommDestroy");
  cliques.remove_if([all](const clique &one) { return &one == all; });
  return result;
}

/* At the end of a program that has not destroyed its communicators. */
static struct at_exit {
  ~at_exit() {
    for (const clique &one : cliques) {
      check_received(one, "the program has ended");
      for (const std::unique_ptr<ncclComm> &member : one.members)
        if (member && member->box && !member->is_gone)
          processes_leave(member.get());
    }
  }
} at_exit;

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result) {
  if (!comm || !result)
    return complain(ncclInvalidArgument,
                    "ncclCommGetAsyncError: expected a communicator and a pointer, got NULL");
  *result = ncclSuccess;
  return ncclSuccess;
}

#define QUERY(name, expression)                                                                              \
  ncclResult_t name(const ncclComm_t comm, int *value) {                                                     \
    if (!comm || !value)                                                                                     \
      return complain(ncclInvalidArgument, #name ": expected a communicator and a pointer, got NULL");       \
    *value = (expression);                                                                                   \
    return ncclSuccess;                                                                                      \
  }
QUERY(ncclCommCount, comm->all->ranks())
QUERY(ncclCommUserRank, comm->rank)
QUERY(ncclCommCuDevice, comm->device)
