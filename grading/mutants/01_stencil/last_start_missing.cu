// 01/csr: csr_assemble: row_start[9] was never written: expected a value from 12 to 13
// INSTEAD OF: row_start[nx * ny] = entries;
// END(1)
