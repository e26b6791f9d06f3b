// 05/radius: within 1e-4
// The ratio of norms belongs to B², not to B: the root is missing.
// INSTEAD OF: estimates_add(&e, sqrt(after / before), control.tolerance);
estimates_add(&e, after / before, control.tolerance);
// END(3)
