// 06/fused: the host uses pinned or managed memory
// The host looks at the state of a stretch whose copy may not have arrived.
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaEventSynchronize(last->arrived));
(void)last->arrived;
// END(0)
