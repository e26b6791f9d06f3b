// 06/fused: it is u after 28 iterations: a kernel does not stop at the limit
// The limit is looked at only at the end of a stretch.
// INSTEAD OF: else if (s->iteration >= s->limit)
else if (s->iteration >= s->limit && s->iteration % l.check_every == 0)
    // END(0)
