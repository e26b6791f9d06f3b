// Textures, surfaces and arrays, against the formulas of the CUDA C++ Programming Guide, Texture Fetching.
#include "semantics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <limits>
#include <type_traits>
#include <vector>

static unsigned state = 1;
static unsigned draw(unsigned below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

template <class T> static T draw_texel() {
  if constexpr (std::is_floating_point<T>::value)
    return T(draw(20001)) / 100 - 100;
  else
    return draw(8) ? T(draw(1u << 20)) : std::numeric_limits<T>::min();
}

template <class T> static std::vector<T> draw_texels(size_t count) {
  std::vector<T> texels(count);
  for (T &texel : texels)
    texel = draw_texel<T>();
  return texels;
}

// On the host: the texels, and how they are read. Sizes are {width, height, depth or layers}.
template <class T> struct Image {
  int size[3];
  cudaTextureDesc reads;
  std::vector<T> texels;

  // The texel that an index means, or −1: the border.
  int wrapped(int axis, long i) const {
    const int n = size[axis];
    const cudaTextureAddressMode mode = reads.addressMode[axis];
    if (mode == cudaAddressModeBorder)
      return i < 0 || i >= n ? -1 : int(i);
    if (!reads.normalizedCoords || mode == cudaAddressModeClamp)
      return int(std::min(std::max(i, 0l), n - 1l));
    const long period = mode == cudaAddressModeMirror ? 2 * n : n;
    while (i < 0)
      i += period;
    i %= period;
    return int(i < n ? i : 2 * n - 1 - i);
  }

  double value(long x, long y, long z) const {
    const int i = wrapped(0, x), j = wrapped(1, y), k = wrapped(2, z);
    if (i < 0 || j < 0 || k < 0)
      return 0;
    const T texel = texels[(size_t(k) * size[1] + j) * size[0] + i];
    if (reads.readMode == cudaReadModeElementType)
      return double(texel);
    const double most = std::ldexp(1.0, int(8 * sizeof(T)) - std::is_signed<T>::value) - 1;
    return reads.filterMode == cudaFilterModeLinear ? double(texel) / most
                                                    : std::max(double(texel) / most, -1.0);
  }
  bool filters_bytes() const {
    return std::is_same<T, signed char>::value && reads.filterMode == cudaFilterModeLinear &&
           reads.readMode == cudaReadModeNormalizedFloat;
  }
};

// A mean of signed bytes in 1/256 as an H200 makes 16 bits of it.
static double widened(long mean) { return mean + ((mean + 16 * (mean >> 12) + 64) >> 7); }

// Weights in 1/256 as an H200 rounds them (simgpu/validation/kernels/textures.cu): one for each corner.
static void weigh(const long *fraction, long *weight) {
  weight[0] = 256;
  for (int axis : {2, 0, 1}) // which halves the weights so far
    for (int corner = 0; corner < 8; corner++) {
      const int bit = 1 << axis, settled = axis == 2 ? 0 : axis == 0 ? 4 : 5;
      if (corner & ~settled)
        continue;
      const long whole = weight[corner];
      const bool down = axis == 1 && !(corner & 1); // halves are rounded down there
      weight[corner | bit] = (whole * fraction[axis] + 128 - down) / 256;
      weight[corner] = whole - weight[corner | bit];
    }
}

template <class T> static double read_image(const Image<T> &image, const float *at, int axes) {
  const cudaTextureDesc &reads = image.reads;
  const int *size = image.size;
  double sum = 0;
  long fraction[3] = {0, 0, 0}, first[3] = {0, 0, 0}, weight[8] = {};
  for (int a = 0; a < axes; a++) {
    const double cut = std::floor(std::ldexp(double(at[a]), 21));
    const double x = reads.normalizedCoords ? std::ldexp(cut, -21) * size[a] : double(at[a]);
    if (reads.filterMode == cudaFilterModePoint) {
      first[a] = long(std::floor(x));
      continue;
    }
    double steps = std::floor((x - 0.5) * 256 + 0.5);
    if (reads.addressMode[a] == cudaAddressModeClamp ||
        (!reads.normalizedCoords && reads.addressMode[a] != cudaAddressModeBorder))
      steps = std::min(std::max(steps, 0.), (size[a] - 1) * 256.);
    first[a] = long(std::floor(steps / 256));
    fraction[a] = long(steps) - 256 * first[a];
  }
  if (axes == 1 && reads.filterMode == cudaFilterModeLinear && reads.addressMode[1] == cudaAddressModeBorder)
    first[1] = -1, fraction[1] = 128; // y is 0, half in the border
  weigh(fraction, weight);
  const bool integers =
      reads.filterMode == cudaFilterModeLinear && reads.readMode == cudaReadModeNormalizedFloat;
  const double most = !integers                  ? 1
                      : image.filters_bytes()    ? 127
                      : std::is_signed<T>::value ? 32767
                                                 : 65535; // fractions of 16 bits
  for (int k = 0; k < 8; k++) {
    const double texel =
        weight[k] ? image.value(first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2)) : 0;
    sum += double(weight[k]) * (integers ? std::rint(texel * most) : texel);
  }
  if (!integers)
    return sum / 256;
  return image.filters_bytes() ? std::max(widened(long(sum)) / 32767, -1.0)
                               : std::max(std::floor(sum / 256 + 0.5) / most, -1.0);
}

