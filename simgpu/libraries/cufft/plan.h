/* Plans, as the functions of cufft.h and cufftXt.h share them. */
#pragma once

#include "transform.h"

#include <vector>

struct plan {
  struct transform transform;
  bool made = false, basic = false, allocates = true;
  size_t area_size = 0;
  void *own_area = nullptr;
  std::vector<int> devices; /* of cufftXtSetGPUs; empty for one device */
  plan() : transform() {}
  ~plan();
};

/* NULL if there is no such plan. */
plan *plan_find(cufftHandle handle);

/* As in NVIDIA's library, a plan does what it was made for, if the direction is right. */
cufftResult plan_execute(cufftHandle handle, const void *input, void *output, int direction);
