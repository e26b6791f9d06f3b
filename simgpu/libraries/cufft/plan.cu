/* Plans: arguments, layouts and memory. */
#include "plan.h"

#include <cufftXt.h>
#include <map>
#include <memory>
#include <mutex>

plan::~plan() {
  cudaFree(own_area);
  for (void *table : transform.roots.axis)
    cudaFree(table);
}

static std::mutex lock;
static std::map<cufftHandle, std::unique_ptr<plan>> plans;

plan *plan_find(cufftHandle handle) {
  std::lock_guard<std::mutex> guard(lock);
  const auto found = plans.find(handle);
  return found == plans.end() ? nullptr : found->second.get();
}

cufftResult cufftCreate(cufftHandle *handle) {
  static cufftHandle last;
  if (!handle)
    return CUFFT_INVALID_VALUE;
  std::lock_guard<std::mutex> guard(lock);
  *handle = ++last;
  plans[last].reset(new plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  std::lock_guard<std::mutex> guard(lock);
  return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* The layout's advanced form, as a program describes it. */
template <typename I> struct description { I *embed, stride, distance; };

static bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || transform_is_double(type);
}
static bool has_real_input(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
static bool has_real_output(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

template <typename I>
static cufftResult set_shape(transform *t, int rank, I *n, cufftType type, long long batches) {
  if (!n || rank < 1 || rank > CUFFT_AXES)
    return CUFFT_INVALID_VALUE;
  if (!is_type(type))
    return CUFFT_INVALID_TYPE;
  t->type = type;
  t->shape = {{1, 1, 1}, batches};
  for (int i = 0; i < rank; i++)
    t->shape.size[CUFFT_AXES - rank + i] = n[i];
  for (int i = 0; i < rank; i++)
    if (n[i] < 1)
      return CUFFT_INVALID_SIZE;
  const double all = (double)t->shape.size[0] * t->shape.size[1] * t->shape.size[2] * batches;
  return batches < 1 || all > 1ll << 38 ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;
}

template <typename I> static layout advanced(int rank, const description<I> &d) {
  layout l = {{1, 1, 1}, d.stride, d.distance};
  for (int i = 1; i < rank; i++)
    l.stored[CUFFT_AXES - rank + i] = d.embed[i];
  return l;
}

/* Rows without gaps, of `row` elements. */
static layout contiguous(const shape &s, long long row) {
  return {{s.size[0], s.size[1], row}, 1, s.size[0] * s.size[1] * row};
}

static size_t area_size(const transform &t) {
  return 2 * t.shape.points() * t.shape.batches *
         (transform_is_double(t.type) ? sizeof(double2) : sizeof(float2));
}

template <typename I>
static cufftResult make(cufftHandle handle, int rank, I *n, description<I> in, description<I> out,
                        cufftType type, long long batches, size_t *size) {
  plan *p = plan_find(handle);
  if (!p || p->made)
    return CUFFT_INVALID_PLAN;
  if (!size)
    return CUFFT_INVALID_VALUE;
  transform &t = p->transform;
  const cufftResult result = set_shape(&t, rank, n, type, batches);
  if (result != CUFFT_SUCCESS)
    return result;
  p->basic = !in.embed || !out.embed;
  if (!p->basic) {
    t.input = advanced(rank, in);
    t.output = advanced(rank, out);
  }
  *size = p->area_size = area_size(t);
  for (size_t d = 1; d < p->devices.size(); d++)
    size[d] = 0; /* the first device transforms */
  for (int i = 0; i < CUFFT_AXES; i++)
    if (!(t.roots.axis[i] = transform_roots(type, t.shape.size[i])))
      return CUFFT_ALLOC_FAILED;
  if (p->allocates && cudaMalloc(&p->own_area, *size) != cudaSuccess)
    return CUFFT_ALLOC_FAILED;
  t.area = p->own_area;
  p->made = true;
  return CUFFT_SUCCESS;
}

static const description<int> usual = {nullptr, 1, 0};

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist,
                              int *onembed, int ostride, int odist, cufftType type, int batch, size_t *size) {
  return make<int>(handle, rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch, size);
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t *size) {
  return make<long long>(handle, rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                         size);
}
cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *size) {
  return make(handle, 1, &nx, usual, usual, type, batch, size);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *size) {
  int n[] = {nx, ny};
  return make(handle, 2, n, usual, usual, type, 1, size);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *size) {
  int n[] = {nx, ny, nz};
  return make(handle, 3, n, usual, usual, type, 1, size);
}

cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch) {
  size_t size;
  cufftResult result = cufftCreate(handle);
  if (result == CUFFT_SUCCESS)
    result = cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                               batch, &size);
  if (result != CUFFT_SUCCESS && handle)
    cufftDestroy(*handle);
  return result;
}
cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch) {
  return cufftPlanMany(handle, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type) {
  int n[] = {nx, ny};
  return cufftPlanMany(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type) {
  int n[] = {nx, ny, nz};
  return cufftPlanMany(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

/* The size of the work area does not depend on the layout. */
template <typename I>
static cufftResult estimate(int rank, I *n, cufftType type, long long batch, size_t *size) {
  transform t = {};
  if (!size)
    return CUFFT_INVALID_VALUE;
  const cufftResult result = set_shape(&t, rank, n, type, batch);
  *size = result == CUFFT_SUCCESS ? area_size(t) : 0;
  return result;
}

cufftResult cufftEstimateMany(int rank, int *n, int *, int, int, int *, int, int, cufftType type, int batch,
                              size_t *size) {
  return estimate(rank, n, type, batch, size);
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *size) {
  return estimate(1, &nx, type, batch, size);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *size) {
  int n[] = {nx, ny};
  return estimate(2, n, type, 1, size);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *size) {
  int n[] = {nx, ny, nz};
  return estimate(3, n, type, 1, size);
}
cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *, int, int, int *, int, int,
                             cufftType type, int batch, size_t *size) {
  return plan_find(handle) ? estimate(rank, n, type, batch, size) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSizeMany64(cufftHandle handle, int rank, long long *n, long long *, long long, long long,
                               long long *, long long, long long, cufftType type, long long batch,
                               size_t *size) {
  return plan_find(handle) ? estimate(rank, n, type, batch, size) : CUFFT_INVALID_PLAN;
}
/* The transform from one type of element to another; none if they do not fit together. */
static bool type_of(cudaDataType input, cudaDataType output, cudaDataType execution, cufftType *type) {
  static const struct {
    cudaDataType input, output, execution;
    cufftType type;
  } all[] = {
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
      {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
  for (const auto &one : all)
    if (one.input == input && one.output == output && one.execution == execution) {
      *type = one.type;
      return true;
    }
  return false;
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType input, long long *onembed,
                                long long ostride, long long odist, cudaDataType output, long long batch,
                                size_t *size, cudaDataType execution) {
  cufftType type;
  if (!type_of(input, output, execution, &type))
    return plan_find(handle) ? CUFFT_INVALID_TYPE : CUFFT_INVALID_PLAN;
  return cufftMakePlanMany64(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             size);
}
cufftResult cufftXtGetSizeMany(cufftHandle handle, int rank, long long *n, long long *, long long, long long,
                               cudaDataType input, long long *, long long, long long, cudaDataType output,
                               long long batch, size_t *size, cudaDataType execution) {
  cufftType type;
  if (!type_of(input, output, execution, &type))
    return plan_find(handle) ? CUFFT_INVALID_TYPE : CUFFT_INVALID_PLAN;
  return cufftGetSizeMany64(handle, rank, n, nullptr, 1, 0, nullptr, 1, 0, type, batch, size);
}

cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *size) {
  return plan_find(handle) ? cufftEstimate1d(nx, type, batch, size) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *size) {
  return plan_find(handle) ? cufftEstimate2d(nx, ny, type, size) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *size) {
  return plan_find(handle) ? cufftEstimate3d(nx, ny, nz, type, size) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize(cufftHandle handle, size_t *size) {
  const plan *p = plan_find(handle);
  if (!p || !size)
    return p ? CUFFT_INVALID_VALUE : CUFFT_INVALID_PLAN;
  *size = p->area_size;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area) {
  plan *p = plan_find(handle);
  if (!p)
    return CUFFT_INVALID_PLAN;
  cudaFree(p->own_area);
  p->own_area = nullptr;
  p->transform.area = area;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int on) {
  plan *p = plan_find(handle);
  if (!p || p->made)
    return CUFFT_INVALID_PLAN;
  p->allocates = on;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  plan *p = plan_find(handle);
  if (!p)
    return CUFFT_INVALID_PLAN;
  p->transform.stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  const int version[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value || (unsigned)type > PATCH_LEVEL)
    return CUFFT_INVALID_VALUE;
  *value = version[type];
  return CUFFT_SUCCESS;
}

/* In the basic layout, the real rows of a transform in place are padded to the length of its complex ones. */
static void set_basic_layouts(transform *t, bool in_place) {
  const long long real = in_place ? 2 * t->shape.half() : t->shape.size[2];
  t->input = t->output = contiguous(t->shape, t->shape.size[2]);
  if (has_real_input(t->type)) {
    t->input = contiguous(t->shape, real);
    t->output = contiguous(t->shape, t->shape.half());
  } else if (has_real_output(t->type)) {
    t->input = contiguous(t->shape, t->shape.half());
    t->output = contiguous(t->shape, real);
  }
}

/* As in NVIDIA's library, each of the following functions does what the plan was made for. */
cufftResult plan_execute(cufftHandle handle, const void *input, void *output, int direction) {
  const plan *p = plan_find(handle);
  if (!p || !p->made)
    return CUFFT_INVALID_PLAN;
  if (!input || !output || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (direction == CUFFT_FORWARD ? has_real_output(p->transform.type) : has_real_input(p->transform.type))
    return CUFFT_INVALID_VALUE;
  if (!p->transform.area)
    return CUFFT_NO_WORKSPACE;
  transform t = p->transform;
  if (p->basic)
    set_basic_layouts(&t, input == output);
  return transform_run(&t, input, output, direction == CUFFT_INVERSE);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *input, cufftComplex *output, int direction) {
  return plan_execute(plan, input, output, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction) {
  return plan_execute(plan, input, output, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *input, cufftComplex *output) {
  return plan_execute(plan, input, output, CUFFT_FORWARD);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *input, cufftDoubleComplex *output) {
  return plan_execute(plan, input, output, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *input, cufftReal *output) {
  return plan_execute(plan, input, output, CUFFT_INVERSE);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleReal *output) {
  return plan_execute(plan, input, output, CUFFT_INVERSE);
}

/* As in NVIDIA's library, the direction of a transform from or to real numbers must be right. */
cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction) {
  return plan_execute(handle, input, output, direction);
}