template <class Read>
__global__ void read_2d(cudaTextureObject_t texture, const float *at, int count, Read *values, int axes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
  values[i] = axes == 1   ? tex1D<Read>(texture, x)
              : axes == 2 ? tex2D<Read>(texture, x, y)
                          : tex3D<Read>(texture, x, y, z);
}

static cudaArray_t new_array(const void *texels, cudaChannelFormatDesc format, size_t texel, const int *size,
                             int axes) {
  cudaArray_t array;
  const cudaExtent extent = {size_t(size[0]), axes > 1 ? size_t(size[1]) : 0, axes > 2 ? size_t(size[2]) : 0};
  if (axes < 3)
    OK(cudaMallocArray(&array, &format, extent.width, extent.height));
  else
    OK(cudaMalloc3DArray(&array, &format, extent));
  if (axes == 1) {
    OK(cudaMemcpy2DToArray(array, 0, 0, texels, texel * size[0], texel * size[0], 1, cudaMemcpyHostToDevice));
  } else if (axes == 2) {
    OK(cudaMemcpy2DToArray(array, 0, 0, texels, texel * size[0], texel * size[0], size[1],
                           cudaMemcpyHostToDevice));
  } else {
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(const_cast<void *>(texels), texel * size[0], size[0], size[1]);
    box.dstArray = array;
    box.extent = extent;
    box.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&box));
  }
  return array;
}

// Random places of random images, most of them within the image and some far outside.
template <class T, class Read>
static void compare_reads(int axes, bool normalised, bool filters, bool fractions,
                          cudaTextureAddressMode mode) {
  enum { PLACES = 300 };
  Image<T> image = {
      {int(1 + draw(40)), axes > 1 ? int(1 + draw(20)) : 1, axes > 2 ? int(1 + draw(9)) : 1}, {}, {}};
  image.reads.normalizedCoords = normalised;
  image.reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
  image.reads.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  for (auto &axis : image.reads.addressMode)
    axis = mode;
  image.texels = draw_texels<T>(size_t(image.size[0]) * image.size[1] * image.size[2]);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array =
      new_array(image.texels.data(), cudaCreateChannelDesc<T>(), sizeof(T), image.size, axes);
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &image.reads, nullptr));
  std::vector<float> at(3 * PLACES);
  for (size_t i = 0; i < at.size(); i++)
    at[i] = (float(draw(30000)) / 10000 - 1) * (normalised ? 1 : image.size[i % 3]);
  float *device_at;
  Read *device_values, values[PLACES];
  OK(cudaMalloc(&device_at, at.size() * sizeof(float)));
  OK(cudaMalloc(&device_values, sizeof values));
  OK(cudaMemcpy(device_at, at.data(), at.size() * sizeof(float), cudaMemcpyHostToDevice));
  read_2d<Read><<<(PLACES + 63) / 64, 64>>>(texture, device_at, PLACES, device_values, axes);
  OK(cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost));
  for (int i = 0; i < PLACES; i++) {
    const double expected = read_image(image, &at[3 * i], axes);
    if (std::fabs(double(values[i]) - expected) > 1e-7 * (1 + std::fabs(expected))) {
      printf(
          "axes %d normalised %d filters %d fractions %d mode %d: at %g %g %g of %d %d %d: %.9g, expected %.9g\n",
          axes, normalised, filters, fractions, mode, at[3 * i], at[3 * i + 1], at[3 * i + 2], image.size[0],
          image.size[1], image.size[2], double(values[i]), expected);
      differences++;
      break;
    }
  }
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFreeArray(resource.res.array.array));
  OK(cudaFree(device_at));
  OK(cudaFree(device_values));
}

