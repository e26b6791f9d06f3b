/* The driver API: arrays, copies of rows and boxes, texture and surface objects. */
#include "driver.h"
#include "submit.h"

#include "array.h"
#include "unsupported.h"

static bool describe_format(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *into) {
  static const struct {
    CUarray_format format;
    int bits;
    enum cudaChannelFormatKind kind;
  } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                 {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
  if (channels != 1 && channels != 2 && channels != 4)
    return false;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].format == format) {
      const int bits = formats[i].bits, pair = channels > 1 ? bits : 0, four = channels > 2 ? bits : 0;
      *into = (struct cudaChannelFormatDesc){bits, pair, four, four, formats[i].kind};
      return true;
    }
  return false;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *d) {
  if (d->f == cudaChannelFormatKindFloat)
    return d->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int bytes =
      d->f == cudaChannelFormatKindUnsigned ? CU_AD_FORMAT_UNSIGNED_INT8 : CU_AD_FORMAT_SIGNED_INT8;
  return (CUarray_format)(bytes + (d->x == 16) + 2 * (d->x == 32));
}

CUresult CUDAAPI cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  KEEP_LAST_ERROR;
  struct cudaChannelFormatDesc format;
  if (!array || !d || !describe_format(d->Format, d->NumChannels, &format))
    return CUDA_ERROR_INVALID_VALUE;
  return (CUresult)cudaMalloc3DArray((cudaArray_t *)array, &format,
                                     (struct cudaExtent){d->Width, d->Height, d->Depth}, d->Flags);
}

CUresult CUDAAPI cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
  return d ? cuArray3DCreate(array,
                             &(CUDA_ARRAY3D_DESCRIPTOR){d->Width, d->Height, 0, d->Format, d->NumChannels, 0})
           : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *into, CUarray array) {
  KEEP_LAST_ERROR;
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent;
  unsigned flags;
  CUresult error = (CUresult)cudaArrayGetInfo(&format, &extent, &flags, (cudaArray_t)array);
  if (!error && !into)
    error = CUDA_ERROR_INVALID_VALUE;
  if (!error)
    *into = (CUDA_ARRAY3D_DESCRIPTOR){extent.width,
                                      extent.height,
                                      extent.depth,
                                      format_of(&format),
                                      1u + (format.y > 0) + 2u * (format.w > 0),
                                      flags};
  return error;
}

CUresult CUDAAPI cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *into, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR d;
  CUresult error = into ? cuArray3DGetDescriptor(&d, array) : CUDA_ERROR_INVALID_VALUE;
  if (!error)
    *into = (CUDA_ARRAY_DESCRIPTOR){d.Width, d.Height, d.Format, d.NumChannels};
  return error;
}

CUresult CUDAAPI cuArrayDestroy(CUarray array) {
  KEEP_LAST_ERROR;
  return array ? (CUresult)cudaFreeArray((cudaArray_t)array) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d,
                                        unsigned levels) {
  KEEP_LAST_ERROR;
  struct cudaChannelFormatDesc format;
  if (!mipmap || !d || !describe_format(d->Format, d->NumChannels, &format))
    return CUDA_ERROR_INVALID_VALUE;
  return (CUresult)cudaMallocMipmappedArray((cudaMipmappedArray_t *)mipmap, &format,
                                            (struct cudaExtent){d->Width, d->Height, d->Depth}, levels,
                                            d->Flags);
}

FORWARD(cuMipmappedArrayGetLevel, (CUarray * level, CUmipmappedArray mipmap, unsigned number),
        cudaGetMipmappedArrayLevel((cudaArray_t *)level, (cudaMipmappedArray_t)mipmap, number))

CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray mipmap) {
  KEEP_LAST_ERROR;
  return mipmap ? (CUresult)cudaFreeMipmappedArray((cudaMipmappedArray_t)mipmap) : CUDA_ERROR_INVALID_HANDLE;
}

/* One end of a copy: its first byte, and the distances between rows and slices. */
struct end {
  char *address;
  size_t pitch, slice;
};

