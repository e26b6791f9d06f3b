// 08/exchange: expected the red points of row 4: a row further away
// The row below the first one travels up.
// INSTEAD OF: cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 2), p->gpu,
// END(0)
