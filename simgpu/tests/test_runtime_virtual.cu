// Virtual memory management by the driver API. The expectations are those of an H100 with driver 580, which passes
// these parts, too, apart from the one whose name begins with "missing".
#include "driver_semantics.h"

#include <vector>

using Handle = CUmemGenericAllocationHandle;
static const size_t GRANULE = 2 << 20, MANY = 4 << 20; // bytes

static CUmemAllocationProp properties(int device = 0) {
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return p;
}

static CUmemAccessDesc access_of(int flags, int device = 0) {
  CUmemAccessDesc a = {};
  a.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  a.flags = CUmemAccess_flags(flags);
  return a;
}

static CUdeviceptr reserved(size_t size) {
  CUdeviceptr address = 0;
  GOOD(cuMemAddressReserve(&address, size, 0, 0, 0));
  return address;
}

static Handle created(size_t size = GRANULE) {
  Handle handle = 0;
  const CUmemAllocationProp p = properties();
  GOOD(cuMemCreate(&handle, size, &p, 0));
  return handle;
}

static CUresult allow(CUdeviceptr address, size_t size, int flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
  const CUmemAccessDesc a = access_of(flags);
  return cuMemSetAccess(address, size, &a, 1);
}

static unsigned long long access_at(CUdeviceptr address) {
  const CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  unsigned long long flags = 77;
  GOOD(cuMemGetAccess(&flags, &location, address));
  return flags;
}

