// 05/radius: expected the last estimate
// Without convergence the result is 0.
// INSTEAD OF: if (e.settled >= 2)
if (e.settled < 2)
  result->rho = 0;
else
// END(3)