static void reads_of_arrays() {
  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                          cudaAddressModeBorder};
  for (int axes = 1; axes <= 3; axes++)
    for (bool normalised : {false, true})
      for (cudaTextureAddressMode mode : modes) {
        for (bool filters : {false, true}) {
          compare_reads<float, float>(axes, normalised, filters, false, mode);
          compare_reads<unsigned char, float>(axes, normalised, filters, true, mode);
          compare_reads<signed char, float>(axes, normalised, filters, true, mode);
          compare_reads<short, float>(axes, normalised, filters, true, mode);
        }
        compare_reads<int, int>(axes, normalised, false, false, mode);
        compare_reads<signed char, int>(axes, normalised, false, false, mode);
        compare_reads<unsigned short, unsigned>(axes, normalised, false, false, mode);
      }
}

__global__ void fetch(cudaTextureObject_t one, cudaTextureObject_t four, cudaTextureObject_t half_texture,
                      float *values) {
  const int i = int(threadIdx.x) - 2;
  const short4 pair = tex1Dfetch<short4>(four, i);
  values[threadIdx.x] = tex1Dfetch<float>(one, i) + pair.x + 2 * pair.y + 3 * pair.z + 4 * pair.w +
                        tex1Dfetch<float>(half_texture, i);
}

template <class T>
static cudaTextureObject_t linear_texture(const std::vector<T> &texels, int bits, int channels,
                                          cudaChannelFormatKind kind) {
  cudaResourceDesc resource = {};
  cudaTextureDesc reads = {};
  cudaTextureObject_t texture;
  resource.resType = cudaResourceTypeLinear;
  const int y = channels > 1 ? bits : 0, z = channels > 2 ? bits : 0;
  resource.res.linear.desc = cudaCreateChannelDesc(bits, y, z, z, kind);
  resource.res.linear.sizeInBytes = texels.size() * sizeof(T);
  OK(cudaMalloc(&resource.res.linear.devPtr, resource.res.linear.sizeInBytes));
  OK(cudaMemcpy(resource.res.linear.devPtr, texels.data(), resource.res.linear.sizeInBytes,
                cudaMemcpyHostToDevice));
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  return texture;
}

// Reads before and behind the memory are 0.
static void linear_memory() {
  enum { COUNT = 29, THREADS = 33 };
  const std::vector<float> ones = draw_texels<float>(COUNT);
  const std::vector<short> fours = draw_texels<short>(4 * COUNT);
  std::vector<__half> halves;
  for (int i = 0; i < COUNT; i++)
    halves.push_back(__float2half(i * 0.25f));
  float *device, values[THREADS];
  OK(cudaMalloc(&device, sizeof values));
  fetch<<<1, THREADS>>>(linear_texture(ones, 32, 1, cudaChannelFormatKindFloat),
                        linear_texture(fours, 16, 4, cudaChannelFormatKindSigned),
                        linear_texture(halves, 16, 1, cudaChannelFormatKindFloat), device);
  OK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    const int i = t - 2;
    float expected = 0;
    if (i >= 0 && i < COUNT)
      expected = ones[i] + fours[4 * i] + 2 * fours[4 * i + 1] + 3 * fours[4 * i + 2] + 4 * fours[4 * i + 3] +
                 i * 0.25f;
    TRUE(std::fabs(values[t] - expected) <= 0.02f);
  }
}

