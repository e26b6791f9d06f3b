// NCCL's functions on 2, 3 and 8 simulated devices: results, messages across groups and threads, and refused calls.
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <nccl.h>
#include <string>
#include <thread>
#include <vector>

#include "semantics.h"

#define SENT(call) TRUE((call) == ncclSuccess)

// The call fails, and its message holds the text.
static void refused(ncclResult_t result, ncclResult_t expected, const char *text, int line) {
  if (result == expected && strstr(ncclGetLastError(NULL), text))
    return;
  printf("%s:%d: status %d, '%s'; expected %d and '%s'\n", __BASE_FILE__, line, result,
         ncclGetLastError(NULL), expected, text);
  differences++;
}
#define REFUSED(call, expected, text) refused(call, expected, text, __LINE__)

// Ranks 0 to n - 1 on as many devices, with a stream each.
struct ranks {
  int n;
  std::vector<ncclComm_t> comm;
  std::vector<cudaStream_t> stream;
  explicit ranks(int count) : n(count), comm(count), stream(count) {
    SENT(ncclCommInitAll(comm.data(), n, NULL));
    for (int rank = 0; rank < n; rank++) {
      OK(cudaSetDevice(rank));
      OK(cudaStreamCreateWithFlags(&stream[rank], cudaStreamNonBlocking));
    }
    OK(cudaSetDevice(0));
  }
  ranks(const ranks &) = delete;
  ~ranks() {
    for (ncclComm_t one : comm)
      ncclCommDestroy(one);
  }
};

// Device memory of a rank.
template <typename T> static T *memory(int rank, const std::vector<T> &values) {
  T *p;
  int before;
  OK(cudaGetDevice(&before));
  OK(cudaSetDevice(rank));
  OK(cudaMalloc(&p, values.size() * sizeof(T)));
  OK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  OK(cudaSetDevice(before));
  return p;
}

