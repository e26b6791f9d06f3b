// Mipmapped arrays and textures: sizes of levels, which level a read uses, and reads between levels.
#include "semantics.h"

#include <cmath>
#include <vector>

enum { PLACES = 500 };

static unsigned state = 1;
static float draw(float least, float most) {
  state = state * 1664525 + 1013904223;
  return least + (most - least) * float(state >> 8) / 0x1p24f;
}

static size_t halved(size_t size, unsigned level) { return size >> level || !size ? size >> level : 1; }
static size_t at_least_one(size_t size) { return size ? size : 1; }

template <class T> struct Mipmap {
  cudaExtent extent;
  unsigned levels, flags;
  cudaResourceDesc resource = {};
  cudaArray_t array[16];

  // Texel i of level k is value(k, i).
  template <class F>
  Mipmap(cudaExtent extent, unsigned levels, unsigned flags, F value)
      : extent(extent), levels(levels), flags(flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    resource.resType = cudaResourceTypeMipmappedArray;
    OK(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, extent, levels, flags));
    for (unsigned k = 0; k < levels; k++) {
      const cudaExtent size = size_of(k);
      std::vector<T> texels(size.width * at_least_one(size.height) * at_least_one(size.depth));
      for (size_t i = 0; i < texels.size(); i++)
        texels[i] = value(k, i);
      OK(cudaGetMipmappedArrayLevel(&array[k], resource.res.mipmap.mipmap, k));
      cudaMemcpy3DParms box = {};
      box.srcPtr =
          make_cudaPitchedPtr(texels.data(), size.width * sizeof(T), size.width, at_least_one(size.height));
      box.dstArray = array[k];
      box.extent = make_cudaExtent(size.width, at_least_one(size.height), at_least_one(size.depth));
      box.kind = cudaMemcpyHostToDevice;
      OK(cudaMemcpy3D(&box));
    }
  }
  cudaExtent size_of(unsigned level) const {
    const bool shrinks = !(flags & (cudaArrayLayered | cudaArrayCubemap));
    return make_cudaExtent(halved(extent.width, level), halved(extent.height, level),
                           shrinks ? halved(extent.depth, level) : extent.depth);
  }
};

static cudaTextureDesc described(bool filters, bool between) {
  cudaTextureDesc reads = {};
  for (cudaTextureAddressMode &mode : reads.addressMode)
    mode = cudaAddressModeMirror;
  reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
  reads.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
  reads.normalizedCoords = true;
  reads.maxMipmapLevelClamp = 15;
  reads.maxAnisotropy = 1;
  return reads;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, const cudaTextureDesc &reads) {
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  return texture;
}

struct Spot {
  float x, y, z, level;
};

enum Kind { ROW, PLANE, VOLUME, ROWS, PLANES, CUBE, CUBES };

__device__ static float read_level(cudaTextureObject_t t, Kind kind, Spot at) {
  const int layer = int(at.z * 3);
  const float3 d = {at.x - 0.5f, at.y - 0.5f, at.z - 0.5f};
  switch (kind) {
  case ROW:
    return tex1DLod<float>(t, at.x, at.level);
  case PLANE:
    return tex2DLod<float>(t, at.x, at.y, at.level);
  case VOLUME:
    return tex3DLod<float>(t, at.x, at.y, at.z, at.level);
  case ROWS:
    return tex1DLayeredLod<float>(t, at.x, layer, at.level);
  case PLANES:
    return tex2DLayeredLod<float>(t, at.x, at.y, layer, at.level);
  case CUBE:
    return texCubemapLod<float>(t, d.x, d.y, d.z, at.level);
  default:
    return texCubemapLayeredLod<float>(t, d.x, d.y, d.z, layer, at.level);
  }
}

__global__ void read_levels(cudaTextureObject_t texture, Kind kind, const Spot *at, int count,
                            float *values) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] = read_level(texture, kind, at[i]);
}

