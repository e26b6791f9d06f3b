/* The device's instructions, one by one, compared with plain C and with a GPU's
 * recorded results (hardware/opcodes.*.csv). */
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "module.h"
#include "opcodes.h"
#include "sources.h"
#include "suite.h"

enum { OPERAND_BYTES = OPCODES_LANES * 8 };

static struct opcode_list list;
static const char *recorded; /* the CSV file, or NULL */

struct run {
  struct device device;
  struct module *module;
  uint64_t *operands[OPCODES_OPERANDS], *results;
};

static struct run new_run(void) {
  struct run run = {0};
  memory_open(&run.device.memory, 64 << 20);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    run.operands[i] = calloc(OPCODES_LANES, 8);
  run.results = calloc(OPCODES_LANES * OPCODES_RESULTS, 8);
  return run;
}

static void end_run(struct run *run) {
  memory_close(&run->device.memory);
  for (unsigned i = 0; i < OPCODES_OPERANDS; i++)
    free(run->operands[i]);
  free(run->results);
}

static const struct kernel *entry(struct module *module) {
  uint32_t index = 0;
  while (!module->kernels[index].ptx->is_entry)
    index++;
  return module_kernel(module, index);
}

static struct module *module_of(struct run *run, size_t form) {
  char *text, error[512] = "";
  size_t length;
  FILE *out = open_memstream(&text, &length);
  opcodes_write_header(out);
  opcodes_write_kernel(out, &list, form);
  fclose(out);
  struct module *module = module_load(&run->device, text, error, sizeof error);
  if (module && !entry(module)->refusal)
    return module;
  fprintf(stderr, "%s: %s\n", list.forms[form].name, module ? entry(module)->refusal : error);
  if (module)
    module_unload(module);
  return NULL;
}

/* Operands in, kernel, results out. False: the device refuses the form. */
static bool execute(struct run *run, size_t number) {
  const struct opcode_form *form = &list.forms[number];
  struct module *module = module_of(run, number);
  if (!module)
    return false;
  enum { CELLS = OPCODES_OPERANDS, RESULTS, ADDRESSES };
  struct allocation *memory[ADDRESSES];
  struct {
    uint64_t addresses[ADDRESSES];
    _Alignas(16) uint8_t bytes[OPCODES_PARAM_BYTES];
  } params = {0};
  size_t result_bytes = (size_t)OPERAND_BYTES * form->result_count;
  opcodes_operands(form, run->operands);
  for (unsigned i = 0; i < ADDRESSES; i++) {
    memory[i] = memory_allocate(&run->device.memory, i == RESULTS ? result_bytes
                                                     : i == CELLS ? 2 * OPERAND_BYTES
                                                                  : OPERAND_BYTES);
    params.addresses[i] = memory[i]->base;
    if (i < OPCODES_OPERANDS)
      memcpy(memory[i]->host, run->operands[i], OPERAND_BYTES);
  }
  for (unsigned i = 0; i < OPCODES_PARAM_BYTES; i++)
    params.bytes[i] = (uint8_t)(OPCODES_PARAM_FIRST + i);
  memset(memory[RESULTS]->host, OPCODES_FILL, result_bytes);
  struct launch_request request = {.module = module,
                                   .kernel = entry(module),
                                   .grid = {OPCODES_LANES / OPCODES_BLOCK, 1, 1},
                                   .block = {OPCODES_BLOCK, 1, 1},
                                   .params = (uint8_t *)&params};
  struct counters counters;
  ck_assert_msg(launch_run(&request, &counters) == SIM_OK, "%s: the launch failed", form->name);
  memcpy(run->results, memory[RESULTS]->host, result_bytes);
  for (unsigned i = 0; i < ADDRESSES; i++)
    memory_free(&run->device.memory, memory[i]);
  module_unload(module);
  return true;
}

START_TEST(agrees_with_plain_c) {
  struct run run = new_run();
  size_t wrong = 0;
  for (size_t i = 0; i < list.count; i++) {
    if (!execute(&run, i)) {
      wrong++;
      continue;
    }
    struct opcode_verdict verdict = opcodes_compare(&list.forms[i], run.operands, run.results);
    ck_assert_msg(verdict.has_reference, "%s: no reference", list.forms[i].name);
    if (verdict.wrong)
      opcodes_explain(stderr, &list.forms[i], run.operands, run.results, &verdict);
    wrong += verdict.wrong > 0;
  }
  end_run(&run);
  ck_assert_msg(wrong == 0, "%zu of %zu forms are wrong", wrong, list.count);
}
END_TEST

/* Instructions that no kernel here can contain: they would end the launch, print, or allocate memory, or need
 * a texture object (test_runtime_textures), a copy that is waited for (test_device_bulk,
 * test_device_bulk_reduce, validation_boxes), floats of 8 bits (validation_eights), fragments
 * (test_device_mma), children (test_device_children), a graph (test_runtime_graphs) or clusters
 * (test_device_clusters); and markers (test_device_lenient, test_device_checks). */
static bool is_exempt(int code) {
  return code == OP_TRAP || code == OP_PRINT || code == OP_ASSERT || code == OP_MALLOC || code == OP_FREE ||
         code == OP_TEXTURE || code == OP_TEXTURE_QUERY || code == OP_SURFACE_LOAD ||
         code == OP_SURFACE_STORE || code == OP_COPY_BULK || code == OP_COPY_TENSOR ||
         code == OP_STORE_ASYNC || code == OP_CVT_EIGHTS || code == OP_MATRIX_MULTIPLY ||
         code == OP_MATRIX_LOAD || code == OP_MATRIX_STORE || code == OP_MATRIX_MOVE ||
         code == OP_DEVICE_RUNTIME || code == OP_CONDITION || code == OP_TURN || code == OP_LATE_READ ||
         (code >= OP_CLUSTER_ARRIVE && code <= OP_CLUSTER_RANK);
}

