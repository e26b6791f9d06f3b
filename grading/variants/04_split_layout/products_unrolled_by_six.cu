// Style: the compiler unrolls the loop over k of the pipelined product, so the text of the program exceeds 1 MiB.
// INSTEAD OF: #pragma unroll 2
#pragma unroll 6
// END(0)
