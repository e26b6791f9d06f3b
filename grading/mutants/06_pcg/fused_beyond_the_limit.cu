// 06/fused: it is u after 24 iterations: a kernel does not stop at the limit
// One iteration more than the limit.
// INSTEAD OF: else if (s->iteration >= s->limit)
else if (s->iteration > s->limit)
    // END(0)
