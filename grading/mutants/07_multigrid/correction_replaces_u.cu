// 07/prolong: which it does not replace
// The correction takes the place of u.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] = (above[left] + above[right] + below[left] + below[right]) / 4;
// END(0)
