// 01/marching: expected -0, got 0: the sign of zero counts: copy the value, and compute nothing with it
// INSTEAD OF: values[n] = interior ? value : centre.u[n];
values[n] = interior ? value : centre.u[n] + 0.0f;
// END(5)
