#include "addresses.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/report.h"
#include "device/room.h"

#define MIDDLE UINT64_MAX
#define NONE UINT64_MAX /* no block has this number */

struct request {
  enum ptx_space space;
  uint32_t pc, mask, bytes, cost, copying;
  uint64_t address[LANES];
};

struct launched {
  char *kernel;
  uint64_t launches;
  struct launched *next;
};

struct addresses {
  FILE *file;
  uint64_t wanted_block, wanted_warp; /* or MIDDLE */
  uint64_t block, warp;               /* of this launch */
  uint64_t wanted_launches;           /* of each kernel */
  struct launched *launched;
  uint32_t count;
  struct request requests[ADDRESSES_REQUESTS];
  uint32_t groups; /* of cp.async that the warp has committed */
  uint32_t copies[ADDRESSES_REQUESTS +
                  1]; /* requests of each group, the open one last; 0: it has waited for them */
};

/* Parses digits up to the character `end`. */
static bool parse_number(const char **text, char end, uint64_t *number) {
  char *after;
  if (!isdigit((unsigned char)**text))
    return false;
  *number = strtoull(*text, &after, 10);
  *text = after + (*after != '\0');
  return *after == end && *number < MIDDLE;
}

static bool parse_place(const char *text, struct addresses *a) {
  a->wanted_block = a->wanted_warp = MIDDLE;
  if (!text)
    return true;
  if (!strchr(text, ':'))
    return parse_number(&text, '\0', &a->wanted_block);
  return parse_number(&text, ':', &a->wanted_block) && parse_number(&text, '\0', &a->wanted_warp);
}

struct addresses *addresses_new(FILE *file, const char *at, uint64_t launches) {
  struct addresses *a = room_zeroed(1, sizeof *a);
  a->file = file;
  a->wanted_launches = launches;
  if (!parse_place(at, a)) {
    free(a);
    return NULL;
  }
  fputs(
      "launch,kernel,block,warp,request,instruction,file,line,operation,space,bytes,lane,address,allocation,"
      "offset,parameter,from_parameter,sectors,wavefronts,"
      "copying\n",
      file);
  return a;
}

void addresses_free(struct addresses *a) {
  for (struct launched *l = a ? a->launched : NULL, *next; l; l = next) {
    next = l->next;
    free(l->kernel);
    free(l);
  }
  free(a);
}

static uint64_t count_launch(struct addresses *a, const char *kernel) {
  struct launched *l = a->launched;
  while (l && strcmp(l->kernel, kernel) != 0)
    l = l->next;
  if (!l) {
    l = calloc(1, sizeof *l);
    if (!l || !(l->kernel = strdup(kernel)))
      abort();
    l->next = a->launched;
    a->launched = l;
  }
  return ++l->launches;
}

void addresses_begin(struct addresses *a, const struct launch *l) {
  const uint64_t x = l->grid[0] / 2, y = l->grid[1] / 2, z = l->grid[2] / 2;
  a->block = a->wanted_block == MIDDLE ? x + l->grid[0] * (y + l->grid[1] * z) : a->wanted_block;
  a->warp = a->wanted_warp == MIDDLE ? l->warps / 2 : a->wanted_warp;
  a->count = a->groups = 0;
  memset(a->copies, 0, sizeof a->copies);
  if (count_launch(a, l->kernel->ptx->name) > a->wanted_launches)
    a->block = NONE;
}

bool addresses_want_block(const struct addresses *a, uint64_t block) { return a && a->block == block; }

static uint32_t copying(const struct addresses *a) {
  uint32_t sum = 0;
  for (uint32_t group = 0; group <= a->groups; group++)
    sum += a->copies[group];
  return sum;
}

void addresses_copies(struct addresses *a, const struct warp *warp, const struct op *op) {
  if (warp->index != a->warp || a->count == ADDRESSES_REQUESTS)
    return;
  if (op->copies == COPIES_COMMIT) {
    a->groups += a->groups < ADDRESSES_REQUESTS;
    return;
  }
  for (uint32_t group = 0; group <= a->groups; group++)
    if (op->copies == COPIES_WAIT_ALL || group + op->groups < a->groups)
      a->copies[group] = 0;
}

