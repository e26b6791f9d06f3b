// 05/sequential: it equals the result without the first term, j = 0
// INSTEAD OF: for (int j = 0; j < n; j++)
for (int j = 1; j < n; j++)
// END(0)
