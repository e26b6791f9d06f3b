/* Messages between the CUDA runtime client (runtime/) and the simulated device (device/).
 *
 * There is one stream socket and one client. Every request gets one reply, in the order of the requests. A
 * client may send requests before it has read the replies to earlier ones. The device holds replies back
 * while there are requests to read, and may wait until the client reads them. A client that does not read
 * while it sends must therefore limit how much it sends.
 *
 * After a kernel ends with a fault, later requests in the queue do nothing: until SIM_RESET, the reply to
 * SIM_WRITE, SIM_READ, SIM_COPY, SIM_SET and SIM_LAUNCH has that fault as its status.
 *
 * A message is a struct sim_header followed by `length` bytes: the fixed struct named below, then any variable part.
 * All integers are little-endian and of fixed width; no struct has hidden padding. Neither side trusts the other:
 * lengths, identifiers and addresses are checked on receipt, and a malformed message ends the connection.
 */
#pragma once

#include <stdint.h>

#define SIM_PROTOCOL_VERSION 11u
#define SIM_MAX_MESSAGE (UINT64_C(1) << 40) /* header.length never exceeds this */
#define SIM_MAX_PARAM_BYTES 32764u          /* kernel parameters: PTX's limit since CUDA 12.1 */
#define SIM_MAX_PARAMS 1024u

/* Allocations, symbols and reserved addresses lie in [FIRST, LAST), 1 TiB that no system maps by default. The client
 * keeps the range inaccessible, so an address shows whether it is the device's or the host's. */
#define SIM_ADDRESS_FIRST UINT64_C(0x010000000000)
#define SIM_ADDRESS_LAST UINT64_C(0x020000000000)

/* Linux gives a program no address from here on. */
#ifdef __aarch64__
#define SIM_PROGRAM_LAST (UINT64_C(1) << 48)
#else
#define SIM_PROGRAM_LAST (UINT64_C(1) << 47)
#endif

/* The client finds the device through these. With SIMGPU_SOCKET the connection is already open; the grader
 * uses this. Otherwise the client starts SIMGPU_DEVICE, or the executable it was built with, and passes the
 * descriptor number of one end of a socket pair in argv[1]. */
#define SIM_ENV_SOCKET "SIMGPU_SOCKET" /* number of an inherited, connected socket */
#define SIM_ENV_DEVICE "SIMGPU_DEVICE" /* path of the device executable */
#define SIM_ENV_FAIL "SIMGPU_FAIL"     /* read by the device: number of the request, or launch, that fails */
#define SIM_ENV_COUNTERS "SIMGPU_COUNTERS"       /* read by the device: file for one CSV row per launch */
#define SIM_ENV_TOTALS "SIMGPU_TOTALS"           /* read by the device: file for the totals of the run */
#define SIM_ENV_TRAFFIC "SIMGPU_TRAFFIC"         /* read by the device: file for one CSV row per copy */
#define SIM_ENV_TRAFFIC_KEY "SIMGPU_TRAFFIC_KEY" /* read by the device: key of its digests */
#define SIM_ENV_WORK "SIMGPU_WORK" /* read by the device: file for one CSV row per use of an allocation */
#define SIM_ENV_CONTENTS "SIMGPU_CONTENTS" /* read by the device: file for what allocations hold at last */
#define SIM_ENV_RECORD "SIMGPU_RECORD"     /* read by the device: file for all requests, for --replay */
#define SIM_ENV_CHECKS "SIMGPU_CHECKS"     /* read by the device: the checks, see checks.h */
#define SIM_ENV_CHECKS_REPORT                                                                                \
  "SIMGPU_CHECKS_REPORT"               /* read by the device: file for one CSV row per finding */
#define SIM_ENV_COPIES "SIMGPU_COPIES" /* read by the device: lost: cp.async brings zeros */
#define SIM_ENV_STRICT "SIMGPU_STRICT" /* read by the device: 1 stops where hardware is lenient */
#define SIM_ENV_ORDER "SIMGPU_ORDER"   /* read by the device: order of blocks, see order.h */
#define SIM_ENV_REPORT                                                                                       \
  "SIMGPU_REPORT" /* read by the device: file for the report per source line; -: standard error */
