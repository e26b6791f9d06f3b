// 07/cycle: start from the correction of the last cycle
// As many bytes are cleared as the level has points.
// INSTEAD OF: cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
cudaMemsetAsync(below->u, 0, below->n * below->n, stream);
// END(0)
