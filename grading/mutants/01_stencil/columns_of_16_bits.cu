// 01/csr: expected column 65536, got 0
// The columns of the matrix are unsigned shorts.
// INSTEAD OF: const int columns[5] = {k - nx, k - 1, k, k + 1, k + nx};
const unsigned short columns[5] = {(unsigned short)(k - nx), (unsigned short)(k - 1), (unsigned short)k,
                                   (unsigned short)(k + 1), (unsigned short)(k + nx)};
// END(0)
