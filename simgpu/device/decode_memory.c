#include "decode_memory.h"

#include "copy_tensor.h"

/* PTX ISA, Memory Consistency Model: volatile accesses are treated as relaxed ones with system scope. */
static uint8_t sync_of(const char *op) {
  static const char *const atomic[] = {"volatile", "relaxed", "acquire", "mmio"};
  if (ptx_has(op, "release") || ptx_has(op, "acq_rel"))
    return SYNC_ATOMIC | SYNC_RELEASE;
  for (size_t i = 0; i < sizeof atomic / sizeof *atomic; i++)
    if (ptx_has(op, atomic[i]))
      return i == 0 ? SYNC_ATOMIC | SYNC_VOLATILE : SYNC_ATOMIC;
  return 0;
}

/* ld.param and st.param name a parameter; false: an address in a register */
static bool decode_param(struct decoder *d, struct op *op, const struct ptx_operand *address, bool is_load) {
  if (address->kind != PTX_OPERAND_MEMORY || address->reg >= 0 || !address->symbol ||
      address->symbol->space != PTX_PARAM)
    return false;
  const struct ptx_symbol *symbol = address->symbol;
  uint64_t bytes = (uint64_t)op->count * ptx_type_bytes((enum ptx_type)op->type);
  if (address->value > symbol->size || bytes > symbol->size - address->value)
    decoder_refuse(d, "access beyond parameter '%s'", symbol->name);
  bool of_kernel = decoder_is_kernel_param(d, symbol);
  if (of_kernel && !is_load)
    decoder_refuse(d, "store to a kernel parameter");
  op->code = of_kernel ? OP_LOAD_KERNEL_PARAM : is_load ? OP_LOAD_PARAM : OP_STORE_PARAM;
  op->offset = (int64_t)(symbol->offset + address->value);
  return true;
}

/* The operation that a mnemonic names; ATOMS: none. */
enum { ATOMS = ATOM_DEC + 1 };
static uint8_t atomic_named(const char *op) {
  static const char *const names[ATOMS] = {"add", "and",  "or",  "xor", "min",
                                           "max", "exch", "cas", "inc", "dec"};
  uint8_t found = ATOMS;
  for (int i = 0; i < ATOMS; i++)
    if (ptx_has(op, names[i]))
      found = (uint8_t)i;
  return found;
}

/* An operation without a result that depends on the old value in another way. */
static bool is_reduction(uint8_t atomic) {
  return atomic != ATOMS && atomic != ATOM_EXCH && atomic != ATOM_CAS;
}

/* Puts the operands for which struct op has no room into the module's list. */
static void add_details(struct decoder *d, struct op *op, const struct tensor_copy *t) {
  struct module *m = d->module;
  op->tensor_copy = m->tensor_copy_count;
  m->tensor_copies =
      arena_grow(&m->ptx->arena, m->tensor_copies, m->tensor_copy_count, sizeof *m->tensor_copies);
  m->tensor_copies[m->tensor_copy_count++] = *t;
}

/* cp.reduce.async.bulk: the operation and the type of its elements, as the PTX ISA's table has them. */
static void decode_reduction(struct decoder *d, struct op *op) {
  const enum ptx_type type = ptx_type_part(d->inst->op, 0);
  const bool to_global = op->space == PTX_GLOBAL, halves = type == PTX_F16 || type == PTX_BF16,
             words = type == PTX_U32 || type == PTX_S32, longs = type == PTX_U64 || type == PTX_S64;
  op->atomic = atomic_named(d->inst->op);
  op->element = (uint8_t)type;
  const bool adds = op->atomic == ATOM_ADD, extreme = op->atomic == ATOM_MIN || op->atomic == ATOM_MAX,
             bits = op->atomic == ATOM_AND || op->atomic == ATOM_OR || op->atomic == ATOM_XOR,
             counts = op->atomic == ATOM_INC || op->atomic == ATOM_DEC;
  const bool known =
      (counts && type == PTX_U32) || (bits && (type == PTX_B32 || (type == PTX_B64 && to_global))) ||
      (extreme && (words || (to_global && (longs || halves)))) ||
      (adds &&
       (words || type == PTX_U64 || (to_global && (longs || halves || type == PTX_F32 || type == PTX_F64))));
  if (!known)
    decoder_refuse(d, "unsupported reduction");
  d->kernel->is_ordered |= adds && (halves || type == PTX_F32 || type == PTX_F64);
}