__global__ void fetch_some(cudaTextureObject_t texture, float *values, int count) {
  const int i = threadIdx.x;
  if (i < count)
    values[i] = tex1Dfetch<float>(texture, i);
}

// A texture may be larger than the array: only what a kernel reads counts.
static void larger_than_its_array() {
  enum { COUNT = 1 << 20, READ = 100 };
  cudaResourceDesc resource = {};
  cudaTextureDesc reads = {};
  cudaTextureObject_t texture;
  float *array, *device, values[READ], numbers[READ];
  for (int i = 0; i < READ; i++)
    numbers[i] = 3.5f * i;
  OK(cudaMalloc(&array, COUNT * sizeof *array));
  OK(cudaMemcpy(array, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  OK(cudaMalloc(&device, sizeof values));
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = array;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = (COUNT + 65536) * sizeof *array;
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  fetch_some<<<1, 128>>>(texture, device, READ);
  OK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  for (int i = 0; i < READ; i++)
    TRUE(values[i] == numbers[i]);
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFree(array));
  OK(cudaFree(device));
}

__global__ void read_pitched(cudaTextureObject_t texture, int width, int height, uchar4 *values) {
  const int i = threadIdx.x;
  if (i < width * height)
    values[i] = tex2D<uchar4>(texture, i % width + 0.5f, i / width + 0.5f);
}

static void pitched_memory() {
  const int width = 13, height = 7;
  const std::vector<unsigned char> texels = draw_texels<unsigned char>(4 * width * height);
  uchar4 *device;
  std::vector<unsigned char> values(texels.size());
  cudaResourceDesc resource = {}, again = {};
  cudaTextureDesc reads = {}, read_again = {};
  cudaTextureObject_t texture;
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  reads.addressMode[0] = reads.addressMode[1] = cudaAddressModeClamp;
  OK(cudaMallocPitch(&resource.res.pitch2D.devPtr, &resource.res.pitch2D.pitchInBytes, 4 * width, height));
  OK(cudaMemcpy2D(resource.res.pitch2D.devPtr, resource.res.pitch2D.pitchInBytes, texels.data(), 4 * width,
                  4 * width, height, cudaMemcpyHostToDevice));
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  OK(cudaGetTextureObjectResourceDesc(&again, texture));
  OK(cudaGetTextureObjectTextureDesc(&read_again, texture));
  TRUE(again.res.pitch2D.devPtr == resource.res.pitch2D.devPtr &&
       read_again.addressMode[1] == reads.addressMode[1]);
  OK(cudaMalloc(&device, values.size()));
  read_pitched<<<1, 128>>>(texture, width, height, device);
  OK(cudaMemcpy(values.data(), device, values.size(), cudaMemcpyDeviceToHost));
  TRUE(values == texels);
  cudaTextureObject_t none;
  EXPECT(cudaCreateTextureObject(&none, &resource, nullptr, nullptr), cudaErrorInvalidResourceHandle);
  INVALID(cudaCreateTextureObject(nullptr, &resource, &reads, nullptr));
  INVALID(cudaCreateTextureObject(&none, nullptr, &reads, nullptr));
  OK(cudaDestroySurfaceObject(12345));
  OK(cudaDestroyTextureObject(texture));
  OK(cudaDestroyTextureObject(texture)); // as on an H200
  INVALID(cudaGetTextureObjectResourceDesc(&again, texture));
}

__global__ void layers(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *values) {
  const int layer = blockIdx.x, x = threadIdx.x;
  values[layer * blockDim.x + x] = tex2DLayered<float>(texture, x + 0.5f, 1.5f, layer);
  surf2DLayeredwrite(float(100 * layer + x), surface, 4 * x, 0, layer);
}

__global__ void corners(cudaTextureObject_t texture, float4 *value, float *point) {
  *value = tex2Dgather<float4>(texture, 1, 1, 0);
  *point = tex2DLod<float>(texture, 0.5f, 1.5f, 0) + tex2DGrad<float>(texture, 1.5f, 0.5f, {1, 0}, {0, 1});
}

static void layers_and_gathers() {
  enum { WIDTH = 5, HEIGHT = 2, LAYERS = 3 };
  const std::vector<float> texels = draw_texels<float>(WIDTH * HEIGHT * LAYERS);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), got;
  cudaExtent extent = {WIDTH, HEIGHT, LAYERS}, got_extent;
  cudaResourceDesc resource = {};
  cudaTextureDesc reads = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  unsigned flags;
  float *device, values[LAYERS][WIDTH], row[WIDTH], point;
  float4 *gathered, value;
  resource.resType = cudaResourceTypeArray;
  OK(cudaMalloc3DArray(&resource.res.array.array, &format, extent,
                       cudaArrayLayered | cudaArraySurfaceLoadStore));
  OK(cudaArrayGetInfo(&got, &got_extent, &flags, resource.res.array.array));
  TRUE(got.x == 32 && got.f == cudaChannelFormatKindFloat && got_extent.depth == LAYERS &&
       flags == (cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(const_cast<float *>(texels.data()), WIDTH * 4, WIDTH, HEIGHT);
  box.dstArray = resource.res.array.array;
  box.extent = extent;
  box.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&box));
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  OK(cudaCreateSurfaceObject(&surface, &resource));
  OK(cudaMalloc(&device, sizeof values));
  OK(cudaMalloc(&gathered, sizeof value));
  corners<<<1, 1>>>(texture, gathered, device);
  OK(cudaMemcpy(&value, gathered, sizeof value, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&point, device, sizeof point, cudaMemcpyDeviceToHost));
  TRUE(value.x == texels[WIDTH] && value.y == texels[WIDTH + 1] && value.z == texels[1] &&
       value.w == texels[0]);
  TRUE(point == texels[WIDTH] + texels[1]);
  layers<<<LAYERS, WIDTH>>>(texture, surface, device);
  OK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  for (int l = 0; l < LAYERS; l++)
    for (int x = 0; x < WIDTH; x++)
      TRUE(values[l][x] == texels[(l * HEIGHT + 1) * WIDTH + x]);
  box = {};
  box.srcArray = resource.res.array.array;
  box.srcPos = make_cudaPos(1, 0, 2);
  box.dstPtr = make_cudaPitchedPtr(row, sizeof row, WIDTH, 1);
  box.extent = make_cudaExtent(WIDTH - 1, 1, 1);
  box.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&box));
  TRUE(row[0] == 201 && row[WIDTH - 2] == 204);
  box.extent.width = WIDTH;
  INVALID(cudaMemcpy3D(&box));
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(resource.res.array.array));
}

