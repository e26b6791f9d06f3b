// 07/cg: relative residual
// The cycle starts from the last z.
// INSTEAD OF: cudaMemsetAsync(level->u, 0, level->n * level->n * sizeof *level->u, stream);
// END(0)
