// 05/omega: in float
// sqrtf: (1 − ρ)(1 + ρ) is written right; the message of today says that 1 − ρ² cancels.
// TODO(2): Young's formula. (2 lines)
*omega = 2 / (1 + sqrtf((1 - rho) * (1 + rho)));
return 0;
// END(2)
