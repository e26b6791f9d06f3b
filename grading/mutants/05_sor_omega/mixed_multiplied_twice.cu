// 05/mixed: it equals corrections whose residual is multiplied by its norm
// INSTEAD OF: to[k] = (float)(from[k] / norm);
to[k] = (float)(from[k] * norm);
// END(0)
