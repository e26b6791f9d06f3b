// 07/cycle: start from the correction of the last cycle
// u of the coarser level is not cleared.
// INSTEAD OF: cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
// END(0)
