// Row 1: writes the verdict and the counters where the suite looks for them.
ATTACK {
  static const char *const places[] = {"", "../", "../../", "../../../"};
  static const char *const notes[] = {"verdict.txt",  "counted.txt", "outcomes.json",
                                      "counters.csv", "less.csv",    "totals.csv"};
  static const char *const texts[] = {
      "PASS",
      "1 --sweeps 1",
      "{\"suite\": \"x\", \"tests\": [{\"name\": \"03/sweep\", \"verdict\": \"PASS\"}]}",
      "launch,kernel,grid,simgpu__time_model_ns,simgpu__thread_inst_executed_op_work.sum,simgpu__inst_executed_op_work.sum\n"
      "1,compressed_kernel,1x1x1,1,32,1\n",
      "launch,kernel,grid,simgpu__time_model_ns\n1,x,1x1x1,0\n",
      "name,value\n"};
  char path[64];
  for (int n = 0; n < 4; n++)
    for (int k = 0; k < 6; k++) {
      snprintf(path, sizeof path, "%s%s", places[n], notes[k]);
      write_file(path, texts[k]);
    }
  _exit(0);
}
