// 08/residual: the square is
// The sums of all parts arrive at row 1.
// INSTEAD OF: cudaMemcpyAsync(row_squares + p->first, p->squares, p->count * sizeof(double), cudaMemcpyDeviceToHost,
cudaMemcpyAsync(row_squares + 1, p->squares, p->count * sizeof(double), cudaMemcpyDeviceToHost,
// END(0)