/* st.async[.weak][.shared::cluster].mbarrier::complete_tx::bytes[.v2,.v4].type [to], value, [mbarrier];
 * red.async.relaxed.cluster[.shared::cluster].mbarrier::complete_tx::bytes.operation.type [to], value, [mbarrier] */
static void decode_store_async(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  struct tensor_copy t = {.blocks = NO_OPERAND};
  struct op barrier = {0};
  op->code = OP_STORE_ASYNC;
  op->type = (uint8_t)ptx_type_part(name, 0);
  op->space = PTX_SHARED;
  const unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (!ptx_has(name, "mbarrier::complete_tx::bytes") || (bytes != 4 && bytes != 8))
    decoder_refuse(d, "unsupported instruction");
  if (ptx_is(d->inst, "red"))
    decode_reduction(d, op);
  decoder_address(d, op, decoder_operand(d, 0));
  decoder_elements(d, op, decoder_operand(d, 1), op->src + 1, false);
  decoder_address(d, &barrier, decoder_operand(d, 2));
  t.barrier = barrier.src[0];
  t.barrier_offset = (uint32_t)barrier.offset;
  t.wide_barrier = barrier.wide_address;
  add_details(d, op, &t);
}

void decode_memory(struct decoder *d, struct op *op) {
  static const enum op_class classes[2][3] = {{CLASS_GLOBAL_STORE, CLASS_SHARED_STORE, CLASS_LOCAL_STORE},
                                              {CLASS_GLOBAL_LOAD, CLASS_SHARED_LOAD, CLASS_LOCAL_LOAD}};
  bool is_load = ptx_is(d->inst, "ld") || ptx_is(d->inst, "ldu"); /* of data that no thread changes: a hint */
  if (ptx_has(d->inst->op, "async") || ptx_has(d->inst->op, "bulk")) {
    decode_store_async(d, op);
    return;
  }
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->space = (uint8_t)decoder_space(d->inst->op);
  op->code = is_load ? OP_LOAD : OP_STORE;
  op->read_only = is_load && ptx_has(d->inst->op, "nc");
  op->sync = sync_of(d->inst->op);
  const struct ptx_operand *address = decoder_operand(d, is_load ? 1 : 0);
  decoder_elements(d, op, decoder_operand(d, is_load ? 0 : 1),
                   is_load ? op->dst : op->src + (op->space == PTX_PARAM ? 0 : 1), is_load);
  if (op->space == PTX_PARAM && decode_param(d, op, address, is_load))
    return;
  if (op->space == PTX_PARAM && !is_load)
    decoder_refuse(d, "unsupported store to parameter memory");
  if (op->space == PTX_CONST && !is_load)
    decoder_refuse(d, "store to constant memory");
  decoder_address(d, op, address);
  if (op->space == PTX_GLOBAL || op->space == PTX_GENERIC)
    op->class = (uint8_t)classes[is_load][0];
  if (op->space == PTX_SHARED)
    op->class = (uint8_t)classes[is_load][1];
  if (op->space == PTX_LOCAL)
    op->class = (uint8_t)classes[is_load][2];
}

/* ptxas turns an atomic without a used result into a reduction, which has its own counters; so does the decoder. */
static bool result_is_read(const struct decoder *d, const struct op *op) {
  const struct ptx_operand *to = &d->inst->operands[0];
  if (op->atomic == ATOM_EXCH || op->atomic == ATOM_CAS || op->space == PTX_SHARED)
    return true;
  if (to->kind == PTX_OPERAND_VECTOR)
    return true;
  return to->kind == PTX_OPERAND_REGISTER && d->mentions[to->reg] > 1;
}

/* mbarrier.init [a], count;  .inval [a];  .arrive[_drop] {state | _}, [a] [, count];
 * .{test,try}_wait[.parity] p, [a], {state | parity} [, hint];  .pending_count n, state;
 * cp.async.mbarrier.arrive[.noinc] [a], whose copies are done. */