static void *pointer(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

// Bytes of the device that are not free.
static size_t used() {
  size_t free_bytes, total;
  GOOD(cuMemGetInfo(&free_bytes, &total));
  return total - free_bytes;
}

static void start() {
  GOOD(cuInit(0));
  OK(cudaFree(nullptr));
}

static void granularity() {
  start();
  size_t granule = 0;
  int supported = 0;
  CUmemAllocationProp p = properties();
  GOOD(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  TRUE(supported == 1);
  GOOD(cuMemGetAllocationGranularity(&granule, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  TRUE(granule == GRANULE);
  GOOD(cuMemGetAllocationGranularity(&granule, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  TRUE(granule == GRANULE);
  BAD(cuMemGetAllocationGranularity(&granule, &p, CUmemAllocationGranularity_flags(2)));
  BAD(cuMemGetAllocationGranularity(nullptr, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

static void addresses() {
  start();
  CUdeviceptr a, b = 0, c = 0;
  BAD(cuMemAddressReserve(nullptr, GRANULE, 0, 0, 0));
  BAD(cuMemAddressReserve(&a, 0, 0, 0, 0));
  BAD(cuMemAddressReserve(&a, GRANULE + 4096, 0, 0, 0));
  BAD(cuMemAddressReserve(&a, 65536, 0, 0, 0));
  BAD(cuMemAddressReserve(&a, GRANULE, 3, 0, 0));
  BAD(cuMemAddressReserve(&a, GRANULE, 3 * GRANULE, 0, 0));
  BAD(cuMemAddressReserve(&a, GRANULE, 0, 65536, 0));
  BAD(cuMemAddressReserve(&a, GRANULE, 0, 0, 1));
  GIVES(cuMemAddressReserve(&a, size_t(1) << 60, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  GOOD(cuMemAddressReserve(&a, GRANULE, 1 << 30, 0, 0));
  TRUE(a % (1 << 30) == 0);
  GOOD(cuMemAddressFree(a, GRANULE));
  GOOD(cuMemAddressReserve(&a, size_t(1) << 38, 4096, 0, 0)); // more than the device has memory
  TRUE(a % GRANULE == 0);
  GOOD(cuMemAddressFree(a, size_t(1) << 38));

  a = reserved(4 * GRANULE);
  GOOD(cuMemAddressReserve(&b, GRANULE, 0, a + 4 * GRANULE, 0));
  TRUE(b == a + 4 * GRANULE); // the wanted address, because it is free
  GOOD(cuMemAddressReserve(&c, GRANULE, 0, a + GRANULE, 0));
  TRUE(c != 0 && (c < a || c >= a + 5 * GRANULE)); // another one
  BAD(cuMemAddressFree(a, GRANULE));
  BAD(cuMemAddressFree(a + GRANULE, GRANULE));
  BAD(cuMemAddressFree(a, 5 * GRANULE));
  BAD(cuMemAddressFree(0, 0));
  GOOD(cuMemAddressFree(a, 4 * GRANULE));
  BAD(cuMemAddressFree(a, 4 * GRANULE));
  GOOD(cuMemAddressFree(b, GRANULE));
  GOOD(cuMemAddressFree(c, GRANULE));
}

static CUresult create(CUmemAllocationProp p, size_t size = GRANULE) {
  Handle handle = 0;
  const CUresult error = cuMemCreate(&handle, size, &p, 0);
  if (!error)
    GOOD(cuMemRelease(handle));
  return error;
}

static void physical() {
  start();
  Handle handle = 0;
  CUmemAllocationProp p = properties(), got;
  BAD(cuMemCreate(nullptr, GRANULE, &p, 0));
  BAD(cuMemCreate(&handle, GRANULE, nullptr, 0));
  BAD(cuMemCreate(&handle, GRANULE, &p, 1));
  BAD(create(p, 0));
  BAD(create(p, GRANULE + 4096));
  GIVES(create(p, size_t(1) << 50), CUDA_ERROR_OUT_OF_MEMORY);
  GIVES(create(p, -GRANULE), CUDA_ERROR_OUT_OF_MEMORY);
  GIVES(create(properties(99)), CUDA_ERROR_INVALID_DEVICE);
  GIVES(create(properties(-1)), CUDA_ERROR_INVALID_DEVICE);
  p.type = CUmemAllocationType(0);
  BAD(create(p));
  p.type = CUmemAllocationType(3);
  BAD(create(p));
  p = properties();
  p.location.type = CUmemLocationType(0);
  BAD(create(p));
  p.location.type = CUmemLocationType(5);
  BAD(create(p));
  p = properties();
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
  BAD(create(p));
  p = properties();
  p.allocFlags.compressionType = 2;
  BAD(create(p));
  p = properties();
  p.allocFlags.reserved[0] = 1;
  BAD(create(p));

  p = properties();
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  p.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC; // hardware may compress it
  GOOD(cuMemCreate(&handle, 2 * GRANULE, &p, 0));
  GOOD(cuMemGetAllocationPropertiesFromHandle(&got, handle));
  TRUE(got.type == p.type && got.location.type == p.location.type && got.location.id == 0 &&
       got.requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  BAD(cuMemGetAllocationPropertiesFromHandle(nullptr, handle));
  GOOD(cuMemRelease(handle));
}

static void mapping() {
  start();
  const CUdeviceptr a = reserved(8 * GRANULE);
  const Handle small = created(), large = created(2 * GRANULE);
  BAD(cuMemMap(a + 4096, GRANULE, 0, small, 0));
  BAD(cuMemMap(a, 0, 0, small, 0));
  BAD(cuMemMap(a, GRANULE, 0, small, 1));
  BAD(cuMemMap(a + 8 * GRANULE, GRANULE, 0, small, 0));
  BAD(cuMemMap(GRANULE, GRANULE, 0, small, 0));
  for (size_t size : {size_t(4096), 2 * GRANULE})
    GIVES(cuMemMap(a, size, 0, small, 0), CUDA_ERROR_NOT_SUPPORTED);
  GIVES(cuMemMap(a, GRANULE, 0, large, 0), CUDA_ERROR_NOT_SUPPORTED); // a part of the memory
  GIVES(cuMemMap(a, GRANULE, GRANULE, large, 0), CUDA_ERROR_NOT_SUPPORTED);
  GOOD(cuMemMap(a, GRANULE, 0, small, 0));
  BAD(cuMemMap(a, GRANULE, 0, small, 0));
  GOOD(cuMemMap(a + GRANULE, 2 * GRANULE, 0, large, 0));
  BAD(cuMemMap(a + 2 * GRANULE, GRANULE, 0, small, 0));
  BAD(cuMemAddressFree(a, 8 * GRANULE)); // something is mapped

  for (int first : {0, 1, 2}) // the second one in part
    BAD(cuMemUnmap(a + first * GRANULE, (first ? 1 : 2) * GRANULE));
  BAD(cuMemUnmap(a, 0));
  GOOD(cuMemUnmap(a + 5 * GRANULE, GRANULE)); // nothing
  GOOD(cuMemUnmap(a, 4 * GRANULE));
  GOOD(cuMemMap(a, 2 * GRANULE, 0, large, 0));
  GOOD(cuMemUnmap(a, 2 * GRANULE));
  GOOD(cuMemRelease(small));
  GOOD(cuMemRelease(large));
  GOOD(cuMemAddressFree(a, 8 * GRANULE));
}

static void access() {
  start();
  const CUdeviceptr a = reserved(8 * GRANULE);
  const Handle small = created(), large = created(2 * GRANULE);
  CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccessDesc wanted = access_of(3);
  unsigned long long flags;
  char host[64] = {};
  BAD(allow(a, GRANULE));
  GOOD(cuMemMap(a, GRANULE, 0, small, 0));
  GOOD(cuMemMap(a + GRANULE, 2 * GRANULE, 0, large, 0));
  TRUE(access_at(a) == 0);
  INVALID(cudaMemset(pointer(a), 0, 64));
  INVALID(cudaMemcpy(pointer(a), host, 64, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy(host, pointer(a), 64, cudaMemcpyDefault));

  BAD(cuMemSetAccess(a, GRANULE, &wanted, 0));
  BAD(cuMemSetAccess(a, GRANULE, nullptr, 1));
  BAD(allow(a, 0));
  BAD(allow(a + 4096, GRANULE));
  BAD(allow(a, 4096));
  BAD(allow(a, 2 * GRANULE)); // half of the second one
  BAD(allow(a + 2 * GRANULE, GRANULE));
  BAD(allow(a, 4 * GRANULE));
  BAD(allow(a + 4 * GRANULE, GRANULE));
  BAD(allow(a, GRANULE, 2));
  wanted = access_of(3, 99);
  BAD(cuMemSetAccess(a, GRANULE, &wanted, 1));
  wanted.location = {CUmemLocationType(0), 0};
  BAD(cuMemSetAccess(a, GRANULE, &wanted, 1));
  wanted.location = {CUmemLocationType(2), 0}; // the host
  GIVES(cuMemSetAccess(a, GRANULE, &wanted, 1), CUDA_ERROR_NOT_SUPPORTED);
  TRUE(access_at(a) == 0 && access_at(a + GRANULE) == 0);

  GOOD(allow(a, 3 * GRANULE));
  TRUE(access_at(a) == 3 && access_at(a + GRANULE + 5) == 3);
  OK(cudaMemset(pointer(a), 0, 3 * GRANULE));
  BAD(cuMemGetAccess(nullptr, &location, a));
  BAD(cuMemGetAccess(&flags, &location, a + 5 * GRANULE));
  location.id = 99;
  GIVES(cuMemGetAccess(&flags, &location, a), CUDA_ERROR_INVALID_DEVICE);

  GOOD(allow(a, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ));
  TRUE(access_at(a) == 1);
  OK(cudaMemcpy(host, pointer(a), 64, cudaMemcpyDefault));
  INVALID(cudaMemcpy(pointer(a), host, 64, cudaMemcpyDefault));
  INVALID(cudaMemset(pointer(a), 1, 64));
  INVALID(cudaMemset(pointer(a), 1, 2 * GRANULE));
  GOOD(allow(a, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  INVALID(cudaMemcpy(host, pointer(a), 64, cudaMemcpyDefault));
  GOOD(cuMemUnmap(a, 8 * GRANULE));
  GOOD(cuMemMap(a, GRANULE, 0, small, 0));
  TRUE(access_at(a) == 0); // a new mapping begins without access
}

// Memory of these sizes in granules, side by side, with access.
static CUdeviceptr mapped(std::vector<size_t> sizes) {
  size_t all = 0;
  for (size_t size : sizes)
    all += size * GRANULE;
  const CUdeviceptr base = reserved(all);
  CUdeviceptr at = base;
  for (size_t size : sizes) {
    const Handle handle = created(size * GRANULE);
    GOOD(cuMemMap(at, size * GRANULE, 0, handle, 0));
    GOOD(cuMemRelease(handle)); // the mapping keeps the memory
    at += size * GRANULE;
  }
  GOOD(allow(base, all));
  return base;
}

__global__ void count(unsigned *p, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 3 * unsigned(i) + 1;
}
// Each thread reads and writes words that lie far apart.
__global__ void mirror(unsigned *p, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    const unsigned left = p[i];
    p[i] = p[n - 1 - i];
    p[n - 1 - i] = left;
  }
}
__global__ void add(unsigned *p) { atomicAdd(p + threadIdx.x, 5u); }
__global__ void sum(cudaTextureObject_t texture, int first, unsigned *into) {
  atomicAdd(into, tex1Dfetch<unsigned>(texture, first + threadIdx.x));
}

static const size_t WORDS = GRANULE / 4;

static void borders() {
  start();
  const size_t n = 4 * WORDS; // of 1 + 2 + 1 granules
  unsigned *const p = static_cast<unsigned *>(pointer(mapped({1, 2, 1}))), *other;
  std::vector<unsigned> host(n, 9);
  count<<<unsigned(n / 256), 256>>>(p, n);
  LAUNCHED(cudaSuccess);
  OK(cudaMemcpy(host.data(), p, n * 4, cudaMemcpyDefault));
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++)
    wrong += host[i] != 3 * unsigned(i) + 1;
  mirror<<<unsigned(n / 512), 256>>>(p, n);
  OK(cudaMemcpy(host.data(), p, n * 4, cudaMemcpyDefault));
  for (size_t i = 0; i < n; i++)
    wrong += host[i] != 3 * unsigned(n - 1 - i) + 1;
  TRUE(wrong == 0);

  OK(cudaMemset(p, 0, n * 4));
  add<<<1, 32>>>(p + WORDS - 16); // one warp, both sides of a border
  add<<<1, 256>>>(p + 3 * WORDS - 100);
  OK(cudaMemcpy(host.data(), p + WORDS - 17, 34 * 4, cudaMemcpyDefault));
  TRUE(host[0] == 0 && host[1] == 5 && host[16] == 5 && host[17] == 5 && host[32] == 5 && host[33] == 0);

  for (size_t i = 0; i < n; i++)
    host[i] = unsigned(i);
  OK(cudaMemcpy(p + WORDS - 7, host.data(), MANY, cudaMemcpyHostToDevice));
  OK(cudaMalloc(&other, MANY));
  OK(cudaMemcpy(other, p + WORDS - 7, MANY, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(p + 5, p + WORDS - 7, MANY, cudaMemcpyDeviceToDevice)); // overlaps
  OK(cudaMemcpy(host.data(), other, MANY, cudaMemcpyDefault));
  TRUE(host[0] == 0 && host[6] == 6 && host[7] == 7 && host[MANY / 4 - 1] == MANY / 4 - 1);
  OK(cudaMemset2D(p + WORDS - 2, 4096, 0xff, 16, 100));
  OK(cudaMemcpy(host.data(), p + WORDS - 2, 4 * 4, cudaMemcpyDefault));
  TRUE(host[0] == ~0u && host[3] == ~0u);
  INVALID(cudaMemset(p + 3 * WORDS, 0, GRANULE + 1)); // beyond the last one
  INVALID(cudaMemcpy(host.data(), p + 4 * WORDS - 1, 8, cudaMemcpyDefault));

  cudaResourceDesc resource = {};
  cudaTextureDesc reads = {};
  cudaTextureObject_t texture;
  unsigned result = 0;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = p;
  resource.res.linear.sizeInBytes = n * 4;
  resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  OK(cudaCreateTextureObject(&texture, &resource, &reads, nullptr));
  count<<<unsigned(n / 256), 256>>>(p, n);
  OK(cudaMemset(other, 0, 4));
  sum<<<1, 64>>>(texture, int(WORDS) - 32, other);
  sum<<<1, 64>>>(texture, int(3 * WORDS) - 32, other);
  OK(cudaMemcpy(&result, other, 4, cudaMemcpyDefault));
  unsigned expected = 0;
  for (size_t i = 0; i < 64; i++)
    expected += 2 + 3 * unsigned(WORDS - 32 + i) + 3 * unsigned(3 * WORDS - 32 + i);
  TRUE(result == expected);
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFree(other));
}

// Two reservations side by side are one range, as a vector uses them that grows in place.
static void neighbours() {
  start();
  const CUdeviceptr a = reserved(2 * GRANULE);
  CUdeviceptr b = 0;
  GOOD(cuMemAddressReserve(&b, 2 * GRANULE, 0, a + 2 * GRANULE, 0));
  TRUE(b == a + 2 * GRANULE);
  const Handle left = created(), right = created(), across = created(2 * GRANULE);
  GOOD(cuMemMap(a + GRANULE, GRANULE, 0, left, 0));
  GOOD(cuMemMap(b, GRANULE, 0, right, 0));
  GOOD(allow(a + GRANULE, 2 * GRANULE));
  OK(cudaMemset(pointer(a + GRANULE), 5, 2 * GRANULE));
  unsigned char bytes[8];
  OK(cudaMemcpy(bytes, pointer(b - 4), 8, cudaMemcpyDefault));
  TRUE(bytes[0] == 5 && bytes[7] == 5);
  BAD(cuMemMap(a + GRANULE, 2 * GRANULE, 0, across, 0));
  GOOD(cuMemUnmap(a + GRANULE, 2 * GRANULE));
  GOOD(cuMemMap(a + GRANULE, 2 * GRANULE, 0, across, 0));
  BAD(cuMemAddressFree(a, 2 * GRANULE));
  BAD(cuMemAddressFree(b, 2 * GRANULE));
  GOOD(cuMemUnmap(a + GRANULE, 2 * GRANULE));
  GOOD(cuMemAddressFree(a, 2 * GRANULE));
  GOOD(cuMemAddressFree(b, 2 * GRANULE));
}

__global__ void store(unsigned *p, unsigned value) { *p = value; }
__global__ void load(const unsigned *p, unsigned *into) { *into = *p; }

static void aliases() {
  start();
  const CUdeviceptr a = reserved(3 * GRANULE), b = reserved(GRANULE);
  const Handle handle = created();
  unsigned got = 0;
  for (const CUdeviceptr address : {a, a + GRANULE, b})
    GOOD(cuMemMap(address, GRANULE, 0, handle, 0));
  GOOD(allow(a, 2 * GRANULE));
  GOOD(allow(b, GRANULE));
  store<<<1, 1>>>(static_cast<unsigned *>(pointer(b + 400)), 1234);
  OK(cudaMemcpy(&got, pointer(a + GRANULE + 400), 4, cudaMemcpyDefault));
  TRUE(got == 1234);
  load<<<1, 1>>>(static_cast<unsigned *>(pointer(a + 400)), static_cast<unsigned *>(pointer(a + 800)));
  OK(cudaMemcpy(&got, pointer(b + 800), 4, cudaMemcpyDefault));
  TRUE(got == 1234);
  GOOD(cuMemUnmap(a, 2 * GRANULE));
  OK(cudaMemcpy(&got, pointer(b + 400), 4, cudaMemcpyDefault)); // the other mapping stays
  TRUE(got == 1234);
}

static void lifetimes() {
  start();
  const CUdeviceptr a = reserved(2 * GRANULE);
  const size_t before = used();
  const Handle handle = created(2 * GRANULE);
  Handle again = 0;
  CUmemAllocationProp p;
  unsigned got = 0;
  TRUE(used() == before + 2 * GRANULE);
  GOOD(cuMemMap(a, 2 * GRANULE, 0, handle, 0));
  GOOD(allow(a, 2 * GRANULE));
  OK(cudaMemset(pointer(a + GRANULE), 1, 4));
  GOOD(cuMemRelease(handle));
  TRUE(used() == before + 2 * GRANULE); // it is mapped
  BAD(cuMemRetainAllocationHandle(&again, nullptr));
  BAD(cuMemRetainAllocationHandle(&again, pointer(a + 2 * GRANULE)));
  GOOD(cuMemRetainAllocationHandle(&again, pointer(a + GRANULE + 77)));
  GOOD(cuMemGetAllocationPropertiesFromHandle(&p, again));
  GOOD(cuMemUnmap(a, 2 * GRANULE));
  INVALID(cudaMemset(pointer(a), 0, 4));
  TRUE(used() == before + 2 * GRANULE); // the handle keeps it
  GOOD(cuMemMap(a, 2 * GRANULE, 0, again, 0));
  GOOD(allow(a, 2 * GRANULE));
  OK(cudaMemcpy(&got, pointer(a + GRANULE), 4, cudaMemcpyDefault));
  TRUE(got == 0x01010101);
  GOOD(cuMemRelease(again));
  GOOD(cuMemUnmap(a, 2 * GRANULE));
  TRUE(used() == before);
  GOOD(cuMemAddressFree(a, 2 * GRANULE));
}

static void retained() {
  start();
  const CUdeviceptr a = reserved(GRANULE);
  const Handle handle = created();
  Handle again = 0;
  GOOD(cuMemMap(a, GRANULE, 0, handle, 0));
  GOOD(cuMemRetainAllocationHandle(&again, pointer(a)));
  TRUE(again == handle);
  GOOD(cuMemRelease(handle));
  GOOD(cuMemRelease(again)); // one release for each
  GOOD(cuMemUnmap(a, GRANULE));
}

static void attributes() {
  start();
  const CUdeviceptr a = reserved(4 * GRANULE);
  const Handle small = created(), large = created(2 * GRANULE);
  CUdeviceptr base = 0;
  size_t size = 0;
  cudaPointerAttributes is;
  GOOD(cuMemMap(a, GRANULE, 0, small, 0));
  GOOD(cuMemMap(a + GRANULE, 2 * GRANULE, 0, large, 0));
  OK(cudaPointerGetAttributes(&is, pointer(a + 9)));
  TRUE(is.type == cudaMemoryTypeDevice); // even without access
  GOOD(allow(a, 3 * GRANULE));
  GOOD(cuMemGetAddressRange(&base, &size, a + GRANULE + 100));
  TRUE(base == a + GRANULE && size == 2 * GRANULE);
  GOOD(cuMemGetAddressRange(&base, &size, a + 100));
  TRUE(base == a && size == GRANULE);
  GIVES(cuMemGetAddressRange(&base, &size, a + 3 * GRANULE), CUDA_ERROR_NOT_FOUND);
  OK(cudaPointerGetAttributes(&is, pointer(a + 9)));
  TRUE(is.type == cudaMemoryTypeDevice && is.device == 0 && is.devicePointer == pointer(a + 9));
  OK(cudaPointerGetAttributes(&is, pointer(a + 3 * GRANULE)));
  TRUE(is.type == cudaMemoryTypeUnregistered);
  BAD(cuMemFree(a));
  INVALID(cudaFree(pointer(a)));
}

static void descriptors() {
  start();
  CUmemAllocationProp p = properties();
  Handle handle = 0, other = 0;
  int file = -1;
  unsigned got = 0;
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  GOOD(cuMemCreate(&handle, GRANULE, &p, 0));
  GOOD(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  TRUE(file >= 0);
  void *const given = reinterpret_cast<void *>(intptr_t(file));
  GOOD(cuMemImportFromShareableHandle(&other, given, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  TRUE(close(file) == 0);
  GOOD(cuMemRelease(handle)); // the other one keeps the memory
  const CUdeviceptr a = reserved(GRANULE);
  GOOD(cuMemMap(a, GRANULE, 0, other, 0));
  GOOD(allow(a, GRANULE));
  OK(cudaMemset(pointer(a), 1, 4));
  OK(cudaMemcpy(&got, pointer(a), 4, cudaMemcpyDefault));
  TRUE(got == 0x01010101);
  GOOD(cuMemUnmap(a, GRANULE));
  GOOD(cuMemRelease(other));

  const CUmemAllocationHandleType posix = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  BAD(cuMemExportToShareableHandle(&file, created(), posix, 0)); // not asked for when it was created
  BAD(cuMemImportFromShareableHandle(&other, nullptr, posix));   // descriptor 0 is no memory
  GIVES(cuMemImportFromShareableHandle(&other, given, posix), CUDA_ERROR_UNKNOWN); // closed
}

static void fault(CUdeviceptr address) {
  store<<<1, 1>>>(static_cast<unsigned *>(pointer(address)), 1);
  EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

static void fault_without_access() {
  start();
  const CUdeviceptr a = reserved(GRANULE);
  GOOD(cuMemMap(a, GRANULE, 0, created(), 0));
  fault(a);
}

static void fault_without_memory() {
  start();
  fault(reserved(GRANULE));
}

static void fault_behind_memory() {
  start();
  const CUdeviceptr a = reserved(2 * GRANULE);
  GOOD(cuMemMap(a, GRANULE, 0, created(), 0));
  GOOD(allow(a, GRANULE));
  OK(cudaMemset(pointer(a), 0, GRANULE));
  fault(a + GRANULE);
}

static void fault_after_access() {
  start();
  const CUdeviceptr a = mapped({1});
  store<<<1, 1>>>(static_cast<unsigned *>(pointer(a)), 1);
  OK(cudaDeviceSynchronize());
  GOOD(allow(a, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  fault(a);
}

static void fault_after_unmapping() {
  start();
  const CUdeviceptr a = mapped({1});
  store<<<1, 1>>>(static_cast<unsigned *>(pointer(a)), 1);
  OK(cudaDeviceSynchronize());
  GOOD(cuMemUnmap(a, GRANULE));
  fault(a);
}

static void fault_of_write() {
  start();
  const CUdeviceptr a = mapped({1, 1});
  unsigned got = 0;
  OK(cudaMemset(pointer(a), 1, GRANULE));
  GOOD(allow(a, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ));
  load<<<1, 1>>>(static_cast<unsigned *>(pointer(a)), static_cast<unsigned *>(pointer(a + GRANULE)));
  OK(cudaMemcpy(&got, pointer(a + GRANULE), 4, cudaMemcpyDefault));
  TRUE(got == 0x01010101);
  fault(a);
}

// NVIDIA's driver crashes for handles that do not exist, and only this device knows host memory not.
static void bad_handles() {
  start();
  const CUdeviceptr a = reserved(GRANULE);
  const Handle handle = created();
  CUmemAllocationProp p = properties();
  Handle other;
  GOOD(cuMemRelease(handle));
  for (const Handle bad : {Handle(0), handle, Handle(12345), handle | Handle(1) << 32}) {
    BAD(cuMemRelease(bad));
    BAD(cuMemMap(a, GRANULE, 0, bad, 0));
    BAD(cuMemGetAllocationPropertiesFromHandle(&p, bad));
  }
  const Handle mapped_only = created();
  GOOD(cuMemMap(a, GRANULE, 0, mapped_only, 0));
  GOOD(cuMemRelease(mapped_only));
  BAD(cuMemRelease(mapped_only));
  BAD(cuMemGetAllocationPropertiesFromHandle(&p, mapped_only));
  p = properties();
  p.location.type = CUmemLocationType(2);
  GIVES(cuMemCreate(&other, GRANULE, &p, 0), CUDA_ERROR_NOT_SUPPORTED);
}

int main() {
  return run_parts({{"granularity", granularity},
                    {"addresses", addresses},
                    {"physical memory", physical},
                    {"mapping", mapping},
                    {"access", access},
                    {"borders", borders},
                    {"neighbours", neighbours},
                    {"aliases", aliases},
                    {"lifetimes", lifetimes},
                    {"retained", retained},
                    {"attributes", attributes},
                    {"descriptors", descriptors},
                    {"fault without access", fault_without_access},
                    {"fault without memory", fault_without_memory},
                    {"fault behind memory", fault_behind_memory},
                    {"fault after access", fault_after_access},
                    {"fault after unmapping", fault_after_unmapping},
                    {"fault of a write", fault_of_write},
                    {"missing: handles that do not exist", bad_handles}});
}