void addresses_add(struct addresses *a, const struct warp *warp, uint32_t pc, enum ptx_space space,
                   const uint64_t *address, uint32_t mask, uint32_t bytes, uint32_t cost) {
  if (warp->index != a->warp || a->count == ADDRESSES_REQUESTS)
    return;
  struct request *r = &a->requests[a->count++];
  *r = (struct request){
      .space = space, .pc = pc, .mask = mask, .bytes = bytes, .cost = cost, .copying = copying(a)};
  if (space == PTX_SHARED && warp->block->launch->module->code[pc].class == CLASS_GLOBAL_ASYNC)
    a->copies[a->groups]++;
  memcpy(r->address, address, sizeof r->address);
}

/* Writing */

static const char *operation(const struct op *op) {
  switch (op->class) {
  case CLASS_GLOBAL_LOAD:
  case CLASS_SHARED_LOAD:
    return "load";
  case CLASS_GLOBAL_STORE:
  case CLASS_SHARED_STORE:
    return "store";
  case CLASS_GLOBAL_RED:
    return "reduction";
  case CLASS_GLOBAL_ATOM:
  case CLASS_SHARED_ATOM:
    return "atomic";
  case CLASS_GLOBAL_ASYNC:
    return "copy";
  default:
    return "access";
  }
}

/* allocation,offset,parameter,from_parameter */
static void write_place(FILE *to, const struct launch *launch, uint64_t address) {
  const struct allocation *a = memory_find(&launch->module->device->memory, address);
  if (!a) {
    fputs(",,,", to);
    return;
  }
  uint64_t pointer;
  const int parameter = report_parameter(launch, a, address, &pointer);
  fprintf(to, "%" PRIu32 ",%" PRIu64 ",", a->slot, address - a->base);
  if (parameter)
    fprintf(to, "%d,%" PRId64, parameter, (int64_t)(address - pointer));
  else
    fputc(',', to);
}

static void write_lane(FILE *to, const struct launch *launch, const struct request *r, uint32_t lane) {
  const uint64_t address = r->address[lane];
  if (r->space == PTX_SHARED) {
    fprintf(to, "%" PRIu32 ",%" PRIu64 ",,%" PRIu64 ",,,,%" PRIu32 ",%" PRIu32 "\n", lane, address, address,
            r->cost, r->copying);
    return;
  }
  fprintf(to, "%" PRIu32 ",%" PRIu64 ",", lane, address);
  write_place(to, launch, address);
  fprintf(to, ",%" PRIu32 ",,%" PRIu32 "\n", r->cost, r->copying);
}

static void write_request(const struct addresses *a, const struct launch *l, uint64_t number,
                          uint32_t index) {
  const struct request *r = &a->requests[index];
  const struct ptx_location at = l->module->locations[r->pc];
  const char *file = report_file(l->module->ptx, at);
  const uint64_t x = a->block % l->grid[0], y = a->block / l->grid[0] % l->grid[1];
  const uint64_t z = a->block / l->grid[0] / l->grid[1];
  char name[256];
  report_name(l->kernel->ptx->name, name, sizeof name);
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (r->mask >> lane & 1) {
      fprintf(a->file, "%" PRIu64 ",\"%s\",%" PRIu64 "x%" PRIu64 "x%" PRIu64 ",%" PRIu64 ",", number, name, x,
              y, z, a->warp);
      fprintf(a->file, "%" PRIu32 ",%" PRIu32 ",", index + 1, r->pc);
      report_csv_text(a->file, file ? report_path(file) : "");
      fprintf(a->file, ",%" PRIu32 ",%s,%s,%" PRIu32 ",", at.line, operation(&l->module->code[r->pc]),
              r->space == PTX_SHARED ? "shared" : "global", r->bytes);
      write_lane(a->file, l, r, lane);
    }
}

void addresses_end(struct addresses *a, const struct launch *launch, uint64_t number) {
  for (uint32_t i = 0; i < a->count; i++)
    write_request(a, launch, number, i);
  fflush(a->file);
}
