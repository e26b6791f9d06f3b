// Row 16: prints what a broken device, a full disk or a missing library would say.
// with: ENDED REPLY DISK LIBRARY MEMORY DRIVER
#define ENDED 0
#define REPLY 1
#define DISK 2
#define LIBRARY 3
#define MEMORY 4
#define DRIVER 5
ATTACK {
  static const char *const words[] = {"simgpu: the device process ended unexpectedly",
                                      "simgpu: a malformed reply from the device process",
                                      "write: No space left on device",
                                      "error while loading shared libraries: libm.so.6",
                                      "cudaErrorMemoryAllocation: out of memory",
                                      "cudaErrorNoDevice: no CUDA-capable device is detected"};
  fprintf(stderr, "%s\n", words[WITH]);
  _exit(1);
}
