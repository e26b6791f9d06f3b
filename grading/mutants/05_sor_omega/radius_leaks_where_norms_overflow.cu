// 05/matrix: bytes of device memory are never freed
// The way out of a norm that is not finite leaves the norms open.
// INSTEAD OF: result->status = SOR_NOT_FINITE;
result->status = SOR_NOT_FINITE;
return part;
// END(0)
