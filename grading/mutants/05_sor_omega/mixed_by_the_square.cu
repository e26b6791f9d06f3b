// 05/mixed: it equals corrections whose residual is divided by the square of its norm
// INSTEAD OF: to[k] = (float)(from[k] / norm);
to[k] = (float)(from[k] / (norm * norm));
// END(0)
