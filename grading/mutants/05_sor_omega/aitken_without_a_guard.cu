// 05/radius: where two estimates are equal, the limit of three is 0/0
// Equal estimates divide zero by zero.
// INSTEAD OF: const double limit = fabs(ratio) < 1 ? rho + step * ratio / (1 - ratio) : rho;
const double limit = rho + step * ratio / (1 - ratio);
// END(0)
