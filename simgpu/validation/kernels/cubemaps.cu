// Cubemaps: reads of the nearest texel are checked at texel centres. Other reads are recorded only, because
// no document gives their rounding, the face of equal components, or the value at a corner of the cube.
#include "harness.h"

enum { SIZE = 13, FACES = 6, LAYERS = 3, PLACES = 600, THREADS = 96 };

// The direction of a place on a face; coordinates are from -1 to 1.
__host__ __device__ static float3 direction_of(int face, float s, float t) {
  const float3 directions[FACES] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                                    {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
  return directions[face];
}

template <class T> struct Cubemap {
  Array<T> texels;
  cudaResourceDesc resource = {};
  cudaTextureObject_t texture = 0;

  template <class F> Cubemap(int size, int layers, F value) : texels(size * size * FACES * layers, value) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaMemcpy3DParms box = {};
    resource.resType = cudaResourceTypeArray;
    box.extent = make_cudaExtent(size, size, FACES * layers);
    succeed(cudaMalloc3DArray(&resource.res.array.array, &format, box.extent,
                              cudaArrayCubemap | cudaArraySurfaceLoadStore |
                                  (layers > 1 ? cudaArrayLayered : 0)));
    box.srcPtr = make_cudaPitchedPtr(texels.device, size * sizeof(T), size, size);
    box.dstArray = resource.res.array.array;
    box.kind = cudaMemcpyDeviceToDevice;
    succeed(cudaMemcpy3D(&box));
  }
  ~Cubemap() {
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    succeed(cudaFreeArray(resource.res.array.array));
  }
  cudaTextureObject_t read(bool filters, bool seamless, cudaTextureAddressMode mode, bool fractions = false,
                           bool normalised = true) {
    cudaTextureDesc reads = {};
    reads.addressMode[0] = reads.addressMode[1] = reads.addressMode[2] = mode;
    reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
    reads.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    reads.normalizedCoords = normalised;
    reads.seamlessCubemap = seamless;
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    succeed(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
    return texture;
  }
};

template <class Read> __global__ void reads(cudaTextureObject_t t, const float3 *at, int n, Read *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = texCubemap<Read>(t, at[i].x, at[i].y, at[i].z);
}
__global__ void layered_reads(cudaTextureObject_t t, const float3 *at, int n, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = texCubemapLayered<float>(t, at[i].x, at[i].y, at[i].z, i % LAYERS);
}

template <class Read>
static void record_reads(cudaTextureObject_t texture, const Array<float3> &at, Array<Read> &r) {
  reads<Read><<<ceil_div(at.count, THREADS), THREADS>>>(texture, at, at.count, r);
  delete[] record(r);
}

static float random_float(float low, float high) { return random_between(low, high); }

// With a largest component of 1 or -1, so that the scale of a direction is exact.
struct OnFaces : Array<float3> {
  OnFaces()
      : Array(PLACES,
              [](int i) { return direction_of(i % FACES, random_float(-1, 1), random_float(-1, 1)); }) {}
};
struct Directions : Array<float3> {
  Directions()
      : Array(PLACES, [](int) {
          const float scale = random_float(0.01f, 30);
          return make_float3(scale * random_float(-1, 1), scale * random_float(-1, 1),
                             scale * random_float(-1, 1));
        }) {}
};

static float random_texel(int) { return random_float(-100, 100); }

TEST(centres) {
  Cubemap<float> cube(SIZE, 1, random_texel);
  Array<float3> at(FACES * SIZE * SIZE, [](int i) {
    const int x = i % SIZE, y = i / SIZE % SIZE;
    return direction_of(i / (SIZE * SIZE), (2 * x + 1.f) / SIZE - 1, (2 * y + 1.f) / SIZE - 1);
  });
  Array<float> r(at.count);
  reads<float><<<ceil_div(at.count, THREADS), THREADS>>>(cube.read(false, false, cudaAddressModeWrap), at,
                                                         at.count, r);
  check(r, [&](int i) { return cube.texels[i]; });
}
TEST(centres_of_layers) {
  Cubemap<float> cube(SIZE, LAYERS, random_texel);
  Array<float3> at(FACES * SIZE * SIZE, [](int i) {
    const int x = i % SIZE, y = i / SIZE % SIZE;
    return direction_of(i / (SIZE * SIZE), (2 * x + 1.f) / SIZE - 1, (2 * y + 1.f) / SIZE - 1);
  });
  Array<float> r(at.count);
  layered_reads<<<ceil_div(at.count, THREADS), THREADS>>>(cube.read(false, false, cudaAddressModeWrap), at,
                                                          at.count, r);
  check(r, [&](int i) { return cube.texels[i % LAYERS * FACES * SIZE * SIZE + i]; });
}

template <class T, class Read>
static void read_both_ways(bool filters, bool seamless, bool fractions, cudaTextureAddressMode mode) {
  Cubemap<T> cube(SIZE, 1, [](int) {
    if constexpr (T(0.5) != 0)
      return random_between(T(-100), T(100));
    else
      return (T)next_random();
  });
  OnFaces on_faces;
  Directions directions;
  Array<Read> r(PLACES);
  record_reads(cube.read(filters, seamless, mode, fractions), on_faces, r);
  record_reads(cube.read(filters, seamless, mode, fractions), directions, r);
}
TEST(nearest) { read_both_ways<float, float>(false, false, false, cudaAddressModeWrap); }
TEST(nearest_integers) { read_both_ways<short, int>(false, false, false, cudaAddressModeClamp); }
TEST(nearest_seamless) { read_both_ways<float, float>(false, true, false, cudaAddressModeWrap); }
TEST(linear_wrap) { read_both_ways<float, float>(true, false, false, cudaAddressModeWrap); }
TEST(linear_clamp) { read_both_ways<float, float>(true, false, false, cudaAddressModeClamp); }
TEST(linear_mirror) { read_both_ways<float, float>(true, false, false, cudaAddressModeMirror); }
TEST(linear_border) { read_both_ways<float, float>(true, false, false, cudaAddressModeBorder); }
TEST(seamless) { read_both_ways<float, float>(true, true, false, cudaAddressModeWrap); }
TEST(seamless_bytes) { read_both_ways<unsigned char, float>(true, true, true, cudaAddressModeClamp); }
TEST(seamless_signed_bytes) { read_both_ways<signed char, float>(true, true, true, cudaAddressModeClamp); }
TEST(seamless_shorts) { read_both_ways<short, float>(true, true, true, cudaAddressModeClamp); }

TEST(not_normalised) {
  Cubemap<float> cube(SIZE, 1, random_texel);
  OnFaces at;
  Array<float> r(PLACES);
  for (bool filters : {false, true})
    for (cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeBorder})
      record_reads(cube.read(filters, false, mode, false, false), at, r);
}

