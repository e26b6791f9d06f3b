// 04/float4_requests: stores of 4 bytes per lane are
// at: u[k] = v.x
// 04/float4_sectors: stores: 16.0 sectors per request, 4.0 would be enough
// Loads of 16 bytes, stores of four.
// INSTEAD OF: store_four(u + k, v);
u[k] = v.x, u[k + 1] = v.y, u[k + 2] = v.z, u[k + 3] = v.w;
// END(0)
