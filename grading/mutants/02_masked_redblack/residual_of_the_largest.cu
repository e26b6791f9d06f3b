// 02/residual: it is the largest |r|
// The maximum norm.
// INSTEAD OF: sum += r * r;
sum = fmax(sum, fabs(r));
// END(0)
// INSTEAD OF: partial[thread] += partial[thread + width];
partial[thread] = fmax(partial[thread], partial[thread + width]);
// END(0)
// INSTEAD OF: total += sums[row];
total = fmax(total, sums[row]);
// END(0)
// INSTEAD OF: *norm = sqrt(total);
*norm = total;
// END(0)
