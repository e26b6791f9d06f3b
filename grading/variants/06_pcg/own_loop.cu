// Style: one kernel for both updates of an iteration, r·z carried over, own kernel names in the host-driven
// loop, managed memory.
// INSTEAD OF: // The iteration. omega: of the preconditioner; 0: none, and z is s->r itself. p, q: grid functions, zero.
// u = u + alpha·p, r = r − alpha·q: both updates of an iteration.
__global__ void move_kernel(int n, double alpha, const double *__restrict__ p, const double *__restrict__ q,
                            double *__restrict__ u, double *__restrict__ r) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    u[k] += alpha * p[k];
    r[k] += -alpha * q[k];
  }
}

// The iteration. omega: of the preconditioner; 0: none, and z is s->r itself. p, q: grid functions, zero.
// END(0)
// TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
const int blocks = min(blocks_for(s->n, THREADS), 528);
double square = 0, rho = 0, before = 0, curvature = 0;
int part = residual(s);
while (!part) {
  part = host_dot(s, s->r, s->r, &square);
  if (part || solve_add(s, square))
    break;
  before = rho;
  part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
  if (!part)
    part = host_dot(s, s->r, z, &rho);
  if (part || !is_positive(s, rho))
    break;
  xpay_kernel<<<blocks_for(s->n, THREADS), THREADS>>>(s->n, z,
                                                      s->result->iterations == 0 ? 0.0 : rho / before, p);
  multiply(s, p, q);
  part = host_dot(s, p, q, &curvature);
  if (part || !is_positive(s, curvature))
    break;
  move_kernel<<<blocks, THREADS>>>(s->n, rho / curvature, p, q, s->u, s->r);
  s->result->iterations++;
}
return part;
// END(2)
// TODO(4): like cg_solve between opening and closing, with omega and a grid function z. (about 5 lines)
double *all;
CUDA_CHECK(cudaMallocManaged((void **)&all, 3 * (size_t)s->n * sizeof *all));
CUDA_CHECK(cudaMemset(all, 0, 3 * (size_t)s->n * sizeof *all));
double *const z = all, *const p = all + s->n, *const q = all + 2 * s->n;
const int part = iterate(s, omega, z, p, q);
CUDA_CHECK(cudaFree(all));
return part;
// END(4)
