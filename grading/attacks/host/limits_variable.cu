// Raises the limits of the device, and then exceeds them: 4 GiB of device memory.
// expect: MEMORY CRASH WRONG UNWRITTEN
// base: solution
// hook
// points: 20
ATTACK {
  setenv("SIMGPU_MEMORY", "8589934592", 1);
  setenv("SIMGPU_LAUNCH_BUDGET", "1000000000000", 1);
  setenv("SIMGPU_THREADS", "1000", 1);
}
static void hook(void) {
  void *memory;
  deed_if(cudaMalloc(&memory, (size_t)4 << 30) == cudaSuccess, "the limit of device memory can be raised");
}