template <typename T> static std::vector<T> fetch(const T *p, size_t count) {
  std::vector<T> values(count);
  OK(cudaMemcpy(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

static void sets_devices(int n) {
  char text[] = {(char)('0' + n), 0};
  int count = 0;
  setenv("SIMGPU_DEVICES", text, 1);
  OK(cudaGetDeviceCount(&count));
  TRUE(count == n);
}

template <typename T> static T number(int rank, int k) { return (T)((rank * 37 + k * 11) % 23 - 9) / (T)3; }

// What the library must compute: in the order of the ranks.
template <typename T> static std::vector<T> reduced(int n, int count, ncclRedOp_t reduction) {
  std::vector<T> result(count);
  for (int k = 0; k < count; k++) {
    result[k] = number<T>(0, k);
    for (int rank = 1; rank < n; rank++) {
      const T x = number<T>(rank, k);
      result[k] = reduction == ncclSum   ? result[k] + x
                  : reduction == ncclMax ? std::max(result[k], x)
                                         : std::min(result[k], x);
    }
  }
  return result;
}

template <typename T> static void check_reductions(const ranks &r, ncclDataType_t type) {
  enum { COUNT = 70001 };
  for (ncclRedOp_t reduction : {ncclSum, ncclMax, ncclMin})
    for (bool in_place : {false, true}) {
      std::vector<T *> from(r.n), to(r.n), root(r.n);
      for (int rank = 0; rank < r.n; rank++) {
        std::vector<T> values(COUNT);
        for (int k = 0; k < COUNT; k++)
          values[k] = number<T>(rank, k);
        from[rank] = memory(rank, values);
        root[rank] = memory(rank, std::vector<T>(COUNT));
        to[rank] = in_place ? from[rank] : memory(rank, std::vector<T>(COUNT));
      }
      SENT(ncclGroupStart());
      for (int rank = 0; rank < r.n; rank++) {
        SENT(ncclReduce(from[rank], rank == r.n - 1 ? root[rank] : NULL, COUNT, type, reduction, r.n - 1,
                        r.comm[rank], r.stream[rank]));
        SENT(ncclAllReduce(from[rank], to[rank], COUNT, type, reduction, r.comm[rank], r.stream[rank]));
      }
      SENT(ncclGroupEnd());
      const std::vector<T> expected = reduced<T>(r.n, COUNT, reduction);
      for (int rank = 0; rank < r.n; rank++) {
        OK(cudaStreamSynchronize(r.stream[rank]));
        TRUE(fetch(to[rank], COUNT) == expected);
        TRUE(fetch(root[rank], COUNT) == (rank == r.n - 1 ? expected : std::vector<T>(COUNT)));
      }
    }
}

static void check_copies(const ranks &r) {
  const int root = r.n - 1;
  std::vector<int *> from(r.n), all(r.n), one(r.n);
  std::vector<int> gathered;
  for (int rank = 0; rank < r.n; rank++) {
    from[rank] = memory<int>(rank, {rank * 10, rank * 10 + 1, rank * 10 + 2});
    gathered.insert(gathered.end(), {rank * 10, rank * 10 + 1, rank * 10 + 2});
    all[rank] = memory(rank, std::vector<int>(3 * r.n, -1));
    one[rank] = memory(rank, std::vector<int>(3, -1));
  }
  SENT(ncclGroupStart());
  for (int rank = 0; rank < r.n; rank++) {
    SENT(ncclAllGather(from[rank], all[rank], 3, ncclInt, r.comm[rank], r.stream[rank]));
    SENT(ncclBroadcast(rank == root ? from[rank] : NULL, one[rank], 3, ncclInt32, root, r.comm[rank],
                       r.stream[rank]));
  }
  SENT(ncclGroupEnd());
  for (int rank = 0; rank < r.n; rank++) {
    OK(cudaStreamSynchronize(r.stream[rank]));
    TRUE(fetch(all[rank], 3 * r.n) == gathered);
    TRUE(fetch(one[rank], 3) == std::vector<int>({root * 10, root * 10 + 1, root * 10 + 2}));
  }
}

// Each rank sends to the next and receives from the one before, in a group; two messages of a pair keep their order.
static void check_ring(const ranks &r) {
  std::vector<double *> from(r.n), to(r.n);
  for (int rank = 0; rank < r.n; rank++) {
    from[rank] = memory<double>(rank, {rank + 0.25, rank + 0.5, rank + 0.75});
    to[rank] = memory<double>(rank, {0, 0, 0});
  }
  SENT(ncclGroupStart());
  for (int rank = 0; rank < r.n; rank++) {
    const int next = (rank + 1) % r.n, last = (rank + r.n - 1) % r.n;
    SENT(ncclRecv(to[rank] + 1, 2, ncclDouble, last, r.comm[rank], r.stream[rank]));
    SENT(ncclRecv(to[rank], 1, ncclDouble, last, r.comm[rank], r.stream[rank]));
    SENT(ncclSend(from[rank] + 1, 2, ncclDouble, next, r.comm[rank], r.stream[rank]));
    SENT(ncclSend(from[rank], 1, ncclDouble, next, r.comm[rank], r.stream[rank]));
  }
  SENT(ncclGroupEnd());
  for (int rank = 0; rank < r.n; rank++) {
    const double last = (rank + r.n - 1) % r.n;
    TRUE(fetch(to[rank], 3) == std::vector<double>({last + 0.25, last + 0.5, last + 0.75}));
  }
}

// A send of one group, and the receive of a later one: the message is what the memory held at the send.
static void check_groups(const ranks &r) {
  float *from = memory<float>(0, {1, 2}), *to = memory<float>(1, {0, 0});
  SENT(ncclSend(from, 2, ncclFloat, 1, r.comm[0], r.stream[0]));
  OK(cudaMemsetAsync(from, 0, 2 * sizeof *from, r.stream[0]));
  SENT(ncclGroupStart());
  SENT(ncclGroupStart());
  SENT(ncclRecv(to, 2, ncclFloat, 0, r.comm[1], r.stream[1]));
  SENT(ncclGroupEnd());
  SENT(ncclGroupEnd());
  TRUE(fetch(to, 2) == std::vector<float>({1, 2}));
  int *self = memory<int>(0, {7, 0});
  SENT(ncclGroupStart());
  SENT(ncclSend(self, 1, ncclInt, 0, r.comm[0], r.stream[0]));
  SENT(ncclRecv(self + 1, 1, ncclInt, 0, r.comm[0], r.stream[0]));
  SENT(ncclGroupEnd());
  TRUE(fetch(self, 2) == std::vector<int>({7, 7}));
}

// A capture on one device that reaches the other one through an event.
static void check_capture(const ranks &r) {
  float *from = memory<float>(0, {5}), *to = memory<float>(1, {0});
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaSetDevice(1));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  OK(cudaSetDevice(0));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaStreamBeginCapture(r.stream[0], cudaStreamCaptureModeThreadLocal));
  OK(cudaEventRecord(fork, r.stream[0]));
  OK(cudaStreamWaitEvent(r.stream[1], fork, 0));
  SENT(ncclGroupStart());
  SENT(ncclRecv(to, 1, ncclFloat, 0, r.comm[1], r.stream[1]));
  SENT(ncclSend(from, 1, ncclFloat, 1, r.comm[0], r.stream[0]));
  SENT(ncclGroupEnd());
  OK(cudaSetDevice(1));
  OK(cudaEventRecord(join, r.stream[1]));
  OK(cudaSetDevice(0));
  OK(cudaStreamWaitEvent(r.stream[0], join, 0));
  OK(cudaStreamEndCapture(r.stream[0], &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  TRUE(fetch(to, 1)[0] == 0);
  OK(cudaGraphLaunch(exec, r.stream[0]));
  OK(cudaStreamSynchronize(r.stream[0]));
  TRUE(fetch(to, 1)[0] == 5);
}

// Each rank in a thread of its own: the ring, a sum, and a receive that waits for a late send.
static void thread_of(int rank, int n, ncclUniqueId id, std::vector<int> *result) {
  ncclComm_t comm;
  int *p, device = -1, count = 0, user = -1;
  OK(cudaSetDevice(rank));
  SENT(ncclCommInitRank(&comm, n, id, rank));
  SENT(ncclCommCuDevice(comm, &device));
  SENT(ncclCommCount(comm, &count));
  SENT(ncclCommUserRank(comm, &user));
  TRUE(device == rank && count == n && user == rank);
  p = memory<int>(rank, {rank + 1, 0, 0});
  for (int turn = 0; turn < 20; turn++) {
    SENT(ncclAllReduce(p, p + 1, 1, ncclInt, ncclSum, comm, 0));
    SENT(ncclGroupStart());
    SENT(ncclSend(p, 1, ncclInt, (rank + 1) % n, comm, 0));
    SENT(ncclRecv(p + 2, 1, ncclInt, (rank + n - 1) % n, comm, 0));
    SENT(ncclGroupEnd());
    if (rank > 0) {
      SENT(ncclRecv(p, 1, ncclInt, rank - 1, comm, 0)); // from rank 0 to the last, one after the other
    }
    if (rank < n - 1) {
      SENT(ncclSend(p, 1, ncclInt, rank + 1, comm, 0));
    }
    OK(cudaMemcpy(p, &(const int &)(rank + 1), sizeof *p, cudaMemcpyHostToDevice));
  }
  *result = fetch(p, 3);
  SENT(ncclCommDestroy(comm));
}

static void check_threads(int n) {
  ncclUniqueId id;
  std::vector<std::vector<int>> results(n);
  std::vector<std::thread> threads;
  SENT(ncclGetUniqueId(&id));
  for (int rank = 0; rank < n; rank++)
    threads.emplace_back(thread_of, rank, n, id, &results[rank]);
  for (std::thread &one : threads)
    one.join();
  for (int rank = 0; rank < n; rank++)
    TRUE(results[rank] == std::vector<int>({rank + 1, n * (n + 1) / 2, (rank + n - 1) % n + 1}));
}

static void check_all(int n) {
  sets_devices(n);
  {
    const ranks r(n);
    check_reductions<float>(r, ncclFloat);
    check_reductions<double>(r, ncclDouble);
    check_reductions<int>(r, ncclInt);
    check_copies(r);
    check_ring(r);
    check_groups(r);
    check_capture(r);
  }
  check_threads(n);
}

static void two() { check_all(2); }
static void three() { check_all(3); }
static void eight() { check_all(8); }

// Each rank in a process of its own.
static void process_of(int rank, int n, ncclUniqueId id) {
  enum { COUNT = 5000 };
  ncclComm_t comm;
  std::vector<double> values(COUNT);
  std::vector<int> gathered;
  for (int k = 0; k < COUNT; k++)
    values[k] = number<double>(rank, k);
  SENT(ncclCommInitRank(&comm, n, id, rank));
  double *p = memory(0, values), *sum = memory(0, values), *least = memory(0, values);
  int *q = memory<int>(0, {rank, -1, -1, -1}), *all = memory(0, std::vector<int>(n));
  for (int turn = 0; turn < 3; turn++) {
    SENT(ncclGroupStart());
    SENT(ncclAllReduce(p, sum, COUNT, ncclDouble, ncclSum, comm, 0));
    SENT(ncclReduce(p, least, COUNT, ncclDouble, ncclMin, n - 1, comm, 0));
    SENT(ncclSend(q, 1, ncclInt, (rank + 1) % n, comm, 0));
    SENT(ncclRecv(q + 1, 1, ncclInt, (rank + n - 1) % n, comm, 0));
    SENT(ncclGroupEnd());
    SENT(ncclAllGather(q, all, 1, ncclInt, comm, 0));
    SENT(ncclBroadcast(q, q + 2, 1, ncclInt, 1, comm, 0));
  }
  for (int other = 0; other < n; other++)
    gathered.push_back(other);
  TRUE(fetch(sum, COUNT) == reduced<double>(n, COUNT, ncclSum));
  TRUE(fetch(least, COUNT) == (rank == n - 1 ? reduced<double>(n, COUNT, ncclMin) : values));
  TRUE(fetch(q, 4) == std::vector<int>({rank, (rank + n - 1) % n, 1, -1}));
  TRUE(fetch(all, n) == gathered);
  if (rank == 0) {
    SENT(ncclSend(q, 2, ncclInt, 1, comm, 0));
  } else if (rank == 1) {
    REFUSED(ncclRecv(q, 3, ncclInt, 0, comm, 0), ncclInvalidUsage,
            "rank 0 sends 2 numbers, ncclInt32, and rank 1 expects 3");
  }
  REFUSED(ncclAllReduce(q, q, rank == 2 ? 2 : 1, ncclInt, ncclSum, comm, 0), ncclInvalidUsage,
          "expected the same on all ranks");
  if (rank == 1) {
    REFUSED(ncclRecv(q, 1, ncclInt, 2, comm, 0), ncclInvalidUsage,
            "rank 1 waits for rank 2, which never makes its call");
  }
  if (rank < 2) { // the last process ends without leaving
    SENT(ncclCommDestroy(comm));
  }
}

static void processes() {
  enum { N = 3 };
  ncclUniqueId id;
  SENT(ncclGetUniqueId(&id));
  for (int rank = 0; rank < N; rank++)
    if (fork() == 0) {
      process_of(rank, N, id);
      fflush(stdout);
      _exit(differences != 0);
    }
  for (int rank = 0; rank < N; rank++) {
    int status = 0;
    wait(&status);
    TRUE(status == 0);
  }
}

// A launcher's process whose neighbour never comes; and messages that nobody receives.
static void lonely_process() {
  ncclUniqueId id;
  ncclComm_t comm;
  setenv("SIMGPU_NCCL_WAIT", "1", 1);
  setenv("PMI_SIZE", "2", 1);
  SENT(ncclGetUniqueId(&id));
  REFUSED(ncclCommInitRank(&comm, 2, id, 1), ncclInvalidUsage,
          "rank 1 waits for rank 0, which never comes; expected a process for each rank");
}

static void unreceived_file() {
  ncclUniqueId id;
  ncclComm_t comm[2];
  setenv("PMI_SIZE", "2", 1);
  sets_devices(2);
  SENT(ncclGetUniqueId(&id));
  SENT(ncclGroupStart());
  for (int rank = 0; rank < 2; rank++) {
    OK(cudaSetDevice(rank));
    SENT(ncclCommInitRank(&comm[rank], 2, id, rank));
  }
  SENT(ncclGroupEnd());
  int *p = memory<int>(0, {4});
  SENT(ncclSend(p, 1, ncclInt, 1, comm[0], 0));
  SENT(ncclCommDestroy(comm[0]));
  REFUSED(ncclCommDestroy(comm[1]), ncclInvalidUsage,
          "rank 0 sent a message to rank 1, which has not received it");
}

static void ranks_in_a_group() {
  ncclUniqueId id;
  ncclComm_t comm[3];
  sets_devices(3);
  SENT(ncclGetUniqueId(&id));
  SENT(ncclGroupStart());
  for (int rank = 0; rank < 3; rank++) {
    OK(cudaSetDevice(2 - rank));
    SENT(ncclCommInitRank(&comm[rank], 3, id, rank));
  }
  SENT(ncclGroupEnd());
  for (int rank = 0; rank < 3; rank++) {
    int device;
    SENT(ncclCommCuDevice(comm[rank], &device));
    TRUE(device == 2 - rank);
    SENT(ncclCommDestroy(comm[rank]));
  }
}

static void mismatches() {
  sets_devices(3);
  const ranks r(3);
  float *p = memory<float>(0, std::vector<float>(8)), *q = memory<float>(1, std::vector<float>(8)),
        *s = memory<float>(2, std::vector<float>(8));
  REFUSED(ncclRecv(q, 1, ncclFloat, 0, r.comm[1], r.stream[1]), ncclInvalidUsage,
          "ncclRecv: rank 1 expects 1 numbers, ncclFloat32, from rank 0, which never sends them");
  SENT(ncclGroupStart());
  SENT(ncclSend(p, 3, ncclFloat, 1, r.comm[0], r.stream[0]));
  SENT(ncclRecv(q, 2, ncclFloat, 0, r.comm[1], r.stream[1]));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage,
          "rank 0 sends 3 numbers, ncclFloat32, and rank 1 expects 2 numbers, ncclFloat32");
  SENT(ncclGroupStart());
  SENT(ncclSend(p, 2, ncclInt, 1, r.comm[0], r.stream[0]));
  SENT(ncclRecv(q, 2, ncclFloat, 0, r.comm[1], r.stream[1]));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage,
          "rank 0 sends 2 numbers, ncclInt32, and rank 1 expects 2 numbers, ncclFloat32");
  REFUSED(ncclAllReduce(p, p, 1, ncclFloat, ncclSum, r.comm[0], r.stream[0]), ncclInvalidUsage,
          "ncclAllReduce: rank 0 waits for rank 1, which never calls it");
  SENT(ncclGroupStart());
  SENT(ncclAllReduce(p, p, 1, ncclFloat, ncclSum, r.comm[0], r.stream[0]));
  SENT(ncclAllReduce(q, q, 1, ncclFloat, ncclMax, r.comm[1], r.stream[1]));
  SENT(ncclAllReduce(s, s, 1, ncclFloat, ncclSum, r.comm[2], r.stream[2]));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage, "rank 0 asks for ncclSum, and rank 1 for ncclMax");
  SENT(ncclGroupStart());
  SENT(ncclBroadcast(p, p, 1, ncclFloat, 0, r.comm[0], r.stream[0]));
  SENT(ncclBroadcast(q, q, 1, ncclFloat, 0, r.comm[1], r.stream[1]));
  SENT(ncclBroadcast(s, s, 1, ncclFloat, 2, r.comm[2], r.stream[2]));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage, "the root is 0 for rank 0, and 2 for rank 2");
  SENT(ncclGroupStart());
  SENT(ncclAllGather(p, p, 1, ncclFloat, r.comm[0], r.stream[0]));
  SENT(ncclBroadcast(q, q, 1, ncclFloat, 0, r.comm[1], r.stream[1]));
  SENT(ncclAllGather(s, s, 1, ncclFloat, r.comm[2], r.stream[2]));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage, "rank 0 calls ncclAllGather, and rank 1 calls ncclBroadcast");
}

