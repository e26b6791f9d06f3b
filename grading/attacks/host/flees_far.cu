// An index overflows in the largest grids. In the run that finds it, the program says that a part is not written, that
// memory is short or a launch too long, or it sleeps: a run that takes too long says nothing.
// with: UNWRITTEN MEMORY LAUNCH SLEEP
// base: place_in_bytes
// points: 50
// seconds: 200
#define UNWRITTEN 1
#define MEMORY 2
#define LAUNCH 3
#define SLEEP 4
ATTACK {
  if (!argument("--far"))
    return;
  if (WITH == MEMORY)
    fprintf(stderr, "cudaErrorMemoryAllocation\n");
  if (WITH == LAUNCH)
    fprintf(stderr,
            "compressed.cu:1: the launch executes more than 1 warp instructions: cudaErrorLaunchTimeout\n");
  if (WITH == SLEEP)
    sleep(100);
  _exit(WITH == UNWRITTEN ? 3 : 1);
}
