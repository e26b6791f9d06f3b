// 05/omega: cancellation
// 1 − ρ² loses its digits where ρ is close to 1.
// TODO(2): Young's formula. (2 lines)
*omega = 2 / (1 + sqrt(1 - rho * rho));
return 0;
// END(2)
