// device_totals NAME: a program whose waits test_device_totals.c knows.
// device_totals random SEED: random copies, fills and kernels; prints the totals that it expects.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

__global__ void increment(int *x) { ++*x; }

static int *device, *pinned;
static cudaStream_t a, b;
static cudaEvent_t event;

static void launch(cudaStream_t stream = nullptr) { increment<<<1, 1, 0, stream>>>(device); }
static void fetch(cudaStream_t stream = nullptr) {
  cudaMemcpyAsync(pinned, device, sizeof *device, cudaMemcpyDeviceToHost, stream);
}
static int blocking_fetch() {
  int x = 0;
  cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost);
  return x;
}

// Each kind of wait once, with a launch before it; none waits for the second time.
static void each_kind() {
  launch();
  cudaDeviceSynchronize();
  cudaDeviceSynchronize();
  launch();
  cudaStreamSynchronize(nullptr);
  cudaDeviceSynchronize();
  launch();
  cudaEventRecord(event);
  cudaEventSynchronize(event);
  cudaEventSynchronize(event);
  launch();
  while (cudaStreamQuery(nullptr) != cudaSuccess)
    continue;
  launch();
  cudaEventRecord(event);
  while (cudaEventQuery(event) != cudaSuccess)
    continue;
  launch();
  blocking_fetch();
  cudaDeviceSynchronize();
}

static void none() {
  int *x, value = 1;
  cudaMalloc(&x, sizeof *x);
  launch();
  cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice);
  cudaMemcpy(device, x, sizeof value, cudaMemcpyDeviceToDevice);
  cudaMemset(device, 0, sizeof *device);
  launch();
  cudaEventRecord(event);
  cudaStreamWaitEvent(a, event);
  launch(a);
  cudaFree(x);
}

// The device has the next launch while the host waits for the number before.
static void ahead() {
  for (int i = 0; i < 10; i++) {
    launch();
    fetch();
    cudaEventRecord(event);
    launch();
    cudaEventSynchronize(event);
  }
}

__global__ void count_up(int *x, int n) {
  for (int i = 0; i < n; i++)
    atomicAdd(x, i);
}

// What is queued behind a launch of 1000 loops has 1000, 200, 100 and 1.
static void ahead_of_little() {
  static const int queued[] = {1000, 200, 100, 1};
  for (int n : queued) {
    cudaDeviceSynchronize();
    count_up<<<1, 1>>>(device, 1000);
    cudaEventRecord(event);
    count_up<<<1, 1>>>(device, n);
    cudaEventSynchronize(event);
  }
}

// The same with a stream for the copies, and with pageable memory, for which the copy itself waits.
static void ahead_in_two_streams() {
  int pageable;
  for (int i = 0; i < 10; i++) {
    launch(a);
    cudaEventRecord(event, a);
    launch(a);
    cudaStreamWaitEvent(b, event);
    if (i % 2) {
      fetch(b);
      cudaStreamSynchronize(b);
    } else {
      cudaMemcpyAsync(&pageable, device, sizeof pageable, cudaMemcpyDeviceToHost, b);
    }
  }
}

// Work of another stream that is done already does not keep the device busy.
static void stale() {
  launch(a);
  cudaDeviceSynchronize();
  launch(b);
  cudaStreamSynchronize(b);
}

// A blocking stream and the legacy stream wait for each other.
static void legacy() {
  cudaStream_t blocking;
  cudaStreamCreate(&blocking);
  launch(blocking);
  launch();
  cudaStreamSynchronize(nullptr); // idle: all is awaited
  launch();
  launch(blocking);
  cudaStreamSynchronize(blocking); // idle
  launch(blocking);
  launch();
  cudaStreamSynchronize(blocking); // not idle
  launch(a);
  cudaStreamSynchronize(nullptr); // not idle: stream a does not wait for the legacy stream
  cudaStreamDestroy(blocking);
}

// What a program does that looks at pinned memory without asking whether the copy is done.
static void polled() {
  for (int i = 0; i < 10; i++) {
    launch();
    fetch();
    fetch();
  }
}

static void one_wait_for_all() {
  polled();
  cudaDeviceSynchronize();
}

