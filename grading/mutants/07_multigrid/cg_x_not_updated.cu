// 07/cg: is x updated by +alpha p
// x has the sign of r.
// INSTEAD OF: combine(points, alpha, v.p, 1, v.x, stream); // x = x + alpha p
combine(points, -alpha, v.p, 1, v.x, stream); // x = x + alpha p
// END(0)