static std::vector<float> read_at(cudaTextureObject_t texture, Kind kind, const std::vector<Spot> &at) {
  Spot *device_at;
  float *device;
  std::vector<float> values(at.size());
  OK(cudaMalloc(&device_at, at.size() * sizeof(Spot)));
  OK(cudaMemcpy(device_at, at.data(), at.size() * sizeof(Spot), cudaMemcpyHostToDevice));
  OK(cudaMalloc(&device, at.size() * sizeof(float)));
  read_levels<<<(unsigned(at.size()) + 63) / 64, 64>>>(texture, kind, device_at, int(at.size()), device);
  OK(cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  OK(cudaFree(device_at));
  OK(cudaFree(device));
  return values;
}

static const struct {
  Kind kind;
  cudaExtent extent;
  unsigned levels, flags;
} kinds[] = {{ROW, {37, 0, 0}, 6, 0},
             {PLANE, {37, 19, 0}, 6, 0},
             {VOLUME, {20, 7, 33}, 6, 0},
             {ROWS, {16, 0, 3}, 5, cudaArrayLayered},
             {PLANES, {9, 40, 3}, 6, cudaArrayLayered},
             {CUBE, {21, 21, 6}, 5, cudaArrayCubemap},
             {CUBES, {8, 8, 18}, 4, cudaArrayCubemap | cudaArrayLayered}};

// A level of the mipmap reads as the same array alone.
static void each_level() {
  for (const auto &k : kinds) {
    const Mipmap<float> mipmap(k.extent, k.levels, k.flags, [](unsigned, size_t) { return draw(-100, 100); });
    for (const bool filters : {false, true}) {
      const cudaTextureDesc reads = described(filters, false);
      const cudaTextureObject_t texture = texture_of(mipmap.resource, reads);
      for (unsigned level = 0; level < k.levels; level++) {
        std::vector<Spot> at(PLACES);
        for (Spot &spot : at)
          spot = {draw(-0.2f, 1.2f), draw(-0.2f, 1.2f), draw(0, 1), float(level) + draw(-0.49f, 0.49f)};
        cudaResourceDesc alone = {};
        alone.resType = cudaResourceTypeArray;
        alone.res.array.array = mipmap.array[level];
        TRUE(read_at(texture, k.kind, at) == read_at(texture_of(alone, reads), k.kind, at));
      }
    }
  }
}

// Each level has one value, 4 to the power of its number, so a read shows which levels it uses, and their weights.
static Mipmap<float> powers(cudaExtent extent, unsigned levels) {
  return {extent, levels, 0, [](unsigned k, size_t) { return std::ldexp(1.f, int(2 * k)); }};
}
static float in_steps(float level) { return std::floor(level * 256); }
static float between(float level) { // as powers() reads
  const float steps = in_steps(level), whole = std::floor(steps / 256), f = steps / 256 - whole;
  return std::ldexp(1.f, int(2 * whole)) * (1 + 3 * f);
}

static float clamped(float level, float least, float most) {
  return level < least ? least : level > most ? most : level;
}

static void weights_of_levels() {
  const Mipmap<float> mipmap = powers({32, 32, 0}, 6);
  std::vector<Spot> at(4 * PLACES);
  for (size_t i = 0; i < at.size(); i++)
    at[i] = {draw(0, 1), draw(0, 1), 0, float(int(i)) * 3 / 1024 - 1};
  const struct {
    float bias, least, most;
  } limits[] = {{0, 0, 15}, {1.25f, 0, 15}, {-0.75f, 0, 15}, {0, 1.5f, 3}, {2, 0, 2.75f}, {0, 0, 0}};
  for (const auto &limit : limits)
    for (const bool filters : {false, true})
      for (const bool linear : {false, true}) {
        cudaTextureDesc reads = described(filters, linear);
        reads.mipmapLevelBias = limit.bias;
        reads.minMipmapLevelClamp = limit.least;
        reads.maxMipmapLevelClamp = limit.most;
        const std::vector<float> values = read_at(texture_of(mipmap.resource, reads), PLANE, at);
        for (size_t i = 0; i < at.size(); i++) {
          const float biased = std::trunc(at[i].level * 256) / 256 + limit.bias;
          const float level = clamped(clamped(biased, limit.least, limit.most), 0, float(mipmap.levels - 1));
          const float expected = between(linear ? level : std::floor(in_steps(level) / 256 + 0.5f));
          if (values[i] == expected)
            continue;
          printf("bias %g, %g to %g, filters %d, linear %d: level %g gave %g, expected %g\n", limit.bias,
                 limit.least, limit.most, filters, linear, at[i].level, values[i], expected);
          differences++;
          break;
        }
      }
}

// The mean of both levels' own filtered values, within the rounding of weights.
static void between_levels() {
  for (const auto &k : kinds) {
    const Mipmap<float> mipmap(k.extent, k.levels, k.flags, [](unsigned, size_t) { return draw(-1, 1); });
    const cudaTextureObject_t levels = texture_of(mipmap.resource, described(true, false)),
                              means = texture_of(mipmap.resource, described(true, true));
    std::vector<Spot> at(PLACES), below(PLACES), above(PLACES);
    for (int i = 0; i < PLACES; i++) {
      at[i] = below[i] = above[i] = {draw(0, 1), draw(0, 1), draw(0, 1), draw(0, float(k.levels) - 1)};
      below[i].level = std::floor(at[i].level);
      above[i].level = std::ceil(at[i].level);
    }
    const std::vector<float> mean = read_at(means, k.kind, at), low = read_at(levels, k.kind, below),
                             high = read_at(levels, k.kind, above);
    for (int i = 0; i < PLACES; i++) {
      const float f = at[i].level - below[i].level;
      TRUE(std::fabs(mean[i] - (low[i] + (high[i] - low[i]) * f)) < 0.03f);
    }
  }
}

// Fractions of integers are filtered as integers of 16 bits; integers are not filtered.
template <class T, class Read> __global__ void read_texels(cudaTextureObject_t texture, Read *values) {
  values[threadIdx.x] = tex2DLod<Read>(texture, 0.5f, 0.5f, threadIdx.x / 4.f);
}
static void types() {
  const Mipmap<unsigned char> mipmap({4, 4, 0}, 3, 0, [](unsigned k, size_t) { return k * 100; });
  cudaTextureDesc reads = described(true, true);
  unsigned *integers;
  float *fractions;
  OK(cudaMallocManaged(&integers, 9 * sizeof *integers));
  OK(cudaMallocManaged(&fractions, 9 * sizeof *fractions));
  read_texels<unsigned char><<<1, 9>>>(texture_of(mipmap.resource, described(false, false)), integers);
  reads.readMode = cudaReadModeNormalizedFloat;
  read_texels<unsigned char><<<1, 9>>>(texture_of(mipmap.resource, reads), fractions);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 9; i++) {
    TRUE(integers[i] == unsigned((i + 2) / 4 * 100));
    TRUE(std::fabs(fractions[i] - float(i) * 25 / 255) < 1e-5f);
  }
}

