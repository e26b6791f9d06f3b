// Textures and surfaces: reads of every kind at random places, most of them within the image. Reads of the
// nearest texel are checked; filtered ones are recorded only, because no document gives the rounding of their weights.
#include "harness.h"

#include <cuda_fp16.h>

enum { WIDTH = 37, HEIGHT = 19, DEPTH = 7, PLACES = 500, THREADS = 96 };

// An array of texels T with the values of `texels`, and a texture or surface of it.
template <class T> struct Image {
  Array<T> texels;
  cudaResourceDesc resource = {};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;

  template <class F>
  Image(int width, int height, int depth, F value, unsigned flags = 0)
      : texels(width * (height ? height : 1) * (depth ? depth : 1), value) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    resource.resType = cudaResourceTypeArray;
    cudaMemcpy3DParms box = {};
    box.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
    succeed(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(width, height, depth),
                              flags | cudaArraySurfaceLoadStore));
    box.srcPtr = make_cudaPitchedPtr(texels.device, width * sizeof(T), width, box.extent.height);
    box.dstArray = resource.res.array.array;
    box.kind = cudaMemcpyDeviceToDevice;
    succeed(cudaMemcpy3D(&box));
    succeed(cudaCreateSurfaceObject(&surface, &resource));
  }
  ~Image() {
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    succeed(cudaDestroySurfaceObject(surface));
    succeed(cudaFreeArray(resource.res.array.array));
  }
  cudaTextureObject_t read(cudaTextureAddressMode mode, bool filters = false, bool normalised = false,
                           bool fractions = false) {
    cudaTextureDesc reads = {};
    reads.addressMode[0] = reads.addressMode[1] = reads.addressMode[2] = mode;
    reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
    reads.normalizedCoords = normalised;
    reads.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    succeed(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
    return texture;
  }
  void back() { // the array's texels into `texels`
    const size_t row = texels.count / (resource_height()) * sizeof(T);
    succeed(cudaMemcpy2DFromArray(texels.device, row, resource.res.array.array, 0, 0, row, resource_height(),
                                  cudaMemcpyDeviceToDevice));
  }
  int resource_height() const {
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    succeed(cudaArrayGetInfo(&format, &extent, &flags, resource.res.array.array));
    return extent.height ? (int)extent.height : 1;
  }
};

// Places for a texture of a size, or of size 1 if normalised: a fifth of them lie outside.
struct Places : Array<float> {
  explicit Places(bool normalised = false)
      : Array(3 * PLACES, [=](int i) {
          const int sizes[] = {WIDTH, HEIGHT, DEPTH};
          return random_between(-0.1f, 1.1f) * (normalised ? 1 : sizes[i % 3]);
        }) {}
};

template <class Read, int AXES> __global__ void reads(cudaTextureObject_t t, const float *at, Read *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = AXES == 1   ? tex1D<Read>(t, at[3 * i])
           : AXES == 2 ? tex2D<Read>(t, at[3 * i], at[3 * i + 1])
                       : tex3D<Read>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}

