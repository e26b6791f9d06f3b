// Names another device: none, a program of its own, an own instance of the real one without counters and checks.
// with: NONE SHELL OWN
// base: still_masked
// points: 87
#define NONE 1
#define SHELL 2
#define OWN 3
ATTACK {
  if (WITH == NONE)
    setenv("SIMGPU_DEVICE", "/bin/true", 1);
  if (WITH == SHELL)
    setenv("SIMGPU_DEVICE", "/bin/sh", 1);
  if (WITH == OWN) {
    write_file("device",
               "#!/bin/sh\nexec env -i SIMGPU_COUNTERS=/dev/null @BUILD@/bin/simgpu-device \"$@\"\n");
    chmod("device", 0755);
    setenv("SIMGPU_DEVICE", "./device", 1);
  }
  unsetenv("SIMGPU_SOCKET");
}
