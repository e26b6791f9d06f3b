// 01/naive: in the last rows only, rows 30000 to
// The grid has at most 30000 rows of threads: the rows after them are not written.
// INSTEAD OF: if (i >= ny || j >= nx)
if (i >= ny || j >= nx || i >= 30000)
// END(0)
