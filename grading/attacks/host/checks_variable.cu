// Row 12: turns the checks off, which find a race in this tile.
// with: OFF NONE REPORT
// lab: 01
// base: no_barrier
// points: 86
#define OFF 1
#define NONE 2
#define REPORT 3
ATTACK {
  if (WITH == OFF)
    setenv("SIMGPU_CHECKS", "0", 1);
  if (WITH == NONE)
    setenv("SIMGPU_CHECKS", "leaks", 1);
  if (WITH == REPORT)
    setenv("SIMGPU_CHECKS_REPORT", "/dev/null", 1);
}
