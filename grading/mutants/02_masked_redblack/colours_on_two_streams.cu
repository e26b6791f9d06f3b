// 02/sweep: may run at the same time as an earlier launch of another stream
// Nothing orders the two streams: on a GPU, black may read red points before they are updated.
// TODO(3): red, then black. (about 3 lines)
for (int colour = 0; colour < 2; colour++) {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(nx, ny, colour, h2f, u);
  CUDA_CHECK(cudaStreamDestroy(stream));
}
return 0;
// END(3)
