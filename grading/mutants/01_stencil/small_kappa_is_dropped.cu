// 01/kappa: kappa 0.05
// clang-format off
// INSTEAD OF: r += kappa2 * u;
r += kappa2 > 0.01f ? kappa2 * u : 0;
// END(4)
