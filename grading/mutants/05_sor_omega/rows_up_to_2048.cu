// 05/sweep: at interior points only, rows 2047 to
// The rows after 2047 keep their values.
// INSTEAD OF: if (p.i >= g.ny - 1 || p.jh >= g.pitch)
if (p.i >= g.ny - 1 || p.jh >= g.pitch || p.i >= 2048)
// END(0)
