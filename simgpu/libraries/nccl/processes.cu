/* Ranks in several processes, which a launcher starts: each process has a simulated GPU of its own, so messages
 * are files in a folder in memory. A file appears as a whole, by its new name; the name says who wrote it, and
 * for which call. */
#include "processes.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

bool processes_launched() {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
    if (const char *size = getenv(name))
      return atoi(size) > 1;
  return false;
}

/* --- files --- */

/* What precedes the numbers of a message, or of a rank's part in a collective call. */
struct header {
  kind what;
  ncclDataType_t type;
  ncclRedOp_t reduction;
  int peer;
  size_t count;
  size_t complete; /* how many collective calls the writer had completed */
};

static bool write_file(const std::string &path, const void *head, size_t size,
                       const std::vector<char> &data) {
  const std::string other = path + ".new";
  FILE *file = fopen(other.c_str(), "wb");
  if (!file)
    return false;
  const bool written =
      fwrite(head, size, 1, file) == 1 && fwrite(data.data(), 1, data.size(), file) == data.size();
  return fclose(file) == 0 && written && rename(other.c_str(), path.c_str()) == 0;
}

/* False if there is no such file yet. */
static bool read_file(const std::string &path, void *head, size_t size, std::vector<char> *data) {
  struct stat status;
  FILE *file = fopen(path.c_str(), "rb");
  if (!file)
    return false;
  bool read =
      fstat(fileno(file), &status) == 0 && (size_t)status.st_size >= size && fread(head, size, 1, file) == 1;
  if (read && data) {
    data->resize((size_t)status.st_size - size);
    read = fread(data->data(), 1, data->size(), file) == data->size();
  }
  fclose(file);
  return read;
}

static std::string numbered(const mailbox &box, const char *what, std::initializer_list<size_t> numbers) {
  std::string path = box.folder + "/" + what;
  for (size_t n : numbers)
    path += "." + std::to_string(n);
  return path;
}

