// 05/omega: omega_optimal(
// The formula divides a difference of nearly equal numbers by a small one.
// INSTEAD OF: *omega = 2 / (1 + sqrt((1 - rho) * (1 + rho)));
*omega = rho == 0 ? 1 : 2 * (1 - sqrt(1 - rho * rho)) / (rho * rho);
// END(2)
