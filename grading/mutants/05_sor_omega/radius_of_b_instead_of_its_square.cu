// 05/radius: 0.840896 is √0.707107
// The ratio of norms belongs to B², its root to ρ: here the root is taken twice.
// INSTEAD OF: estimates_add(&e, sqrt(after / before), control.tolerance);
estimates_add(&e, sqrt(sqrt(after / before)), control.tolerance);
// END(0)
