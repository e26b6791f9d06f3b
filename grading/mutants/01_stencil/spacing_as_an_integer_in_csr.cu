// 01/csr: expected value 4
// 1/h² is an integer, but 4/h² exceeds an int on a wide grid.
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
const int h = (int)inv_h2;
value[entries++] = columns[n] == k ? 4 * h + kappa2 : -h;
// END(0)