START_TEST(every_code_is_executed) {
  struct run run = new_run();
  bool executed[OP_COUNT] = {false};
  for (size_t i = 0; i < list.count; i++) {
    struct module *module = module_of(&run, i);
    for (uint32_t k = 0; module && k < module->code_count; k++)
      executed[module->code[k].code] = true;
    if (module)
      module_unload(module);
  }
  end_run(&run);
  for (int code = 0; code < OP_COUNT; code++)
    ck_assert_msg(executed[code] != is_exempt(code), "%s: no form of opcodes.c executes it",
                  op_name((enum opcode)code));
}
END_TEST

/* An operand that the decoder leaves out: the frame's first predicate, which only the carry flag's readers
 * name, or none. */
static bool is_set(uint32_t operand) { return operand != 0 && operand != NO_OPERAND; }

static void check_sources(const struct op *op, const char *form) {
  enum { SOURCES = sizeof op->src / sizeof *op->src };
  const uint32_t stated = sources_of(op);
  ck_assert_msg(stated >> SOURCES == 0, "%s: %s states more operands than there are", form,
                op_name((enum opcode)op->code));
  for (uint32_t i = 0; i < SOURCES; i++)
    ck_assert_msg(stated >> i & 1 || !is_set(op->src[i]), "%s: ops.def does not state operand %u of %s", form,
                  i, op_name((enum opcode)op->code));
  for (uint32_t i = 0; i < SOURCES && op->code != OP_BARRIER; i++)
    ck_assert_msg(!(stated >> i & 1) || is_set(op->src[i]) || (op->carry & CARRY_IN && i == 3),
                  "%s: ops.def states operand %u of %s, which it does not have", form, i,
                  op_name((enum opcode)op->code));
}

/* The time model and native code know operands from ops.def alone. */
START_TEST(operands_are_stated) {
  struct run run = new_run();
  for (size_t i = 0; i < list.count; i++) {
    struct module *module = module_of(&run, i);
    for (uint32_t k = 0; module && k < module->code_count; k++)
      if (!op_is_marker(module->code[k].code)) /* it holds those of its instruction */
        check_sources(&module->code[k], list.forms[i].name);
    if (module)
      module_unload(module);
  }
  end_run(&run);
}
END_TEST

/* Lines are form,lanes,hash,error. */
struct row {
  char form[96], hash[32];
  unsigned lanes;
};

static bool next_row(FILE *file, struct row *row) {
  char line[256];
  if (!fgets(line, sizeof line, file))
    return false;
  ck_assert_msg(sscanf(line, "%95[^,],%u,%31[^,]", row->form, &row->lanes, row->hash) == 3,
                "%s: expected form,lanes,hash,error, got %s", recorded, line);
  return true;
}

static size_t form_named(const char *name) {
  for (size_t i = 0; i < list.count; i++)
    if (strcmp(list.forms[i].name, name) == 0)
      return i;
  return list.count;
}

START_TEST(agrees_with_hardware) {
  FILE *file = fopen(recorded, "r");
  char header[256];
  ck_assert_msg(file && fgets(header, sizeof header, file), "%s: cannot be read", recorded);
  struct run run = new_run();
  size_t wrong = 0, count = 0;
  for (struct row row; next_row(file, &row); count++) {
    size_t form = form_named(row.form);
    ck_assert_msg(form < list.count, "%s: row '%s' is not a form of opcodes.c: record it again", recorded,
                  row.form);
    ck_assert_uint_eq(row.lanes, OPCODES_LANES);
    if (!execute(&run, form)) {
      wrong++;
      continue;
    }
    char hash[32];
    snprintf(
        hash, sizeof hash, "0x%016llx",
        (unsigned long long)opcodes_hash(run.results, (size_t)OPCODES_LANES * list.forms[form].result_count));
    if (strcmp(hash, row.hash) != 0)
      fprintf(stderr, "%s: the results' hash is %s, the recorded one %s\n", row.form, hash, row.hash);
    wrong += strcmp(hash, row.hash) != 0;
  }
  fclose(file);
  end_run(&run);
  ck_assert_msg(count > 0 && count <= list.count, "%s: %zu rows for %zu forms", recorded, count, list.count);
  ck_assert_msg(wrong == 0, "%zu of %zu forms differ from %s", wrong, count, recorded);
  if (count < list.count)
    printf("%zu of %zu forms are not recorded in %s yet: compared with plain C only\n", list.count - count,
           list.count, recorded);
}
END_TEST

int main(int argc, char **argv) {
  list = opcodes_list();
  TCase *tests = tcase_create("forms");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, agrees_with_plain_c);
  tcase_add_test(tests, every_code_is_executed);
  tcase_add_test(tests, operands_are_stated);
  recorded = argc > 1 ? argv[1] : NULL;
  if (recorded)
    tcase_add_test(tests, agrees_with_hardware);
  else
    suite_skip("no results recorded on a GPU");
  int status = suite_run_case("opcodes", tests);
  opcodes_free(&list);
  return status;
}