void decode_mbarrier(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  bool waits = ptx_has(name, "test_wait") || ptx_has(name, "try_wait"), drops = ptx_has(name, "arrive_drop"),
       of_copies = ptx_is(d->inst, "cp");
  op->code = OP_MBARRIER;
  op->mbarrier = waits                    ? ptx_has(name, "parity") ? MBARRIER_TEST_PARITY : MBARRIER_TEST
                 : ptx_has(name, "init")  ? MBARRIER_INIT
                 : ptx_has(name, "inval") ? MBARRIER_INVAL
                 : drops                  ? MBARRIER_DROP
                 : ptx_has(name, "complete_tx")                                     ? MBARRIER_COMPLETE
                 : ptx_has(name, "expect_tx") && !drops && !ptx_has(name, "arrive") ? MBARRIER_EXPECT
                 : of_copies && !ptx_has(name, "noinc")                             ? MBARRIER_TRACK
                 : ptx_has(name, "arrive")                                          ? MBARRIER_ARRIVE
                 : ptx_has(name, "pending_count")                                   ? MBARRIER_PENDING
                                                                                    : UINT8_MAX;
  const bool counts = op->mbarrier == MBARRIER_EXPECT || op->mbarrier == MBARRIER_COMPLETE;
  if (op->mbarrier == UINT8_MAX)
    decoder_refuse(d, "unsupported instruction");
  if (op->mbarrier == MBARRIER_PENDING) {
    op->dst[0] = decoder_result(d, 0, 4);
    op->src[1] = decoder_source(d, decoder_operand(d, 1), 8);
    return;
  }
  op->of_copies = of_copies;
  op->sync = op->mbarrier == MBARRIER_INIT || op->mbarrier == MBARRIER_INVAL ? 0
             : waits || ptx_has(name, "relaxed")                             ? SYNC_ATOMIC
                                                                             : SYNC_ATOMIC | SYNC_RELEASE;
  uint32_t n = waits || (!of_copies && (drops || op->mbarrier == MBARRIER_ARRIVE)) ? 1 : 0;
  if (waits)
    op->dst[0] = decoder_predicate(d, decoder_operand(d, 0)->reg);
  else if (n && decoder_operand(d, 0)->kind != PTX_OPERAND_SINK)
    op->dst[0] = decoder_result(d, 0, 8);
  op->space = (uint8_t)decoder_space(name);
  decoder_address(d, op, decoder_operand(d, n));
  op->src[2] = decoder_constant(d, 0, 4);
  op->expects = !counts && ptx_has(name, "expect_tx");
  if (counts || op->expects) {
    op->src[1] = decoder_constant(d, 1, 4);
    op->src[2] = decoder_source(d, decoder_operand(d, n + 1), 4);
    return;
  }
  op->src[1] = op->mbarrier != MBARRIER_INVAL && d->inst->operand_count > n + 1
                   ? decoder_source(d, decoder_operand(d, n + 1), op->mbarrier == MBARRIER_TEST ? 8 : 4)
                   : decoder_constant(d, 1, 4);
}

/* cp.async.bulk.tensor.{1-5}d.shared::{cluster,cta}.global[.tile].mbarrier::complete_tx::bytes[.multicast::cluster]
 * [to], [map, {…}], [mbarrier] [, blocks]; .global.shared::cta[.tile].bulk_group [map, {…}], [from]; a cache
 * policy may follow. */
