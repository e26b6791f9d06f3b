// 08/exchange: GPU 0's own row 3 (red) has changed: expected that only halo rows are written
// A row arrives in the last own row of the part above.
// INSTEAD OF: cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
cudaMemcpyPeerAsync(row_of(above, colour, above->count), above->gpu, row_of(p, colour, 1), p->gpu,
// END(0)
