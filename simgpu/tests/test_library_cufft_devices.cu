// cuFFT's plans for several devices, against plans for one. Both parts can lie on the same device, as
// NVIDIA's library allows.
#include <complex>
#include <cstring>
#include <cufftXt.h>
#include <vector>

#include "semantics.h"

#define FFT_OK(call) TRUE((call) == CUFFT_SUCCESS)

typedef std::complex<float> number;

struct problem {
  std::vector<int> sizes;
  int batches;
  cufftType type;
  size_t row() const { return type == CUFFT_C2C ? sizes.back() : sizes.back() / 2 + 1; }
  size_t count() const {
    size_t n = batches * row();
    for (size_t i = 0; i + 1 < sizes.size(); i++)
      n *= sizes[i];
    return n;
  }
};

static std::vector<number> input_of(const problem &p) {
  std::vector<number> x(p.count());
  for (size_t i = 0; i < x.size(); i++)
    x[i] = {(float)((i * 37 + 11) % 101) / 101, (float)((i * 53 + 7) % 89) / 89};
  return x;
}

static void make(cufftHandle plan, const problem &p, size_t *work) {
  const std::vector<int> &n = p.sizes;
  if (n.size() == 1)
    FFT_OK(cufftMakePlan1d(plan, n[0], p.type, p.batches, work));
  else if (n.size() == 2)
    FFT_OK(cufftMakePlan2d(plan, n[0], n[1], p.type, work));
  else
    FFT_OK(cufftMakePlan3d(plan, n[0], n[1], n[2], p.type, work));
}

static std::vector<number> on_one_device(const problem &p, std::vector<number> x, int direction) {
  cufftHandle plan;
  size_t work;
  number *d;
  FFT_OK(cufftCreate(&plan));
  make(plan, p, &work);
  OK(cudaMalloc(&d, x.size() * sizeof(number)));
  OK(cudaMemcpy(d, x.data(), x.size() * sizeof(number), cudaMemcpyHostToDevice));
  FFT_OK(cufftXtExec(plan, d, d, direction));
  OK(cudaMemcpy(x.data(), d, x.size() * sizeof(number), cudaMemcpyDeviceToHost));
  OK(cudaFree(d));
  FFT_OK(cufftDestroy(plan));
  return x;
}

static void expect_close(const std::vector<number> &a, const std::vector<number> &b) {
  float largest = 0, difference = 0;
  for (size_t i = 0; i < a.size(); i++) {
    largest = fmaxf(largest, std::abs(b[i]));
    difference = fmaxf(difference, std::abs(a[i] - b[i]));
  }
  TRUE(difference <= 1e-5f * largest);
}

static cufftHandle plan_on(const problem &p, std::vector<int> devices) {
  cufftHandle plan;
  size_t work[16];
  FFT_OK(cufftCreate(&plan));
  FFT_OK(cufftXtSetGPUs(plan, (int)devices.size(), devices.data()));
  make(plan, p, work);
  return plan;
}

/* Forward and back, with a copy to the host after each. */
static void transforms() {
  const problem problems[] = {{{64}, 1, CUFFT_C2C},
                              {{16}, 5, CUFFT_C2C},
                              {{8, 12}, 1, CUFFT_C2C},
                              {{6, 8, 10}, 1, CUFFT_C2C},
                              {{8, 4, 12}, 1, CUFFT_R2C}};
  for (const problem &p : problems) {
    problem inverse = p;
    inverse.type = p.type == CUFFT_R2C ? CUFFT_C2R : p.type;
    const cufftHandle there = plan_on(p, {0, 0}), back = plan_on(inverse, {0, 0});
    const std::vector<number> x = input_of(p);
    std::vector<number> y(x.size());
    cudaLibXtDesc *d;
    FFT_OK(cufftXtMalloc(there, &d, CUFFT_XT_FORMAT_INPLACE));
    TRUE(d->descriptor->nGPUs == 2 && d->subFormat == CUFFT_XT_FORMAT_INPLACE);
    TRUE(d->descriptor->size[0] + d->descriptor->size[1] == x.size() * sizeof(number));
    FFT_OK(cufftXtMemcpy(there, d, (void *)x.data(), CUFFT_COPY_HOST_TO_DEVICE));
    FFT_OK(cufftXtExecDescriptor(there, d, d, CUFFT_FORWARD));
    TRUE(d->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
    FFT_OK(cufftXtMemcpy(there, y.data(), d, CUFFT_COPY_DEVICE_TO_HOST));
    const std::vector<number> forward = on_one_device(p, x, CUFFT_FORWARD);
    expect_close(y, forward);
    FFT_OK(cufftXtExecDescriptor(back, d, d, CUFFT_INVERSE));
    FFT_OK(cufftXtMemcpy(back, y.data(), d, CUFFT_COPY_DEVICE_TO_HOST));
    std::vector<number> expected = on_one_device(inverse, forward, CUFFT_INVERSE);
    if (p.type == CUFFT_R2C) // the last numbers of a real row are padding
      for (size_t i = 0; i < y.size(); i++)
        if (i % p.row() == p.row() - 1)
          y[i] = expected[i] = 0;
    expect_close(y, expected);
    FFT_OK(cufftXtFree(d));
    FFT_OK(cufftDestroy(there));
    FFT_OK(cufftDestroy(back));
  }
}

/* After a transform of two axes, each part has all of the first axis and half of the second one. */
static void order() {
  const problem p = {{4, 6}, 1, CUFFT_C2C};
  const cufftHandle plan = plan_on(p, {0, 0});
  const std::vector<number> x = input_of(p), expected = on_one_device(p, x, CUFFT_FORWARD);
  cudaLibXtDesc *d, *natural;
  FFT_OK(cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE));
  FFT_OK(cufftXtMalloc(plan, &natural, CUFFT_XT_FORMAT_INPLACE));
  FFT_OK(cufftXtMemcpy(plan, d, (void *)x.data(), CUFFT_COPY_HOST_TO_DEVICE));
  FFT_OK(cufftXtExecDescriptorC2C(plan, d, d, CUFFT_FORWARD));
  FFT_OK(cufftXtMemcpy(plan, natural, d, CUFFT_COPY_DEVICE_TO_DEVICE));
  for (int part = 0; part < 2; part++) {
    std::vector<number> shuffled, rows, got(12);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 3; j++)
        shuffled.push_back(expected[i * 6 + part * 3 + j]);
    rows.assign(expected.begin() + part * 12, expected.begin() + part * 12 + 12);
    TRUE(d->descriptor->size[part] == 12 * sizeof(number));
    OK(cudaMemcpy(got.data(), d->descriptor->data[part], 12 * sizeof(number), cudaMemcpyDeviceToHost));
    expect_close(got, shuffled);
    OK(cudaMemcpy(got.data(), natural->descriptor->data[part], 12 * sizeof(number), cudaMemcpyDeviceToHost));
    expect_close(got, rows);
  }
  FFT_OK(cufftXtFree(d));
  FFT_OK(cufftXtFree(natural));
  FFT_OK(cufftDestroy(plan));
}

static void faults() {
  cufftHandle plan;
  int devices[] = {0, 99};
  cudaLibXtDesc *d;
  FFT_OK(cufftCreate(&plan));
  TRUE(cufftXtSetGPUs(plan, 2, devices) == CUFFT_INVALID_DEVICE);
  TRUE(cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
  FFT_OK(cufftDestroy(plan));
  TRUE(cufftXtSetGPUs(plan, 1, devices) == CUFFT_INVALID_PLAN);
}

int main() { return run_parts({{"transforms", transforms}, {"order", order}, {"faults", faults}}); }
