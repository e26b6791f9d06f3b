// Mipmapped textures: reads of single levels, between levels, and of levels by gradients. Reads at texel
// centres are checked; others are recorded only, because no document gives their rounding.
#include "harness.h"

enum {
  WIDTH = 37,
  HEIGHT = 22,
  DEPTH = 12,
  LAYERS = 3,
  CUBE_SIZE = 16,
  PLACES = 600,
  THREADS = 96,
  MOST = 16
};

enum Kind { ROW, PLANE, VOLUME, PLANES, CUBE };

static cudaExtent extent_of(Kind kind) {
  return kind == ROW      ? make_cudaExtent(WIDTH, 0, 0)
         : kind == PLANE  ? make_cudaExtent(WIDTH, HEIGHT, 0)
         : kind == VOLUME ? make_cudaExtent(WIDTH, HEIGHT, DEPTH)
         : kind == PLANES ? make_cudaExtent(WIDTH, HEIGHT, LAYERS)
                          : make_cudaExtent(CUBE_SIZE, CUBE_SIZE, 6);
}

static int at_least_one(size_t size) { return size ? (int)size : 1; }

template <class T> struct Mipmap {
  cudaResourceDesc resource = {};
  cudaTextureObject_t texture = 0;
  Array<T> *texels[MOST] = {};
  cudaArray_t arrays[MOST];
  int levels = 0;

  // Texel i of level k is value(k, i).
  template <class F> Mipmap(Kind kind, cudaExtent extent, F value) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    const unsigned flags = kind == PLANES ? cudaArrayLayered : kind == CUBE ? cudaArrayCubemap : 0;
    resource.resType = cudaResourceTypeMipmappedArray;
    succeed(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, extent, MOST,
                                     flags | cudaArraySurfaceLoadStore));
    while (levels < MOST &&
           cudaGetMipmappedArrayLevel(&arrays[levels], resource.res.mipmap.mipmap, levels) == cudaSuccess)
      fill(levels++, value);
    cudaGetLastError();
  }
  template <class F> void fill(int level, F value) {
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    succeed(cudaArrayGetInfo(&format, &extent, &flags, arrays[level]));
    const int width = (int)extent.width, height = at_least_one(extent.height),
              depth = at_least_one(extent.depth);
    texels[level] = new Array<T>(width * height * depth, [&](int i) { return value(level, i); });
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(texels[level]->device, width * sizeof(T), width, height);
    box.dstArray = arrays[level];
    box.extent = make_cudaExtent(width, height, depth);
    box.kind = cudaMemcpyDeviceToDevice;
    succeed(cudaMemcpy3D(&box));
  }
  ~Mipmap() {
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    for (int level = 0; level < levels; level++)
      delete texels[level];
    succeed(cudaFreeMipmappedArray(resource.res.mipmap.mipmap));
  }
  cudaTextureObject_t read(const cudaTextureDesc &reads) {
    if (texture)
      succeed(cudaDestroyTextureObject(texture));
    succeed(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
    return texture;
  }
};

static cudaTextureDesc described(bool filters, bool between) {
  cudaTextureDesc reads = {};
  for (cudaTextureAddressMode &mode : reads.addressMode)
    mode = cudaAddressModeClamp;
  reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
  reads.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
  reads.normalizedCoords = true;
  reads.maxMipmapLevelClamp = MOST - 1;
  return reads;
}

template <class Read> __device__ static Read read_level(cudaTextureObject_t t, Kind kind, float4 at) {
  return kind == ROW      ? tex1DLod<Read>(t, at.x, at.w)
         : kind == PLANE  ? tex2DLod<Read>(t, at.x, at.y, at.w)
         : kind == VOLUME ? tex3DLod<Read>(t, at.x, at.y, at.z, at.w)
         : kind == PLANES ? tex2DLayeredLod<Read>(t, at.x, at.y, (int)(at.z * LAYERS), at.w)
                          : texCubemapLod<Read>(t, 1, at.x - 0.5f, at.y - 0.5f, at.w);
}
template <class Read>
__global__ void reads(cudaTextureObject_t t, Kind kind, const float4 *at, int n, Read *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = read_level<Read>(t, kind, at[i]);
}
template <class Read>
static void record_reads(cudaTextureObject_t texture, Kind kind, const Array<float4> &at, Array<Read> &r) {
  reads<Read><<<ceil_div(at.count, THREADS), THREADS>>>(texture, kind, at, at.count, r);
  delete[] record(r);
}

