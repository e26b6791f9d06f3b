// 05/omega: ρ instead of ρ²
// Young's formula has the square of Jacobi's radius.
// INSTEAD OF: *omega = 2 / (1 + sqrt((1 - rho) * (1 + rho)));
*omega = 2 / (1 + sqrt(1 - rho));
// END(0)
