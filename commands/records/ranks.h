/* The ranks of a program for several GPUs, each with a device of its own, and NCCL between them. In one process, each rank
 * is a host thread; under a launcher, each is a process.
 *
 * NCCL is loaded when a program first asks for it: the kit builds and runs without it. A failure of NCCL or CUDA ends the
 * program with one line and status 1. */
#pragma once

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

struct ranks_self {
  int rank, ranks;
  void *comm;     /* NULL without other ranks */
  double *number; /* one on the device and one in host memory, for ranks_largest */
};

/* The version, such as "2.28.9", or NULL if NCCL is missing. */
const char *ranks_version(void);

/* Runs work for the ranks 0 to count - 1, on the devices of these numbers, and waits for all. count > 1 needs NCCL. */
void ranks_run(int count, void (*work)(const struct ranks_self *self, void *argument), void *argument);

/* Under a launcher: this process, with rank and size of OMPI_COMM_WORLD_RANK and _SIZE, PMI_RANK and PMI_SIZE, or
 * SLURM_PROCID and SLURM_NTASKS. Rank 0 writes NCCL's id to a file, and removes it when all ranks have read it. Bad input
 * ends the program with one line and status 2. */
struct ranks_place {
  int rank, ranks,
      local; /* local: the number among the ranks of this machine, for the choice of the device */
};
struct ranks_place ranks_of_launcher(void);
struct ranks_self ranks_join(struct ranks_place place, const char *id_file);
void ranks_leave(struct ranks_self *self);

/* Messages in a stream. Those between ranks_group and ranks_group_end run together. */
void ranks_group(void);
void ranks_group_end(void);
void ranks_send(const struct ranks_self *self, int to, const void *from, size_t bytes, cudaStream_t stream);
void ranks_receive(const struct ranks_self *self, int from, void *to, size_t bytes, cudaStream_t stream);
/* count numbers of every rank, by rank. Without other ranks, it is a copy, or nothing if to == from. */
void ranks_gather(const struct ranks_self *self, const double *from, double *to, size_t count,
                  cudaStream_t stream);

/* The largest value of all ranks. All ranks have come when it returns. */
double ranks_largest(const struct ranks_self *self, double value);