/* Copies may begin and end within a texel. */
static CUresult end_in_array(CUarray handle, size_t x, size_t y, size_t z, const CUDA_MEMCPY3D *c,
                             struct end *end) {
  const struct cudaArray *array = (struct cudaArray *)handle;
  if (!array_exists(array))
    return CUDA_ERROR_INVALID_HANDLE;
  const struct array_box box = {x, y, z, c->WidthInBytes, c->Height, c->Depth};
  *end = (struct end){array_at(array, &box), array->pitch, array->slice};
  return end->address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult end_in_memory(const void *first, size_t x, size_t y, size_t z, size_t pitch, size_t height,
                              const CUDA_MEMCPY3D *c, struct end *end) {
  pitch = pitch ? pitch : c->WidthInBytes;
  height = height ? height : c->Height;
  *end = (struct end){(char *)first + (z * height + y) * pitch + x, pitch, pitch * height};
  return first ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static const void *memory_of(CUmemorytype type, const void *host, CUdeviceptr device) {
  return type == CU_MEMORYTYPE_HOST ? host : driver_pointer(device);
}

CUresult driver_copy(const CUDA_MEMCPY3D *c, struct work_copy *copy) {
  struct end from, to;
  if (!c)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error = c->srcMemoryType == CU_MEMORYTYPE_ARRAY
                       ? end_in_array(c->srcArray, c->srcXInBytes, c->srcY, c->srcZ, c, &from)
                       : end_in_memory(memory_of(c->srcMemoryType, c->srcHost, c->srcDevice), c->srcXInBytes,
                                       c->srcY, c->srcZ, c->srcPitch, c->srcHeight, c, &from);
  if (!error)
    error = c->dstMemoryType == CU_MEMORYTYPE_ARRAY
                ? end_in_array(c->dstArray, c->dstXInBytes, c->dstY, c->dstZ, c, &to)
                : end_in_memory(memory_of(c->dstMemoryType, c->dstHost, c->dstDevice), c->dstXInBytes,
                                c->dstY, c->dstZ, c->dstPitch, c->dstHeight, c, &to);
  if (error)
    return error;
  *copy = (struct work_copy){.target = to.address,
                             .target_pitch = to.pitch,
                             .target_slice = to.slice,
                             .source = from.address,
                             .source_pitch = from.pitch,
                             .source_slice = from.slice,
                             .width = c->WidthInBytes,
                             .rows = c->Height,
                             .slices = c->Depth,
                             .kind = cudaMemcpyDefault};
  return CUDA_SUCCESS;
}

static CUresult copy_box(enum context_use use, cudaStream_t stream, const CUDA_MEMCPY3D *c) {
  struct work_copy copy;
  const CUresult error = driver_copy(c, &copy);
  return error ? error : (CUresult)submit_copy(use, stream, copy);
}

FORWARD(cuMemcpy3D, (const CUDA_MEMCPY3D *copy), copy_box(CONTEXT_SYNCHRONISES, NULL, copy))
FORWARD(cuMemcpy3DAsync, (const CUDA_MEMCPY3D *copy, CUstream stream), copy_box(CONTEXT_QUEUES, stream, copy))

static CUDA_MEMCPY3D one_slice(const CUDA_MEMCPY2D *c) {
  return (CUDA_MEMCPY3D){.srcXInBytes = c->srcXInBytes,
                         .srcY = c->srcY,
                         .srcMemoryType = c->srcMemoryType,
                         .srcHost = c->srcHost,
                         .srcDevice = c->srcDevice,
                         .srcArray = c->srcArray,
                         .srcPitch = c->srcPitch,
                         .dstXInBytes = c->dstXInBytes,
                         .dstY = c->dstY,
                         .dstMemoryType = c->dstMemoryType,
                         .dstHost = c->dstHost,
                         .dstDevice = c->dstDevice,
                         .dstArray = c->dstArray,
                         .dstPitch = c->dstPitch,
                         .WidthInBytes = c->WidthInBytes,
                         .Height = c->Height,
                         .Depth = 1};
}

CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = one_slice(copy);
  return cuMemcpy3DAsync(&box, stream);
}

CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = one_slice(copy);
  return cuMemcpy3D(&box);
}
CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) { return cuMemcpy2D(copy); }

/* Copies of `size` bytes, within a row of an array. */
#define IN_ARRAY(array, offset, end)                                                                         \
  .end##MemoryType = CU_MEMORYTYPE_ARRAY, .end##Array = (array), .end##XInBytes = (offset)
