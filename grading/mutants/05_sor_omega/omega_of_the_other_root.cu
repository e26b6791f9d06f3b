// 05/omega: it is the other root of Young's equation, above 2: the root is added to 1
// The sign before the root.
// TODO(2): Young's formula. (2 lines)
*omega = 2 / (1 - sqrt((1 - rho) * (1 + rho)));
return 0;
// END(2)