/* Waits until the file is there. Returns false if its process has ended, or after long. */
static bool await_file(const mailbox &box, int rank, const std::string &path, void *head, size_t size,
                       std::vector<char> *data) {
  const auto start = std::chrono::steady_clock::now();
  while (!read_file(path, head, size, data)) {
    const pid_t process = box.processes[rank];
    if (process && kill(process, 0) != 0 && errno == ESRCH)
      return read_file(path, head, size, data); /* it may have written the file just before */
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(patience()))
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

/* --- communicators --- */

ncclResult_t processes_join(ncclComm *comm, const std::string &name) {
  struct stat status;
  const char *memory = stat("/dev/shm", &status) == 0 ? "/dev/shm/" : "/tmp/";
  const int ranks = comm->all->ranks();
  const pid_t mine = getpid();
  comm->box.reset(new mailbox);
  mailbox &box = *comm->box;
  box.folder = memory + name;
  box.processes.resize(ranks);
  box.sent.resize(ranks);
  box.received.resize(ranks);
  if (mkdir(box.folder.c_str(), 0700) != 0 && errno != EEXIST)
    return complain(ncclSystemError, "ncclCommInitRank: %s: %s", box.folder.c_str(), strerror(errno));
  if (!write_file(numbered(box, "rank", {(size_t)comm->rank}), &mine, sizeof mine, {}))
    return complain(ncclSystemError, "ncclCommInitRank: cannot write to %s: %s", box.folder.c_str(),
                    strerror(errno));
  return ncclSuccess;
}

ncclResult_t processes_meet(ncclComm *comm) {
  mailbox &box = *comm->box;
  for (int rank = 0; rank < comm->all->ranks(); rank++) {
    pid_t process;
    if (!await_file(box, rank, numbered(box, "rank", {(size_t)rank}), &process, sizeof process, NULL))
      return complain(
          ncclInvalidUsage,
          "ncclCommInitRank: rank %d waits for rank %d, which never comes; expected a process for each rank",
          comm->rank, rank);
    box.processes[rank] = process;
  }
  return ncclSuccess;
}

/* False if the rank has left, its process has ended, or it has never come. */
static bool is_here(const mailbox &box, int rank) {
  return box.processes[rank] && kill(box.processes[rank], 0) == 0 &&
         access(numbered(box, "left", {(size_t)rank}).c_str(), F_OK) != 0;
}

/* The last rank to leave reports messages that nobody has received, and removes the folder. */
ncclResult_t processes_leave(ncclComm *comm) {
  const mailbox &box = *comm->box;
  ncclResult_t result = ncclSuccess;
  const char left = 1;
  comm->is_gone = true;
  write_file(numbered(box, "left", {(size_t)comm->rank}), &left, sizeof left, {});
  for (int rank = 0; rank < comm->all->ranks(); rank++)
    if (rank != comm->rank && is_here(box, rank))
      return ncclSuccess;
  DIR *folder = opendir(box.folder.c_str());
  while (const dirent *entry = folder ? readdir(folder) : NULL) {
    int from, to;
    if (sscanf(entry->d_name, "message.%d.%d", &from, &to) == 2)
      result = complain(
          ncclInvalidUsage,
          "ncclCommDestroy: rank %d sent a message to rank %d, which has not received it; expected an ncclRecv "
          "for each ncclSend",
          from, to);
    unlink((box.folder + "/" + entry->d_name).c_str());
  }
  if (folder)
    closedir(folder);
  rmdir(box.folder.c_str());
  return result;
}

/* --- calls --- */

static ncclResult_t failed(const operation &one, cudaError_t status) {
  return complain(ncclUnhandledCudaError, "%s of rank %d: %s", one.name(), one.comm->rank,
                  cudaGetErrorString(status));
}

/* Numbers of the device, when the stream has come to them. */
static cudaError_t fetch(const operation &one, std::vector<char> *data) {
  data->resize(one.bytes());
  const cudaError_t status = data->empty() ? cudaSuccess
                                           : cudaMemcpyAsync(data->data(), one.from, data->size(),
                                                             cudaMemcpyDeviceToHost, one.stream);
  return status == cudaSuccess ? cudaStreamSynchronize(one.stream) : status;
}

static cudaError_t deliver(const operation &one, void *to, const std::vector<char> &data) {
  const cudaError_t status =
      data.empty() ? cudaSuccess
                   : cudaMemcpyAsync(to, data.data(), data.size(), cudaMemcpyHostToDevice, one.stream);
  return status == cudaSuccess ? cudaStreamSynchronize(one.stream) : status;
}

static bool has_part(const operation &one, int rank) { return one.what != BROADCAST || rank == one.peer; }

/* Writes this rank's message, or its part in a collective call. */
static ncclResult_t write_part(operation &one) {
  mailbox &box = *one.comm->box;
  const size_t rank = (size_t)one.comm->rank;
  const header head = {one.what, one.type, one.reduction, one.peer, one.count, box.complete};
  std::vector<char> data;
  const cudaError_t status = has_part(one, one.comm->rank) ? fetch(one, &data) : cudaSuccess;
  if (status != cudaSuccess)
    return failed(one, status);
  if (one.what != SEND)
    one.number = box.calls++;
  const std::string path = one.what == SEND
                               ? numbered(box, "message", {rank, (size_t)one.peer, box.sent[one.peer]++})
                               : numbered(box, "part", {one.number, rank});
  if (!write_file(path, &head, sizeof head, data))
    return complain(ncclSystemError, "%s: %s: %s", one.name(), path.c_str(), strerror(errno));
  return one.what == SEND ? ncclSuccess : ncclInProgress;
}

/* The message, or a rank's part, with the arguments of its call. */
static ncclResult_t read_part(const operation &one, int rank, const std::string &path,
                              std::vector<char> *data, size_t *complete) {
  header head;
  if (!await_file(*one.comm->box, rank, path, &head, sizeof head, data))
    return complain(
        ncclInvalidUsage,
        "%s: rank %d waits for rank %d, which never makes its call; expected the same calls on all ranks, or an ncclSend for each ncclRecv",
        one.name(), one.comm->rank, rank);
  *complete = std::min(*complete, head.complete);
  operation other = one;
  ncclComm sender = {one.comm->all, rank, 0, false, -1, NULL, NULL, {}};
  other.comm = &sender;
  other.what = head.what, other.type = head.type, other.reduction = head.reduction, other.peer = head.peer;
  other.count = head.count;
  return one.what == RECEIVE ? operations_fit(other, one) : operations_agree(one, other);
}

static ncclResult_t receive(const operation &one) {
  mailbox &box = *one.comm->box;
  const std::string path =
      numbered(box, "message", {(size_t)one.peer, (size_t)one.comm->rank, box.received[one.peer]++});
  std::vector<char> data;
  size_t complete = 0;
  const ncclResult_t result = read_part(one, one.peer, path, &data, &complete);
  unlink(path.c_str());
  if (result != ncclSuccess)
    return result;
  const cudaError_t status = deliver(one, one.to, data);
  return status == cudaSuccess ? ncclSuccess : failed(one, status);
}

/* The reduction of all parts, which lie one after the other. */
static cudaError_t reduce_parts(const operation &one, const std::vector<char> &parts) {
  void *memory;
  cudaError_t status = cudaMalloc(&memory, parts.size());
  if (status != cudaSuccess)
    return status;
  std::vector<const void *> from;
  for (size_t at = 0; at < parts.size(); at += one.bytes())
    from.push_back((const char *)memory + at);
  status = deliver(one, memory, parts);
  if (status == cudaSuccess)
    status = reduce_launch(from, {one.to}, one.count, one.type, one.reduction, one.stream);
  cudaFree(memory); /* waits for the kernel */
  return status;
}

static ncclResult_t collect(const operation &one) {
  mailbox &box = *one.comm->box;
  std::vector<char> parts;
  size_t complete = one.number;
  ncclResult_t result = ncclSuccess;
  for (int rank = 0; rank < one.comm->all->ranks() && result == ncclSuccess; rank++) {
    std::vector<char> data;
    result = read_part(one, rank, numbered(box, "part", {one.number, (size_t)rank}), &data, &complete);
    parts.insert(parts.end(), data.begin(), data.end());
  }
  box.complete = one.number + 1;
  for (; result == ncclSuccess && box.removed < complete; box.removed++) /* all have read these */
    unlink(numbered(box, "part", {box.removed, (size_t)one.comm->rank}).c_str());
  if (result != ncclSuccess || one.count == 0 || (one.what == REDUCE && one.comm->rank != one.peer))
    return result;
  const cudaError_t status =
      one.what == ALL_REDUCE || one.what == REDUCE ? reduce_parts(one, parts) : deliver(one, one.to, parts);
  return status == cudaSuccess ? ncclSuccess : failed(one, status);
}

ncclResult_t processes_run(const std::vector<operation_ptr> &calls) {
  ncclResult_t result = ncclSuccess;
  for (const operation_ptr &one : calls)
    if (one->what != RECEIVE) {
      const on_device here(one->comm);
      one->result = write_part(*one);
    }
  for (const operation_ptr &one : calls) {
    if (one->result == ncclInProgress) {
      const on_device here(one->comm);
      one->result = one->what == RECEIVE ? receive(*one) : collect(*one);
    }
    result = result == ncclSuccess ? one->result : result;
  }
  return result;
}