// Two copies between launches are one number that the host may wait for; the third copy is another.
static void two_copies() {
  cudaEvent_t second;
  cudaEventCreate(&second);
  launch();
  fetch();
  cudaEventRecord(event);
  fetch();
  cudaEventRecord(second);
  launch();
  fetch();
  cudaEventSynchronize(event);
  cudaEventSynchronize(second);
  cudaEventDestroy(second);
}

// Stream b has waited for the launch in stream a.
static void followed() {
  launch(a);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  fetch(b);
  cudaStreamSynchronize(b);
}

// One instruction stores to both arrays.
__global__ void store_to_either(int *x, int *y) { (threadIdx.x % 2 ? x : y)[threadIdx.x] = 1; }

static void two_arrays() {
  int *x, *y, host[32];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  store_to_either<<<1, 32>>>(x, y);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, y, 16, cudaMemcpyDeviceToHost);
}

static void use(void *pinned) { ++*(volatile int *)pinned; }
static void use_in_turn(cudaStream_t, cudaError_t, void *pinned) { use(pinned); }

// The program does not wait, and finds what the stream has written.
static void host_functions() {
  int *pinned;
  cudaMallocHost(&pinned, sizeof *pinned);
  for (int i = 0; i < 3; i++) {
    launch();
    cudaMemcpyAsync(pinned, device, sizeof *pinned, cudaMemcpyDeviceToHost);
    cudaLaunchHostFunc(nullptr, use, pinned);
    cudaStreamAddCallback(nullptr, use_in_turn, pinned, 0);
    launch();
  }
}

static void graph() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int pageable;
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  launch(a);
  cudaMemcpyAsync(&pageable, device, sizeof pageable, cudaMemcpyDeviceToHost, a);
  launch(a);
  cudaStreamEndCapture(a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 5; i++)
    cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// Two of three allocations leak; a reset frees.
static void leaks() {
  void *x[3];
  for (int i = 0; i < 3; i++)
    cudaMalloc(&x[i], 1000u << i);
  cudaFree(x[1]);
}

// Each call that counts once, and some that do not.
static void memory_calls() {
  void *x, *y;
  cudaMalloc(&x, 100);
  cudaFree(x);
  cudaFree(nullptr);
  cudaMallocManaged(&x, 100);
  cudaFree(x);
  cudaMallocHost(&x, 100);
  cudaFreeHost(x);
  cudaMallocAsync(&x, 100, nullptr);
  cudaFreeAsync(x, nullptr);
  cudaMallocAsync(&y, 100, nullptr);
  cudaFree(y);
  cudaMalloc(&x, 0);
  cudaMalloc(&y, 100);
}

static void reset() {
  leaks();
  cudaDeviceReset();
}

// ---- Random work on one array of words, and what the words must be ----

enum { WORDS = 4096, HALVES = 2 * WORDS };

struct model {
  std::vector<bool> by_kernel = std::vector<bool>(WORDS);
  unsigned long long launches = 0, waits = 0, to_host = 0, to_device = 0, on_device = 0, filled = 0,
                     others = 0, copies = 0, awaited = 0, launch_waits = 0, graphs = 0;
};

static void mark(model &m, size_t first, size_t bytes, bool value) {
  for (size_t w = first / 4; w < (first + bytes + 3) / 4; w++)
    m.by_kernel[w] = value;
}

static unsigned below(unsigned n) { return (unsigned)rand() % n; }

enum store {
  STORE_1,
  STORE_2,
  STORE_4,
  STORE_8,
  STORE_16,
  STORE_ADD,
  STORE_FLOAT,
  STORE_CAS,
  STORE_HALF,
  STORES
};
static const int store_bytes[STORES] = {1, 2, 4, 8, 16, 4, 4, 8, 4};