static void decode_copy_tensor(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  const bool stores = ptx_has(name, "bulk_group");
  const struct ptx_operand *map = decoder_operand(d, stores ? 0 : 1);
  struct tensor_copy t = {.blocks = NO_OPERAND, .stores = stores, .reduces = ptx_has(name, "reduce")};
  struct op shared = {0}, barrier = {0};
  op->atomic = t.reduces ? atomic_named(name) : 0;
  d->kernel->is_ordered |= t.reduces; /* of floats, the order matters */
  if (ptx_has(name, "im2col") || ptx_has(name, "tile::gather4") || (t.reduces && !is_reduction(op->atomic)) ||
      ptx_has(name, "tile::scatter4") || map->kind != PTX_OPERAND_MEMORY || map->count != 1 ||
      map->elements[0].kind != PTX_OPERAND_VECTOR || map->elements[0].count > TENSOR_DIMENSIONS ||
      (!stores && !ptx_has(name, "mbarrier::complete_tx::bytes")))
    decoder_refuse(d, "unsupported instruction");
  op->code = OP_COPY_TENSOR;
  op->class = CLASS_GLOBAL_BULK;
  op->space = stores ? PTX_GLOBAL : PTX_SHARED;
  op->type = stores ? PTX_SHARED : PTX_GLOBAL;
  struct ptx_operand address = *map;
  address.count = 0;
  decoder_address(d, op, &address);
  decoder_address(d, &shared, decoder_operand(d, stores ? 1 : 0));
  op->src[1] = shared.src[0];
  op->target_offset = shared.offset;
  op->wide = shared.wide_address;
  t.count = map->elements[0].count;
  for (uint32_t i = 0; i < t.count; i++)
    t.coordinates[i] = decoder_source(d, &map->elements[0].elements[i], 4);
  if (!stores) {
    decoder_address(d, &barrier, decoder_operand(d, 2));
    t.barrier = barrier.src[0];
    t.barrier_offset = (uint32_t)barrier.offset;
    t.wide_barrier = barrier.wide_address;
    if (ptx_has(name, "multicast::cluster"))
      t.blocks = decoder_source(d, decoder_operand(d, 3), 4);
  }
  add_details(d, op, &t);
}

/* cp.async.bulk.shared::cluster.{global,shared::cta}.mbarrier::complete_tx::bytes [to], [from], bytes, [mbarrier];
 * cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes;  .commit_group;  .wait_group n. With
 * .multicast::cluster, the blocks follow; cp.reduce… ends in an operation and a type. */
static void decode_copy_bulk(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  const bool to_global = ptx_has(name, "bulk_group");
  struct op to = {0}, barrier = {0};
  if (ptx_has(name, "commit_group") || ptx_has(name, "wait_group") || ptx_has(name, "prefetch")) {
    op->code = OP_FENCE; /* copies are complete already */
    return;
  }
  if (ptx_has(name, "tensor")) {
    decode_copy_tensor(d, op);
    return;
  }
  const bool multicasts = ptx_has(name, "multicast::cluster"), reduces = ptx_has(name, "reduce");
  if ((multicasts && (to_global || reduces || !ptx_has(name, "global"))) || ptx_has(name, "cp_mask") ||
      (!to_global && !ptx_has(name, "mbarrier::complete_tx::bytes")))
    decoder_refuse(d, "unsupported instruction");
  op->code = OP_COPY_BULK;
  op->space = to_global ? PTX_GLOBAL : PTX_SHARED;
  op->type = (uint8_t)(to_global || !ptx_has(name, "global") ? PTX_SHARED : PTX_GLOBAL);
  if (to_global || op->type == PTX_GLOBAL)
    op->class = CLASS_GLOBAL_BULK;
  decoder_address(d, &to, decoder_operand(d, 0));
  decoder_address(d, op, decoder_operand(d, 1));
  op->src[1] = to.src[0];
  op->target_offset = to.offset;
  op->wide = to.wide_address;
  op->src[2] = decoder_source(d, decoder_operand(d, 2), 4);
  op->src[3] = op->src[4] = NO_OPERAND;
  if (reduces)
    decode_reduction(d, op);
  if (to_global)
    return;
  decoder_address(d, &barrier, decoder_operand(d, 3));
  op->src[3] = barrier.src[0];
  op->barrier_offset = (uint32_t)barrier.offset;
  op->wide_barrier = barrier.wide_address;
  if (multicasts)
    op->src[4] = decoder_source(d, decoder_operand(d, 4), 4);
}

/* cp.async.{ca,cg}.shared.global [to], [from], bytes [, bytes to read | predicate to ignore the source]. The
 * copy takes place at once; a correct program waits for it, so it sees no difference. */
