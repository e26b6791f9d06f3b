// 01/marching: row 4 of f takes its centre from row 0 of u instead of row 4
// INSTEAD OF: rows[1] = rows[MARCH_STEP + 1];

// END(0)
