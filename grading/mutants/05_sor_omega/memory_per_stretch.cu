// 05/solve: sor_solve: allocates or frees memory 20 times in 10 stretches of 20 sweeps
// 05/study: convergence_study: allocates or frees memory 300 times in 150 sweeps
// 05/matrix: allocates or frees memory
// The loops allocate and free work space.
// INSTEAD OF: int part = sweeps(g, omega, count, h2f, u);
double *spare = device_array<double>(1);
int part = sweeps(g, omega, count, h2f, u);
CUDA_CHECK(cudaFree(spare));
// END(0)
// INSTEAD OF: part = sweeps(g, omega[o], 1, h2f, u);
double *spare = device_array<double>(1);
part = sweeps(g, omega[o], 1, h2f, u);
CUDA_CHECK(cudaFree(spare));
// END(0)
// INSTEAD OF: apply(x, y);
double *spare = device_array<double>(1);
apply(x, y);
CUDA_CHECK(cudaFree(spare));
// END(0)
