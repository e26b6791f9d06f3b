// 06/fused: limit reached after 22 iterations
// Stops one iteration before the limit.
// INSTEAD OF: else if (s->iteration >= s->limit)
else if (s->iteration + 1 >= s->limit)
    // END(5)