#define AT_DEVICE(address, end) .end##MemoryType = CU_MEMORYTYPE_DEVICE, .end##Device = (address)
#define AT_HOST(address, end) .end##MemoryType = CU_MEMORYTYPE_HOST, .end##Host = (address)
#define COPY_ROW(name, parameters, call, ...)                                                                \
  CUresult CUDAAPI name parameters {                                                                         \
    const CUDA_MEMCPY2D copy = {__VA_ARGS__, .WidthInBytes = size, .Height = 1};                             \
    return call;                                                                                             \
  }
/* clang-format off */
COPY_ROW(cuMemcpyDtoA, (CUarray target, size_t to, CUdeviceptr source, size_t size), cuMemcpy2D(&copy),
         AT_DEVICE(source, src), IN_ARRAY(target, to, dst))
COPY_ROW(cuMemcpyAtoD, (CUdeviceptr target, CUarray source, size_t from, size_t size), cuMemcpy2D(&copy),
         IN_ARRAY(source, from, src), AT_DEVICE(target, dst))
COPY_ROW(cuMemcpyHtoA, (CUarray target, size_t to, const void *source, size_t size), cuMemcpy2D(&copy),
         AT_HOST(source, src), IN_ARRAY(target, to, dst))
COPY_ROW(cuMemcpyHtoAAsync, (CUarray target, size_t to, const void *source, size_t size, CUstream stream),
         cuMemcpy2DAsync(&copy, stream), AT_HOST(source, src), IN_ARRAY(target, to, dst))
COPY_ROW(cuMemcpyAtoH, (void *target, CUarray source, size_t from, size_t size), cuMemcpy2D(&copy),
         IN_ARRAY(source, from, src), AT_HOST(target, dst))
COPY_ROW(cuMemcpyAtoHAsync, (void *target, CUarray source, size_t from, size_t size, CUstream stream),
         cuMemcpy2DAsync(&copy, stream), IN_ARRAY(source, from, src), AT_HOST(target, dst))
COPY_ROW(cuMemcpyAtoA, (CUarray target, size_t to, CUarray source, size_t from, size_t size), cuMemcpy2D(&copy),
         IN_ARRAY(source, from, src), IN_ARRAY(target, to, dst))
/* clang-format on */

/* Devices share their memory, so a copy between two of them is any copy. */
static CUDA_MEMCPY3D peer_box(const CUDA_MEMCPY3D_PEER *c) {
  return (CUDA_MEMCPY3D){.srcXInBytes = c->srcXInBytes,
                         .srcY = c->srcY,
                         .srcZ = c->srcZ,
                         .srcMemoryType = c->srcMemoryType,
                         .srcHost = c->srcHost,
                         .srcDevice = c->srcDevice,
                         .srcArray = c->srcArray,
                         .srcPitch = c->srcPitch,
                         .srcHeight = c->srcHeight,
                         .dstXInBytes = c->dstXInBytes,
                         .dstY = c->dstY,
                         .dstZ = c->dstZ,
                         .dstMemoryType = c->dstMemoryType,
                         .dstHost = c->dstHost,
                         .dstDevice = c->dstDevice,
                         .dstArray = c->dstArray,
                         .dstPitch = c->dstPitch,
                         .dstHeight = c->dstHeight,
                         .WidthInBytes = c->WidthInBytes,
                         .Height = c->Height,
                         .Depth = c->Depth};
}

CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = peer_box(copy);
  return cuMemcpy3DAsync(&box, stream);
}

CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = peer_box(copy);
  return cuMemcpy3D(&box);
}

CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels,
                                                    CUdevice device) {
  KEEP_LAST_ERROR;
  struct cudaChannelFormatDesc described;
  return describe_format(format, channels, &described)
             ? (CUresult)cudaDeviceGetTexture1DLinearMaxWidth(width, &described, device)
             : CUDA_ERROR_INVALID_VALUE;
}

FORWARD(cuArrayGetMemoryRequirements, (CUDA_ARRAY_MEMORY_REQUIREMENTS * is, CUarray array, CUdevice device),
        cudaArrayGetMemoryRequirements((struct cudaArrayMemoryRequirements *)is, (cudaArray_t)array, device))