#define SIM_ENV_LINES "SIMGPU_LINES" /* read by the device: file for the same report as CSV */
#define SIM_ENV_ADDRESSES                                                                                    \
  "SIMGPU_ADDRESSES" /* read by the device: file for the addresses of one warp of each launch */
#define SIM_ENV_TRACE "SIMGPU_TRACE" /* read by the device: file for the instructions of one warp */
#define SIM_ENV_BREAK                                                                                        \
  "SIMGPU_BREAK" /* read by the device: lines at which variables are printed, see breaks.h */

enum sim_request {
  SIM_HELLO = 1,    /* sim_hello           -> sim_device_info */
  SIM_MODULE_LOAD,  /* PTX text            -> sim_id */
  SIM_KERNEL_FIND,  /* sim_find + name     -> sim_kernel_info + param_count * sim_param */
  SIM_SYMBOL_FIND,  /* sim_find + name     -> sim_range */
  SIM_KERNEL_LIMIT, /* sim_kernel_limit    -> nothing */
  SIM_ALLOCATE,     /* sim_range (size)    -> sim_range */
  SIM_FREE,         /* sim_range (address) -> nothing */
  SIM_RANGE_FIND,   /* sim_range (address) -> sim_range: the allocation that holds it */
  SIM_WRITE,        /* sim_rows + rows*width bytes -> nothing */
  SIM_READ,         /* sim_read            -> rows*width bytes */
  SIM_COPY,         /* sim_copy            -> nothing */
  SIM_SET,          /* sim_rows, value     -> nothing */
  SIM_LAUNCH,       /* sim_launch + parameter bytes -> text printed by the kernel */
  SIM_MEMORY_INFO,  /* nothing             -> sim_memory_info */
  SIM_RESET,        /* nothing             -> nothing: frees all memory, unloads all modules */
  SIM_HEAP_LIMIT,   /* sim_range (size)    -> nothing: for malloc() in kernels */
  SIM_WAIT,         /* sim_awaited         -> nothing: the host waits for the device */
  SIM_TEXTURE_NEW,  /* sim_texture         -> sim_id: the number that kernels use, never 0 */
  SIM_TEXTURE_FREE, /* sim_id              -> nothing */
  SIM_TALLY,        /* sim_tally           -> nothing: what the client holds now */
  SIM_SHARE,        /* sim_share           -> nothing: both sides use the same host memory from now on */
  SIM_REGISTER,     /* sim_share (size)  -> nothing: kernels reach the client's own memory from now on */
  SIM_UNREGISTER,   /* sim_range (address) -> nothing */
  SIM_ORDERED, /* sim_ordered         -> nothing: what the next work follows; for sim_device_info.counts_waits */
  SIM_PENDING_LIMIT, /* sim_range (size)  -> nothing: for grids that kernels have launched and that wait */
  SIM_CONDITION_SET, /* sim_condition     -> nothing */
  SIM_CONDITION_GET, /* sim_id            -> sim_condition: its value after all earlier work */

  /* virtual memory management: cuMemAddressReserve and its kin; sizes and addresses are multiples of SIM_GRANULE */
  SIM_RESERVE,       /* sim_reserve         -> sim_range: addresses without memory */
  SIM_UNRESERVE,     /* sim_range           -> nothing: a whole reservation in which nothing is mapped */
  SIM_PHYSICAL_NEW,  /* sim_physical        -> sim_id: memory without addresses, with one reference */
  SIM_PHYSICAL_FIND, /* sim_id              -> sim_physical */
  SIM_PHYSICAL_KEEP, /* sim_id              -> nothing: one reference more */
  SIM_PHYSICAL_DROP, /* sim_id              -> nothing: memory without references lives while it is mapped */
  SIM_MAP,           /* sim_map             -> nothing: no access yet */
  SIM_UNMAP,         /* sim_range           -> nothing: whole mappings only */
  SIM_ACCESS,        /* sim_access          -> nothing: whole mappings only */
  SIM_MAPPING_FIND,  /* sim_range (address) -> sim_mapping */