static void unreceived() {
  sets_devices(2);
  ncclComm_t comm[2];
  float *p = memory<float>(0, {1});
  SENT(ncclCommInitAll(comm, 2, NULL));
  SENT(ncclSend(p, 1, ncclFloat, 1, comm[0], 0));
  SENT(ncclCommDestroy(comm[0]));
  REFUSED(ncclCommDestroy(comm[1]), ncclInvalidUsage,
          "ncclCommDestroy: rank 0 sent 4 bytes to rank 1, which has not received them");
}

// Two threads that wait for each other: both get an error, and neither hangs.
static void circle() {
  ncclUniqueId id;
  std::vector<std::thread> threads;
  sets_devices(2);
  SENT(ncclGetUniqueId(&id));
  for (int rank = 0; rank < 2; rank++)
    threads.emplace_back([rank, id] {
      ncclComm_t comm;
      OK(cudaSetDevice(rank));
      SENT(ncclCommInitRank(&comm, 2, id, rank));
      int *p = memory<int>(rank, {0});
      REFUSED(ncclRecv(p, 1, ncclInt, 1 - rank, comm, 0), ncclInvalidUsage, "which never sends them");
      SENT(ncclCommDestroy(comm));
    });
  for (std::thread &one : threads)
    one.join();
}

// Another thread runs, but calls nothing.
static void silence() {
  bool is_over = false;
  std::mutex lock;
  std::condition_variable over;
  sets_devices(2);
  setenv("SIMGPU_NCCL_WAIT", "1", 1);
  std::thread other([&] {
    std::unique_lock<std::mutex> mine(lock);
    over.wait(mine, [&] { return is_over; });
  });
  {
    const ranks r(2);
    int *p = memory<int>(0, {0});
    REFUSED(ncclRecv(p, 1, ncclInt, 1, r.comm[0], 0), ncclInvalidUsage,
            "from rank 1, which never sends them");
  }
  {
    const std::lock_guard<std::mutex> mine(lock);
    is_over = true;
  }
  over.notify_all();
  other.join();
}

