// 05/solve: bytes of device memory are never freed: free what the call allocates
// 05/mixed: bytes of device memory are never freed: free what the call allocates
// Each solver keeps a work array for its next call.
// INSTEAD OF: double *h2r = device_array<double>(sor_elements(g));
double *h2r = device_array<double>(sor_elements(g));
static double *kept;
if (!kept)
  kept = device_array<double>(sor_elements(g));
// END(0)
// INSTEAD OF: float *source = device_array<float>(n), *e = device_array<float>(n);
float *source = device_array<float>(n), *e = device_array<float>(n);
static float *kept;
if (!kept)
  kept = device_array<float>(n);
// END(0)