  SIM_PHYSICAL_FILE, /* sim_physical_file   -> nothing: the memory, which nothing maps, is now the client's file */
  SIM_LIST,          /* sim_list            -> names, each with a NUL behind it */
  SIM_REQUESTS
};

enum sim_status {
  SIM_OK = 0,
  SIM_OUT_OF_MEMORY, /* allocation larger than the free memory */
  SIM_INVALID_VALUE, /* bad address, size or range */
  SIM_NOT_FOUND,     /* no such kernel, symbol, module or allocation */
  SIM_BAD_PTX, /* the text does not parse, or names something unsupported (reported on standard error) */
  SIM_INVALID_LAUNCH,     /* grid, block or dynamic shared memory beyond the limits */
  SIM_TOO_MANY_RESOURCES, /* threads per block beyond the kernel's own bound */
  SIM_INVALID_CLUSTER,    /* a cluster is too large or does not divide the grid */
  SIM_OUT_OF_REGISTERS,   /* no multiprocessor has the registers of a block */
  SIM_TOO_MANY_TOGETHER,  /* a cooperative launch has more blocks than the device holds */
  SIM_NOT_PERMITTED,      /* refused by SIMGPU_STRICT (reported on standard error) */
  SIM_FAILED_ON_REQUEST,  /* SIM_ENV_FAIL chose this request; it did nothing */
  SIM_FAULT_ADDRESS,      /* this status and all below end a kernel: illegal address, */
  SIM_FAULT_MISALIGNED,   /* misaligned address, */
  SIM_FAULT_INSTRUCTION,  /* illegal instruction, */
  SIM_FAULT_TRAP,         /* trap, */
  SIM_FAULT_ASSERT,       /* failed device assert, */
  SIM_FAULT_LAUNCH,       /* divergent barrier, write to constant memory, */
  SIM_FAULT_NO_PROGRESS,  /* instruction budget spent, or all warps wait for each other */
  SIM_STATUSES
};

struct sim_header {
  uint32_t type;    /* enum sim_request; a reply has the type of its request */
  uint32_t status;  /* request: 0; reply: enum sim_status */
  uint64_t length;  /* bytes that follow */
  uint64_t time_ns; /* reply: modelled device time of this request in nanoseconds */
};

struct sim_hello {
  uint32_t version; /* SIM_PROTOCOL_VERSION */
  uint32_t reserved;
};

/* A description of the device. Strings are NUL-terminated; units are bytes, kHz and counts. */
struct sim_device_info {
  uint32_t version;
  uint32_t compute_major, compute_minor;
  uint32_t multiprocessors;
  uint32_t warp_size;
  uint32_t max_threads_per_block;
  uint32_t max_threads_per_multiprocessor;
  uint32_t max_blocks_per_multiprocessor;
  uint32_t max_block[3];
  uint32_t max_grid[3];
  uint32_t shared_per_block;       /* without opting in: 48 KiB */
  uint32_t shared_per_block_optin; /* with cudaFuncSetAttribute */
  uint32_t shared_per_multiprocessor;
  uint32_t registers_per_block;
  uint32_t registers_per_multiprocessor;
  uint32_t constant_memory;
  uint32_t clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;
  uint32_t counts_waits; /* the client sends SIM_WAIT only if this is not 0 */
  uint32_t shares;       /* SIM_SHARE and SIM_REGISTER are possible */
  /* The client reads the replies to so many SIM_WRITE, SIM_COPY, SIM_SET and SIM_LAUNCH, the first ones, at once: one
   * of them may fail on request. A run in which one does begins like any other. */
  uint32_t answered;
  uint32_t reserved;
  uint64_t memory_bytes;
  char name[64];
};

struct sim_id {
  uint32_t id;
  uint32_t reserved;
};

