// 01/csr: expected column 1, got 4
// The diagonal first, then the neighbours.
// INSTEAD OF: const int columns[5] = {k - nx, k - 1, k, k + 1, k + nx};
const int columns[5] = {k, k - nx, k - 1, k + 1, k + nx};
// END(1)
