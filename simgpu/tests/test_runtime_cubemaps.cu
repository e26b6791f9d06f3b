// Cubemaps, against the table of the CUDA C++ Programming Guide, Cubemap Textures.
#include "semantics.h"

#include <algorithm>
#include <cmath>
#include <vector>

enum { FACES = 6, LAYERS = 3, PLACES = 2000 };

static unsigned state = 1;
static float draw(float least, float most) {
  state = state * 1664525 + 1013904223;
  return least + (most - least) * float(state >> 8) / 0x1p24f;
}

struct Spot { // on a face, from 0 to 1
  int face;
  double s, t;
};

static Spot spot_of(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (ax > ay && ax > az)
    return x > 0 ? Spot{0, (-z / ax + 1) / 2, (-y / ax + 1) / 2}
                 : Spot{1, (z / ax + 1) / 2, (-y / ax + 1) / 2};
  if (ay > ax && ay > az)
    return y > 0 ? Spot{2, (x / ay + 1) / 2, (z / ay + 1) / 2} : Spot{3, (x / ay + 1) / 2, (-z / ay + 1) / 2};
  return z > 0 ? Spot{4, (x / az + 1) / 2, (-y / az + 1) / 2} : Spot{5, (-x / az + 1) / 2, (-y / az + 1) / 2};
}

// The direction of a place on a face, whose coordinates are −1 to 1.
static float3 direction_of(int face, float s, float t) {
  const float3 directions[FACES] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                                    {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
  return directions[face];
}

struct Cubemap {
  int size, layers;
  cudaResourceDesc resource = {};
  std::vector<float> texels;

  Cubemap(int size, int layers, unsigned flags) : size(size), layers(layers) {
    texels.resize(size_t(size) * size * FACES * layers);
    for (float &texel : texels)
      texel = draw(-100, 100);
    fill(flags);
  }
  // The faces as layers of planes.
  explicit Cubemap(const Cubemap &cube) : size(cube.size), layers(cube.layers), texels(cube.texels) {
    fill(cudaArrayLayered);
  }
  void fill(unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms box = {};
    box.extent = make_cudaExtent(size, size, FACES * layers);
    resource.resType = cudaResourceTypeArray;
    OK(cudaMalloc3DArray(&resource.res.array.array, &format, box.extent, flags | cudaArraySurfaceLoadStore));
    box.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float), size, size);
    box.dstArray = resource.res.array.array;
    box.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&box));
  }
  cudaTextureObject_t texture(bool filters, bool seamless, cudaTextureAddressMode mode) const {
    cudaTextureDesc reads = {};
    cudaTextureObject_t texture = 0;
    reads.addressMode[0] = reads.addressMode[1] = reads.addressMode[2] = mode;
    reads.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
    reads.normalizedCoords = true;
    reads.seamlessCubemap = seamless;
    OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
    return texture;
  }
  float texel(int layer, int face, int x, int y) const {
    return texels[((size_t(layer) * FACES + face) * size + y) * size + x];
  }
  float nearest(int layer, const Spot &spot) const {
    return texel(layer, spot.face, std::min(int(spot.s * size), size - 1),
                 std::min(int(spot.t * size), size - 1));
  }
  // Texel (x, y) of a face; beyond an edge, it is where a walk over the edge ends. NaN beyond a corner.
  double walked(int layer, int face, int x, int y) const {
    const double s = (2 * x + 1.0) / size - 1, t = (2 * y + 1.0) / size - 1;
    const double over = std::max(std::fabs(s), std::fabs(t)) - 1;
    if (std::fabs(s) > 1 && std::fabs(t) > 1)
      return NAN;
    if (over <= 0)
      return texel(layer, face, x, y);
    const float3 d = direction_of(face, float(std::clamp(s, -1., 1.)), float(std::clamp(t, -1., 1.)));
    double at[3] = {d.x, d.y, d.z};
    const int own = face / 2; // the face's axis, along which the walk goes down
    at[own] *= 1 - over;
    return nearest(layer, spot_of(at[0], at[1], at[2]));
  }
};

