// 05/radius: the ratio of norms belongs to B²: ρ is its root
// The ratio of norms belongs to B², not to B: the root is missing.
// INSTEAD OF: estimates_add(&e, sqrt(after / before), control.tolerance);
estimates_add(&e, after / before, control.tolerance);
// END(3)
