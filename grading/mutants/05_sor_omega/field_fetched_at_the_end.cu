// 05/solve: sor_solve: 69768 bytes are copied to the host in all
// 05/study: bytes are copied to the host in all: expected at most
// The host gets a whole grid function, once in a call.
// INSTEAD OF: const int part = progress_start(&p, g, &q, h2f, u) ? solve_loop(g, omega, h2f, u, h2r, &q, &p) : 0;
const int part = progress_start(&p, g, &q, h2f, u) ? solve_loop(g, omega, h2f, u, h2r, &q, &p) : 0;
double *fetched = new double[sor_elements(g)];
CUDA_CHECK(cudaMemcpy(fetched, u, sor_elements(g) * sizeof *u, cudaMemcpyDeviceToHost));
delete[] fetched;
// END(0)
// INSTEAD OF: const double f_norm = sqrt(row[0]);
const double f_norm = sqrt(row[0]);
double *fetched = new double[n];
CUDA_CHECK(cudaMemcpy(fetched, u, n * sizeof *u, cudaMemcpyDeviceToHost));
delete[] fetched;
// END(0)