FORWARD(cuArrayGetSparseProperties, (CUDA_ARRAY_SPARSE_PROPERTIES * is, CUarray array),
        cudaArrayGetSparseProperties((struct cudaArraySparseProperties *)is, (cudaArray_t)array))
FORWARD(cuArrayGetPlane, (CUarray * plane, CUarray array, unsigned number),
        cudaArrayGetPlane((cudaArray_t *)plane, (cudaArray_t)array, number))
FORWARD(cuMipmappedArrayGetMemoryRequirements,
        (CUDA_ARRAY_MEMORY_REQUIREMENTS * is, CUmipmappedArray mipmap, CUdevice device),
        cudaMipmappedArrayGetMemoryRequirements((struct cudaArrayMemoryRequirements *)is,
                                                (cudaMipmappedArray_t)mipmap, device))
FORWARD(cuMipmappedArrayGetSparseProperties, (CUDA_ARRAY_SPARSE_PROPERTIES * is, CUmipmappedArray mipmap),
        cudaMipmappedArrayGetSparseProperties((struct cudaArraySparseProperties *)is,
                                              (cudaMipmappedArray_t)mipmap))

static CUresult mipmap_format(CUmipmappedArray mipmap, struct cudaChannelFormatDesc *format) {
  cudaArray_t first;
  CUresult error = (CUresult)cudaGetMipmappedArrayLevel(&first, (cudaMipmappedArray_t)mipmap, 0);
  return error ? error : (CUresult)cudaGetChannelDesc(format, first);
}

static CUresult describe_resource(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *resource,
                                  struct cudaChannelFormatDesc *format) {
  *resource = (struct cudaResourceDesc){.resType = (enum cudaResourceType)d->resType}; /* in the same order */
  switch (d->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    resource->res.array.array = (cudaArray_t)d->res.array.hArray;
    return (CUresult)cudaGetChannelDesc(format, resource->res.array.array);
  case CU_RESOURCE_TYPE_LINEAR:
    resource->res.linear.devPtr = driver_pointer(d->res.linear.devPtr);
    resource->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    resource->res.pitch2D.devPtr = driver_pointer(d->res.pitch2D.devPtr);
    resource->res.pitch2D.width = d->res.pitch2D.width;
    resource->res.pitch2D.height = d->res.pitch2D.height;
    resource->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    resource->res.mipmap.mipmap = (cudaMipmappedArray_t)d->res.mipmap.hMipmappedArray;
    return mipmap_format(d->res.mipmap.hMipmappedArray, format);
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  /* both have the address first, then the format */
  if (!describe_format(d->res.linear.format, d->res.linear.numChannels, format))
    return CUDA_ERROR_INVALID_VALUE;
  resource->res.linear.desc = *format;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *d,
                                   const CUDA_TEXTURE_DESC *t, const CUDA_RESOURCE_VIEW_DESC *view) {
  KEEP_LAST_ERROR;
  struct cudaResourceDesc resource;
  struct cudaChannelFormatDesc format;
  struct cudaResourceViewDesc viewed = {.format = view ? (enum cudaResourceViewFormat)view->format : 0};
  if (!object || !d || !t)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = describe_resource(d, &resource, &format);
  if (error)
    return error;
  const bool fractions =
      !(t->flags & CU_TRSF_READ_AS_INTEGER) && format.f != cudaChannelFormatKindFloat && format.x < 32;
  struct cudaTextureDesc reads = {.filterMode = (enum cudaTextureFilterMode)t->filterMode,
                                  .readMode =
                                      fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
                                  .sRGB = (t->flags & CU_TRSF_SRGB) != 0,
                                  .normalizedCoords = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
                                  .maxAnisotropy = t->maxAnisotropy,
                                  .mipmapFilterMode = (enum cudaTextureFilterMode)t->mipmapFilterMode,
                                  .mipmapLevelBias = t->mipmapLevelBias,
                                  .minMipmapLevelClamp = t->minMipmapLevelClamp,
                                  .maxMipmapLevelClamp = t->maxMipmapLevelClamp,
                                  .seamlessCubemap = (t->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
  for (int axis = 0; axis < 3; axis++)
    reads.addressMode[axis] = (enum cudaTextureAddressMode)t->addressMode[axis]; /* in the same order */
  for (int c = 0; c < 4; c++)
    reads.borderColor[c] = t->borderColor[c];
  return (CUresult)cudaCreateTextureObject((cudaTextureObject_t *)object, &resource, &reads,
                                           view ? &viewed : NULL);
}

CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *d) {
  KEEP_LAST_ERROR;
  struct cudaResourceDesc resource;
  struct cudaChannelFormatDesc format;
  if (!object || !d)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = describe_resource(d, &resource, &format);
  return error ? error : (CUresult)cudaCreateSurfaceObject((cudaSurfaceObject_t *)object, &resource);
}

/* The driver's description of the runtime's resource. */
static CUresult resource_of(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *d) {
  const struct cudaChannelFormatDesc *const format = &r->res.linear.desc;
  *d = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)r->resType};
  switch (r->resType) {
  case cudaResourceTypeArray:
    d->res.array.hArray = (CUarray)r->res.array.array;
    return CUDA_SUCCESS;
  case cudaResourceTypeMipmappedArray:
    d->res.mipmap.hMipmappedArray = (CUmipmappedArray)r->res.mipmap.mipmap;
    return CUDA_SUCCESS;
  case cudaResourceTypeLinear:
    d->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
    break;
  default:
    d->res.pitch2D.width = r->res.pitch2D.width;
    d->res.pitch2D.height = r->res.pitch2D.height;
    d->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
  }
  /* both have the address first, then the format */
  d->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
  d->res.linear.format = format_of(format);
  d->res.linear.numChannels = 1u + (format->y > 0) + 2u * (format->w > 0);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *d, CUtexObject object) {
  KEEP_LAST_ERROR;
  struct cudaResourceDesc resource;
  const CUresult error =
      d ? (CUresult)cudaGetTextureObjectResourceDesc(&resource, object) : CUDA_ERROR_INVALID_VALUE;
  return error ? error : resource_of(&resource, d);
}

CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *d, CUsurfObject object) {
  KEEP_LAST_ERROR;
  struct cudaResourceDesc resource;
  const CUresult error =
      d ? (CUresult)cudaGetSurfaceObjectResourceDesc(&resource, object) : CUDA_ERROR_INVALID_VALUE;
  return error ? error : resource_of(&resource, d);
}

/* The flags tell elements that are read as they are from fractions; for floats, the driver has no such flag. */
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *t, CUtexObject object) {
  KEEP_LAST_ERROR;
  struct cudaTextureDesc reads;
  const CUresult error =
      t ? (CUresult)cudaGetTextureObjectTextureDesc(&reads, object) : CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  *t = (CUDA_TEXTURE_DESC){.filterMode = (CUfilter_mode)reads.filterMode,
                           .flags =
                               (reads.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
                               (reads.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                               (reads.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u),
                           .maxAnisotropy = reads.maxAnisotropy,
                           .mipmapFilterMode = (CUfilter_mode)reads.mipmapFilterMode,
                           .mipmapLevelBias = reads.mipmapLevelBias,
                           .minMipmapLevelClamp = reads.minMipmapLevelClamp,
                           .maxMipmapLevelClamp = reads.maxMipmapLevelClamp};
  for (int axis = 0; axis < 3; axis++)
    t->addressMode[axis] = (CUaddress_mode)reads.addressMode[axis];
  for (int c = 0; c < 4; c++)
    t->borderColor[c] = reads.borderColor[c];
  return CUDA_SUCCESS;
}

/* Only views that say nothing are supported. */
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *d, CUtexObject object) {
  KEEP_LAST_ERROR;
  struct cudaResourceViewDesc view;
  const CUresult error =
      d ? (CUresult)cudaGetTextureObjectResourceViewDesc(&view, object) : CUDA_ERROR_INVALID_VALUE;
  if (!error)
    *d = (CUDA_RESOURCE_VIEW_DESC){.format = (CUresourceViewFormat)view.format};
  return error;
}

FORWARD(cuTexObjectDestroy, (CUtexObject object), cudaDestroyTextureObject(object))
FORWARD(cuSurfObjectDestroy, (CUsurfObject object), cudaDestroySurfaceObject(object))
