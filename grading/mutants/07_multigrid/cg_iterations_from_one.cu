// 07/cg: iterations
// The number of iterations is one too large.
// INSTEAD OF: *iterations = k;
*iterations = k + 1;
// END(0)