template <class T>
__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  T texel;
  surf2Dread(&texel, from, x * int(sizeof texel), y);
  surf2Dwrite(texel, to, y * int(sizeof texel), x);
}

template <class T>
static cudaSurfaceObject_t new_surface(const T *texels, int width, int height, int axes = 2) {
  const int size[] = {width, height};
  cudaResourceDesc resource = {};
  cudaSurfaceObject_t surface;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = new_array(texels, cudaCreateChannelDesc<T>(), sizeof(T), size, axes);
  OK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

template <class T> static void compare_transpose(int width, int height) {
  std::vector<T> from(size_t(width) * height), to(from.size());
  for (T &texel : from)
    for (unsigned char *byte = reinterpret_cast<unsigned char *>(&texel), *end = byte + sizeof texel;
         byte < end;)
      *byte++ = static_cast<unsigned char>(draw(256));
  const cudaSurfaceObject_t a = new_surface(from.data(), width, height),
                            b = new_surface(to.data(), height, width);
  cudaResourceDesc resource;
  transpose<T><<<height, width>>>(a, b, width, height);
  OK(cudaGetSurfaceObjectResourceDesc(&resource, b));
  OK(cudaMemcpy2DFromArray(to.data(), height * sizeof(T), resource.res.array.array, 0, 0, height * sizeof(T),
                           width, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (memcmp(&to[size_t(x) * height + y], &from[size_t(y) * width + x], sizeof(T)) != 0) {
        printf("texels of %zu bytes, %d x %d: wrong at %d, %d\n", sizeof(T), width, height, x, y);
        differences++;
        return;
      }
}

__global__ void write_boundaries(cudaSurfaceObject_t surface) {
  surf1Dwrite(7, surface, -4, cudaBoundaryModeZero);
  surf1Dwrite(8, surface, 400, cudaBoundaryModeClamp);
}

__global__ void read_boundaries(cudaSurfaceObject_t surface, int *values) {
  values[0] = surf1Dread<int>(surface, 396);
  values[1] = surf1Dread<int>(surface, 400, cudaBoundaryModeZero);
  values[2] = surf1Dread<int>(surface, -400, cudaBoundaryModeClamp);
}

static void surfaces() {
  compare_transpose<unsigned char>(1, 1);
  compare_transpose<uchar4>(33, 5);
  compare_transpose<short>(64, 31);
  compare_transpose<float2>(7, 65);
  compare_transpose<int4>(100, 3);
  const std::vector<int> texels = draw_texels<int>(100);
  int *device, values[3];
  OK(cudaMalloc(&device, sizeof values));
  const cudaSurfaceObject_t surface = new_surface(texels.data(), 100, 1, 1);
  write_boundaries<<<1, 1>>>(surface);
  read_boundaries<<<1, 1>>>(surface, device);
  OK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  TRUE(values[0] == 8 && values[1] == 0 && values[2] == texels[0]);
}

// Copies that begin in the middle of a row and go on in the next ones.
static void copies() {
  enum { WIDTH = 7, HEIGHT = 5, COUNT = WIDTH * HEIGHT };
  const std::vector<int> texels = draw_texels<int>(COUNT);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>(),
                        three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array, other;
  EXPECT(cudaMallocArray(&array, &three, 4, 4), cudaErrorInvalidChannelDescriptor);
  INVALID(cudaMallocArray(&array, &format, 0, 4));
  OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
  OK(cudaMallocArray(&other, &format, WIDTH, HEIGHT));
  for (int first : {0, 3, 6, 7, 17}) {
    int values[COUNT];
    for (int count : {1, 4, 7, 11, 18}) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
      OK(cudaMemcpyToArray(array, first % WIDTH * 4, first / WIDTH, texels.data(), count * 4,
                           cudaMemcpyHostToDevice));
      OK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, WIDTH * 4, HEIGHT));
      OK(cudaMemcpyFromArray(values, other, first % WIDTH * 4, first / WIDTH, count * 4,
                             cudaMemcpyDeviceToHost));
#pragma GCC diagnostic pop
      TRUE(std::equal(values, values + count, texels.begin()));
    }
  }
  INVALID(cudaMemcpy2DToArray(array, 4, 0, texels.data(), WIDTH * 4, WIDTH * 4, 1, cudaMemcpyHostToDevice));
  INVALID(
      cudaMemcpy2DToArray(array, 0, 1, texels.data(), WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice));
  OK(cudaFreeArray(array));
  OK(cudaFreeArray(nullptr));
}