// Random places with levels from `least` to `most`, or all at one level.
struct Places : Array<float4> {
  Places(float least, float most)
      : Array(PLACES, [=](int) {
          const float x = random_between(0.f, 1.f), y = random_between(0.f, 1.f),
                      z = random_between(0.f, 0.999f);
          return make_float4(x, y, z, random_between(least, most));
        }) {}
};

template <class T> static T random_texel(int, int) {
  if constexpr (T(0.5) != 0)
    return random_between(T(-100), T(100));
  else
    return (T)next_random();
}

// The texel centres of each level of a plane.
TEST(centres) {
  Mipmap<float> mipmap(PLANE, extent_of(PLANE), random_texel<float>);
  for (int level = 0; level < mipmap.levels; level++) {
    const int width = WIDTH >> level ? WIDTH >> level : 1, height = mipmap.texels[level]->count / width;
    Array<float4> at(width * height, [=](int i) {
      return make_float4((i % width + 0.5f) / width, (i / width + 0.5f) / height, 0, (float)level);
    });
    Array<float> r(at.count);
    reads<float><<<ceil_div(at.count, THREADS), THREADS>>>(mipmap.read(described(false, false)), PLANE, at,
                                                           at.count, r);
    check(r, [&](int i) { return (*mipmap.texels[level])[i]; });
  }
}

template <class T, class Read> static void read_levels(Kind kind, bool filters, bool fractions = false) {
  Mipmap<T> mipmap(kind, extent_of(kind), random_texel<T>);
  cudaTextureDesc desc = described(filters, false);
  desc.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  Array<Read> r(PLACES);
  for (int level = 0; level < mipmap.levels; level++) {
    Places at((float)level, (float)level);
    record_reads(mipmap.read(desc), kind, at, r);
  }
}
TEST(levels_1d) { read_levels<float, float>(ROW, false); }
TEST(levels_2d) { read_levels<float, float>(PLANE, false); }
TEST(levels_3d) { read_levels<float, float>(VOLUME, false); }
TEST(levels_of_layers) { read_levels<float, float>(PLANES, false); }
TEST(levels_of_cubes) { read_levels<float, float>(CUBE, false); }
TEST(levels_of_integers) { read_levels<short, int>(PLANE, false); }
TEST(filtered_levels_1d) { read_levels<float, float>(ROW, true); }
TEST(filtered_levels_2d) { read_levels<float, float>(PLANE, true); }
TEST(filtered_levels_3d) { read_levels<float, float>(VOLUME, true); }
TEST(filtered_levels_of_layers) { read_levels<float, float>(PLANES, true); }
TEST(filtered_levels_of_cubes) { read_levels<float, float>(CUBE, true); }
TEST(filtered_levels_of_bytes) { read_levels<unsigned char, float>(PLANE, true, true); }

