// 05/radius: radius, nx 130, ny 12, kappa 0, tolerance 0.0001 of |1 − rho|: expected rho
// Stops when two estimates are close relative to 1 - rho, but does not extrapolate.
// INSTEAD OF: const double limit = fabs(ratio) < 1 ? rho + step * ratio / (1 - ratio) : rho;
const double limit = ratio < 0 ? rho : rho;
// END(3)
