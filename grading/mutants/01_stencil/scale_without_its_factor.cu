// 01/scale: it equals x: the factor is missing
// INSTEAD OF: y[k] = factor * x[k];
y[k] = x[k];
// END(7)
