#include "request_file.h"
#include "waste_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool request_file_open(struct request_file *file, const char *path) {
  file->has_row = csv_open(&file->csv, path) && csv_next(&file->csv);
  return file->has_row;
}

void request_file_close(struct request_file *file) { csv_close(&file->csv); }

static struct request begin(const struct csv *csv) {
  struct request request = {.launch = csv_number(csv, "launch"),
                            .number = csv_number(csv, "request"),
                            .instruction = csv_number(csv, "instruction"),
                            .line = csv_number(csv, "line"),
                            .bytes = (int)csv_number(csv, "bytes"),
                            .copying = csv_number(csv, "copying"),
                            .is_shared = strcmp(csv_text(csv, "space"), "shared") == 0};
  request.cost = csv_number(csv, request.is_shared ? "wavefronts" : "sectors");
  snprintf(request.kernel, sizeof request.kernel, "%s", csv_text(csv, "kernel"));
  snprintf(request.file, sizeof request.file, "%s", csv_text(csv, "file"));
  snprintf(request.operation, sizeof request.operation, "%s", csv_text(csv, "operation"));
  return request;
}

static void add_lane(struct request *request, const struct csv *csv) {
  const double lane = csv_number(csv, "lane");
  const int last = request->lanes ? request->lane[request->lanes - 1] : -1;
  if (!(lane > last && lane < REQUEST_LANES))
    return;
  request->lane[request->lanes] = (int)lane;
  request->address[request->lanes++] = strtoll(csv_text(csv, "address"), NULL, 10);
}

static bool is_same(const struct request *request, const struct csv *csv) {
  return request->launch == csv_number(csv, "launch") && request->number == csv_number(csv, "request");
}

bool request_file_next(struct request_file *file, struct request *request) {
  if (!file->has_row)
    return false;
  *request = begin(&file->csv);
  do {
    add_lane(request, &file->csv);
    file->has_row = csv_next(&file->csv);
  } while (file->has_row && is_same(request, &file->csv));
  return true;
}

bool request_is_wasteful(const struct request *request) {
  const double unit = request->is_shared ? REQUEST_BANK_ROW : REQUEST_SECTOR;
  return request->cost > WASTE_LIMITS_ACCESS * fmax(ceil(request->bytes * request->lanes / unit), 1);
}
