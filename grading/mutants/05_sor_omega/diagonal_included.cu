// 05/sequential: it equals the result with the term a_ii·x_i in the sum
// The sum over a row holds the diagonal too.
// INSTEAD OF: if (j != i)
// END(1)
