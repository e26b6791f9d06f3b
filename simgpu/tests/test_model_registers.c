/* The model's estimate of ptxas's register use. */
#include "suite.h"

#include "registers.h"

#include <stdio.h>

static uint32_t needed(const char *body) {
  char text[2048];
  snprintf(text, sizeof text,
           ".version 8.0\n.target sm_80\n.address_size 64\n.const .u32 c[64];\n.visible .entry k() {\n"
           ".reg .pred %%p<4>;\n.reg .b32 %%r<64>;\n.reg .b64 %%rd<64>;\n%s\nret;\n}\n",
           body);
  struct ptx_module *m = ptx_parse(strdup(text));
  ck_assert_msg(m->error[0] == '\0' && ptx_parse_body(m, m->functions), "%s", m->error);
  uint32_t registers = registers_needed(m->functions);
  ptx_free(m);
  return registers;
}

/* `count` values live at once, each defined by `define` and summed afterwards by `add`. */
static uint32_t needed_for(int count, const char *name, const char *define, const char *add) {
  char body[2048];
  int at = 0;
  for (int i = 0; i < count; i++)
    at += snprintf(body + at, sizeof body - (size_t)at, "%s %s%d, 1;\n", define, name, i);
  for (int i = 1; i < count; i++)
    at += snprintf(body + at, sizeof body - (size_t)at, "%s %s0, %s0, %s%d;\n", add, name, name, name, i);
  return needed(body);
}

START_TEST(values_alive_at_once_count) {
  uint32_t few = needed_for(20, "%r", "mov.u32", "add.s32"),
           many = needed_for(30, "%r", "mov.u32", "add.s32");
  ck_assert_uint_eq(many, few + 10);
  ck_assert_uint_eq(needed_for(15, "%rd", "mov.u64", "add.s64"), many); /* two registers each */
}
END_TEST

START_TEST(constants_at_known_addresses_need_no_register) {
  char body[2048] = "";
  for (int i = 1; i < 30; i++)
    snprintf(body + strlen(body), sizeof body - strlen(body), "ld.const.u32 %%r%d, [c+%d];\n", i, 4 * i);
  for (int i = 1; i < 30; i++)
    snprintf(body + strlen(body), sizeof body - strlen(body), "add.s32 %%r0, %%r0, %%r%d;\n", i);
  ck_assert_uint_eq(needed(body), needed(""));
}
END_TEST

START_TEST(launch_bounds_limit_registers) {
  static const struct {
    const char *bounds;
    uint32_t allowed;
  } cases[] = {{"", 255},
               {".maxntid 256, 1, 1", 255},
               {".maxntid 1024", 64},
               {".maxntid 32, 8 .minnctapersm 2", 128},
               {".maxntid 256\n.minnctapersm 6", 40},
               {".maxntid 100\n.minnctapersm 4", 128},
               {".maxnreg 32", 32}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    char text[256];
    snprintf(text, sizeof text, ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n%s\n{ ret; }\n",
             cases[n].bounds);
    struct ptx_module *m = ptx_parse(strdup(text));
    ck_assert_msg(m->error[0] == '\0', "%s", m->error);
    ck_assert_uint_eq(registers_allowed(m->functions), cases[n].allowed);
    ptx_free(m);
  }
}
END_TEST

START_TEST(values_one_after_another_share) {
  char body[2048];
  int at = 0;
  for (int i = 1; i < 40; i++)
    at += snprintf(body + at, sizeof body - (size_t)at, "mov.u32 %%r%d, 1;\nadd.s32 %%r0, %%r%d, 1;\n", i, i);
  ck_assert_uint_eq(needed(body), needed(""));
}
END_TEST

/* A loop reads ten values, then makes ten more and reads those: it needs the first ten again. */
START_TEST(a_value_read_in_a_loop_lives_through_it) {
  char before[512] = "", top[512] = "", bottom[1024] = "", once[2048], loop[2048];
  for (int i = 0; i < 10; i++) {
    snprintf(before + strlen(before), sizeof before - strlen(before), "mov.u32 %%r%d, 1;\n", i);
    snprintf(top + strlen(top), sizeof top - strlen(top), "add.s32 %%r63, %%r63, %%r%d;\n", i);
    snprintf(bottom + strlen(bottom), sizeof bottom - strlen(bottom), "mov.u32 %%r%d, 1;\n", i + 10);
  }
  for (int i = 10; i < 20; i++)
    snprintf(bottom + strlen(bottom), sizeof bottom - strlen(bottom), "add.s32 %%r63, %%r63, %%r%d;\n", i);
  snprintf(once, sizeof once, "%s%s%s", before, top, bottom);
  snprintf(loop, sizeof loop, "%s$L: %s%ssetp.lt.s32 %%p1, %%r63, 9;\n@%%p1 bra $L;\n", before, top, bottom);
  ck_assert_uint_eq(needed(loop), needed(once) + 10);
}
END_TEST

int main(void) {
  TCase *tcase = tcase_create("registers");
  tcase_add_test(tcase, constants_at_known_addresses_need_no_register);
  tcase_add_test(tcase, launch_bounds_limit_registers);
  tcase_add_test(tcase, values_alive_at_once_count);
  tcase_add_test(tcase, values_one_after_another_share);
  tcase_add_test(tcase, a_value_read_in_a_loop_lives_through_it);
  return suite_run_case("model_registers", tcase);
}
