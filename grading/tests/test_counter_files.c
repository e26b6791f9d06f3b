/* The files that the simulated GPU writes, as the suites and the grader read them. */
#include "counter_file.h"
#include "files.h"
#include "metric.h"
#include "request_file.h"
#include "suite.h"

#include <string.h>
#include <unistd.h>

START_TEST(cells_lose_their_quotes) {
  static const char *const cells[][3] = {{"plain,b", "plain", ",b"},
                                         {"\"a,b\"\r\n", "a,b", "\r\n"},
                                         {"\"a \"\"b\"\"\"", "a \"b\"", ""},
                                         {",", "", ","},
                                         {"\"two\nlines\"\n", "two\nlines", "\n"}};
  char text[64], end;
  for (size_t n = 0; n < sizeof cells / sizeof *cells; n++) {
    ck_assert_str_eq(csv_cell(cells[n][0], text, &end), cells[n][2]);
    ck_assert_str_eq(text, cells[n][1]);
    ck_assert_int_eq(end, cells[n][2][0]);
  }
  ck_assert_str_eq(csv_cell("\"open,b", text, &end), "");
  ck_assert_int_eq(end, '"');
}
END_TEST

START_TEST(rows_have_columns_by_name) {
  struct csv csv;
  files_write("rows.csv", "kernel,\"n\"\r\n\"a(int, int)\",3\nb\n");
  ck_assert(csv_open(&csv, "rows.csv") && csv_has(&csv, "n") && !csv_has(&csv, "m"));
  ck_assert(csv_next(&csv));
  ck_assert_str_eq(csv_text(&csv, "kernel"), "a(int, int)");
  ck_assert_double_eq(csv_number(&csv, "n"), 3);
  ck_assert(csv_next(&csv)); /* a row that is too short */
  ck_assert_str_eq(csv_text(&csv, "n"), "");
  ck_assert(!csv_next(&csv));
  csv_close(&csv);
  unlink("rows.csv");
}
END_TEST

START_TEST(counters_are_added_by_kernel) {
  struct error error;
  double value;
  files_write("counters.csv",
              "kernel,simgpu__inst_executed_op_work.sum,simgpu__thread_inst_executed_op_work.sum\n"
              "\"void sweep<4>(int, float *)\",10,160\nsweep_all,10,320\nother,1,1\n");
  struct metric_run run = {.counters = "counters.csv", .kernel = "sweep", .per = 1};
  ck_assert(metric_measure(metric_find("active_lanes"), &run, &value, &error));
  ck_assert_double_eq(value, 0.75);
  ck_assert(!counter_file_sum("counters.csv", "none", "kernel", &value, &error));
  ck_assert_str_eq(error.text, "the kernel none was not launched");
  ck_assert(!counter_file_sum("counters.csv", "", "bytes", &value, &error));
  ck_assert_str_eq(error.text, "counters.csv: no column 'bytes'");
  files_write("counters.csv", "kernel,bytes\n");
  ck_assert(!counter_file_sum("counters.csv", "", "bytes", &value, &error));
  ck_assert_str_eq(error.text, "no kernel was launched: was the result computed on the host?");
  unlink("counters.csv");
  ck_assert(!counter_file_sum("counters.csv", "", "bytes", &value, &error));
}
END_TEST

#define HEADER                                                                                               \
  "launch,request,instruction,kernel,file,line,operation,space,bytes,lane,address,sectors,wavefronts\n"

/* Work of both runs cancels, whatever the names of the kernels. A ratio is that of the differences. */
START_TEST(a_shorter_run_is_subtracted) {
  struct error error;
  double value;
  struct metric_run run = {.counters = "counters.csv", .less = "less.csv", .kernel = "", .per = 50};
  files_write("less.csv", "kernel,simgpu__time_model_ns,simgpu__inst_executed_op_work.sum,"
                          "simgpu__thread_inst_executed_op_work.sum\npack,1000,100,100\nsweep,200,10,160\n");
  files_write("counters.csv",
              "kernel,simgpu__time_model_ns,simgpu__inst_executed_op_work.sum,"
              "simgpu__thread_inst_executed_op_work.sum\npack,1000,100,100\nsweep,200,10,160\n"
              "other_name,300,10,320\n");
  ck_assert(metric_measure(metric_find("active_lanes"), &run, &value, &error));
  ck_assert_double_eq(value, 1);
  ck_assert(metric_measure(metric_find("model_time"), &run, &value, &error));
  ck_assert_double_eq_tol(value, 300e-3 / 50, 1e-12);
  ck_assert(metric_measure(metric_find("of_copy"), &run, &value, &error));
  ck_assert_double_eq_tol(value, 50.0 / 300, 1e-12);
  unlink("less.csv");
  ck_assert(!metric_measure(metric_find("active_lanes"), &run, &value, &error));
  unlink("counters.csv");
}
END_TEST

/* Repeated lanes and lanes out of range are ignored. A request ends where its number or its launch changes. */
START_TEST(rows_of_a_request_are_joined) {
  struct request_file file;
  struct request request;
  files_write("requests.csv", HEADER "1,1,7,k,a.cu,41,load,global,4,0,128,2,0\n"
                                     "1,1,7,k,a.cu,41,load,global,4,5,256,2,0\n"
                                     "1,1,7,k,a.cu,41,load,global,4,5,512,2,0\n"
                                     "1,1,7,k,a.cu,41,load,global,4,32,512,2,0\n"
                                     "1,2,8,k,a.cu,42,store,shared,4,1,4,0,1\n"
                                     "2,2,8,k,a.cu,42,store,shared,4,1,4,0,2\n");
  ck_assert(request_file_open(&file, "requests.csv"));
  ck_assert(request_file_next(&file, &request));
  ck_assert_int_eq(request.lanes, 2);
  ck_assert(request.lane[1] == 5 && request.address[1] == 256 && request.line == 41 && !request.is_shared);
  ck_assert_str_eq(request.operation, "load");
  ck_assert(request_is_wasteful(&request)); /* one sector would be enough for 8 bytes */
  ck_assert(request_file_next(&file, &request));
  ck_assert(request.is_shared && request.cost == 1 && !request_is_wasteful(&request));
  ck_assert(request_file_next(&file, &request));
  ck_assert(request.launch == 2 && request_is_wasteful(&request));
  ck_assert(!request_file_next(&file, &request));
  request_file_close(&file);
  unlink("requests.csv");
  ck_assert(!request_file_open(&file, "requests.csv") && !request_file_next(&file, &request));
  request_file_close(&file);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("counter_files");
  tcase_add_test(tests, cells_lose_their_quotes);
  tcase_add_test(tests, rows_have_columns_by_name);
  tcase_add_test(tests, counters_are_added_by_kernel);
  tcase_add_test(tests, a_shorter_run_is_subtracted);
  tcase_add_test(tests, rows_of_a_request_are_joined);
  return suite_run_case("counter_files", tests);
}