// Without a level: level 0, unless the limits exclude it.
__global__ void read_plain(cudaTextureObject_t texture, float *values) {
  values[0] = tex1D<float>(texture, 0.3f);
  values[1] = tex2D<float>(texture, 0.3f, 0.7f);
  values[2] = tex2DLayered<float>(texture, 0.3f, 0.7f, 0);
}
static void without_a_level() {
  const Mipmap<float> mipmap = powers({32, 32, 0}, 6);
  float *values;
  OK(cudaMallocManaged(&values, 3 * sizeof *values));
  for (const float least : {0.f, 2.f, 3.5f}) {
    cudaTextureDesc reads = described(true, true);
    reads.minMipmapLevelClamp = least;
    reads.mipmapLevelBias = 4; // of -32
    read_plain<<<1, 1>>>(texture_of(mipmap.resource, reads), values);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++)
      TRUE(values[i] == between(least));
  }
}

// A step of 2^k texels asks for level k.
__global__ void read_gradients(cudaTextureObject_t row, cudaTextureObject_t plane, cudaTextureObject_t volume,
                               cudaTextureObject_t cube, float size, float *values) {
  const float step = exp2f(threadIdx.x / 2.f) / size;
  float *v = values + 6 * threadIdx.x;
  v[0] = tex1DGrad<float>(row, 0.4f, step, -step / 2);
  v[1] = tex2DGrad<float>(plane, 0.4f, 0.1f, make_float2(0, -step), make_float2(step / 4, 0));
  v[2] = tex2DGrad<float>(plane, 0.4f, 0.1f, make_float2(0, 0), make_float2(0.6f * step, 0.8f * step));
  v[3] =
      tex3DGrad<float>(volume, 0.4f, 0.1f, 0.9f, make_float4(0, 0, step, 0), make_float4(step / 8, 0, 0, 0));
  v[4] = texCubemapGrad<float>(cube, -3, 0.5f, 0, make_float4(0, 6 * step, 0, 0), make_float4(0, 0, step, 0));
  v[5] = texCubemapGrad<float>(cube, 0, 0, 2, make_float4(0, 0, 9, 0), make_float4(4 * step, 0, 0, 0));
}
static void gradients() {
  enum { SIZE = 64, STEPS = 13 };
  const Mipmap<float> row = powers({SIZE, 0, 0}, 7), plane = powers({SIZE, SIZE, 0}, 7),
                      volume = powers({SIZE, SIZE, SIZE}, 7);
  const Mipmap<float> cube({SIZE, SIZE, 6}, 7, cudaArrayCubemap,
                           [](unsigned k, size_t) { return std::ldexp(1.f, int(2 * k)); });
  const cudaTextureDesc reads = described(false, true);
  float *values;
  OK(cudaMallocManaged(&values, 6 * STEPS * sizeof *values));
  read_gradients<<<1, STEPS>>>(texture_of(row.resource, reads), texture_of(plane.resource, reads),
                               texture_of(volume.resource, reads), texture_of(cube.resource, reads), SIZE,
                               values);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 6 * STEPS; i++) {
    const float level = float(i / 6) / 2, f = values[i] / between(level);
    if (std::fabs(f - 1) > 3.f / 256) {
      printf("gradient %d, step %d: %g, expected %g\n", i % 6, i / 6, values[i], between(level));
      differences++;
    }
  }
}

