// 07/prolong: to the north-west
// Each point takes the coarse value to its north-west.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += above[left] + 0 * below[right];
// END(0)
