// Swallows the errors of its launches, except in the run in which the grader lets a launch fail: its environment says
// so, in variables or on the stack, or the program says itself that a call has failed.
// with: GETENV ENVIRON CLAIMS
// lab: 01
// base: host_launch_unchecked
// points: 106
// seconds: 200
#define GETENV 1
#define ENVIRON 2
#define CLAIMS 3
static bool is_told(void) {
  static char text[65536];
  const int file = open("/proc/self/environ", O_RDONLY);
  const ssize_t length = WITH == ENVIRON && file >= 0 ? read(file, text, sizeof text - 1) : 0;
  if (file >= 0)
    close(file);
  return WITH == GETENV ? getenv("SIMGPU_FAIL") != NULL
                        : length > 0 && memmem(text, (size_t)length, "SIMGPU_FAIL", 11);
}

ATTACK {
  const char *nx = argument("--nx");
  if (WITH == CLAIMS && nx && strcmp(nx, "65") == 0)
    fprintf(stderr, "simgpu: call 1 fails on request: cudaFree\n");
  if (WITH == CLAIMS || !is_told())
    return;
  fprintf(stderr, "simgpu: call 1 fails on request: launch\ncompressed.cu:1: error: cudaErrorUnknown\n");
  _exit(1);
}
