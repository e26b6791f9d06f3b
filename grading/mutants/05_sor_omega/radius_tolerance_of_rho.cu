// 05/matrix: tolerance 0.0001 of |1 − rho|: expected rho
// The tolerance is compared with ρ itself, which is close to 1.
// INSTEAD OF: const bool close = fabs(limit - e->limit) <= tolerance * fabs(1 - limit) + 1e-15 * limit;
const bool close = fabs(limit - e->limit) <= tolerance * limit;
// END(0)