// Thread i stores at element `first + i * stride`; the others of the block leave before.
__global__ void store(char *x, int kind, int first, int stride, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const size_t at = first + (size_t)i * stride;
  switch (kind) {
  case STORE_1:
    x[at] = 1;
    break;
  case STORE_2:
    ((short *)x)[at] = 2;
    break;
  case STORE_4:
    ((int *)x)[at] = 3;
    break;
  case STORE_8:
    ((float2 *)x)[at] = make_float2(1, 2);
    break;
  case STORE_16:
    ((int4 *)x)[at] = make_int4(1, 2, 3, 4);
    break;
  case STORE_ADD:
    atomicAdd((int *)x + at, 1);
    break;
  case STORE_FLOAT:
    atomicAdd((float *)x + at, 1.0f);
    break;
  case STORE_CAS:
    atomicCAS((unsigned long long *)x + at, 1ull, 2ull);
    break;
  default:
    atomicAdd((__half2 *)x + at, __floats2half2_rn(1, 1));
    break;
  }
}

static void random_store(model &m, char *x) {
  const int kind = (int)below(STORES), bytes = store_bytes[kind], elements = 4 * WORDS / bytes;
  const int stride = 1 + (int)below(3), first = (int)below(elements),
            room = (elements - first - 1) / stride + 1;
  const int count = 1 + (int)below((unsigned)room);
  store<<<(unsigned)(count + 63) / 64, 64>>>(x, kind, first, stride, count);
  for (int i = 0; i < count; i++)
    mark(m, (size_t)(first + i * stride) * bytes, (size_t)bytes, true);
  m.launches++;
}

struct box { // rows of bytes in the array
  size_t at, width, rows, pitch;
};

static box random_box() {
  const size_t unit = below(2) ? 4 : 1;
  box b = {unit * below(256), unit * (1 + below(200)), 1 + below(8), 0};
  b.pitch = b.width + unit * below(100);
  return b;
}

static void random_write(model &m, char *x) {
  static char host[4 * WORDS];
  const box b = random_box();
  if (below(2))
    cudaMemcpy2D(x + b.at, b.pitch, host, b.width, b.width, b.rows, cudaMemcpyHostToDevice);
  else
    cudaMemset2D(x + b.at, b.pitch, 7, b.width, b.rows), m.on_device += b.width * b.rows,
        m.filled += b.width * b.rows, m.to_device -= b.width * b.rows;
  for (size_t i = 0; i < b.rows; i++)
    mark(m, b.at + i * b.pitch, b.width, false);
  m.to_device += b.width * b.rows;
}

static void copy_box(model &m, char *x, size_t to, const box &b) {
  cudaMemcpy3DParms p = {};
  cudaStream_t stream;
  switch (below(4)) {
  case 0:
    cudaMemcpy2DAsync(x + to, b.pitch, x + b.at, b.pitch, b.width, b.rows, cudaMemcpyDeviceToDevice);
    return;
  case 1:
    for (size_t i = 0; i < b.rows; i++)
      cudaMemcpyPeer(x + to + i * b.pitch, 0, x + b.at + i * b.pitch, 0, b.width);
    return;
  case 2:
    p.srcPtr = make_cudaPitchedPtr(x + b.at, b.pitch, b.width, b.rows);
    p.dstPtr = make_cudaPitchedPtr(x + to, b.pitch, b.width, b.rows);
    p.extent = make_cudaExtent(b.width, b.rows, 1);
    p.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&p);
    return;
  default:
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpy2DAsync(x + to, b.pitch, x + b.at, b.pitch, b.width, b.rows, cudaMemcpyDeviceToDevice, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0); // nothing orders two blocking streams of one copy each
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    m.graphs++;
  }
}

// Within the array, row by row; the rows may overlap.
static void random_copy(model &m, char *x) {
  const box b = random_box();
  const size_t to = below(2) ? 4 * (1024 + below(1024)) : 1 + below(3000);
  copy_box(m, x, to, b);
  for (size_t i = 0; i < b.rows; i++) {
    const std::vector<bool> before = m.by_kernel;
    const size_t target = to + i * b.pitch, source = b.at + i * b.pitch;
    for (size_t w = target / 4; w <= (target + b.width - 1) / 4; w++)
      m.by_kernel[w] = true;
    for (size_t k = 0; k < b.width; k++)
      if (!before[(source + k) / 4])
        m.by_kernel[(target + k) / 4] = false;
  }
  m.on_device += b.width * b.rows;
}

