// 07/cg: β turned
// β is old by new.
// INSTEAD OF: combine(points, 1, z, k > 0 ? rho / rho_old : 0, v.p, stream); // p = z + beta p
combine(points, 1, z, k > 0 ? rho_old / rho : 0, v.p, stream); // p = z + beta p
// END(0)
