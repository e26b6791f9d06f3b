/* Messages and collective calls. A call is complete when it returns: streams of the simulated GPU run in the order of
 * the calls, so a receive has its message, and a collective call all of its ranks, before later work is issued. */
#include "processes.h"

#include <algorithm>

static const char *type_name(ncclDataType_t type) {
  static const char *const names[] = {"ncclInt8",    "ncclUint8",    "ncclInt32",      "ncclUint32",
                                      "ncclInt64",   "ncclUint64",   "ncclFloat16",    "ncclFloat32",
                                      "ncclFloat64", "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
  return type >= 0 && type < ncclNumTypes ? names[type] : "of no type";
}

static const char *reduction_name(ncclRedOp_t reduction) {
  static const char *const names[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
  return reduction >= 0 && reduction < ncclNumOps ? names[reduction] : "none";
}

size_t operation::bytes() const {
  static const unsigned char sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return count * sizes[type];
}

const char *operation::name() const {
  static const char *const names[] = {"ncclSend",   "ncclRecv",      "ncclAllReduce",
                                      "ncclReduce", "ncclBroadcast", "ncclAllGather"};
  return names[what];
}

static bool is_collective(const operation &one) { return one.what >= ALL_REDUCE; }
static bool is_reduction(const operation &one) { return one.what == ALL_REDUCE || one.what == REDUCE; }
static bool has_root(const operation &one) { return one.what == REDUCE || one.what == BROADCAST; }

/* --- the work --- */

/* What `after` issues from now on waits for what `before` has issued. */
static cudaError_t order(const operation &before, const operation &after) {
  if (before.comm == after.comm && before.stream == after.stream)
    return cudaSuccess;
  cudaEvent_t event;
  cudaError_t status;
  {
    const on_device here(before.comm);
    status = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (status != cudaSuccess)
      return status;
    status = cudaEventRecord(event, before.stream);
  }
  const on_device here(after.comm);
  if (status == cudaSuccess)
    status = cudaStreamWaitEvent(after.stream, event, 0);
  const cudaError_t destroyed = cudaEventDestroy(event);
  return status == cudaSuccess ? destroyed : status;
}

/* Work of `leader` between the earlier and the later work of all others. */
template <typename work>
static cudaError_t together(const operations &calls, const operation &leader, const work &do_work) {
  cudaError_t status = cudaSuccess;
  for (const operation_ptr &one : calls)
    status = status == cudaSuccess ? order(*one, leader) : status;
  if (status == cudaSuccess) {
    const on_device here(leader.comm);
    status = do_work();
  }
  for (const operation_ptr &one : calls)
    status = status == cudaSuccess ? order(leader, *one) : status;
  return status;
}

static ncclResult_t result_of(cudaError_t status, const operation &one) {
  if (status == cudaSuccess)
    return ncclSuccess;
  return complain(ncclUnhandledCudaError, "%s of rank %d: %s", one.name(), one.comm->rank,
                  cudaGetErrorString(status));
}

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaStream_t stream) {
  return bytes == 0 || to == from ? cudaSuccess
                                  : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

ncclResult_t operations_fit(const operation &send, const operation &receive) {
  if (send.count != receive.count || send.type != receive.type)
    return complain(
        ncclInvalidUsage,
        "ncclRecv: rank %d sends %zu numbers, %s, and rank %d expects %zu numbers, %s; expected the same on "
        "both sides",
        send.comm->rank, send.count, type_name(send.type), receive.comm->rank, receive.count,
        type_name(receive.type));
  return ncclSuccess;
}

static ncclResult_t deliver(const operation &send, const operation &receive) {
  const ncclResult_t fit = operations_fit(send, receive);
  if (fit != ncclSuccess)
    return fit;
  const operations calls = {std::make_shared<operation>(send)};
  const void *from = send.copy ? send.copy.get() : send.from;
  return result_of(
      together(calls, receive, [&] { return copy(receive.to, from, receive.bytes(), receive.stream); }),
      receive);
}

/* The message of a send whose receive comes later; then the send is complete. */
static ncclResult_t keep_message(operation &send) {
  void *memory = NULL;
  const on_device here(send.comm);
  cudaError_t status = cudaMalloc(&memory, std::max<size_t>(send.bytes(), 1));
  if (status == cudaSuccess) {
    send.copy = std::shared_ptr<void>(memory, [](void *p) { cudaFree(p); });
    status = copy(memory, send.from, send.bytes(), send.stream);
  }
  return result_of(status, send);
}

/* calls: by rank. */
static cudaError_t reduce(const operations &calls) {
  const operation &leader = *calls[0];
  std::vector<const void *> from;
  std::vector<void *> to;
  for (const operation_ptr &one : calls) {
    from.push_back(one->from);
    if (one->what == ALL_REDUCE || one->comm->rank == one->peer)
      to.push_back(one->to);
  }
  return together(calls, leader, [&] {
    return leader.count ? reduce_launch(from, to, leader.count, leader.type, leader.reduction, leader.stream)
                        : cudaSuccess;
  });
}

static cudaError_t broadcast(const operations &calls) {
  const operation &root = *calls[calls[0]->peer];
  return together(calls, root, [&] {
    cudaError_t status = cudaSuccess;
    for (const operation_ptr &one : calls)
      status = status == cudaSuccess ? copy(one->to, root.from, root.bytes(), root.stream) : status;
    return status;
  });
}

static cudaError_t gather(const operations &calls) {
  return together(calls, *calls[0], [&] {
    cudaError_t status = cudaSuccess;
    for (const operation_ptr &to : calls)
      for (size_t rank = 0; rank < calls.size(); rank++)
        if (status == cudaSuccess)
          status =
              copy((char *)to->to + rank * to->bytes(), calls[rank]->from, to->bytes(), calls[0]->stream);
    return status;
  });
}

ncclResult_t operations_agree(const operation &a, const operation &b) {
  if (a.what != b.what)
    return complain(ncclInvalidUsage,
                    "rank %d calls %s, and rank %d calls %s; expected the same calls in the same order",
                    a.comm->rank, a.name(), b.comm->rank, b.name());
  if (a.count != b.count || a.type != b.type)
    return complain(
        ncclInvalidUsage,
        "%s: rank %d has %zu numbers, %s, and rank %d has %zu numbers, %s; expected the same on all ranks",
        a.name(), a.comm->rank, a.count, type_name(a.type), b.comm->rank, b.count, type_name(b.type));
  if (is_reduction(a) && a.reduction != b.reduction)
    return complain(ncclInvalidUsage,
                    "%s: rank %d asks for %s, and rank %d for %s; expected the same on all ranks", a.name(),
                    a.comm->rank, reduction_name(a.reduction), b.comm->rank, reduction_name(b.reduction));
  if (has_root(a) && a.peer != b.peer)
    return complain(ncclInvalidUsage,
                    "%s: the root is %d for rank %d, and %d for rank %d; expected the same on all ranks",
                    a.name(), a.peer, a.comm->rank, b.peer, b.comm->rank);
  return ncclSuccess;
}

static ncclResult_t run_collective(const operations &calls) {
  for (const operation_ptr &one : calls) {
    const ncclResult_t same = operations_agree(*calls[0], *one);
    if (same != ncclSuccess)
      return same;
  }
  const kind what = calls[0]->what;
  return result_of(what == BROADCAST    ? broadcast(calls)
                   : what == ALL_GATHER ? gather(calls)
                                        : reduce(calls),
                   *calls[0]);
}

/* --- finding partners --- */

static void post(const operation_ptr &one) {
  clique &all = *one->comm->all;
  const int rank = one->comm->rank;
  if (one->what == SEND)
    all.sends[all.pair(rank, one->peer)].push_back(one);
  else if (one->what == RECEIVE)
    all.receives[all.pair(one->peer, rank)].push_back(one);
  else
    all.queues[rank].push_back(one);
}

static void match_messages(clique &all, size_t pair) {
  operations &sends = all.sends[pair], &receives = all.receives[pair];
  while (!sends.empty() && !receives.empty()) {
    operation &send = *sends.front(), &receive = *receives.front();
    receive.result = deliver(send, receive);
    if (send.result == ncclInProgress) /* a kept one is complete */
      send.result = receive.result;
    sends.pop_front();
    receives.pop_front();
  }
}

static void match_collectives(clique &all) {
  const auto is_empty = [](const operations &queue) { return queue.empty(); };
  while (std::none_of(all.queues.begin(), all.queues.end(), is_empty)) {
    operations calls;
    for (operations &queue : all.queues) {
      calls.push_back(queue.front());
      queue.pop_front();
    }
    const ncclResult_t result = run_collective(calls);
    for (const operation_ptr &one : calls)
      one->result = result;
  }
}

static void match(const operation &one) {
  clique &all = *one.comm->all;
  if (is_collective(one))
    match_collectives(all);
  else
    match_messages(all, one.what == SEND ? all.pair(one.comm->rank, one.peer)
                                         : all.pair(one.peer, one.comm->rank));
}

static void withdraw(const operation_ptr &one) {
  clique &all = *one->comm->all;
  operations &queue =
      one->what == RECEIVE ? all.receives[all.pair(one->peer, one->comm->rank)] : all.queues[one->comm->rank];
  queue.erase(std::remove(queue.begin(), queue.end(), one), queue.end());
}

static bool is_done(const void *one) { return ((const operation *)one)->result != ncclInProgress; }

/* The rank whose call is missing. */
static int missing_rank(const operation &one) {
  const clique &all = *one.comm->all;
  if (!is_collective(one))
    return one.peer;
  const auto is_empty = [](const operations &queue) { return queue.empty(); };
  return (int)(std::find_if(all.queues.begin(), all.queues.end(), is_empty) - all.queues.begin());
}

static void finish(std::unique_lock<std::mutex> &lock, const operation_ptr &one) {
  if (one->result != ncclInProgress)
    return;
  const int rank = missing_rank(*one);
  if (wait_for(lock, one->comm, rank, is_done, one.get()))
    return;
  withdraw(one);
  if (one->what == RECEIVE)
    one->result = complain(
        ncclInvalidUsage,
        "ncclRecv: rank %d expects %zu numbers, %s, from rank %d, which never sends them; expected an "
        "ncclSend in the same group, before it, or in another thread",
        one->comm->rank, one->count, type_name(one->type), rank);
  else
    one->result = complain(
        ncclInvalidUsage,
        "%s: rank %d waits for rank %d, which never calls it; expected a thread for each rank, or the calls of "
        "all ranks between ncclGroupStart and ncclGroupEnd",
        one->name(), one->comm->rank, rank);
}

static ncclResult_t run_here(const std::vector<operation_ptr> &calls) {
  std::unique_lock<std::mutex> lock(library_lock);
  ncclResult_t result = ncclSuccess;
  for (const operation_ptr &one : calls)
    post(one);
  for (const operation_ptr &one : calls)
    match(*one);
  for (const operation_ptr &one : calls)
    if (one->what == SEND && one->result == ncclInProgress)
      one->result = keep_message(*one);
  wake_all();
  for (const operation_ptr &one : calls) {
    finish(lock, one);
    result = result == ncclSuccess ? one->result : result;
  }
  return result;
}

ncclResult_t operations_run(std::vector<operation_ptr> &calls) {
  const auto here = std::stable_partition(calls.begin(), calls.end(),
                                          [](const operation_ptr &one) { return one->comm->box != NULL; });
  const ncclResult_t result = processes_run({calls.begin(), here});
  return result == ncclSuccess ? run_here({here, calls.end()}) : result;
}

/* --- the calls --- */

static ncclResult_t begin(const operation &one) {
  const char *const name = one.name();
  if (!one.comm)
    return complain(ncclInvalidArgument, "%s: expected a communicator, got NULL", name);
  const int ranks = one.comm->all->ranks();
  if (one.type < 0 || one.type >= ncclNumTypes)
    return complain(ncclInvalidArgument, "%s: %d is no ncclDataType_t", name, (int)one.type);
  if (one.peer < 0 || one.peer >= ranks)
    return complain(ncclInvalidArgument, "%s: rank %d; expected 0 to %d", name, one.peer, ranks - 1);
  const bool reads = one.what != RECEIVE && (one.what != BROADCAST || one.comm->rank == one.peer);
  const bool writes = one.what != SEND && (one.what != REDUCE || one.comm->rank == one.peer);
  if (one.count && ((reads && !one.from) || (writes && !one.to)))
    return complain(ncclInvalidArgument, "%s: expected device memory, got NULL", name);
  if (is_reduction(one) && one.reduction != ncclSum && one.reduction != ncclMax && one.reduction != ncclMin)
    return complain(ncclInvalidArgument, "%s: the simulated GPU has ncclSum, ncclMax and ncclMin, but not %s",
                    name, reduction_name(one.reduction));
  if (is_reduction(one) && one.type != ncclFloat && one.type != ncclDouble && one.type != ncclInt)
    return complain(ncclInvalidArgument,
                    "%s: the simulated GPU has ncclFloat, ncclDouble and ncclInt, but not %s", name,
                    type_name(one.type));
  return group_add(std::make_shared<operation>(one));
}

ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return begin({SEND, comm, stream, from, NULL, count, type, ncclSum, peer});
}

ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return begin({RECEIVE, comm, stream, NULL, to, count, type, ncclSum, peer});
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  return begin({ALL_REDUCE, comm, stream, from, to, count, type, operation, 0});
}

ncclResult_t ncclReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  return begin({REDUCE, comm, stream, from, to, count, type, operation, root});
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return begin({BROADCAST, comm, stream, from, to, count, type, ncclSum, root});
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return begin({ALL_GATHER, comm, stream, from, to, count, type, ncclSum, 0});
}