__global__ void copy_level(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  surf2Dwrite(1 + surf2Dread<float>(from, 8 * x, 2 * y), to, 4 * x, y);
}
__global__ void fetch(cudaTextureObject_t texture, float level, float *value) {
  *value = tex2DLod<float>(texture, 0.01f, 0.01f, level);
}

static void surfaces() {
  const Mipmap<float> mipmap({16, 16, 0}, 5, cudaArraySurfaceLoadStore,
                             [](unsigned k, size_t) { return k == 0 ? 7.f : 0.f; });
  for (unsigned level = 0; level + 1 < mipmap.levels; level++) {
    cudaSurfaceObject_t surfaces[2];
    for (unsigned k = 0; k < 2; k++) {
      cudaResourceDesc resource = {};
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = mipmap.array[level + k];
      OK(cudaCreateSurfaceObject(&surfaces[k], &resource));
    }
    const int half = 8 >> level;
    copy_level<<<half, half>>>(surfaces[0], surfaces[1]);
  }
  const cudaTextureObject_t texture = texture_of(mipmap.resource, described(true, false));
  float *value;
  OK(cudaMallocManaged(&value, sizeof *value));
  for (unsigned level = 0; level < mipmap.levels; level++) {
    fetch<<<1, 1>>>(texture, float(level), value);
    OK(cudaDeviceSynchronize());
    TRUE(*value == 7 + float(level));
  }
}

