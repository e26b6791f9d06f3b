// 02/residual: it is the norm over the last column of each thread
// INSTEAD OF: sum += r * r;
sum = r * r;
// END(0)
