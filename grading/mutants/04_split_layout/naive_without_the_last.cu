// 04/naive: it is the sum of the first 2 of 3 terms
// The loop ends one term early.
// INSTEAD OF: for (int k = 0; k < p.k; k++)
for (int k = 0; k < p.k - 1; k++)
// END(0)
