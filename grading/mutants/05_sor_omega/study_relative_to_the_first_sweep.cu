// 05/study: the residual of u = 0 is h2f
// Residuals are relative to the one after a sweep.
// INSTEAD OF: const double f_norm = sqrt(row[0]);
const double f_norm = sqrt(row[sweep_count > 0]);
// END(0)
