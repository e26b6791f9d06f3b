/* A scalar argument of a library's function: a value, or an address in device memory, as the handle's
 * pointer mode says. */
#pragma once

template <typename T> struct scalar {
  const T *address;
  T value;
  __device__ T get() const { return address ? *address : value; }
};

template <typename T> scalar<T> scalar_argument(bool in_device_memory, const T *argument) {
  if (in_device_memory)
    return {argument, T()};
  return {nullptr, *argument};
}
