// 04/float4: in even rows only
// In every other row the fifth value lies to the east.
// TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
fifth = __shfl_up_sync(0xffffffff, centre.w, 1);
// END(3)
