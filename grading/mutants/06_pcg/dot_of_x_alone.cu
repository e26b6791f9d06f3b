// 06/dot: it is x·x: a product is that of elements of x and y
// INSTEAD OF: sum += x[k] * y[k];
sum += x[k] * x[k];
// END(1)