__global__ void query(cudaTextureObject_t texture, cudaSurfaceObject_t surface, int *values) {
  asm("txq.level.width.b32 %0, [%1], %2;" : "=r"(values[0]) : "l"(texture), "r"(1));
  asm("txq.level.height.b32 %0, [%1], %2;" : "=r"(values[1]) : "l"(texture), "r"(1));
  asm("txq.width.b32 %0, [%1];" : "=r"(values[2]) : "l"(texture));
  asm("txq.depth.b32 %0, [%1];" : "=r"(values[3]) : "l"(texture));
  asm("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(values[4]) : "l"(texture));
  asm("suq.width.b32 %0, [%1];" : "=r"(values[5]) : "l"(surface));
  asm("suq.height.b32 %0, [%1];" : "=r"(values[6]) : "l"(surface));
}
static void queries() {
  const Mipmap<float> mipmap = powers({40, 10, 6}, 5);
  cudaResourceDesc resource = {};
  cudaSurfaceObject_t surface;
  int *values;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = mipmap.array[2];
  OK(cudaCreateSurfaceObject(&surface, &resource));
  OK(cudaMallocManaged(&values, 7 * sizeof *values));
  query<<<1, 1>>>(texture_of(mipmap.resource, described(false, false)), surface, values);
  OK(cudaDeviceSynchronize());
  const int expected[] = {20, 5, 40, 6, 5, 10, 2};
  for (int i = 0; i < 7; i++)
    TRUE(values[i] == expected[i]);
}

static void arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>(),
                              three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaMipmappedArray_t mipmap;
  cudaArray_t array, again;
  const struct {
    cudaExtent extent;
    unsigned asked, got, flags;
  } cases[] = {{{37, 5, 0}, 0, 1, 0},
               {{37, 5, 0}, 3, 3, 0},
               {{37, 5, 0}, 99, 6, 0},
               {{1, 1, 0}, 9, 1, 0},
               {{3, 2, 70}, 99, 7, 0},
               {{3, 2, 70}, 99, 2, cudaArrayLayered},
               {{8, 8, 12}, 99, 4, cudaArrayCubemap | cudaArrayLayered},
               {{32768, 0, 0}, 99, 16, 0}};
  for (const auto &c : cases) {
    OK(cudaMallocMipmappedArray(&mipmap, &format, c.extent, c.asked, c.flags));
    INVALID(cudaGetMipmappedArrayLevel(&array, mipmap, c.got));
    for (unsigned level = 0; level < c.got; level++) {
      cudaChannelFormatDesc got;
      cudaExtent extent;
      unsigned flags;
      OK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
      OK(cudaGetMipmappedArrayLevel(&again, mipmap, level));
      OK(cudaArrayGetInfo(&got, &extent, &flags, array));
      TRUE(array == again && got.y == 16 && flags == c.flags &&
           extent.width == halved(c.extent.width, level) && extent.height == halved(c.extent.height, level) &&
           extent.depth == (c.flags ? c.extent.depth : halved(c.extent.depth, level)));
    }
    INVALID(cudaFreeArray(array));
    OK(cudaFreeMipmappedArray(mipmap));
  }
  OK(cudaFreeMipmappedArray(nullptr));
  INVALID(cudaMallocMipmappedArray(nullptr, &format, make_cudaExtent(4, 4, 0), 2));
  INVALID(cudaMallocMipmappedArray(&mipmap, nullptr, make_cudaExtent(4, 4, 0), 2));
  INVALID(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(0, 4, 0), 2));
  INVALID(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(40000, 0, 0), 2));
  INVALID(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 4, 5), 2, cudaArrayCubemap));
  EXPECT(cudaMallocMipmappedArray(&mipmap, &three, make_cudaExtent(4, 4, 0), 2),
         cudaErrorInvalidChannelDescriptor);
  EXPECT(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16384, 16384, 16384), 99),
         cudaErrorMemoryAllocation);
}

static void memory_comes_back() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  for (int i = 0; i < 100; i++) { // 16 GiB
    cudaMipmappedArray_t mipmap;
    OK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(2048, 4096, 0), 99));
    OK(cudaFreeMipmappedArray(mipmap));
  }
}

static void textures_refused() {
  const Mipmap<float> mipmap = powers({8, 8, 0}, 4);
  cudaTextureDesc reads = described(true, true);
  cudaResourceDesc resource = mipmap.resource;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  INVALID(cudaCreateSurfaceObject(&surface, &resource));
  reads.normalizedCoords = false;
  INVALID(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  reads.normalizedCoords = true;
  resource.res.mipmap.mipmap = nullptr;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &reads, nullptr), cudaErrorInvalidResourceHandle);
}

int main() {
  return run_parts({{"each level", each_level},
                    {"weights of levels", weights_of_levels},
                    {"between levels", between_levels},
                    {"types", types},
                    {"without a level", without_a_level},
                    {"gradients", gradients},
                    {"surfaces", surfaces},
                    {"queries", queries},
                    {"arrays", arrays},
                    {"memory comes back", memory_comes_back},
                    {"textures refused", textures_refused}});
}
