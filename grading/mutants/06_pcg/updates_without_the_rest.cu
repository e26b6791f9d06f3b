// 06/cg: and whether the updates reach all elements
// Elements that fill no whole block are not updated.
// INSTEAD OF: const int blocks = blocks_for(s->n, THREADS);
const int blocks = s->n / THREADS;
// END(0)
