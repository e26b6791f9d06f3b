// 02/masked: only h2f is multiplied by ¼
// The factor binds to the last term alone.
// INSTEAD OF: value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
value = u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k] * 0.25f;
// END(0)
