// 01/csr: expected value 68.409999999999997, got 68.410003662109375
// The diagonal passes through float, which holds 4/h² and small squares exactly.
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] = columns[n] == k ? (float)(4 * inv_h2 + kappa2) : -inv_h2;
// END(0)
