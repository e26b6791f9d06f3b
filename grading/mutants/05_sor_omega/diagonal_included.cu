// 05/sequential: sequential
// The sum over a row holds the diagonal too.
// INSTEAD OF: if (j != i)
// END(1)
