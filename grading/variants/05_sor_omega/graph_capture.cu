// Style: a stretch of sweeps as a graph, captured from a stream; launches go to that stream while it is captured.
// INSTEAD OF: enum { SWEEP_X = 32, SWEEP_Y = 8 };
enum { SWEEP_X = 32, SWEEP_Y = 8 };

// Where half-sweeps are launched: the default stream, or one that is captured.
static cudaStream_t sweep_stream = 0;
// END(0)
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
half_sweep_kernel<Real>
    <<<blocks, threads, 0, sweep_stream>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
const sor_control &control = p->control;
const int n = sor_elements(g), last = blocks_for(control.limit, control.check_every);
cudaGraph_t graph;
cudaGraphExec_t stretch;
CUDA_CHECK(cudaStreamCreateWithFlags(&sweep_stream, cudaStreamNonBlocking));
CUDA_CHECK(cudaStreamBeginCapture(sweep_stream, cudaStreamCaptureModeThreadLocal));
int part = sweeps(g, omega, control.check_every, h2f, u);
CUDA_CHECK(cudaStreamEndCapture(sweep_stream, &graph));
CUDA_CHECK(cudaStreamDestroy(sweep_stream));
sweep_stream = 0;
CUDA_CHECK(cudaGraphInstantiate(&stretch, graph, 0));
const auto queue = [&](int c) {
  const int count = c ? sweeps_before(control, c) - sweeps_before(control, c - 1) : 0;
  if (count == control.check_every)
    CUDA_CHECK(cudaGraphLaunch(stretch, 0));
  else if (const int missing = sweeps(g, omega, count, h2f, u))
    return missing;
  if (const int missing = residual(g, h2f, u, h2r))
    return missing;
  norms_queue(q, c % NORM_SLOTS, n, h2r);
  return 0;
};
if (!part)
  part = queue(0);
bool done = part;
for (int c = 0, ahead = 0; !part; c++) {
  if (!done && c > 0 && ahead == c && c < last)
    part = queue(++ahead);
  done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
  if (done && ahead == c)
    break;
  if (!done && ahead == c)
    part = queue(++ahead);
}
CUDA_CHECK(cudaGraphExecDestroy(stretch));
CUDA_CHECK(cudaGraphDestroy(graph));
return part;
// END(4)
