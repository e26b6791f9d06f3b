// 04/naive: threads store 2 values for each entry of C: expected 1
// Stores 0 to each entry before its sum.
// INSTEAD OF: float sum = 0;
float sum = 0;
p.c[row * p.n + column] = 0;
// END(0)
