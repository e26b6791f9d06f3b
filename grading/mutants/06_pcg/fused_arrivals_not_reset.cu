// 06/fused: the loop would never end: no iteration of a stretch was counted
// The counter of arrivals keeps its value, so no later kernel has a last block.
// INSTEAD OF: l.state->arrived = 0;
;
// END(5)
