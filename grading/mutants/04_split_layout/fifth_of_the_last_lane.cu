// 04/float4: on 549 x 37 points, the east neighbour of (1, 255) is read from (1, 254)
// Only warps with a warp after them are wrong.
// INSTEAD OF: fifth = other[odd ? k + FOUR : k - 1];
fifth = other[odd ? k + FOUR - 1 : k - 1];
// END(0)
