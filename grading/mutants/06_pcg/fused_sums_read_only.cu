// 06/fused: __ldg and ld.global.nc are for data that no thread of the kernel writes
// The last block reads the sums of the others through a cache that is not coherent.
// INSTEAD OF: value += __ldcg(l.partial + k);
value += __ldg(l.partial + k);
// END(0)