enum {
  SIM_LIST_KERNELS,
  SIM_LIST_MANAGED
}; /* kernels, or managed variables, in the order of the module's text */
struct sim_physical_file {
  uint32_t id;
  int32_t process, file; /* descriptor of the process; the file has the memory's size at least */
  uint32_t reserved;
};

struct sim_list {
  uint32_t module;
  uint32_t kind;
};

struct sim_condition { /* of a graph's conditional nodes, which kernels set */
  uint32_t number;     /* from 1 to SIM_CONDITIONS */
  uint32_t value;
};
enum { SIM_CONDITIONS = 1024 };

#define SIM_GRANULE (UINT64_C(2) << 20) /* bytes, as on an H100 */
enum { SIM_DEVICES = 8 };               /* that a program may see; they share all memory */

struct sim_reserve {
  uint64_t size;
  uint64_t alignment; /* a power of two, or 0 */
  uint64_t wanted;    /* the address if it is free, or 0 */
};

struct sim_physical {
  uint64_t size;
  uint32_t device; /* the client's number of it */
  uint32_t tag;    /* the client's own */
};

struct sim_map { /* all of the memory */
  uint64_t address, size;
  uint32_t id, reserved;
};

enum { SIM_ACCESS_NONE = 0, SIM_ACCESS_READ = 1, SIM_ACCESS_READ_WRITE = 3 };
struct sim_access {
  uint64_t address, size;
  uint32_t device, access;
};

struct sim_mapping {
  uint64_t address, size;
  uint32_t id, device;         /* of the memory */
  uint8_t access[SIM_DEVICES]; /* of each device */
};

struct sim_find {
  uint32_t module; /* id from SIM_MODULE_LOAD */
  uint32_t name_length;
};

struct sim_kernel_info {
  uint32_t kernel;
  uint32_t param_count;
  uint32_t param_bytes; /* size of the parameter block of SIM_LAUNCH */
  uint32_t registers;   /* per thread, estimated from the PTX */
  uint32_t shared_static;
  uint32_t local_bytes; /* per thread */
  uint32_t constant_bytes;
  uint32_t max_threads; /* per block: device limit, or lower by .maxntid or by registers */
  uint32_t cluster[3];  /* blocks, by .reqnctapercluster, or 0 */
  uint32_t reserved;
};

struct sim_param {
  uint32_t offset, size; /* bytes in the parameter block */
};

struct sim_kernel_limit {
  uint32_t kernel;
  uint32_t shared_dynamic; /* bytes now allowed, at most shared_per_block_optin minus shared_static */
};

struct sim_range {
  uint64_t address, size;
};

/* `rows` rows of `width` bytes, `pitch` bytes apart in device memory. rows = 1 for a plain copy. */
struct sim_rows {
  uint64_t address, width, rows, pitch;
  uint32_t value;      /* SIM_SET: the element; SIM_WRITE, SIM_READ: enum sim_rows_flag */
  uint32_t value_size; /* SIM_SET: 1, 2 or 4 bytes; width is a multiple */
};

enum sim_rows_flag {
  SIM_ROWS_PINNED = 1,       /* the host's memory */
  SIM_ROWS_ASYNCHRONOUS = 2, /* the host does not wait for it */
  SIM_ROWS_MANAGED = 4       /* the client keeps managed memory the same on both sides */
};

/* What the host has waited for, among all requests since the start: a stream's wait leaves out the later work
 * of other streams. */
struct sim_awaited {
  uint64_t work; /* SIM_WRITE, SIM_READ, SIM_COPY, SIM_SET and SIM_LAUNCH, except for managed memory */
  uint64_t launches;
  uint64_t copies; /* asynchronous SIM_READ; several without a launch between them count once */
};

/* What the device cannot know: pinned memory, streams, events and graphs that exist; arrays that the host used before
 * it had waited for the device's work on them; calls that allocate or free memory, outside of stream order, in it, and
 * for graphs; launches that changed mapped memory. */
struct sim_tally {
  uint32_t pinned, objects, early, memory_calls, ordered_calls, mapped_writes, host_functions, graphs_made,
      graph_calls, reserved;
};

