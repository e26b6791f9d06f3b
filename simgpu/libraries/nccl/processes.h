/* Ranks in several processes. */
#pragma once

#include "clique.h"

#include <string>
#include <sys/types.h>

/* Where the messages of a rank are. */
struct mailbox {
  std::string folder;
  std::vector<pid_t> processes; /* by rank; 0: not known yet */
  std::vector<size_t> sent, received;
  size_t calls = 0, complete = 0, removed = 0; /* collective ones; and how many have no file any more */
};

/* True if the environment is that of a launcher with more than one process. */
bool processes_launched();

/* Makes the communicator one of the folder, and waits for the other ranks. */
ncclResult_t processes_join(ncclComm *comm, const std::string &name);
ncclResult_t processes_meet(ncclComm *comm);
ncclResult_t processes_leave(ncclComm *comm);

/* The calls of a group whose ranks are in several processes. */
ncclResult_t processes_run(const std::vector<operation_ptr> &calls);
