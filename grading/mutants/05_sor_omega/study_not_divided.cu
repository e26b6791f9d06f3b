// 05/study: it is the norm of h2f, or its square divided by it
// INSTEAD OF: row[m] = sqrt(row[m]) / f_norm;
row[m] = sqrt(row[m]);
// END(0)