static double filtered(const Cubemap &cube, int layer, const Spot &spot) {
  const int size = cube.size;
  const double x = std::floor((spot.s * size - 0.5) * 256 + 0.5) / 256,
               y = std::floor((spot.t * size - 0.5) * 256 + 0.5) / 256;
  const int i = int(std::floor(x)), j = int(std::floor(y));
  double corner[4], sum = 0, others = 0;
  for (int k = 0; k < 4; k++) {
    corner[k] = cube.walked(layer, spot.face, i + k % 2, j + k / 2);
    others += std::isnan(corner[k]) ? 0 : corner[k];
  }
  for (int k = 0; k < 4; k++)
    sum += (std::isnan(corner[k]) ? others / 3 : corner[k]) * (k % 2 ? x - i : 1 - x + i) *
           (k / 2 ? y - j : 1 - y + j);
  return sum;
}

struct Reads { // of direction i in layer i % LAYERS
  std::vector<float3> at;
  float3 *device_at = nullptr;
  float *device = nullptr;
  std::vector<float> values;

  explicit Reads(std::vector<float3> directions) : at(std::move(directions)), values(at.size()) {
    OK(cudaMalloc(&device_at, at.size() * sizeof(float3)));
    OK(cudaMemcpy(device_at, at.data(), at.size() * sizeof(float3), cudaMemcpyHostToDevice));
    OK(cudaMalloc(&device, at.size() * sizeof(float)));
  }
  template <class Kernel> const std::vector<float> &by(Kernel kernel, cudaTextureObject_t texture) {
    kernel<<<(unsigned(at.size()) + 63) / 64, 64>>>(texture, device_at, int(at.size()), device);
    OK(cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
  }
};

__global__ void read_cube(cudaTextureObject_t texture, const float3 *at, int count, float *values) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] = texCubemap<float>(texture, at[i].x, at[i].y, at[i].z);
}
__global__ void read_layers(cudaTextureObject_t texture, const float3 *at, int count, float *values) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] = i % 2 ? texCubemapLayered<float>(texture, at[i].x, at[i].y, at[i].z, i % LAYERS)
                      : texCubemapLayeredLod<float>(texture, at[i].x, at[i].y, at[i].z, i % LAYERS, 2);
}
// Places on the faces as layers of an ordinary texture: z is the face.
__global__ void read_flat(cudaTextureObject_t texture, const float3 *at, int count, float *values) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] = tex2DLayered<float>(texture, at[i].x, at[i].y, int(at[i].z));
}

// Random directions, of which none is within 1e-4 of an edge: there, rounding decides which face it hits.
static std::vector<float3> directions() {
  std::vector<float3> at;
  while (at.size() < PLACES) {
    float3 d = {draw(-1, 1), draw(-1, 1), draw(-1, 1)};
    float sizes[] = {std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)};
    std::sort(sizes, sizes + 3);
    const float scale = draw(0.01f, 50);
    if (sizes[2] - sizes[1] > 1e-4f)
      at.push_back({d.x * scale, d.y * scale, d.z * scale});
  }
  return at;
}

template <class Expected>
static void compare_all(const char *what, const Reads &reads, double tolerance, Expected expected) {
  for (size_t i = 0; i < reads.at.size(); i++) {
    const double value = expected(int(i));
    if (std::fabs(reads.values[i] - value) <= tolerance)
      continue;
    printf("%s: at %g %g %g: %.9g, expected %.9g\n", what, reads.at[i].x, reads.at[i].y, reads.at[i].z,
           reads.values[i], value);
    differences++;
    return;
  }
}

static void nearest() {
  // Of 16 texels in a row, so that a direction close to a texel's edge is rare; those are left out.
  for (const int layers : {1, int(LAYERS)}) {
    const Cubemap cube(16, layers, cudaArrayCubemap | (layers > 1 ? cudaArrayLayered : 0));
    std::vector<float3> at = directions();
    at.erase(std::remove_if(at.begin(), at.end(),
                            [&](const float3 &d) {
                              const Spot spot = spot_of(d.x, d.y, d.z);
                              const double s = spot.s * 16, t = spot.t * 16;
                              return std::fabs(s - std::rint(s)) < 1e-4 || std::fabs(t - std::rint(t)) < 1e-4;
                            }),
             at.end());
    Reads reads(at);
    for (const bool seamless : {false, true}) {
      const cudaTextureObject_t texture = cube.texture(false, seamless, cudaAddressModeWrap);
      layers > 1 ? reads.by(read_layers, texture) : reads.by(read_cube, texture);
      compare_all("nearest", reads, 0, [&](int i) {
        return cube.nearest(layers > 1 ? i % LAYERS : 0, spot_of(at[i].x, at[i].y, at[i].z));
      });
    }
  }
}

