// 02/masked: h2f is not multiplied by ¼
// A misplaced parenthesis.
// TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx]) * 0.25f + h2f[k];
// END(1)
