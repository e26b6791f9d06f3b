// 07/prolong: belongs to the restriction alone
// The factor of h² is applied here, too.
// INSTEAD OF: u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
u[i * n + j] += above[left] + above[right] + below[left] + below[right];
// END(0)
