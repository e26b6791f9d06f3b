// 05/radius: applications, whatever the tolerance
// The iteration never stops before its limit.
// INSTEAD OF: const bool close = fabs(limit - e->limit) <= tolerance * fabs(1 - limit) + 1e-15 * limit;
const bool close = false && fabs(limit - e->limit) <= tolerance * fabs(1 - limit) + 1e-15 * limit;
// END(0)
// INSTEAD OF: if (e.settled >= 2)
if (result->status == SOR_LIMIT)
// END(0)
