// 05/omega: as large as a rounding error in float
// sqrtf, although (1 − ρ)(1 + ρ) is written right.
// TODO(2): Young's formula. (2 lines)
*omega = 2 / (1 + sqrtf((1 - rho) * (1 + rho)));
return 0;
// END(2)
