// 05/sequential: it equals the result without the last term, j = n − 1
// INSTEAD OF: for (int j = 0; j < n; j++)
for (int j = 0; j < n - 1; j++)
// END(0)