struct sim_read {
  struct sim_rows rows;
  struct sim_awaited awaited; /* unless asynchronous or managed: after the read */
};

struct sim_copy {
  uint64_t target, target_pitch, source, source_pitch, width, rows;
};

/* A texture or surface object: texels in device memory. Sizes are in texels, distances in bytes. Each level
 * of a mipmapped texture has half the width and height of the level before, at least 1; so has the depth,
 * unless it counts layers. */
enum { SIM_TEXTURE_LEVELS = 16, SIM_CUBE_FACES = 6 };
struct sim_texture_level {
  uint64_t offset, pitch, slice; /* of its first texel; between rows; between slices or layers */
};
struct sim_texture {
  uint64_t address;
  uint32_t width, height,
      depth;               /* 1: one row, one slice; layers count in `depth`, and so do the faces of cubes */
  uint32_t kind;           /* enum sim_texel */
  uint32_t bits, channels; /* 8, 16 or 32; 1, 2 or 4 */
  uint32_t flags;          /* enum sim_texture_flag */
  uint32_t modes[3];       /* enum sim_texture_mode, per dimension */
  float border[4];
  uint32_t levels;                     /* 1 if it is not mipmapped */
  float bias, least_level, most_level; /* added to the level; the limits of the sum */
  struct sim_texture_level level[SIM_TEXTURE_LEVELS];
};

enum sim_texel { SIM_TEXEL_SIGNED, SIM_TEXEL_UNSIGNED, SIM_TEXEL_FLOAT };
enum sim_texture_flag {
  SIM_TEXTURE_NORMALISED = 1,     /* coordinates from 0 to 1 */
  SIM_TEXTURE_LINEAR = 2,         /* reads interpolate */
  SIM_TEXTURE_FRACTIONS = 4,      /* integers are read as fractions of their largest value */
  SIM_TEXTURE_LAYERED = 8,        /* `depth` counts layers */
  SIM_TEXTURE_CUBE = 16,          /* layers are faces of cubes */
  SIM_TEXTURE_SEAMLESS = 32,      /* reads across an edge of a cube use the neighbour face */
  SIM_TEXTURE_BETWEEN_LEVELS = 64 /* reads interpolate between two levels */
};
enum sim_texture_mode {
  SIM_TEXTURE_WRAP,
  SIM_TEXTURE_CLAMP,
  SIM_TEXTURE_MIRROR,
  SIM_TEXTURE_BORDER,
  SIM_TEXTURE_MODES
};

struct sim_launch {
  uint32_t kernel;
  uint32_t grid[3], block[3];
  uint32_t shared_dynamic;
  uint32_t flags; /* SIM_LAUNCH_... */
  uint32_t param_bytes;
};
#define SIM_LAUNCH_COOPERATIVE 1u
#define SIM_LAUNCH_LARGE_CLUSTERS 4u /* of up to 16 blocks */
#define SIM_LAUNCH_CLUSTER(x, y, z)                                                                          \
  ((x) << 8 | (y) << 16 | (uint32_t)(z) << 24) /* each below 256; 0: as the kernel says */

/* Launches, copies and fills are numbered from 1 in each stream. The streams with high numbers share one. */
enum { SIM_STREAMS = 16 };
struct sim_ordered {
  uint64_t stream, number;
  uint64_t before[SIM_STREAMS]; /* the last work of each stream that ends before this one starts */
};

/* The client's file in memory holds the memory from the offset that its address has in a page. With SIM_SHARE, it has
 * room for SIM_SHARE_ROOM bytes behind it, and the device copies a variable's value there. With SIM_REGISTER, it
 * consists of whole pages, and the memory lies above SIM_ADDRESS_LAST. */
struct sim_share {
  uint64_t address, size; /* size: of memory to register, in bytes */
  int32_t process, file;  /* descriptor of the process */
};
#define SIM_SHARE_ROOM 8192u

struct sim_memory_info {
  uint64_t free_bytes, total_bytes;
};
