// 05/radius: tolerance 0.0001 of |1 − rho|: expected rho
// Stops when two estimates are close, which happens early if convergence is slow.
// INSTEAD OF: const double limit = fabs(ratio) < 1 ? rho + step * ratio / (1 - ratio) : rho;
const double limit = ratio < 0 ? rho : rho;
// END(3)
// INSTEAD OF: const bool close = fabs(limit - e->limit) <= tolerance * fabs(1 - limit) + 1e-15 * limit;
const bool close = fabs(limit - e->limit) <= 1e-5;
// END(3)