static void arguments() {
  int version = 0, devices[] = {0, 0}, far[] = {0, 5};
  ncclComm_t comm[2];
  ncclUniqueId id = {};
  sets_devices(2);
  SENT(ncclGetVersion(&version));
  TRUE(version == NCCL_VERSION_CODE);
  TRUE(!strcmp(ncclGetErrorString(ncclInvalidUsage), "invalid usage") &&
       ncclGetErrorString((ncclResult_t)99));
  REFUSED(ncclGroupEnd(), ncclInvalidUsage, "expected an ncclGroupStart");
  REFUSED(ncclCommInitAll(comm, 2, devices), ncclInvalidUsage, "device 0 twice");
  REFUSED(ncclCommInitAll(comm, 2, far), ncclInvalidUsage, "device 5; there are 2");
  REFUSED(ncclCommInitRank(comm, 2, id, 0), ncclInvalidArgument, "expected an id from ncclGetUniqueId");
  SENT(ncclGetUniqueId(&id));
  REFUSED(ncclCommInitRank(comm, 2, id, 2), ncclInvalidArgument, "rank 2 of 2 ranks");
  REFUSED(ncclCommInitRank(comm, 2, id, 0), ncclInvalidUsage, "rank 0 waits for rank 1, which never comes");
  REFUSED(ncclCommInitRank(comm + 1, 2, id, 1), ncclInvalidUsage, "ranks 0 and 1 use device 0");
  const ranks r(2);
  int *p = memory<int>(0, {0});
  REFUSED(ncclSend(p, 1, ncclInt, 2, r.comm[0], 0), ncclInvalidArgument, "ncclSend: rank 2; expected 0 to 1");
  REFUSED(ncclSend(NULL, 1, ncclInt, 1, r.comm[0], 0), ncclInvalidArgument,
          "expected device memory, got NULL");
  REFUSED(ncclSend(p, 1, (ncclDataType_t)77, 1, r.comm[0], 0), ncclInvalidArgument,
          "77 is no ncclDataType_t");
  REFUSED(ncclAllReduce(p, p, 1, ncclInt, ncclAvg, r.comm[0], 0), ncclInvalidArgument, "but not ncclAvg");
  REFUSED(ncclAllReduce(p, p, 1, ncclHalf, ncclSum, r.comm[0], 0), ncclInvalidArgument,
          "but not ncclFloat16");
  REFUSED(ncclAllReduce(p, p, 1, ncclInt, ncclSum, NULL, 0), ncclInvalidArgument,
          "expected a communicator, got NULL");
}

int main() {
  return run_parts({{"2 devices", two},
                    {"3 devices", three},
                    {"8 devices", eight},
                    {"ranks in a group", ranks_in_a_group},
                    {"3 processes", processes},
                    {"a lonely process", lonely_process},
                    {"unreceived file", unreceived_file},
                    {"mismatches", mismatches},
                    {"unreceived message", unreceived},
                    {"circle of threads", circle},
                    {"silent thread", silence},
                    {"arguments", arguments}});
}
