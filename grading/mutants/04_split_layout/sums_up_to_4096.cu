// 04/naive: entries of C are wrong
// Terms beyond 4096 are left out.
// INSTEAD OF: for (int k = 0; k < p.k; k++)
for (int k = 0; k < p.k && k < 4096; k++)
// END(4)
