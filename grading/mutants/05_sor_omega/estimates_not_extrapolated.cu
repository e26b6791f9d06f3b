// 05/radius: so that the limit of the last three (Aitken) is asked for
// Stops when two estimates are close relative to 1 - rho, but does not extrapolate.
// INSTEAD OF: const double limit = fabs(ratio) < 1 ? rho + step * ratio / (1 - ratio) : rho;
const double limit = ratio < 0 ? rho : rho;
// END(3)
