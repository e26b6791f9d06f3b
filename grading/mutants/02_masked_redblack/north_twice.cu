// 02/inplace: from old neighbours alone expected
// The north neighbour counts twice, the south one not at all.
// TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k - nx] + h2f[k]) * 0.25f;
// END(1)