// Between levels; `plain`: without the optimisation that the description of a texture can disable.
template <class T, class Read>
static void read_between(Kind kind, bool filters, bool fractions = false, bool plain = true) {
  Mipmap<T> mipmap(kind, extent_of(kind), random_texel<T>);
  cudaTextureDesc desc = described(filters, true);
  desc.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.disableTrilinearOptimization = plain;
  Places at(-0.5f, (float)mipmap.levels);
  Array<Read> r(PLACES);
  record_reads(mipmap.read(desc), kind, at, r);
}
TEST(between_1d) { read_between<float, float>(ROW, true); }
TEST(between_2d) { read_between<float, float>(PLANE, true); }
TEST(between_3d) { read_between<float, float>(VOLUME, true); }
TEST(between_layers) { read_between<float, float>(PLANES, true); }
TEST(between_cubes) { read_between<float, float>(CUBE, true); }
TEST(between_points_1d) { read_between<float, float>(ROW, false); }
TEST(between_points_2d) { read_between<float, float>(PLANE, false); }
TEST(between_points_3d) { read_between<float, float>(VOLUME, false); }
TEST(between_bytes) { read_between<unsigned char, float>(PLANE, true, true); }
TEST(between_signed_bytes) { read_between<signed char, float>(PLANE, true, true); }
TEST(between_shorts) { read_between<short, float>(PLANE, true, true); }
TEST(between_points_of_bytes) { read_between<unsigned char, float>(PLANE, false, true); }
TEST(between_optimised) { read_between<float, float>(PLANE, true, false, false); }
TEST(between_optimised_points) { read_between<float, float>(PLANE, false, false, false); }

// The weights of levels alone: level k has the value k, and levels are 2^-11 apart.
static float number_of_level(int level, int) { return (float)level; }
enum { STEPS = 8192 };
static float4 step_of_level(int i) { return make_float4(0.4f, 0.6f, 0, i * 0x1p-11f - 1); }
static void ramp(cudaTextureDesc desc) {
  Mipmap<float> mipmap(PLANE, make_cudaExtent(4, 4, 0), number_of_level);
  Array<float4> at(STEPS, step_of_level);
  Array<float> r(STEPS);
  record_reads(mipmap.read(desc), PLANE, at, r);
}
TEST(ramp_nearest) { ramp(described(false, false)); }
TEST(ramp_nearest_filtered) { ramp(described(true, false)); }
TEST(ramp_points) { ramp(described(false, true)); }
TEST(ramp_linear) { ramp(described(true, true)); }
TEST(ramp_not_optimised) {
  cudaTextureDesc desc = described(true, true);
  desc.disableTrilinearOptimization = 1;
  ramp(desc);
}
TEST(ramp_anisotropic) {
  cudaTextureDesc desc = described(true, true);
  desc.maxAnisotropy = 16;
  ramp(desc);
}

// Biases and limits that are no multiples of 1/256, and a lower limit above the upper one.
TEST(biases) {
  for (float bias : {0.7f, -0.3f, 0.001f, 0.0029f, -20.f}) {
    cudaTextureDesc desc = described(false, true);
    desc.mipmapLevelBias = bias;
    ramp(desc);
  }
}
TEST(limits) {
  const float limits[][2] = {{0.3f, 1.7f}, {0.501f, 0.503f}, {1.5f, 0.5f}, {-3, 99}, {0, 0}};
  for (const float *limit : limits)
    for (bool between : {false, true}) {
      cudaTextureDesc desc = described(false, between);
      desc.minMipmapLevelClamp = limit[0];
      desc.maxMipmapLevelClamp = limit[1];
      ramp(desc);
    }
}
TEST(odd_levels) {
  Mipmap<float> mipmap(PLANE, make_cudaExtent(4, 4, 0), number_of_level);
  Array<float4> at(6, [](int i) {
    const float levels[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.f};
    return make_float4(0.4f, 0.6f, 0, levels[i]);
  });
  Array<float> r(6);
  record_reads(mipmap.read(described(false, true)), PLANE, at, r);
}

// Without a level.
__global__ void plain_reads(cudaTextureObject_t t, const float4 *at, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < PLACES)
    r[i] = tex2D<float>(t, at[i].x, at[i].y);
}
TEST(without_a_level) {
  Mipmap<float> mipmap(PLANE, extent_of(PLANE), random_texel<float>);
  Places at(0, 0);
  Array<float> r(PLACES);
  const float cases[][2] = {{0, 0}, {0, 1.25f}, {20, 0}, {40, 0}, {15, 2}};
  for (const float *c : cases) {
    cudaTextureDesc desc = described(true, true);
    desc.mipmapLevelBias = c[0];
    desc.minMipmapLevelClamp = c[1];
    plain_reads<<<ceil_div(PLACES, THREADS), THREADS>>>(mipmap.read(desc), at, r);
    delete[] record(r);
  }
}

