// 05/omega: is omega limited? It approaches 2
// The factor has a cap, so that it stays below 2.
// TODO(2): Young's formula. (2 lines)
*omega = fmin(2 / (1 + sqrt((1 - rho) * (1 + rho))), 1.9999999);
return 0;
// END(2)
