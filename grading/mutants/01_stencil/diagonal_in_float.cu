// 01/csr: got 68.410003662109375: the error is as large as a rounding error in float
// The diagonal passes through float, which holds 4/h² and small squares exactly.
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] = columns[n] == k ? (float)(4 * inv_h2 + kappa2) : -inv_h2;
// END(0)
