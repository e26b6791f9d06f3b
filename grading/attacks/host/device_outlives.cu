// The program ends by exit status 0, and leaves the device work for a long time: fills, copies, kernels, a module.
// with: SETS COPIES LAUNCHES MODULES READS
// base: solution
// hook
// expect: TIMEOUT VIOLATION CRASH WRONG OUTPUT
// points: 20
// seconds: 300
#define SETS 1
#define COPIES 2
#define LAUNCHES 3
#define MODULES 4
#define READS 5
struct header {
  uint32_t type, status;
  uint64_t length, time;
};
struct rows {
  uint64_t address, width, rows, pitch;
  uint32_t value, value_size;
};
struct copy {
  uint64_t target, target_pitch, source, source_pitch, width, rows;
};
enum { MODULE_LOAD = 2, READ = 10, COPY = 11, SET = 12, REQUESTS = 2500 };

static void send_all(const void *from, size_t length) {
  for (const char *at = (const char *)from; length > 0;) {
    const ssize_t sent = send(3, at, length, MSG_NOSIGNAL);
    if (sent <= 0)
      return;
    at += sent;
    length -= (size_t)sent;
  }
}

static __global__ void long_kernel(int *to) {
  for (int n = 0; n < 1 << 20; n++)
    atomicAdd(to + n % 32, n);
}

static void leave_module(void) {
  enum { TEXT = 100 << 20 };
  static char text[TEXT + sizeof(header)];
  *(header *)text = {MODULE_LOAD, 0, TEXT, 0};
  char *at = text + sizeof(header);
  at += sprintf(at, ".version 7.0\n.target sm_80\n.address_size 64\n");
  for (int n = 0; at < text + TEXT - 200; n++)
    at += sprintf(at, ".visible .entry k%d()\n{\n.reg .b32 %%r<3>;\nadd.s32 %%r1,%%r2,%d;\nret;\n}\n", n, n);
  memset(at, '\n', (size_t)(text + sizeof text - at));
  send_all(text, sizeof text);
}

static void hook(void) {
  const uint64_t bytes = 400 << 20;
  static struct {
    header h;
    rows r;
  } sets[REQUESTS];
  static struct {
    header h;
    copy c;
  } copies[REQUESTS];
  static struct {
    header h;
    rows r;
    uint64_t awaited[3];
  } reads[REQUESTS];
  void *all;
  if (cudaMalloc(&all, bytes) != cudaSuccess)
    return;
  cudaDeviceSynchronize();
  const uint64_t at = (uint64_t)(uintptr_t)all;
  for (int n = 0; n < REQUESTS; n++) {
    sets[n] = {{SET, 0, sizeof(rows), 0}, {at, bytes, 1, bytes, (uint32_t)n, 4}};
    copies[n] = {{COPY, 0, sizeof(copy), 0}, {at, bytes / 2, at + bytes / 2, bytes / 2, bytes / 2, 1}};
    reads[n] = {{READ, 0, sizeof(rows) + 24, 0}, {at, bytes, 1, bytes, 0, 0}, {0, 0, 0}};
  }
  if (WITH == SETS)
    send_all(sets, sizeof sets);
  else if (WITH == COPIES)
    send_all(copies, sizeof copies);
  else if (WITH == READS)
    send_all(reads, sizeof reads);
  else if (WITH == MODULES)
    leave_module();
  for (int n = 0; WITH == LAUNCHES && n < 200; n++)
    long_kernel<<<64, 64>>>((int *)all);
  _exit(0);
}
