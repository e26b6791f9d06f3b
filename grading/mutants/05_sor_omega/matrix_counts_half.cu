// 05/matrix: is B² applied more often than the result counts?
// A step is four products, and counts once.
// INSTEAD OF: apply(y, x);
apply(y, x);
apply(x, y);
apply(y, x);
// END(0)
// INSTEAD OF: estimates_add(&e, sqrt(after / before), control.tolerance);
estimates_add(&e, matrix ? sqrt(sqrt(after / before)) : sqrt(after / before), control.tolerance);
// END(0)
// INSTEAD OF: // Part 3: power iteration.
static bool matrix = false;
// END(0)
// INSTEAD OF: double *x = device_array<double>(rows), *y = device_array<double>(rows);
double *x = device_array<double>(rows), *y = device_array<double>(rows);
matrix = true;
// END(0)
