// 05/mixed: only a residual that is divided by its own norm
// INSTEAD OF: const double norm = norm_now(q, sor_elements(g), h2r);
const double norm = norm_now(q, sor_elements(g), h2f);
// END(0)
