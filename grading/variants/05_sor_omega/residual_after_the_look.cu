// Style: the sweeps of the next stretch are queued before the host waits, their residual after it.
// clang-format off
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
  const sor_control &control = p->control;
  const int n = sor_elements(g), last = blocks_for(control.limit, control.check_every);
  bool done = false;
  for (int c = 0;; c++) {
    if (const int part = residual(g, h2f, u, h2r))
      return part;
    norms_queue(q, c % NORM_SLOTS, n, h2r);
    // the sweeps up to the next check run while the host waits; their residual is queued afterwards
    const bool more = c > 0 && c < last && !done;
    const int count = sweeps_before(control, c + 1) - sweeps_before(control, c);
    if (more)
      if (const int part = sweeps(g, omega, count, h2f, u))
        return part;
    done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
    if (done && !more)
      return 0;
    if (!more) // after the initial guess
      if (const int part = sweeps(g, omega, count, h2f, u))
        return part;
  }
// END(4)
