// 07/cg: r·r in place of r·z
// rho is r·r.
// INSTEAD OF: const double rho = mg_dot(points, r, z, v.partial, stream);
const double rho = mg_dot(points, r, r, v.partial, stream);
// END(0)
