/* Plans for several devices: their data lie in parts, one on each device. In the natural order, a part holds whole
 * batches or, of one transform, consecutive elements of the first axis. After a transform of two or three axes, a part
 * holds all of the first axis and some of the second one, as in NVIDIA's library; one axis stays in the natural order,
 * though the format says shuffled. The parts are transformed together, on the first device. */
#include "plan.h"

#include <algorithm>
#include <cufftXt.h>
#include <functional>
#include <memory>

/* The data of a plan: lines[0] x lines[1] pieces of `bytes` each. */
struct extent {
  size_t lines[2], bytes;
  size_t size() const { return lines[0] * lines[1] * bytes; }
};

/* Transforms are in place, so real rows are as long as complex ones. */
static extent extent_of(const plan &p) {
  const shape &s = p.transform.shape;
  const size_t element = transform_is_double(p.transform.type) ? sizeof(double2) : sizeof(float2);
  const bool is_complex = p.transform.type == CUFFT_C2C || p.transform.type == CUFFT_Z2Z;
  const size_t row = (is_complex ? s.size[2] : s.half()) * element;
  if (s.batches > 1)
    return {{(size_t)s.batches, 1}, s.size[0] * s.size[1] * row};
  if (s.size[0] > 1)
    return {{(size_t)s.size[0], (size_t)s.size[1]}, row};
  if (s.size[1] > 1)
    return {{(size_t)s.size[1], is_complex ? (size_t)s.size[2] : (size_t)s.half()}, element};
  return {{row / element, 1}, element};
}

static bool is_shuffled(int format) {
  return format == CUFFT_XT_FORMAT_OUTPUT || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
}

/* The lines [begin, end) of device d of n, of the axis that is distributed. */
struct range {
  size_t begin, end;
};
static range part_of(size_t lines, size_t d, size_t n) {
  const size_t each = lines / n, more = lines % n;
  const size_t begin = d * each + std::min(d, more);
  return {begin, begin + each + (d < more)};
}

/* A piece of memory of height x width bytes in the whole data: from `offset` on, at a distance of `pitch`. */
struct window {
  size_t offset, pitch, width, height;
};
static window window_of(const extent &e, bool shuffled, size_t d, size_t n) {
  if (shuffled && e.lines[1] > 1) {
    const range r = part_of(e.lines[1], d, n);
    return {r.begin * e.bytes, e.lines[1] * e.bytes, (r.end - r.begin) * e.bytes, e.lines[0]};
  }
  const range r = part_of(e.lines[0], d, n);
  const size_t line = e.lines[1] * e.bytes;
  return {r.begin * line, (r.end - r.begin) * line, (r.end - r.begin) * line, 1};
}

/* A copy between a descriptor's parts and the whole data in one piece. */
static cufftResult copy(const plan &p, const cudaLibXtDesc *parts, void *whole, bool to_whole) {
  const extent e = extent_of(p);
  const size_t n = p.devices.size();
  for (size_t d = 0; d < n; d++) {
    const window w = window_of(e, is_shuffled(parts->subFormat), d, n);
    char *piece = (char *)whole + w.offset, *part = (char *)parts->descriptor->data[d];
    if (w.width == 0)
      continue;
    const cudaError_t error = to_whole ? cudaMemcpy2DAsync(piece, w.pitch, part, w.width, w.width, w.height,
                                                           cudaMemcpyDefault, p.transform.stream)
                                       : cudaMemcpy2DAsync(part, w.width, piece, w.pitch, w.width, w.height,
                                                           cudaMemcpyDefault, p.transform.stream);
    if (error != cudaSuccess)
      return CUFFT_INTERNAL_ERROR;
  }
  return CUFFT_SUCCESS;
}

/* What the library keeps with a descriptor. */
struct own_descriptor {
  cudaXtDesc parts;
  int first_format;
};

static bool is_of(const plan &p, const cudaLibXtDesc *d) {
  return d && d->library == LIB_FORMAT_CUFFT && d->descriptor &&
         d->descriptor->nGPUs == (int)p.devices.size();
}

