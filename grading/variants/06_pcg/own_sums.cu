// Style: the update of u and r adds r·r in the same kernel, in place of a product of its own.
// INSTEAD OF: // The iteration. omega: of the preconditioner; 0: none, and z is s->r itself. p, q: grid functions, zero.
// u = u + alpha·p, r = r − alpha·q, and the blocks' sums of r·r.
__global__ void move_and_add_kernel(int n, double alpha, const double *p, const double *q, double *u,
                                    double *r, double *partial) {
  double sum = 0;
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS) {
    u[k] += alpha * p[k];
    const double value = r[k] + -alpha * q[k];
    r[k] = value;
    sum += value * value;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

// The iteration. omega: of the preconditioner; 0: none, and z is s->r itself. p, q: grid functions, zero.
// END(0)
// TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
const int blocks = blocks_for(s->n, THREADS);
const int most = blocks_for(s->n, DOT_SPAN), blocks_of_sum = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
double square, rho, rho_old = 1, curvature;
int part = residual(s);
part = part ? part : host_dot(s, s->r, s->r, &square);
for (; !part && !solve_add(s, square); s->result->iterations++) {
  part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
  rho = square;
  if (!part && z != s->r)
    part = host_dot(s, s->r, z, &rho);
  if (part || !is_positive(s, rho))
    break;
  xpay_kernel<<<blocks, THREADS>>>(s->n, z, s->result->iterations ? rho / rho_old : 0, p);
  multiply(s, p, q);
  part = host_dot(s, p, q, &curvature);
  if (part || !is_positive(s, curvature))
    break;
  move_and_add_kernel<<<blocks_of_sum, THREADS>>>(s->n, rho / curvature, p, q, s->u, s->r, s->partial);
  dot_finish_kernel<<<1, THREADS>>>(blocks_of_sum, s->partial, s->sum);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&square, s->sum, sizeof square, cudaMemcpyDeviceToHost));
  rho_old = rho;
}
return part;
// END(2)
