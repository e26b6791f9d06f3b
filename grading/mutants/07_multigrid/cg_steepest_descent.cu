// 07/cg: steepest descent
// β is 0.
// INSTEAD OF: combine(points, 1, z, k > 0 ? rho / rho_old : 0, v.p, stream); // p = z + beta p
combine(points, 1, z, 0 * rho_old, v.p, stream); // p = z + beta p
// END(0)
