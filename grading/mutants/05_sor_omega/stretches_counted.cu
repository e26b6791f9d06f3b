// 05/radius: does the result count every application
// The number of applications is that of the estimates.
// INSTEAD OF: result->applications += stretch;
result->applications++;
// END(0)