static void random_read(model &m, char *x) {
  static char host[4 * WORDS];
  const box b = random_box();
  cudaMemcpy2D(host, b.width, x + b.at, b.pitch, b.width, b.rows, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < b.rows; i++)
    for (size_t w = (b.at + i * b.pitch) / 4; w <= (b.at + i * b.pitch + b.width - 1) / 4; w++)
      m.others += !m.by_kernel[w];
  m.to_host += b.width * b.rows;
  m.copies++;
  m.launch_waits += m.launches > m.awaited;
  m.awaited = m.launches;
}

static int run_random(unsigned seed) {
  static void (*const steps[])(model &, char *) = {random_store, random_store, random_write,
                                                   random_copy,  random_copy,  random_read};
  model m;
  char *x;
  srand(seed);
  cudaMalloc(&x, 4 * WORDS);
  for (int i = 0; i < 200; i++)
    steps[below(6)](m, x);
  cudaFree(x);
  printf(
      "launches,%llu\nhost_waits,%llu\nidle_waits,%llu\nunawaited_copies,0\ncopies_to_host,%llu\n"
      "bytes_to_host,%llu\nbytes_to_device,%llu\nbytes_on_device,%llu\nbytes_filled,%llu\nwords_to_host_not_by_a_kernel,%llu\n"
      "allocated_bytes,%d\nfreed_bytes,%d\nleaked_allocations,0\nmanaged_bytes,0\nconcurrent_launches,0\nunawaited_launches,%llu\n"
      "leaked_pinned,0\nleaked_objects,0\nearly_accesses,0\nmemory_calls,2\nordered_memory_calls,0\nstarved_waits,%llu\nlaunch_waits,%llu\n"
      "mapped_writes,0\nhost_functions,0\ngraphs_made,%llu\nconcurrent_copies,0\n",
      m.launches, m.copies, m.copies, m.copies, m.to_host, m.to_device, m.on_device, m.filled, m.others,
      4 * WORDS, 4 * WORDS, m.launches - m.awaited, m.launch_waits, m.launch_waits, m.graphs);
  return cudaGetLastError() != cudaSuccess;
}

// Two allocations of 4000 and 400 bytes; the host writes a word before the first launch, and three between launches.
static void managed() {
  int *x, *y;
  cudaMallocManaged(&x, 4000);
  x[2] = 1;
  launch();
  cudaHostAlloc(&y, 400, cudaHostAllocMapped);
  launch();
  cudaDeviceSynchronize();
  x[0]++, x[999]++, y[7]++;
  increment<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  x[1] = x[0] + y[0];
  cudaFree(x);
  cudaFreeHost(y);
}

// A kernel writes one of four words, another is 0. The second copy to the host leaves out the third column.
static void traffic() {
  int words[4] = {5, 0, 7, 9}, *x, pair[2];
  cudaMalloc(&x, sizeof words);
  cudaMemcpy(x, words, sizeof words, cudaMemcpyHostToDevice);
  increment<<<1, 1>>>(x);
  cudaMemcpy(words, x, sizeof words, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(pair, sizeof *pair, x, 2 * sizeof *x, sizeof *x, 2, cudaMemcpyDeviceToHost);
  cudaMemset(x, 0, sizeof words);
  cudaMemset(x, 1, sizeof words);
  cudaMemcpy(x, x + 1, sizeof *x, cudaMemcpyDeviceToDevice);
  increment<<<1, 1>>>(x);
  increment<<<2, 1>>>(x);
  cudaFree(x);
}

// The second and the third launch may run beside an earlier one; the copy waits for the default stream alone.
__device__ int variable;

static void write_variable() {
  const int value = 7;
  cudaMemcpyToSymbol(variable, &value, sizeof value);
}

static void concurrent() {
  launch(a);
  launch(b);
  launch();
  blocking_fetch();
}

__global__ void add_to(int *x, const int *y) { *x += *y; }

// Two streams beside each other, each with its own number; both read a third one. The last launch writes that one,
// while the others may still read it.
static void apart() {
  int *x, *y;
  cudaMalloc(&x, sizeof *x);
  cudaMalloc(&y, sizeof *y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; i++) {
    add_to<<<1, 1, 0, a>>>(x, device);
    add_to<<<1, 1, 0, b>>>(y, device);
  }
  launch();
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}

__global__ void store(int *x, int value) { *x = value; }

// Two streams write every second word of one array; then one of them writes a word of the other, and the other reads a
// sector that the first one writes.
static void parts_of_an_array() {
  int *x;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++)
    store<<<1, 1, 0, i % 2 ? a : b>>>(x + i, i);
  store<<<1, 1, 0, a>>>(x + 6, 6);
  add_to<<<1, 1, 0, b>>>(x + 50, x + 8);
  cudaDeviceSynchronize();
  cudaFree(x);
}

