/* opcodes_hardware [--csv FILE] [--dump FILE FORM …]
 * Runs every form of opcodes.c on the first GPU, through the CUDA driver API, and writes one line per form:
 * name, lanes, FNV-1a hash of the results; for an approximation, its largest error as a fraction of PTX's
 * bound. Differences from the reference in plain C go to standard error. --dump writes the results of
 * the named forms, 64-bit slots lane by lane, one form after the other in the order of the list. */
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#include "opcodes.h"

enum { OPERAND_BYTES = OPCODES_LANES * 8, STATUS_BAD_INPUT = 2 };

static void check(CUresult result, const char *what) {
  const char *text = "unknown error";
  if (result == CUDA_SUCCESS)
    return;
  cuGetErrorString(result, &text);
  fprintf(stderr, "opcodes_hardware: %s: %s\n", what, text);
  exit(1);
}

struct gpu {
  CUmodule module;
  CUdeviceptr operands[OPCODES_OPERANDS], cells, results;
};

static CUmodule load(const struct opcode_list *list) {
  char *text, log[4096] = "";
  size_t length;
  FILE *out = open_memstream(&text, &length);
  opcodes_write_header(out);
  for (size_t i = 0; i < list->count; i++)
    opcodes_write_kernel(out, list, i);
  fclose(out);
  CUmodule module;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CUresult result = cuModuleLoadDataEx(&module, text, 2, options, values);
  fputs(log, stderr);
  check(result, "compiling the forms");
  free(text);
  return module;
}

static struct gpu open_gpu(const struct opcode_list *list) {
  struct gpu gpu;
  CUdevice device;
  CUcontext context;
  char name[128];
  int version;
  check(cuInit(0), "starting the driver");
  check(cuDeviceGet(&device, 0), "finding a GPU");
  check(cuDevicePrimaryCtxRetain(&context, device), "opening the GPU");
  check(cuCtxSetCurrent(context), "opening the GPU");
  check(cuDeviceGetName(name, sizeof name, device), "naming the GPU");
  check(cuDriverGetVersion(&version), "asking for the driver's version");
  fprintf(stderr, "%s, driver for CUDA %d.%d, %zu forms\n", name, version / 1000, version % 1000 / 10,
          list->count);
  gpu.module = load(list);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    check(cuMemAlloc(&gpu.operands[i], OPERAND_BYTES), "allocating");
  check(cuMemAlloc(&gpu.cells, 2 * OPERAND_BYTES), "allocating");
  check(cuMemAlloc(&gpu.results, (size_t)OPERAND_BYTES * OPCODES_RESULTS), "allocating");
  return gpu;
}

static void execute(struct gpu *gpu, const struct opcode_list *list, size_t number,
                    uint64_t *operands[OPCODES_OPERANDS], uint64_t *results) {
  const struct opcode_form *form = &list->forms[number];
  size_t result_bytes = (size_t)OPERAND_BYTES * form->result_count;
  char kernel_name[32];
  uint8_t bytes[OPCODES_PARAM_BYTES];
  CUfunction kernel;
  for (unsigned i = 0; i < OPCODES_PARAM_BYTES; i++)
    bytes[i] = (uint8_t)(OPCODES_PARAM_FIRST + i);
  opcodes_operands(form, operands);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    check(cuMemcpyHtoD(gpu->operands[i], operands[i], OPERAND_BYTES), form->name);
  check(cuMemsetD8(gpu->results, OPCODES_FILL, result_bytes), form->name);
  opcodes_kernel_name(kernel_name, number);
  check(cuModuleGetFunction(&kernel, gpu->module, kernel_name), form->name);
  void *params[] = {&gpu->operands[0],
                    &gpu->operands[1],
                    &gpu->operands[2],
                    &gpu->operands[3],
                    &gpu->cells,
                    &gpu->results,
                    bytes};
  check(
      cuLaunchKernel(kernel, OPCODES_LANES / OPCODES_BLOCK, 1, 1, OPCODES_BLOCK, 1, 1, 0, NULL, params, NULL),
      form->name);
  check(cuCtxSynchronize(), form->name);
  check(cuMemcpyDtoH(results, gpu->results, result_bytes), form->name);
}

static void write_row(FILE *csv, const struct opcode_form *form, const uint64_t *results,
                      const struct opcode_verdict *verdict) {
  fprintf(csv, "%s,%d,0x%016llx,%.3g\n", form->name, OPCODES_LANES,
          (unsigned long long)opcodes_hash(results, (size_t)OPCODES_LANES * form->result_count),
          verdict->worst);
}

struct options {
  const char *csv, *dump;
  char **forms;
  int form_count;
};

static struct options options_of(int argc, char **argv) {
  struct options options = {0};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
      options.csv = argv[++i];
    } else if (strcmp(argv[i], "--dump") == 0 && i + 2 < argc) {
      options.dump = argv[i + 1];
      options.forms = argv + i + 2;
      options.form_count = argc - i - 2;
      break;
    } else {
      fprintf(stderr, "opcodes_hardware: '%s': expected [--csv FILE] [--dump FILE FORM …]\n", argv[i]);
      exit(STATUS_BAD_INPUT);
    }
  return options;
}

static bool is_named(const struct options *options, const char *form) {
  for (int i = 0; i < options->form_count; i++)
    if (strcmp(options->forms[i], form) == 0)
      return true;
  return false;
}

static FILE *open_output(const char *path, const char *mode) {
  FILE *file = fopen(path, mode);
  if (!file) {
    fprintf(stderr, "opcodes_hardware: %s: cannot write\n", path);
    exit(STATUS_BAD_INPUT);
  }
  return file;
}

static void close_output(FILE *file, const char *path) {
  if (ferror(file) | fclose(file)) {
    fprintf(stderr, "opcodes_hardware: %s: write failed\n", path);
    exit(STATUS_BAD_INPUT);
  }
}

int main(int argc, char **argv) {
  struct options options = options_of(argc, argv);
  struct opcode_list list = opcodes_list();
  struct gpu gpu = open_gpu(&list);
  FILE *csv = options.csv ? open_output(options.csv, "w") : stdout;
  FILE *dump = options.dump ? open_output(options.dump, "wb") : NULL;
  uint64_t *operands[OPCODES_OPERANDS], *results = calloc(OPCODES_LANES * OPCODES_RESULTS, 8);
  size_t different = 0;
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    operands[i] = calloc(OPCODES_LANES, 8);
  fputs("form,lanes,hash,error\n", csv);
  for (size_t i = 0; i < list.count; i++) {
    const struct opcode_form *form = &list.forms[i];
    execute(&gpu, &list, i, operands, results);
    struct opcode_verdict verdict = opcodes_compare(form, operands, results);
    write_row(csv, form, results, &verdict);
    if (verdict.wrong)
      opcodes_explain(stderr, form, operands, results, &verdict);
    different += verdict.wrong > 0;
    if (dump && is_named(&options, form->name))
      fwrite(results, 8, (size_t)OPCODES_LANES * form->result_count, dump);
  }
  fprintf(stderr, "%zu of %zu forms differ from the reference\n", different, list.count);
  close_output(csv, options.csv ? options.csv : "standard output");
  if (dump)
    close_output(dump, options.dump);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    free(operands[i]);
  free(results);
  opcodes_free(&list);
}