void decode_copy_async(struct decoder *d, struct op *op) {
  if (!ptx_has(d->inst->op, "async"))
    decoder_refuse(d, "unsupported instruction");
  if (ptx_has(d->inst->op, "bulk")) {
    decode_copy_bulk(d, op);
    return;
  }
  bool waits = ptx_has(d->inst->op, "wait_group");
  if (waits || ptx_has(d->inst->op, "commit_group") || ptx_has(d->inst->op, "wait_all")) {
    op->code = OP_COPIES;
    op->copies = waits ? COPIES_WAIT : ptx_has(d->inst->op, "commit_group") ? COPIES_COMMIT : COPIES_WAIT_ALL;
    op->groups = waits ? (uint32_t)decoder_operand(d, 0)->value : 0;
    return;
  }
  if (ptx_has(d->inst->op, "mbarrier")) {
    decode_mbarrier(d, op);
    return;
  }
  if (!ptx_has(d->inst->op, "ca") && !ptx_has(d->inst->op, "cg"))
    decoder_refuse(d, "unsupported instruction");
  op->code = OP_COPY_ASYNC;
  op->past_l1 = ptx_has(d->inst->op, "cg");
  op->class = CLASS_GLOBAL_ASYNC;
  op->space = PTX_GLOBAL;
  struct op to = {0};
  decoder_address(d, &to, decoder_operand(d, 0));
  decoder_address(d, op, decoder_operand(d, 1));
  op->src[1] = to.src[0];
  op->target_offset = to.offset;
  op->wide = to.wide_address;
  op->bytes = (uint32_t)decoder_operand(d, 2)->value;
  if (decoder_operand(d, 2)->kind != PTX_OPERAND_INTEGER ||
      (op->bytes != 4 && op->bytes != 8 && op->bytes != 16))
    decoder_refuse(d, "copies of 4, 8 or 16 bytes are supported");
  op->src[2] = decoder_constant(d, op->bytes, 4);
  if (d->inst->operand_count > 3) {
    const struct ptx_operand *size = decoder_operand(d, 3);
    op->may_ignore = size->kind == PTX_OPERAND_REGISTER && d->function->reg_types[size->reg] == PTX_PRED;
    if (op->may_ignore)
      op->src[3] = decoder_predicate_source(d, size);
    else if (!ptx_has(d->inst->op, "L2::cache_hint") || d->inst->operand_count > 4)
      op->src[2] = decoder_source(d, size, 4);
    op->negate = op->may_ignore && size->negated;
  }
}

/* atom{.exch,.cas}.b128 {d | _}, [a], b [, c] */
static void decode_atomic_128(struct decoder *d, struct op *op) {
  op->code = OP_ATOMIC;
  op->type = PTX_B128;
  op->count = 1;
  op->atomic = ptx_has(d->inst->op, "cas") ? ATOM_CAS : ATOM_EXCH;
  if (!ptx_is(d->inst, "atom") || (op->atomic == ATOM_EXCH && !ptx_has(d->inst->op, "exch")))
    decoder_refuse(d, "unsupported atomic operation");
  op->has_result = true;
  op->sync = sync_of(d->inst->op) | SYNC_ATOMIC;
  op->space = (uint8_t)decoder_space(d->inst->op);
  decoder_address(d, op, decoder_operand(d, 1));
  for (uint32_t half = 0; half < 2; half++) {
    if (decoder_operand(d, 0)->kind != PTX_OPERAND_SINK)
      op->dst[half] = decoder_half_register(d, decoder_operand(d, 0), half);
    op->src[1 + half] = decoder_half_register(d, decoder_operand(d, 2), half);
    if (op->atomic == ATOM_CAS)
      op->src[3 + half] = decoder_half_register(d, decoder_operand(d, 3), half);
  }
  op->class = op->space == PTX_SHARED ? CLASS_SHARED_ATOM : CLASS_GLOBAL_ATOM;
  d->kernel->is_ordered |= op->space != PTX_SHARED;
}

