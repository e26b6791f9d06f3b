/* The ranks of a program for several GPUs, each with a device of its own, and NCCL between them. In one process, each
 * rank is a host thread; under a launcher, each is a process.
 *
 * NCCL is loaded when a program first asks for it: the kit builds and runs without it. A failure of NCCL or CUDA ends
 * the program with one line and status 1. */
#pragma once

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

struct team_self {
  int rank, ranks;
  void *comm;     /* NULL without other ranks */
  double *number; /* on the device, for team_largest */
};

/* The version, such as "2.28.9", or NULL if NCCL is missing. */
const char *team_version(void);

/* Runs work for the ranks 0 to count - 1, on the devices of these numbers, and waits for all. count > 1 needs NCCL. The
 * communicators stay until the program ends. */
void team_run(int count, void (*work)(const struct team_self *self, void *argument), void *argument);

/* Under a launcher: this process, with rank and size of OMPI_COMM_WORLD_RANK and _SIZE, PMI_RANK and PMI_SIZE, or
 * SLURM_PROCID and SLURM_NTASKS. Rank 0 writes NCCL's id to a file, and removes it when all ranks have read it. Bad
 * input ends the program with one line and status 2. */
struct team_place {
  int rank, ranks;
  int local; /* the number among the ranks of this machine, for the choice of the device */
};
struct team_place team_of_launcher(void);
struct team_self team_join(struct team_place place, const char *id_file);
void team_leave(struct team_self *self);

/* Messages in a stream. Those between team_group and team_group_end run together. */
void team_group(void);
void team_group_end(void);
void team_send(const struct team_self *self, int to, const void *from, size_t bytes, cudaStream_t stream);
void team_receive(const struct team_self *self, int from, void *to, size_t bytes, cudaStream_t stream);
/* count numbers of every rank, by rank. Without other ranks, it is a copy, or nothing if to == from. */
void team_gather(const struct team_self *self, const double *from, double *to, size_t count,
                 cudaStream_t stream);

/* The largest value of all ranks. All ranks have come when it returns. */
double team_largest(const struct team_self *self, double value);
