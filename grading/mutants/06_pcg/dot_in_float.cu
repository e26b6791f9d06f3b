// 06/dot: the error is as large as a rounding error in float: look for a variable or a sum in float
// INSTEAD OF: sum += x[k] * y[k];
sum = (float)(sum + x[k] * y[k]);
// END(0)
