// 04/float4_requests: store
// Loads of 16 bytes, stores of four: the message of today blames the loads.
// INSTEAD OF: store_four(u + k, v);
u[k] = v.x, u[k + 1] = v.y, u[k + 2] = v.z, u[k + 3] = v.w;
// END(0)
