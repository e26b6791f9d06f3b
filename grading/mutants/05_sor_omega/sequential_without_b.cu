// 05/sequential: it equals the result without b_i
// INSTEAD OF: double s = b[i];
double s = 0;
// END(0)
