// 06/cg: all residuals are divided by the first one
// The norm of h2f is replaced by that of the initial residual.
// INSTEAD OF: int part = host_dot(s, s->r, s->r, &square);
int part = host_dot(s, s->r, s->r, &square);
if (s->result->iterations == 0 && square > 0)
  s->f_norm = sqrt(square);
// END(0)