// Places on a 1/512 grid, for which both ways of a coordinate are exact.
static void within_a_face() {
  const Cubemap cube(8, 1, cudaArrayCubemap), planes(cube);
  std::vector<float3> at, flat;
  for (int i = 0; i < PLACES; i++) {
    const int face = i % FACES;
    const float s = std::floor(draw(-250, 250)) / 256, t = std::floor(draw(-250, 250)) / 256;
    at.push_back(direction_of(face, s, t));
    flat.push_back({(s + 1) / 2, (t + 1) / 2, float(face)});
  }
  Reads on_cube(at), on_layers(flat);
  for (const cudaTextureAddressMode mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    on_cube.by(read_cube, cube.texture(true, false, mode));
    on_layers.by(read_flat, planes.texture(true, false, mode));
    compare_all("within a face", on_cube, 0, [&](int i) { return on_layers.values[size_t(i)]; });
    on_layers.by(read_flat, cube.texture(true, false, mode));
    compare_all("a cube read as planes", on_layers, 0, [](int) { return 0.f; });
  }
}

static void seamless() {
  for (const int size : {1, 2, 5, 16}) {
    const Cubemap cube(size, LAYERS, cudaArrayCubemap | cudaArrayLayered);
    Reads reads(directions());
    reads.by(read_layers, cube.texture(true, true, cudaAddressModeBorder));
    // weights are multiples of 1/256, and rounding may choose the next one in both directions
    compare_all("seamless", reads, 2 * 200. / 256, [&](int i) {
      return filtered(cube, i % LAYERS, spot_of(reads.at[i].x, reads.at[i].y, reads.at[i].z));
    });
  }
}

// Between the centres of two texels beside an edge, halfway: exact.
static void across_edges() {
  enum { SIZE = 4 };
  const Cubemap cube(SIZE, 1, cudaArrayCubemap);
  std::vector<float3> at;
  std::vector<double> expected;
  for (int face = 0; face < FACES; face++)
    for (int edge = 0; edge < 4; edge++)
      for (int k = 0; k < SIZE; k++) {
        const int beyond = edge % 2 ? SIZE : -1, last = edge % 2 ? SIZE - 1 : 0;
        const float along = (2 * k + 1.f) / SIZE - 1, out = edge % 2 ? 0x1.fffff8p-1f : -0x1.fffff8p-1f;
        at.push_back(edge < 2 ? direction_of(face, out, along) : direction_of(face, along, out));
        expected.push_back(edge < 2 ? (cube.walked(0, face, beyond, k) + cube.walked(0, face, last, k)) / 2
                                    : (cube.walked(0, face, k, beyond) + cube.walked(0, face, k, last)) / 2);
      }
  Reads reads(at);
  reads.by(read_cube, cube.texture(true, true, cudaAddressModeClamp));
  compare_all("across edges", reads, 1e-5, [&](int i) { return expected[size_t(i)]; });
}

// A layer that is too large, or negative: the last one.
__global__ void read_far_layers(cudaTextureObject_t texture, const float3 *at, int count, float *values) {
  const int layers[] = {LAYERS, 100000, -1};
  const int i = int(threadIdx.x);
  if (i < count && i < 3)
    values[i] = texCubemapLayered<float>(texture, at[i].x, at[i].y, at[i].z, layers[i]);
}
static void far_layers() {
  const Cubemap cube(4, LAYERS, cudaArrayCubemap | cudaArrayLayered);
  Reads reads({{1, 0.1f, 0.1f}, {0.1f, -1, 0.1f}, {0.1f, 0.1f, 1}});
  reads.by(read_far_layers, cube.texture(false, false, cudaAddressModeWrap));
  compare_all("far layers", reads, 0, [&](int i) {
    return cube.nearest(LAYERS - 1, spot_of(reads.at[i].x, reads.at[i].y, reads.at[i].z));
  });
}

