// 07/prolong: a quarter of all sums
// All sums are divided by 4.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += (above[left] + (j % 2) * above[right] + (i % 2) * (below[left] + (j % 2) * below[right])) / 4;
// END(0)