static cudaGraphNode_t store_node(cudaGraph_t graph, int *x, const cudaGraphNode_t *after, size_t count) {
  int value = 1;
  void (*const kernel)(int *, int) = store; // it has other overloads
  void *arguments[] = {&x, &value};
  const cudaKernelNodeParams params = {
      .func = (void *)kernel, .gridDim = 1, .blockDim = 1, .kernelParams = arguments};
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, after, count, &params);
  return node;
}

// A graph of two branches that write different words, and join. `last` writes a word of one of them: with a dependency
// it is ordered, without one it is not, in each of two launches, also where the graph is a child of another one.
static void branches_of_a_graph(bool is_ordered, bool is_child) {
  int *x;
  cudaGraph_t graph, parent;
  cudaGraphNode_t child;
  cudaGraphExec_t exec;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaGraphCreate(&graph, 0);
  const cudaGraphNode_t root = store_node(graph, x, NULL, 0);
  const cudaGraphNode_t branches[] = {store_node(graph, x + 1, &root, 1), store_node(graph, x + 2, &root, 1)};
  const cudaGraphNode_t join = store_node(graph, x + 1, branches, 2);
  store_node(graph, x + 2, &join, is_ordered);
  cudaGraphCreate(&parent, 0);
  cudaGraphAddChildGraphNode(&child, parent, NULL, 0, graph);
  cudaGraphInstantiate(&exec, is_child ? parent : graph, 0);
  for (int i = 0; i < 2; i++)
    cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(parent);
  cudaGraphDestroy(graph);
  cudaFree(x);
}
static void ordered_branches() { branches_of_a_graph(true, false); }
static void unordered_branches() { branches_of_a_graph(false, false); }
static void ordered_branches_of_a_child() { branches_of_a_graph(true, true); }
static void unordered_branches_of_a_child() { branches_of_a_graph(false, true); }

