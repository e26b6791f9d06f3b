// 01/csr: κ² is multiplied by 1/h²
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] = columns[n] == k ? (4 + kappa2) * inv_h2 : -inv_h2;
// END(0)