__global__ void trespass(cudaSurfaceObject_t surface) { surf2Dwrite(1.0f, surface, 4 * int(threadIdx.x), 0); }

static void trap() {
  const float texels[5] = {};
  trespass<<<1, 6>>>(new_surface(texels, 5, 1));
  TRUE(cudaDeviceSynchronize() != cudaSuccess);
}

// An H200 still reads it.
static void destroyed() {
  cudaDeviceProp device;
  OK(cudaGetDeviceProperties(&device, 0));
  if (!strstr(device.name, "simulated"))
    return;
  const std::vector<float> texels(40);
  const cudaTextureObject_t texture = linear_texture(texels, 32, 1, cudaChannelFormatKindFloat);
  float *values;
  OK(cudaMalloc(&values, 4));
  OK(cudaDestroyTextureObject(texture));
  fetch<<<1, 1>>>(texture, texture, texture, values);
  TRUE(cudaDeviceSynchronize() != cudaSuccess);
}

int main() {
  return run_parts({{"reads of arrays", reads_of_arrays},
                    {"linear memory", linear_memory},
                    {"larger than its array", larger_than_its_array},
                    {"pitched memory", pitched_memory},
                    {"layers and gathers", layers_and_gathers},
                    {"surfaces", surfaces},
                    {"copies", copies},
                    {"trap", trap},
                    {"destroyed", destroyed}});
}
