// 02/masked: the sign is wrong
// The problem is −Δu = f: f comes with a plus.
// TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] - h2f[k]) * 0.25f;
// END(1)
