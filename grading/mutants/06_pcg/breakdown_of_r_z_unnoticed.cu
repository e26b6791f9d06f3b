// 06/pcg: r·z is negative in the first iteration
// Only p·Ap is tested, although alpha and beta divide by r·z, too.
// INSTEAD OF: if (part || !is_positive(s, rho))
if (part)
// END(0)
