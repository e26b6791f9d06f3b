// 05/mixed: it equals corrections with the square of the norm in place of the norm
// The factors cancel, until a float cannot hold the quotient.
// INSTEAD OF: const double norm = norm_now(q, sor_elements(g), h2r);
const double root = norm_now(q, sor_elements(g), h2r), norm = root * root;
// END(0)
// INSTEAD OF: if (progress_add(p, norm))
if (progress_add(p, root))
// END(0)