// Beside all edges and corners: s and t near -1 and 1.
TEST(edges) {
  Cubemap<float> cube(SIZE, 1, random_texel);
  Array<float3> at(PLACES, [](int i) {
    const float out = (i / FACES % 2 ? 1 : -1) * (1 - random_float(0, 1.f / SIZE)),
                along = random_float(-1, 1);
    return direction_of(i % FACES, i / 12 % 2 ? out : along, i / 12 % 2 ? along : out);
  });
  Array<float> r(PLACES);
  record_reads(cube.read(true, true, cudaAddressModeClamp), at, r);
}

// One face is 1, the others 0: the weight of a face beside its edges.
TEST(edge_ramp) {
  enum { STEPS = 1024 };
  for (int face = 0; face < FACES; face++) {
    Cubemap<float> cube(2, 1, [=](int i) { return i / 4 == face ? 1.f : 0.f; });
    Array<float3> at(STEPS, [=](int i) { return direction_of(face, 0.5f, i * (0.5f / STEPS) + 0.5f); });
    Array<float> r(STEPS);
    record_reads(cube.read(true, true, cudaAddressModeClamp), at, r);
  }
}

static float3 beside_corner(int i) {
  const float s = (i / FACES % 2 ? 1 : -1) * (1 - random_float(0, 1.f / SIZE)),
              t = (i / 12 % 2 ? 1 : -1) * (1 - random_float(0, 1.f / SIZE));
  return direction_of(i % FACES, s, t);
}
TEST(corners) {
  Cubemap<float> cube(SIZE, 1, random_texel);
  Array<float3> at(PLACES, beside_corner);
  Array<float> r(PLACES);
  record_reads(cube.read(true, true, cudaAddressModeClamp), at, r);
}
TEST(corners_of_bytes) {
  Cubemap<unsigned char> cube(SIZE, 1, [](int) { return (unsigned char)next_random(); });
  Array<float3> at(PLACES, beside_corner);
  Array<float> r(PLACES);
  record_reads(cube.read(true, true, cudaAddressModeClamp, true), at, r);
}
// The weights of the three faces at a corner: one is 1 at a time, with one texel on each face.
TEST(corner_weights) {
  for (int face = 0; face < FACES; face++) {
    Cubemap<float> cube(1, 1, [=](int i) { return i == face ? 1.f : 0.f; });
    Array<float3> at(PLACES, [](int i) {
      return direction_of(i % FACES, (i / FACES % 10) / 5.f - 0.9f, (i / (10 * FACES)) / 5.f - 0.9f);
    });
    Array<float> r(PLACES);
    record_reads(cube.read(true, true, cudaAddressModeClamp), at, r);
  }
}

