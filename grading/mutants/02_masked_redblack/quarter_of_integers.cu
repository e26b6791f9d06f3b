// 02/masked: in integer arithmetic 1/4 is 0
// A quarter written as 1/4.
// INSTEAD OF: value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * (1 / 4);
// END(0)