// Steps from 2^-1 to 2^7 texels: along one axis, along both, and short beside long ones.
__global__ void gradients(cudaTextureObject_t t, Kind kind, float *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float step = exp2f(i / 128.f - 1) / 64;
  const float4 along = make_float4(step, 0, 0, 0), across = make_float4(0, step / 4, 0, 0),
               both = make_float4(0.6f * step, 0.8f * step, 0, 0), none = make_float4(0, 0, 0, 0),
               third = make_float4(0, 0.3f * step, step, 0);
  const float4 steps[][2] = {{along, across}, {across, along}, {both, none},
                             {none, both},    {both, third},   {both, both}};
  for (int k = 0; k < 6; k++) {
    const float4 x = steps[k][0], y = steps[k][1];
    r[6 * i + k] = kind == ROW ? tex1DGrad<float>(t, 0.4f, x.x, y.x)
                   : kind == PLANE
                       ? tex2DGrad<float>(t, 0.4f, 0.7f, make_float2(x.x, x.y), make_float2(y.x, y.y))
                   : kind == VOLUME ? tex3DGrad<float>(t, 0.4f, 0.7f, 0.3f, x, y)
                                    : texCubemapGrad<float>(t, 0.1f * (k - 2), 0.8f, 0.3f * (k - 3), x, y);
  }
}
static void read_gradients(Kind kind, unsigned anisotropy = 1) {
  Mipmap<float> mipmap(kind,
                       make_cudaExtent(64, kind == ROW ? 0 : 64,
                                       kind == VOLUME ? 64
                                       : kind == CUBE ? 6
                                                      : 0),
                       number_of_level);
  Array<float> r(6 * 1024);
  for (bool between : {false, true}) {
    cudaTextureDesc desc = described(true, between);
    desc.maxAnisotropy = anisotropy;
    gradients<<<8, 128>>>(mipmap.read(desc), kind, r);
    delete[] record(r);
  }
}
TEST(gradients_1d) { read_gradients(ROW); }
TEST(gradients_2d) { read_gradients(PLANE); }
TEST(gradients_3d) { read_gradients(VOLUME); }
TEST(gradients_of_cubes) { read_gradients(CUBE); }
TEST(gradients_anisotropic) { read_gradients(PLANE, 16); } // differs: the simulated GPU is isotropic

// Each level by a surface from the level before.
__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(0.5f * (surf2Dread<float>(from, 8 * x, 2 * y) + surf2Dread<float>(from, 8 * x + 4, 2 * y + 1)),
              to, 4 * x, y);
}
TEST(surfaces) {
  Mipmap<float> mipmap(PLANE, make_cudaExtent(32, 32, 0),
                       [](int level, int i) { return level ? 0.f : (float)i; });
  for (int level = 0; level + 1 < mipmap.levels; level++) {
    cudaSurfaceObject_t surfaces[2];
    for (int k = 0; k < 2; k++) {
      cudaResourceDesc resource = {};
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = mipmap.arrays[level + k];
      succeed(cudaCreateSurfaceObject(&surfaces[k], &resource));
    }
    const int half = 16 >> level;
    halve<<<half, half>>>(surfaces[0], surfaces[1]);
    for (cudaSurfaceObject_t surface : surfaces)
      succeed(cudaDestroySurfaceObject(surface));
  }
  Array<float4> at(6, [](int i) { return make_float4(0.01f, 0.01f, 0, (float)i); });
  Array<float> r(6);
  reads<float><<<1, 6>>>(mipmap.read(described(false, false)), PLANE, at, 6, r);
  check(r, [](int level) { return level ? 16.5f * ((1 << level) - 1) : 0.f; });
}