template <class T, class Read, int AXES> static void read_all_modes(bool filters, bool fractions) {
  Image<T> image(WIDTH, AXES > 1 ? HEIGHT : 0, AXES > 2 ? DEPTH : 0, [](int) {
    if constexpr (T(0.5) != 0)
      return random_between(T(-100), T(100));
    else
      return (T)next_random();
  });
  for (cudaTextureAddressMode mode :
       {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
    const bool normalised = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    Places at(normalised);
    Array<Read> r(PLACES);
    reads<Read, AXES>
        <<<ceil_div(PLACES, THREADS), THREADS>>>(image.read(mode, filters, normalised, fractions), at, r);
    if (mode != cudaAddressModeClamp || filters || fractions) {
      delete[] record(r);
      continue;
    }
    check(r, [&](int i) {
      const int sizes[] = {WIDTH, AXES > 1 ? HEIGHT : 1, AXES > 2 ? DEPTH : 1};
      int texel = 0;
      for (int axis = AXES - 1; axis >= 0; axis--) {
        const int place = (int)floorf(at[3 * i + axis]);
        texel = texel * sizes[axis] + (place < 0 ? 0 : place < sizes[axis] ? place : sizes[axis] - 1);
      }
      return (Read)image.texels[texel];
    });
  }
}
TEST(points_1d) { read_all_modes<float, float, 1>(false, false); }
TEST(points_2d) { read_all_modes<float, float, 2>(false, false); }
TEST(points_3d) { read_all_modes<float, float, 3>(false, false); }
TEST(integers_1d) { read_all_modes<short, int, 1>(false, false); }
TEST(integers_2d) { read_all_modes<signed char, int, 2>(false, false); }
TEST(integers_3d) { read_all_modes<unsigned, unsigned, 3>(false, false); }
TEST(filtered_1d) { read_all_modes<float, float, 1>(true, false); }
TEST(filtered_2d) { read_all_modes<float, float, 2>(true, false); }
TEST(filtered_3d) { read_all_modes<float, float, 3>(true, false); }
TEST(fractions_of_bytes) { read_all_modes<unsigned char, float, 2>(false, true); }
TEST(fractions_of_shorts) { read_all_modes<short, float, 2>(false, true); }
TEST(filtered_signed_bytes) { read_all_modes<signed char, float, 2>(true, true); }
TEST(filtered_unsigned_shorts) { read_all_modes<unsigned short, float, 3>(true, true); }
TEST(filtered_bytes) { read_all_modes<unsigned char, float, 2>(true, true); }
TEST(filtered_shorts) { read_all_modes<short, float, 2>(true, true); }

// The weights alone: between texels 0 and 1, at steps of 2^-12.
__global__ void ramp(cudaTextureObject_t t, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  r[i] = tex1D<float>(t, 0.5f + i * 0x1p-12f);
}
TEST(ramp) {
  Image<float> image(2, 0, 0, [](int i) { return (float)i; });
  Array<float> r(4096);
  ramp<<<32, 128>>>(image.read(cudaAddressModeClamp, true), r);
  delete[] record(r);
}

__global__ void gathers(cudaTextureObject_t t, const float *at, float4 *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = tex2Dgather<float4>(t, at[3 * i], at[3 * i + 1], 0);
}
TEST(gathers) {
  Image<float> image(
      WIDTH, HEIGHT, 0, [](int i) { return (float)i; }, cudaArrayTextureGather);
  Array<float> at(3 * PLACES,
                  [](int i) { return (float)random_between(0, i % 3 ? (int)HEIGHT : (int)WIDTH); });
  Array<float4> r(PLACES, [](int) { return make_float4(0, 0, 0, 0); });
  gathers<<<ceil_div(PLACES, THREADS), THREADS>>>(image.read(cudaAddressModeClamp), at, r);
  delete[] record(r);
}

__global__ void levels(cudaTextureObject_t t, const float *at, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = tex2DLod<float>(t, at[3 * i], at[3 * i + 1], 0) +
           2 * tex2DGrad<float>(t, at[3 * i + 1], at[3 * i], make_float2(1, 0), make_float2(0, 1));
}
TEST(levels) {
  Image<float> image(WIDTH, HEIGHT, 0, [](int) { return (float)random_between(-999, 999); });
  Places at;
  Array<float> r(PLACES);
  levels<<<ceil_div(PLACES, THREADS), THREADS>>>(image.read(cudaAddressModeClamp), at, r);
  delete[] record(r);
}

__global__ void layers(cudaTextureObject_t t, const float *at, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = tex2DLayered<float>(t, at[3 * i], at[3 * i + 1], (int)at[3 * i + 2]);
}
TEST(layers) {
  Image<float> image(
      WIDTH, HEIGHT, DEPTH, [](int) { return random_between(-1.f, 1.f); }, cudaArrayLayered);
  Places at;
  Array<float> r(PLACES);
  layers<<<ceil_div(PLACES, THREADS), THREADS>>>(image.read(cudaAddressModeClamp), at, r);
  delete[] record(r);
}

// Linear memory: four channels of 16 bits, and halves; an index outside gives 0.
__global__ void fetches(cudaTextureObject_t fours, cudaTextureObject_t halves, int n, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x - 3;
  const short4 four = tex1Dfetch<short4>(fours, i);
  if (i < n + 3)
    r[i + 3] = four.x + 2 * four.y + 3 * four.z + 4 * four.w + tex1Dfetch<float>(halves, i);
}
TEST(fetches) {
  enum { N = 101 };
  Array<short> fours(4 * N, -1000, 1000);
  Array<__half> halves(N, [](int i) { return __float2half(i * 0.25f); });
  Array<float> r(N + 6);
  cudaTextureObject_t textures[2];
  for (int i = 0; i < 2; i++) {
    cudaResourceDesc resource = {};
    cudaTextureDesc reads = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = i ? (void *)halves.device : (void *)fours.device;
    resource.res.linear.desc = i ? cudaCreateChannelDescHalf() : cudaCreateChannelDesc<short4>();
    resource.res.linear.sizeInBytes = i ? sizeof(__half) * N : sizeof(short) * 4 * N;
    succeed(cudaCreateTextureObject(&textures[i], &resource, &reads, nullptr));
  }
  fetches<<<ceil_div(N + 6, THREADS), THREADS>>>(textures[0], textures[1], N, r);
  check(r, [&](int at) {
    const int i = at - 3;
    return i < 0 || i >= N ? 0.f
                           : fours[4 * i] + 2 * fours[4 * i + 1] + 3 * fours[4 * i + 2] +
                                 4 * fours[4 * i + 3] + i * 0.25f;
  });
  for (cudaTextureObject_t texture : textures)
    succeed(cudaDestroyTextureObject(texture));
}

template <class T> __global__ void shifts(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = blockIdx.x;
  T texel;
  surf2Dread(&texel, from, x * (int)sizeof texel, y);
  surf2Dwrite(texel, to, (x + 1) % WIDTH * (int)sizeof texel, y);
}
template <class T> static void shift_rows() {
  Image<T> from(WIDTH, HEIGHT, 0, [](int) {
    T texel;
    for (size_t i = 0; i < sizeof texel; i++)
      ((unsigned char *)&texel)[i] = (unsigned char)next_random();
    return texel;
  });
  Image<T> to(WIDTH, HEIGHT, 0, [&](int i) { return from.texels[i]; });
  shifts<T><<<HEIGHT, WIDTH>>>(from.surface, to.surface);
  to.back();
  T *values = record(to.texels);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    if (memcmp(&values[i / WIDTH * WIDTH + (i + 1) % WIDTH], &from.texels[i], sizeof(T)) != 0) {
      fprintf(stderr, "%s: texel %d differs\n", Test::current->name, i);
      Test::failures++;
      break;
    }
  delete[] values;
}
TEST(surfaces_of_bytes) { shift_rows<unsigned char>(); }
TEST(surfaces_of_pairs) { shift_rows<short2>(); }
TEST(surfaces_of_fours) { shift_rows<int4>(); }

__global__ void borders(cudaSurfaceObject_t s, int *r) {
  const int x = (int)threadIdx.x - 8;
  r[threadIdx.x] = surf1Dread<int>(s, 4 * x, cudaBoundaryModeZero);
  r[threadIdx.x + blockDim.x] = surf1Dread<int>(s, 4 * x, cudaBoundaryModeClamp);
}
__global__ void overshoots(cudaSurfaceObject_t s, int first) {
  surf1Dwrite((int)threadIdx.x, s, 4 * (first + (int)threadIdx.x), cudaBoundaryModeZero);
}
TEST(borders) {
  Image<int> image(WIDTH, 0, 0, [](int) { return random_between(-99, 99); });
  Array<int> r(2 * (WIDTH + 16));
  borders<<<1, WIDTH + 16>>>(image.surface, r);
  check(r, [&](int i) {
    const int x = i % (WIDTH + 16) - 8;
    return x >= 0 && x < WIDTH ? image.texels[x] : i < WIDTH + 16 ? 0 : image.texels[x < 0 ? 0 : WIDTH - 1];
  });
  overshoots<<<1, WIDTH>>>(image.surface, WIDTH - 8);
  image.back();
  check(image.texels, [&](int i) { return i < WIDTH - 8 ? image.texels[i] : i - (WIDTH - 8); });
}
