// 07/prolong: at coarse points alone
// Points between coarse points get nothing.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += i % 2 == 0 && j % 2 == 0 ? above[left] + 0 * below[right] : 0;
// END(0)