void decode_atomic(struct decoder *d, struct op *op) {
  if (ptx_type_part(d->inst->op, 0) == PTX_B128) {
    decode_atomic_128(d, op);
    return;
  }
  if (ptx_has(d->inst->op, "async")) {
    decode_store_async(d, op);
    return;
  }
  op->code = OP_ATOMIC;
  op->has_result = ptx_is(d->inst, "atom");
  op->sync = sync_of(d->inst->op) | SYNC_ATOMIC;
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->atomic = atomic_named(d->inst->op);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type), lane = bytes == 8 ? 8 : 4;
  bool half = op->type == PTX_F16 || op->type == PTX_BF16 || op->type == PTX_F16X2 || op->type == PTX_BF16X2;
  bool floating = half || op->type == PTX_F32 || op->type == PTX_F64;
  bool bits = op->atomic == ATOM_EXCH || op->atomic == ATOM_CAS;
  if (op->atomic == ATOMS || bytes < 2 || bytes > 8 ||
      (bytes == 2 && !(half && op->atomic == ATOM_ADD) && !(op->type == PTX_B16 && bits)) ||
      (floating && op->atomic != ATOM_ADD && (half || !bits)))
    decoder_refuse(d, "unsupported atomic operation");
  op->space = (uint8_t)decoder_space(d->inst->op);
  op->wide = bytes == 8;
  uint32_t n = 0;
  if (op->has_result) {
    const struct ptx_operand *to = decoder_operand(d, 0);
    if (to->kind == PTX_OPERAND_VECTOR)
      decoder_elements(d, op, to, op->dst, true);
    else
      op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : decoder_result(d, 0, lane);
    n = 1;
  }
  decoder_address(d, op, decoder_operand(d, n));
  if (op->has_result)
    op->has_result = result_is_read(d, op);
  if (decoder_operand(d, n + 1)->kind == PTX_OPERAND_VECTOR)
    decoder_elements(d, op, decoder_operand(d, n + 1), op->src + 1, false);
  else
    op->src[1] = decoder_source(d, decoder_operand(d, n + 1), lane);
  op->count = op->count ? op->count : 1;
  if (op->count > 1 && op->atomic != ATOM_ADD)
    decoder_refuse(d, "unsupported atomic operation");
  if (op->atomic == ATOM_CAS)
    op->src[2] = decoder_source(d, decoder_operand(d, n + 2), lane);
  op->class = op->space == PTX_SHARED ? CLASS_SHARED_ATOM
              : op->has_result        ? CLASS_GLOBAL_ATOM
                                      : CLASS_GLOBAL_RED;
  bool commutes = !floating && !op->has_result && op->atomic != ATOM_EXCH && op->atomic != ATOM_CAS;
  if (op->space != PTX_SHARED && !commutes)
    d->kernel->is_ordered = true;
}

/* cvta[.to].space.u64: adds or subtracts the base of the window */
void decode_cvta(struct decoder *d, struct op *op) {
  enum ptx_space space = decoder_space(d->inst->op);
  uint64_t window = space == PTX_SHARED  ? SHARED_WINDOW
                    : space == PTX_LOCAL ? LOCAL_WINDOW
                    : space == PTX_PARAM ? PARAM_WINDOW
                                         : 0;
  if (ptx_type_part(d->inst->op, 0) != PTX_U64)
    decoder_refuse(d, "unsupported address size");
  op->code = OP_ADD_64;
  op->dst[0] = decoder_result(d, 0, 8);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 8);
  op->src[1] = decoder_constant(d, ptx_has(d->inst->op, "to") ? 0 - window : window, 8);
}

void decode_isspacep(struct decoder *d, struct op *op) {
  op->code = OP_ISSPACEP;
  op->wide = ptx_has(d->inst->op, "shared::cluster"); /* .shared alone is the block's own */
  op->space = (uint8_t)decoder_space(d->inst->op);
  op->dst[0] = decoder_predicate(d, decoder_operand(d, 0)->reg);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 8);
}

/* Fences, and hints for caches that are not simulated. */
void decode_fence(struct decoder *d, struct op *op) {
  op->code = OP_FENCE;
  const bool is_fence = ptx_is(d->inst, "membar") || ptx_is(d->inst, "fence");
  op->sync = !is_fence ? 0 : ptx_has(d->inst->op, "cta") ? SYNC_FENCE | SYNC_OF_BLOCK : SYNC_FENCE;
  op->yields = ptx_is(d->inst, "nanosleep") ? YIELD_LATER : YIELD_NEVER;
}

/* createpolicy is a hint, too. */
void decode_policy(struct decoder *d, struct op *op) {
  op->code = OP_MOV_64;
  op->dst[0] = decoder_result(d, 0, 8);
  op->src[0] = decoder_constant(d, 0, 8);
}
