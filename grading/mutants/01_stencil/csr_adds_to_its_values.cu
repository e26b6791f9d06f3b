// 01/csr: is an entry not written, or read before it is written?
// Right only if the caller's memory holds zeros.
// INSTEAD OF: value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
value[entries++] += columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
// END(0)
