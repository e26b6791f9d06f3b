// 02/masked: times 2⁻¹²⁴ or less (subnormal in float)
// 02/jacobi: times 2⁻¹²⁴ or less (subnormal in float)
// Additions of PTX that flush subnormal numbers to zero, as with -use_fast_math.
// TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
value = u[k - 1];
for (float term : {u[k + 1], u[k - nx], u[k + nx], h2f[k]})
  asm("add.ftz.f32 %0, %0, %1;" : "+f"(value) : "f"(term));
value *= 0.25f;
// END(1)
