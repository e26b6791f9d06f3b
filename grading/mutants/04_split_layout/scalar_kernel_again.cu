// 04/float4_requests: loads of 4 bytes per lane are
// Correct results, with four times the requests.
// TODO(3): launch it. (about 4 lines)
return gs_split_half_sweep(nx, ny, pitch, colour, h2f, other, u);
// END(3)
