// 05/sequential: it equals the result without the terms j > i
// INSTEAD OF: if (j != i)
if (j < i)
// END(0)
