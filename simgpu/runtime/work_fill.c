#include "work_fill.h"

#include "address.h"
#include "context.h"
#include "explain.h"
#include "managed.h"
#include "pinned.h"
#include "runtime/transfer.h"

#include <string.h>

/* Memory that the host reaches, too. */
static bool is_on_both_sides(const void *address) {
  return managed_kind(address) || pinned_reachable(address);
}

static cudaError_t fill_on_host(const struct work_fill *fill) {
  size_t span;
  if (fill->pitch < fill->width || __builtin_mul_overflow(fill->pitch, fill->rows - 1, &span) ||
      __builtin_add_overflow(span, fill->width, &span) ||
      !(managed_holds(fill->target, span) || pinned_holds(fill->target, span)))
    return cudaErrorInvalidValue;
  cudaError_t error = context_wait();
  if (error || context_faulted())
    return error;
  for (size_t row = 0; row < fill->rows; row++)
    for (size_t i = 0; i < fill->width; i += fill->value_size)
      memcpy((char *)fill->target + row * fill->pitch + i, &fill->value, fill->value_size);
  return cudaSuccess;
}

static cudaError_t fill_device(const struct work_fill *fill) {
  struct sim_rows request = {(uintptr_t)fill->target, fill->width, fill->rows, fill->pitch, fill->value,
                             fill->value_size};
  if (!address_on_device(fill->target))
    return cudaErrorInvalidValue;
  return context_faulted() ? cudaSuccess : transfer_fill(&request);
}

cudaError_t work_fill_run(const struct work_fill *fill) {
  if (!fill->width || !fill->rows)
    return cudaSuccess;
  if (is_on_both_sides(fill->target))
    return fill_on_host(fill);
  cudaError_t error = fill_device(fill);
  if (error == cudaErrorInvalidValue)
    explain_fill((struct explain_rows){fill->target, fill->width, fill->rows, fill->pitch});
  return error;
}

cudaError_t work_fill_check(const struct work_fill *fill) {
  if (fill->value_size != 1 && fill->value_size != 2 && fill->value_size != 4)
    return cudaErrorInvalidValue;
  bool reached = address_on_device(fill->target) || is_on_both_sides(fill->target);
  return reached && (fill->rows <= 1 || fill->pitch >= fill->width) ? cudaSuccess : cudaErrorInvalidValue;
}
