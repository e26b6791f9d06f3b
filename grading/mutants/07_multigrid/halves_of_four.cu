// 07/prolong: with halves of sums of four
// The corners are halved.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / (i % 2 && j % 2 ? 2 : 4);
// END(0)
