// 05/sweep: at interior points only, rows 29999 to
// The rows after 29999 keep their values.
// INSTEAD OF: if (p.i >= g.ny - 1 || p.jh >= g.pitch)
if (p.i >= g.ny - 1 || p.jh >= g.pitch || p.i >= 30000)
// END(0)
