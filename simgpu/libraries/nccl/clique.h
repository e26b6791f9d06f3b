/* Communicators: the ranks of one process, each on a device of its own. One lock guards all of them. processes.h is
 * about ranks of several processes. */
#pragma once

#include "nccl.h"

#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

enum kind { SEND, RECEIVE, ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER };

/* A call of one rank. */
struct operation {
  kind what;
  ncclComm *comm;
  cudaStream_t stream;
  const void *from;
  void *to;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t reduction;
  int peer; /* the other rank, or the root */
  ncclResult_t result = ncclInProgress;
  std::shared_ptr<void> copy; /* of a message whose receive comes later */
  size_t number = 0;          /* of a collective call of several processes */
  size_t bytes() const;
  const char *name() const;
};
using operation_ptr = std::shared_ptr<operation>;
using operations = std::deque<operation_ptr>;

struct ncclComm {
  struct clique *all;
  int rank, device;
  bool is_gone; /* destroyed; its memory lives as long as the clique */
  /* What the rank's thread waits for, if anything: a rank, and how to see that it has come. */
  int waits_for;
  bool (*is_done)(const void *);
  const void *argument;
  std::shared_ptr<struct mailbox> box; /* NULL unless the ranks are in several processes */
};

/* The device of a rank as the current one, as long as this object lives. */
struct on_device {
  int before = 0;
  explicit on_device(const ncclComm *comm) {
    cudaGetDevice(&before);
    cudaSetDevice(comm->device);
  }
  on_device(const on_device &) = delete;
  ~on_device() { cudaSetDevice(before); }
};

/* The communicators that were made with one id, until all are destroyed. */
struct clique {
  unsigned long long key;
  int joined = 0, left = 0;
  std::vector<std::unique_ptr<ncclComm>> members; /* by rank; NULL: has not come yet */
  std::vector<operations> sends, receives;        /* at sender * ranks + receiver, those without a partner */
  std::vector<operations> queues;                 /* by rank: collective calls that are not complete */
  clique(unsigned long long id, int ranks)
      : key(id), members(ranks), sends(ranks * ranks), receives(ranks * ranks), queues(ranks) {}
  int ranks() const { return (int)members.size(); }
  size_t pair(int sender, int receiver) const { return (size_t)sender * members.size() + receiver; }
};

extern std::mutex library_lock;

/* Prints a line, keeps it for ncclGetLastError, and returns the result. */
ncclResult_t complain(ncclResult_t result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Waits, with the lock, until is_done(argument), which `rank` must bring about for comm. Returns false if that
 * can never be, because no other thread runs, or because all wait for each other, or if no thread has made a
 * call for long. */
bool wait_for(std::unique_lock<std::mutex> &lock, ncclComm *comm, int rank, bool (*is_done)(const void *),
              const void *argument);
int patience(); /* in seconds */
/* After a call of this thread: others look again. */
void wake_all();

/* Runs the operation now, or at the end of the thread's group. */
ncclResult_t group_add(operation_ptr one);
/* Runs the calls of a group, or a single one. */
ncclResult_t operations_run(std::vector<operation_ptr> &calls);

/* Whether a message has the size and type of its receive, and whether two ranks make the same collective call; or a
 * line that says what differs. */
ncclResult_t operations_fit(const operation &send, const operation &receive);
ncclResult_t operations_agree(const operation &a, const operation &b);

/* to[n][k] = the sum, or another reduction, of from[rank][k] in the order of the ranks, on the current device. */
cudaError_t reduce_launch(const std::vector<const void *> &from, const std::vector<void *> &to, size_t count,
                          ncclDataType_t type, ncclRedOp_t reduction, cudaStream_t stream);