// Each component equal, NaN, infinite or 0: no crash, and a value of the cubemap.
static void odd_directions() {
  const Cubemap cube(4, 1, cudaArrayCubemap);
  std::vector<float3> at;
  for (const float x : {0.f, 1.f, -1.f, NAN, INFINITY})
    for (const float y : {0.f, 1.f, -1.f, NAN, INFINITY})
      for (const float z : {0.f, 1.f, -1.f, NAN, INFINITY})
        at.push_back({x, y, z});
  Reads reads(at);
  for (const bool filters : {false, true})
    for (const bool is_seamless : {false, true}) {
      reads.by(read_cube, cube.texture(filters, is_seamless, cudaAddressModeClamp));
      for (const float value : reads.values)
        TRUE(value >= -100 && value <= 100);
    }
}

__global__ void swap_faces(cudaSurfaceObject_t surface, int size) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  for (int face = 0; face < 2; face++) {
    const float value = surfCubemapread<float>(surface, 4 * x, y, face);
    const float other = surfCubemapLayeredread<float>(surface, 4 * x, y, FACES + face);
    surfCubemapwrite(other, surface, 4 * x, y, face, cudaBoundaryModeZero);
    surfCubemapLayeredwrite(value, surface, 4 * x, y, FACES + face);
  }
  if (x < size && y == 0)
    surfCubemapwrite(-1.f, surface, 4 * x, y, 2 * FACES, cudaBoundaryModeZero); // outside: ignored
}

static void surfaces() {
  enum { SIZE = 5 };
  const Cubemap cube(SIZE, 2, cudaArrayCubemap | cudaArrayLayered);
  std::vector<float> values(cube.texels.size());
  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &cube.resource));
  swap_faces<<<SIZE, SIZE>>>(surface, SIZE);
  cudaMemcpy3DParms box = {};
  box.srcArray = cube.resource.res.array.array;
  box.dstPtr = make_cudaPitchedPtr(values.data(), SIZE * sizeof(float), SIZE, SIZE);
  box.extent = make_cudaExtent(SIZE, SIZE, 2 * FACES);
  box.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&box));
  for (int face = 0; face < 2 * FACES; face++)
    for (int i = 0; i < SIZE * SIZE; i++) {
      const int from = face % FACES < 2 ? (face + FACES) % (2 * FACES) : face;
      TRUE(values[size_t(face) * SIZE * SIZE + i] == cube.texels[size_t(from) * SIZE * SIZE + i]);
    }
}

static void refusals() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const unsigned layered = cudaArrayCubemap | cudaArrayLayered;
  cudaArray_t array;
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 5, 6), cudaArrayCubemap));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 12), cudaArrayCubemap));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 0), cudaArrayCubemap));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 0, 6), cudaArrayCubemap));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 8), layered));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 0), layered));
  INVALID(cudaMalloc3DArray(&array, &format, make_cudaExtent(40000, 40000, 6), cudaArrayCubemap));
  const Cubemap cube(4, 2, layered);
  cudaChannelFormatDesc got;
  cudaExtent extent;
  unsigned flags;
  OK(cudaArrayGetInfo(&got, &extent, &flags, cube.resource.res.array.array));
  TRUE(extent.depth == 2 * FACES && flags == (layered | cudaArraySurfaceLoadStore));
  cudaResourceDesc plain = {};
  cudaTextureDesc reads = {};
  cudaTextureObject_t texture;
  plain.resType = cudaResourceTypeArray;
  OK(cudaMallocArray(&plain.res.array.array, &format, 4, 4));
  reads.seamlessCubemap = true;
  INVALID(cudaCreateTextureObject(&texture, &plain, &reads, nullptr));
}

int main() {
  return run_parts({{"nearest", nearest},
                    {"within a face", within_a_face},
                    {"seamless", seamless},
                    {"across edges", across_edges},
                    {"far layers", far_layers},
                    {"odd directions", odd_directions},
                    {"surfaces", surfaces},
                    {"refusals", refusals}});
}
