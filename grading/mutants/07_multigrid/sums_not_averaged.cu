// 07/prolong: a sum of two is halved
// Sums instead of averages.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += above[left] + (j % 2) * above[right] + (i % 2) * (below[left] + (j % 2) * below[right]);
// END(0)