/* The plan, if it was made for several devices. */
static cufftResult find_made(cufftHandle handle, plan **p) {
  *p = plan_find(handle);
  return *p && (*p)->made && !(*p)->devices.empty() ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* --- the functions of cufftXt.h --- */

cufftResult cufftXtSetGPUs(cufftHandle handle, int n, int *devices) {
  plan *p = plan_find(handle);
  int all = 0;
  if (!p || p->made)
    return CUFFT_INVALID_PLAN;
  if (n < 1 || n > MAX_CUDA_DESCRIPTOR_GPUS || !devices || cudaGetDeviceCount(&all) != cudaSuccess)
    return CUFFT_INVALID_VALUE;
  for (int d = 0; d < n; d++)
    if (devices[d] < 0 || devices[d] >= all)
      return CUFFT_INVALID_DEVICE;
  p->devices.assign(devices, devices + n);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc *d) {
  if (!d || !d->descriptor)
    return CUFFT_INVALID_VALUE;
  for (int i = 0; i < d->descriptor->nGPUs; i++)
    cudaFree(d->descriptor->data[i]);
  delete (own_descriptor *)d->libDescriptor;
  delete d;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **result, cufftXtSubFormat format) {
  plan *p;
  const cufftResult found = find_made(handle, &p);
  if (found != CUFFT_SUCCESS)
    return found;
  if (!result || format < CUFFT_XT_FORMAT_INPUT || format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
    return CUFFT_INVALID_VALUE;
  const extent e = extent_of(*p);
  const size_t n = p->devices.size();
  own_descriptor *own = new own_descriptor();
  cudaLibXtDesc *d = new cudaLibXtDesc();
  int current = 0;
  bool is_full = false;
  *d = {0, &own->parts, LIB_FORMAT_CUFFT, format, own};
  own->first_format = format;
  own->parts.nGPUs = (int)n;
  cudaGetDevice(&current);
  for (size_t i = 0; i < n; i++) {
    /* the part may become one of the other order */
    const window natural = window_of(e, false, i, n), shuffled = window_of(e, true, i, n);
    const window &now = is_shuffled(format) ? shuffled : natural;
    own->parts.GPUs[i] = p->devices[i];
    own->parts.size[i] = now.width * now.height;
    cudaSetDevice(p->devices[i]);
    is_full |=
        cudaMalloc(&own->parts.data[i],
                   std::max({natural.width * natural.height, shuffled.width * shuffled.height, (size_t)1})) !=
        cudaSuccess;
  }
  cudaSetDevice(current);
  if (is_full) {
    cufftXtFree(d);
    return CUFFT_ALLOC_FAILED;
  }
  *result = d;
  return CUFFT_SUCCESS;
}

static void set_format(const plan &p, cudaLibXtDesc *d, int format) {
  const size_t n = p.devices.size();
  d->subFormat = format;
  for (size_t i = 0; i < n; i++) {
    const window w = window_of(extent_of(p), is_shuffled(format), i, n);
    d->descriptor->size[i] = w.width * w.height;
  }
}

/* Calls work(memory for the whole data), and waits. */
static cufftResult with_whole(const plan &p, const std::function<cufftResult(void *)> &work) {
  void *whole;
  if (cudaMalloc(&whole, extent_of(p).size()) != cudaSuccess)
    return CUFFT_ALLOC_FAILED;
  cufftResult result = work(whole);
  if (cudaStreamSynchronize(p.transform.stream) != cudaSuccess && result == CUFFT_SUCCESS)
    result = CUFFT_EXEC_FAILED;
  cudaFree(whole);
  return result;
}

cufftResult cufftXtMemcpy(cufftHandle handle, void *to, void *from, cufftXtCopyType type) {
  plan *p;
  cufftResult result = find_made(handle, &p);
  if (result != CUFFT_SUCCESS)
    return result;
  cudaLibXtDesc *target = (cudaLibXtDesc *)to, *source = (cudaLibXtDesc *)from;
  if (!to || !from || (type != CUFFT_COPY_DEVICE_TO_HOST && !is_of(*p, target)) ||
      (type != CUFFT_COPY_HOST_TO_DEVICE && !is_of(*p, source)))
    return CUFFT_INVALID_VALUE;
  if (type != CUFFT_COPY_DEVICE_TO_HOST)
    set_format(*p, target, ((own_descriptor *)target->libDescriptor)->first_format);
  switch (type) {
  case CUFFT_COPY_HOST_TO_DEVICE:
    result = copy(*p, target, from, false);
    break;
  case CUFFT_COPY_DEVICE_TO_HOST:
    result = copy(*p, source, to, true);
    break;
  case CUFFT_COPY_DEVICE_TO_DEVICE:
    return with_whole(*p, [&](void *whole) {
      const cufftResult gathered = copy(*p, source, whole, true);
      return gathered == CUFFT_SUCCESS ? copy(*p, target, whole, false) : gathered;
    });
  default:
    return CUFFT_INVALID_VALUE;
  }
  return cudaStreamSynchronize(p->transform.stream) == cudaSuccess ? result : CUFFT_INTERNAL_ERROR;
}

/* The format of the result: a transform changes the order of its input. */
static int format_after(const cudaLibXtDesc *input, const cudaLibXtDesc *output) {
  if (output->subFormat == CUFFT_XT_FORMAT_INPUT || output->subFormat == CUFFT_XT_FORMAT_OUTPUT)
    return is_shuffled(input->subFormat) ? CUFFT_XT_FORMAT_INPUT : CUFFT_XT_FORMAT_OUTPUT;
  return is_shuffled(input->subFormat) ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
}

cufftResult cufftXtExecDescriptor(cufftHandle handle, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                  int direction) {
  plan *p;
  const cufftResult found = find_made(handle, &p);
  if (found != CUFFT_SUCCESS)
    return found;
  if (!is_of(*p, input) || !is_of(*p, output))
    return CUFFT_INVALID_VALUE;
  return with_whole(*p, [&](void *whole) {
    cufftResult result = copy(*p, input, whole, true);
    if (result == CUFFT_SUCCESS)
      result = plan_execute(handle, whole, whole, direction);
    if (result != CUFFT_SUCCESS)
      return result;
    set_format(*p, output, format_after(input, output));
    return copy(*p, output, whole, false);
  });
}

cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction) {
  return cufftXtExecDescriptor(plan, in, out, direction);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction) {
  return cufftXtExecDescriptor(plan, in, out, direction);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out) {
  return cufftXtExecDescriptor(plan, in, out, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out) {
  return cufftXtExecDescriptor(plan, in, out, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out) {
  return cufftXtExecDescriptor(plan, in, out, CUFFT_INVERSE);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out) {
  return cufftXtExecDescriptor(plan, in, out, CUFFT_INVERSE);
}