// Equal components, where the guide leaves the face open, and components that are 0, infinite or not numbers.
static float3 odd_direction(int i) {
  const float values[] = {0, 1, -1, 0.5f, -0.5f, INFINITY, NAN};
  return make_float3(values[i % 7], values[i / 7 % 7], values[i / 49]);
}
TEST(equal_components) {
  Cubemap<float> cube(1, 1, [](int i) { return (float)i; }), fine(SIZE, 1, random_texel);
  Array<float3> at(343, [](int i) {
    const float values[] = {0, 1, -1, 0.5f, -0.5f, 3, -3};
    const float3 d = make_float3(values[i % 7], values[i / 7 % 7], values[i / 49]);
    return i == 0 ? make_float3(1, 1, 1) : d;
  });
  Array<float> r(at.count);
  record_reads(cube.read(false, false, cudaAddressModeClamp), at, r);
  for (bool filters : {false, true})
    for (cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeClamp})
      record_reads(fine.read(filters, false, mode), at, r);
}
TEST(odd_components) {
  Cubemap<float> cube(1, 1, [](int i) { return (float)i; }), fine(SIZE, 1, random_texel);
  Array<float3> at(343, odd_direction);
  Array<float> r(at.count);
  record_reads(cube.read(false, false, cudaAddressModeClamp), at, r);
  record_reads(fine.read(false, false, cudaAddressModeClamp), at, r);
}

// The weights alone: between two texels of a face, at steps of 2^-13.
TEST(ramp) {
  enum { STEPS = 8192 };
  Cubemap<float> cube(2, 1, [](int i) { return (float)(i % 2); });
  Array<float3> at(STEPS, [](int i) { return direction_of(4, i * 0x1p-13f - 0.5f, 0.5f); });
  Array<float> r(STEPS);
  record_reads(cube.read(true, false, cudaAddressModeClamp), at, r);
}

__global__ void far_layers(cudaTextureObject_t cubes, cudaTextureObject_t planes, float *r) {
  const int layers[] = {-1, 0, LAYERS - 1, LAYERS, 65535, 65536, 1 << 30, -65536};
  const int layer = layers[threadIdx.x];
  r[threadIdx.x] = texCubemapLayered<float>(cubes, 1, 0.3f, 0.2f, layer);
  r[threadIdx.x + blockDim.x] = tex2DLayered<float>(planes, 0.3f, 0.2f, layer);
}
TEST(far_layers) {
  Cubemap<float> cube(SIZE, LAYERS, random_texel);
  Array<float> r(16);
  const cudaTextureObject_t texture = cube.read(false, false, cudaAddressModeClamp);
  far_layers<<<1, 8>>>(texture, texture, r);
  delete[] record(r);
}

// Reads of an ordinary texture by a direction, and of a cubemap by plain coordinates.
__global__ void other_geometries(cudaTextureObject_t cube, const float3 *at, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = tex2DLayered<float>(cube, at[i].x, at[i].y, i % 7);
}
TEST(faces_as_layers) {
  Cubemap<float> cube(SIZE, 1, random_texel);
  OnFaces at;
  Array<float> r(PLACES);
  other_geometries<<<ceil_div(PLACES, THREADS), THREADS>>>(cube.read(true, false, cudaAddressModeWrap), at,
                                                           r);
  delete[] record(r);
}

__global__ void shifts(cudaSurfaceObject_t s, int faces, float *r) {
  const int x = threadIdx.x, y = blockIdx.x;
  for (int face = 0; face < faces; face++) {
    r[(face * SIZE + y) * SIZE + x] = face % 2 ? surfCubemapread<float>(s, 4 * x, y, face)
                                               : surfCubemapLayeredread<float>(s, 4 * x, y, face);
    surfCubemapLayeredwrite((float)face, s, 4 * x, y, face);
  }
}
TEST(surfaces) {
  Cubemap<float> cube(SIZE, LAYERS, random_texel);
  Array<float> r(cube.texels.count);
  cudaSurfaceObject_t surface;
  succeed(cudaCreateSurfaceObject(&surface, &cube.resource));
  shifts<<<SIZE, SIZE>>>(surface, FACES * LAYERS, r);
  check(r, [&](int i) { return cube.texels[i]; });
  Array<float3> at(FACES, [](int i) { return direction_of(i, 0.1f, 0.1f); });
  Array<float> faces(FACES);
  reads<float><<<1, FACES>>>(cube.read(false, false, cudaAddressModeClamp), at, FACES, faces);
  check(faces, [](int i) { return (float)i; });
  succeed(cudaDestroySurfaceObject(surface));
}
