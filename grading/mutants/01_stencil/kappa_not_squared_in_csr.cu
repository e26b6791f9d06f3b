// 01/csr: it has κ instead of κ²
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] = columns[n] == k ? 4 * inv_h2 + sqrt(kappa2) : -inv_h2;
// END(0)
