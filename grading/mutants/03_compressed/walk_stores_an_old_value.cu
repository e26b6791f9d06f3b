// 03/walk: wrong values are the old value of another point of their row, a multiple of 32 columns away
// INSTEAD OF: float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS];
float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS], old[POINTS];
// END(4)
// INSTEAD OF: source[n] = h2f[k];
source[n] = h2f[k], old[n] = u[k];
// END(4)
// INSTEAD OF: u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
u[i * nx + j] = n > 0 ? old[n - 1] : (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
// END(4)