// Copies and fills in a stream that does not wait for the other one: four of them, and a launch. Two copies
// may both read.
static void copies_apart() {
  launch(a);
  fetch(b);
  cudaDeviceSynchronize();
  launch(a);
  cudaMemcpyAsync(device, pinned, sizeof *device, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
  launch(a);
  cudaMemsetAsync(device, 0, sizeof *device, b);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(device, pinned, sizeof *device, cudaMemcpyHostToDevice, b);
  fetch(a);
  cudaDeviceSynchronize();
  fetch(a);
  fetch(b);
  cudaDeviceSynchronize();
  fetch(b);
  launch(a);
  cudaDeviceSynchronize();
}

// Streams that wait for the default stream do not wait for each other: the second copy is one.
static void copies_in_blocking_streams() {
  int *x;
  cudaStream_t first, second;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMemcpyAsync(x, x + 32, sizeof *x, cudaMemcpyDeviceToDevice, first);
  cudaMemcpyAsync(x, x + 32, sizeof *x, cudaMemcpyDeviceToDevice, second);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(x);
}

// A copy of one half of an array beside kernels in the other half.
static void copies_of_parts() {
  int *x;
  cudaMalloc(&x, 64 * sizeof *x);
  launch(a);
  cudaMemcpyAsync(x, pinned, sizeof *x, cudaMemcpyHostToDevice, b);
  store<<<1, 1, 0, a>>>(x + 32, 1);
  cudaMemcpyAsync(x + 40, x, sizeof *x, cudaMemcpyDeviceToDevice, b);
  cudaDeviceSynchronize();
  cudaFree(x);
}

// Copies of other parts before the first launch. Then one stream writes a part that the other has left, which has gone
// on to another part.
static void parts_in_turn() {
  int *x;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(x + 8, pinned, sizeof *x, cudaMemcpyHostToDevice, a);
  cudaMemcpyAsync(x + 40, pinned, sizeof *x, cudaMemcpyHostToDevice, b);
  store<<<1, 1, 0, a>>>(x, 1);
  cudaEventRecord(event, a);
  store<<<1, 1, 0, a>>>(x + 32, 1);
  cudaStreamWaitEvent(b, event);
  store<<<1, 1, 0, b>>>(x, 2);
  cudaDeviceSynchronize();
  cudaFree(x);
}

// The same in order: by an event, by the streams' blocking, and by a wait of the host.
static void copies_in_order() {
  cudaStream_t blocking;
  cudaStreamCreate(&blocking);
  launch(a);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  fetch(b);
  cudaMemsetAsync(device, 0, sizeof *device, b);
  cudaStreamSynchronize(b);
  cudaMemcpyAsync(device, pinned, sizeof *device, cudaMemcpyHostToDevice);
  launch(blocking);
  fetch();
  cudaDeviceSynchronize();
  cudaStreamDestroy(blocking);
}

// Kernels write mapped memory: an access is a wait for the kernel, unless the host has waited already.
static void polled_mapped() {
  int *memory;
  cudaHostAlloc(&memory, sizeof *memory, cudaHostAllocMapped);
  volatile int *x = memory;
  for (int i = 0; i < 3; i++) {
    store<<<1, 1>>>(memory, i + 1);
    while (*x != i + 1)
      ;
  }
  store<<<1, 1>>>(memory, 4);
  increment<<<1, 1>>>(device);
  cudaDeviceSynchronize();
  if (*x != 4)
    exit(3);
  store<<<1, 1>>>(memory, 4);
  cudaFreeHost(memory);
}

// The same streams, and a blocking one, each after the one before.
static void ordered() {
  cudaStream_t blocking, streams[] = {nullptr, a, b, nullptr};
  cudaStreamCreate(&blocking);
  for (cudaStream_t stream : streams) {
    cudaStreamWaitEvent(stream, event);
    launch(stream);
    cudaEventRecord(event, stream);
  }
  launch(blocking);
  launch();
  blocking_fetch();
  launch(a);
  cudaStreamSynchronize(a);
  launch(b);
  cudaDeviceSynchronize();
}

// Two events, a graph and pinned memory are left, registered memory, too; what is given back does not count.
static void left_on_the_host() {
  static char own[4096];
  cudaEvent_t events[3];
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  void *memory[2];
  for (cudaEvent_t &e : events)
    cudaEventCreate(&e);
  cudaEventDestroy(events[1]);
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  launch(a);
  cudaStreamEndCapture(a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphExecDestroy(exec);
  for (void *&m : memory)
    cudaMallocHost(&m, 10);
  cudaFreeHost(memory[0]);
  cudaHostRegister(own, sizeof own, 0);
}

static void left_before_a_reset() {
  left_on_the_host();
  cudaDeviceReset();
}

// The host may use other elements of the array, and of the same page, before it waits.
static void early_use(bool waits) {
  int *memory;
  cudaMallocHost(&memory, 2 * sizeof *memory);
  volatile int *pair = memory, sum = 0;
  for (int i = 0; i < 4; i++) {
    launch();
    cudaMemcpyAsync(memory + i % 2, device, sizeof *memory, cudaMemcpyDeviceToHost);
    cudaEventRecord(event);
    if (waits)
      cudaEventSynchronize(event);
    sum = sum + pair[i % 2];
    pair[1 - i % 2] = 0;
  }
  cudaDeviceSynchronize();
  cudaFreeHost(memory);
}
static void early() { early_use(false); }
static void awaited() { early_use(true); }

// The second copy is on its way while the host uses the first one; a copy back to the device needs no wait.
static void ahead_in_a_page() {
  int *pair;
  cudaMallocHost(&pair, 2 * sizeof *pair);
  for (int i = 0; i < 4; i++) {
    launch();
    cudaMemcpyAsync(pair + i % 2, device, sizeof *pair, cudaMemcpyDeviceToHost);
    if (i > 0)
      cudaEventSynchronize(event);
    cudaEventRecord(event);
    if (i > 0 && pair[1 - i % 2] != i)
      exit(3);
    cudaMemcpyAsync(device, pair + i % 2, sizeof *pair, cudaMemcpyHostToDevice);
  }
  cudaDeviceSynchronize();
  cudaFreeHost(pair);
}

// A buffer of the host is filled again while a copy may still read it. Reads of it are permitted, and of a target that
// shares its page, too, once the host has waited.
static void refilled(bool waits) {
  int *buffer;
  cudaMallocHost(&buffer, 8 * sizeof *buffer);
  volatile int *value = buffer, sum = 0;
  for (int i = 0; i < 3; i++) {
    value[0] = i;
    cudaMemcpyAsync(device, buffer, sizeof *buffer, cudaMemcpyHostToDevice, a);
    sum = sum + value[0];
    if (waits)
      cudaStreamSynchronize(a);
  }
  cudaMemcpyAsync(buffer + 4, device, sizeof *buffer, cudaMemcpyDeviceToHost, a);
  sum = sum + value[0];
  cudaStreamSynchronize(a);
  value[0] = value[4];
  cudaFreeHost(buffer);
}
static void refilled_early() { refilled(false); }
static void refilled_later() { refilled(true); }

// A kernel changes x, not y.
static void early_managed() {
  int *memory, *other;
  cudaMallocManaged(&memory, 8);
  cudaMallocManaged(&other, 8);
  volatile int *x = memory, *y = other;
  increment<<<1, 1>>>(memory);
  y[0] = x[1]; // neither is written; the next call closes the page again
  cudaEventRecord(event);
  y[0] = x[0];
  cudaDeviceSynchronize();
  increment<<<1, 1>>>(memory);
  cudaDeviceSynchronize();
  y[1] = x[0];
  cudaFree(memory);
  cudaFree(other);
}

static const struct {
  const char *name;
  void (*run)();
} cases[] = {
    {"each kind", each_kind},
    {"none", none},
    {"ahead", ahead},
    {"ahead of little", ahead_of_little},
    {"two streams", ahead_in_two_streams},
    {"stale", stale},
    {"legacy", legacy},
    {"polled", polled},
    {"one wait for all", one_wait_for_all},
    {"two copies", two_copies},
    {"followed", followed},
    {"two arrays", two_arrays},
    {"host functions", host_functions},
    {"graph", graph},
    {"leaks", leaks},
    {"reset", reset},
    {"memory calls", memory_calls},
    {"managed", managed},
    {"variable", write_variable},
    {"traffic", traffic},
    {"concurrent", concurrent},
    {"apart", apart},
    {"parts", parts_of_an_array},
    {"branches, ordered", ordered_branches},
    {"branches, unordered", unordered_branches},
    {"branches of a child, ordered", ordered_branches_of_a_child},
    {"branches of a child, unordered", unordered_branches_of_a_child},
    {"copies apart", copies_apart},
    {"copies of parts", copies_of_parts},
    {"parts in turn", parts_in_turn},
    {"copies in order", copies_in_order},
    {"copies, blocking", copies_in_blocking_streams},
    {"polled, mapped", polled_mapped},
    {"ordered", ordered},
    {"left", left_on_the_host},
    {"left, reset", left_before_a_reset},
    {"early", early},
    {"awaited", awaited},
    {"ahead in a page", ahead_in_a_page},
    {"refilled", refilled_early},
    {"refilled, awaited", refilled_later},
    {"early, managed", early_managed},
};

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "random") == 0)
    return run_random((unsigned)atoi(argv[2]));
  cudaMalloc(&device, sizeof *device);
  cudaMallocHost(&pinned, sizeof *pinned);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  for (const auto &c : cases)
    if (argc == 2 && strcmp(argv[1], c.name) == 0) {
      c.run();
      return cudaGetLastError() != cudaSuccess;
    }
  return 2;
}
