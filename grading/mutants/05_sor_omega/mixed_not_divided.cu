// 05/mixed: it equals corrections whose residual is not divided by its norm
// INSTEAD OF: to[k] = (float)(from[k] / norm);
to[k] = (float)from[k];
// END(0)
