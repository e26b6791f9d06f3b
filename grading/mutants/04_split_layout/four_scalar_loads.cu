// 04/float4_requests: loads of 4 bytes per lane are
// at: *p, p[1]
// Correct, but four floats are loaded one by one.
// clang-format off
// INSTEAD OF: inline __device__ float4 load_four(const float *p) { return *reinterpret_cast<const float4 *>(p); }
inline __device__ float4 load_four(const float *p) {
  return make_float4(*p, p[1], p[2], p[3]);
}
// END(0)
