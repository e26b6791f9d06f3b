// 05/omega: it is half of the expected omega: the numerator is 2
// INSTEAD OF: *omega = 2 / (1 + sqrt((1 - rho) * (1 + rho)));
*omega = 1 / (1 + sqrt((1 - rho) * (1 + rho)));
// END(2)
