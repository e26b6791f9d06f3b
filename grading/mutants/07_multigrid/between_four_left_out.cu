// 07/prolong: between four coarse points
// Points with two odd indices are left out.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += i % 2 && j % 2 ? 0 : (above[left] + above[right] + below[left] + below[right]) / 4;
// END(0)
