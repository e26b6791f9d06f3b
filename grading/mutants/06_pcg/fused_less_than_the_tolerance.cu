// 06/fused: one unknown, tolerance 0, which the residual 0 after the first iteration meets, so that all kernels stop: expected exit status 0
// A residual equal to the tolerance does not end the loop.
// INSTEAD OF: else if (square <= s->enough)
else if (square < s->enough)
    // END(0)
