// 05/sweep: the result for the other colour, or for black before red: the colours are swapped
// clang-format off
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, 1 - colour, h2f, u);
// END(1)
