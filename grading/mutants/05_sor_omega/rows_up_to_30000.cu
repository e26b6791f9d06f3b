// 05/sweep: at interior points only, rows 29999 to
// The rows after 29999 keep their values.
// INSTEAD OF: if (i >= g.ny - 1 || jh >= g.pitch)
if (i >= g.ny - 1 || jh >= g.pitch || i >= 30000)
// END(0)
