/* speed_opencl SPEED.CL KERNEL LAUNCHES: runs a kernel of speed.cl on the first OpenCL device, as ../speed.cu does. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks, threads, the first argument, and the bytes of up to three arrays. */
static const struct {
  const char *name;
  size_t blocks[2], threads[2];
  int n;
  size_t bytes[3];
} kernels[] = {
    {"stencil", {64, 256}, {32, 8}, 2048, {16 << 20, 16 << 20}},
    {"stencil_tiled", {64, 256}, {32, 8}, 2048, {16 << 20, 16 << 20}},
    {"product", {4, 4}, {256, 1}, 512, {1 << 20, 1 << 20, 1 << 20}},
    {"product_tiled", {32, 32}, {16, 16}, 512, {1 << 20, 1 << 20, 1 << 20}},
    {"histogram", {128, 1}, {256, 1}, 1 << 22, {16 << 20, 1024}},
    {"scan", {16384, 1}, {256, 1}, 0, {16 << 20, 16 << 20}},
    {"reduction", {16384, 1}, {256, 1}, 0, {32 << 20, 64 << 10}},
    {"red_black", {8, 256}, {32, 8}, 256, {2050 << 12, 2050 << 12, 2050 << 12}},
    {"transpose_conflicts", {128, 128}, {32, 8}, 4096, {64 << 20, 64 << 20}},
    {"transpose_padded", {128, 128}, {32, 8}, 4096, {64 << 20, 64 << 20}},
};

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "speed_opencl: %s: error %d\n", what, error);
  exit(1);
}

static char *read_all(const char *path) {
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  if (!file || fread(text, 1, sizeof text - 1, file) == 0) {
    fprintf(stderr, "speed_opencl: %s: cannot read\n", path);
    exit(2);
  }
  fclose(file);
  return text;
}

static void run(size_t k, const char *source, int launches) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel kernel = clCreateKernel(program, kernels[k].name, &error);
  check(error, kernels[k].name);
  check(clSetKernelArg(kernel, 0, sizeof kernels[k].n, &kernels[k].n), "argument");
  for (cl_uint i = 0; i < 3 && kernels[k].bytes[i]; i++) {
    const cl_int zero = 0;
    cl_mem array = clCreateBuffer(context, CL_MEM_READ_WRITE, kernels[k].bytes[i], NULL, &error);
    check(error, "array");
    check(clEnqueueFillBuffer(queue, array, &zero, sizeof zero, 0, kernels[k].bytes[i], 0, NULL, NULL),
          "fill");
    check(clSetKernelArg(kernel, i + 1, sizeof array, &array), "argument");
  }
  const size_t *threads = kernels[k].threads,
               all[2] = {kernels[k].blocks[0] * threads[0], kernels[k].blocks[1] * threads[1]};
  for (int n = 0; n < launches; n++)
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, all, threads, 0, NULL, NULL), "launch");
  check(clFinish(queue), "end");
}

int main(int argc, char **argv) {
  for (size_t k = 0; argc == 4 && k < sizeof kernels / sizeof *kernels; k++)
    if (strcmp(kernels[k].name, argv[2]) == 0) {
      run(k, read_all(argv[1]), atoi(argv[3]));
      return 0;
    }
  fprintf(stderr, "usage: speed_opencl SPEED.CL KERNEL LAUNCHES\n");
  return 2;
}
