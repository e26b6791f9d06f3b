// 05/mixed: 1 − ω is computed in float
// The sweeps in float round ω first, and then 1 − ω.
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)1 - (Real)omega, (Real)omega, colour, h2f, u);
// END(0)
