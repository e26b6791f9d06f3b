// 07/prolong: so it is added
// The correction is subtracted.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] -= (above[left] + above[right] + below[left] + below[right]) / 4;
// END(0)
