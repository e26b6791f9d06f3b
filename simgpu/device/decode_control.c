#include "decode_control.h"

#include <string.h>

#include "device_runtime.h"

/* A warp-wide operation must name its members: PTX has no forms without .sync since Volta. */
static void require_sync(struct decoder *d) {
  if (!ptx_has(d->inst->op, "sync"))
    decoder_refuse(d, "unsupported instruction");
}

/* Index of the last of the names in the mnemonic, or `otherwise` if it has none of them. */
static uint8_t mode_named(const struct decoder *d, const char *const *names, uint8_t count,
                          uint8_t otherwise) {
  uint8_t mode = otherwise;
  for (uint8_t i = 0; i < count; i++)
    if (ptx_has(d->inst->op, names[i]))
      mode = i;
  return mode;
}

/* d[|p]: either may be omitted. */
static void decode_result_pair(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = decoder_operand(d, 0);
  op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : decoder_result(d, 0, 4);
  op->dst[1] = to->pair >= 0 ? decoder_predicate(d, to->pair) : NO_OPERAND;
}

/* shfl.sync.mode.b32 d[|p], a, b, c, members */
void decode_shfl(struct decoder *d, struct op *op) {
  static const char *const modes[] = {
      [SHUFFLE_UP] = "up", [SHUFFLE_DOWN] = "down", [SHUFFLE_BUTTERFLY] = "bfly", [SHUFFLE_INDEX] = "idx"};
  require_sync(d);
  op->code = OP_SHFL;
  op->mode = mode_named(d, modes, sizeof modes / sizeof *modes, SHUFFLE_UP);
  decode_result_pair(d, op);
  for (uint32_t i = 0; i < 4; i++)
    op->src[i] = decoder_source(d, decoder_operand(d, i + 1), 4);
}

/* vote.sync.mode.{pred,b32} d, [!]p, members */
void decode_vote(struct decoder *d, struct op *op) {
  static const char *const modes[] = {
      [VOTE_ALL] = "all", [VOTE_ANY] = "any", [VOTE_UNIFORM] = "uni", [VOTE_BALLOT] = "ballot"};
  require_sync(d);
  op->code = OP_VOTE;
  op->mode = mode_named(d, modes, sizeof modes / sizeof *modes, VOTE_ALL);
  op->dst[0] =
      op->mode == VOTE_BALLOT ? decoder_result(d, 0, 4) : decoder_predicate(d, decoder_operand(d, 0)->reg);
  op->src[0] = decoder_predicate_source(d, decoder_operand(d, 1));
  op->negate = decoder_operand(d, 1)->negated;
  op->src[3] = decoder_source(d, decoder_operand(d, 2), 4);
}

/* match.{any,all}.sync d[|p], a, members */
void decode_match(struct decoder *d, struct op *op) {
  require_sync(d);
  op->code = OP_MATCH;
  op->mode = ptx_has(d->inst->op, "all") ? MATCH_ALL : MATCH_ANY;
  op->wide = ptx_type_bytes(ptx_type_part(d->inst->op, 0)) == 8;
  decode_result_pair(d, op);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), op->wide ? 8 : 4);
  op->src[3] = decoder_source(d, decoder_operand(d, 2), 4);
}

/* redux.sync.op.type d, a, members */
void decode_redux(struct decoder *d, struct op *op) {
  static const char *const names[] = {[ATOM_ADD] = "add", [ATOM_AND] = "and", [ATOM_OR] = "or",
                                      [ATOM_XOR] = "xor", [ATOM_MIN] = "min", [ATOM_MAX] = "max"};
  require_sync(d);
  op->code = OP_REDUX;
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->mode = mode_named(d, names, sizeof names / sizeof *names, UINT8_MAX);
  if (op->mode == UINT8_MAX || ptx_type_is_float((enum ptx_type)op->type))
    decoder_refuse(d, "unsupported instruction");
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
  op->src[3] = decoder_source(d, decoder_operand(d, 2), 4);
}

/* elect.sync {d | _}|p, members */
void decode_elect(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = decoder_operand(d, 0);
  op->code = OP_ELECT;
  op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : decoder_result(d, 0, 4);
  op->dst[1] = decoder_predicate(d, to->pair);
  op->src[3] = decoder_source(d, decoder_operand(d, 1), 4);
}

void decode_activemask(struct decoder *d, struct op *op) {
  op->code = OP_ACTIVEMASK;
  op->dst[0] = decoder_result(d, 0, 4);
}

/* bar.red.{popc,and,or} d, a [, b], [!]c: its result and c */
static void decode_barrier_reduction(struct decoder *d, struct op *op) {
  const struct ptx_operand *c = decoder_operand(d, d->inst->operand_count - 1);
  op->mode = ptx_has(d->inst->op, "popc")  ? BARRIER_COUNT
             : ptx_has(d->inst->op, "and") ? BARRIER_AND
                                           : BARRIER_OR;
  op->dst[0] =
      op->mode == BARRIER_COUNT ? decoder_result(d, 0, 4) : decoder_predicate(d, decoder_operand(d, 0)->reg);
  op->src[2] = decoder_predicate_source(d, c);
  op->negate = c->negated;
}

/* mapa[.shared::cluster].type d, a, rank;  getctarank[.shared::cluster].type rank, a */
void decode_cluster_address(struct decoder *d, struct op *op) {
  const bool maps = ptx_is(d->inst, "mapa");
  op->code = maps ? OP_CLUSTER_MAP : OP_CLUSTER_RANK;
  op->wide = ptx_type_bytes(ptx_type_part(d->inst->op, 0)) == 8;
  op->dst[0] = decoder_result(d, 0, maps && op->wide ? 8 : 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), op->wide ? 8 : 4);
  if (maps)
    op->src[1] = decoder_source(d, decoder_operand(d, 2), 4);
}

/* bar.warp.sync members;  bar.sync a [, b];  bar.red;  bar.arrive a, b */
void decode_barrier(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  if (ptx_has(name, "warp")) {
    op->code = OP_WARP_SYNC;
    op->src[3] = decoder_source(d, decoder_operand(d, 0), 4);
    return;
  }
  if (ptx_has(name, "cluster")) {
    op->class = CLASS_BARRIER;
    op->code = ptx_has(name, "arrive") ? OP_CLUSTER_ARRIVE : OP_CLUSTER_WAIT;
    op->sync = op->code == OP_CLUSTER_WAIT ? 0 : SYNC_FENCE;
    return;
  }
  const bool reduces = ptx_has(name, "red");
  const uint32_t n = reduces ? 1 : 0, count = d->inst->operand_count - n;
  op->class = CLASS_BARRIER;
  op->unaligned = ptx_is(d->inst, "barrier") && !ptx_has(name, "aligned");
  op->code = ptx_has(name, "arrive") ? OP_BARRIER_ARRIVE : OP_BARRIER;
  op->src[1] = NO_OPERAND;
  if (reduces)
    decode_barrier_reduction(d, op);
  op->src[0] = decoder_source(d, decoder_operand(d, n), 4);
  if (count > n + 1)
    op->src[1] = decoder_source(d, decoder_operand(d, n + 1), 4);
  if (op->code == OP_BARRIER_ARRIVE && op->src[1] == NO_OPERAND)
    decoder_refuse(d, "too few operands");
}

static uint32_t label_target(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_SYMBOL || o->symbol->kind != PTX_SYMBOL_LABEL)
    decoder_refuse(d, "expected a label");
  if (o->symbol->target_count)
    decoder_refuse(d, "expected a label, not a list of targets");
  return d->labels[o->symbol->offset];
}

void decode_branch(struct decoder *d, struct op *op) {
  op->class = CLASS_BRANCH;
  op->reconverge = d->labels[d->inst->reconverge];
  op->depth = d->inst->depth;
  bool direct = ptx_is(d->inst, "bra");
  if (d->inst->operand_count != (direct ? 1 : 2)) /* the flow graph uses the last operand as the target */
    decoder_refuse(d, "wrong number of operands");
  if (direct) {
    op->code = OP_BRA;
    op->target = label_target(d, decoder_operand(d, 0));
    return;
  }
  op->code = OP_BRX;
  op->src[0] = decoder_source(d, decoder_operand(d, 0), 4);
  const struct ptx_operand *list = decoder_operand(d, 1);
  if (list->kind != PTX_OPERAND_SYMBOL || list->symbol->kind != PTX_SYMBOL_LABEL ||
      list->symbol->target_count == 0)
    decoder_refuse(d, "expected a list of targets");
  struct module *m = d->module;
  op->first_target = m->target_count;
  op->target_count = list->symbol->target_count;
  for (uint32_t i = 0; i < list->symbol->target_count; i++) {
    m->targets = arena_grow(&m->ptx->arena, m->targets, m->target_count, sizeof *m->targets);
    const struct ptx_reconvergence *at = &d->inst->reconvergences[i];
    m->targets[m->target_count++] =
        (struct target){d->labels[list->symbol->targets[i]->offset], d->labels[at->inst], at->depth};
  }
}

static const struct ptx_symbol *param_named(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_SYMBOL || o->symbol->kind != PTX_SYMBOL_VARIABLE ||
      o->symbol->space != PTX_PARAM || decoder_is_kernel_param(d, o->symbol))
    decoder_refuse(d, "unsupported argument of a call");
  return o->symbol;
}

static void pass(struct decoder *d, struct call *call, const struct ptx_symbol *own,
                 const struct ptx_symbol *theirs, bool is_result) {
  if (own->size != theirs->size)
    decoder_refuse(d, "argument and parameter differ in size");
  struct argument *a = &call->arguments[call->count++];
  *a = (struct argument){(uint32_t)own->offset, (uint32_t)theirs->offset, (uint32_t)own->size, is_result};
}

/* Where the frame has a parameter, which must be of `size` bytes. */
static uint32_t offset_of(struct decoder *d, const struct ptx_operand *operand, uint32_t size) {
  const struct ptx_symbol *own = param_named(d, operand);
  if (own->size != size)
    decoder_refuse(d, "argument and parameter differ in size");
  return (uint32_t)own->offset;
}

static void refuse_predicate(struct decoder *d) {
  if (d->inst->guard >= 0)
    decoder_refuse(d, "a call under a predicate is not supported");
}

static const char aligned_malloc[] = "__cuda_syscall_aligned_malloc"; /* __nv_aligned_device_malloc() */

static bool is_heap_function(const char *name) {
  return strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0 || strcmp(name, aligned_malloc) == 0;
}

/* malloc(size), its form with an alignment, and free(address). Addresses must not depend on the scheduling of
 * the host's cores. */
static void decode_heap(struct decoder *d, struct op *op, const char *name, const struct ptx_operand *results,
                        const struct ptx_operand *arguments) {
  const bool frees = strcmp(name, "free") == 0, aligned = strcmp(name, aligned_malloc) == 0;
  if (!arguments || arguments->count != 1u + aligned || (results ? results->count : 0) != !frees)
    decoder_refuse(d, "wrong number of arguments");
  op->mode = aligned;
  if (aligned)
    op->src[1] = offset_of(d, &arguments->elements[1], 8);
  op->code = frees ? OP_FREE : OP_MALLOC;
  op->src[0] = offset_of(d, &arguments->elements[0], 8);
  op->dst[0] = frees ? op->src[0] : offset_of(d, &results->elements[0], 8);
  refuse_predicate(d);
  d->kernel->is_ordered = true;
}

static struct call *new_call(struct decoder *d, uint32_t callee, uint32_t arguments) {
  struct module *m = d->module;
  m->calls = arena_grow(&m->ptx->arena, m->calls, m->call_count, sizeof *m->calls);
  struct call *call = &m->calls[m->call_count++];
  *call = (struct call){.caller = (uint32_t)(d->kernel - m->kernels),
                        .callee = callee,
                        .arguments = arena_alloc(&m->ptx->arena, arguments, sizeof *call->arguments)};
  d->kernel->calls = true;
  return call;
}

/* A function of device_runtime.h: the result and the arguments are those of a call. */
static void decode_device_runtime(struct decoder *d, struct op *op, int function,
                                  const struct ptx_operand *results, const struct ptx_operand *arguments) {
  const struct device_runtime_signature *s = device_runtime_signature(function);
  struct module *m = d->module;
  if (!results || results->count != 1 || (arguments ? arguments->count : 0) != s->count)
    decoder_refuse(d, "wrong number of arguments");
  refuse_predicate(d);
  const bool calls = d->kernel->calls;
  op->code = OP_DEVICE_RUNTIME;
  op->mode = (uint8_t)function;
  op->call = m->call_count;
  struct call *call = new_call(d, ANY_FUNCTION, 1 + s->count);
  for (uint32_t i = 0; i < 1 + s->count; i++) {
    const struct ptx_symbol *own = param_named(d, i ? &arguments->elements[i - 1] : &results->elements[0]);
    if (own->size != (i ? s->bytes[i - 1] : s->result))
      decoder_refuse(d, "argument and parameter differ in size");
    call->arguments[call->count++] = (struct argument){(uint32_t)own->offset, 0, (uint32_t)own->size, i == 0};
  }
  d->kernel->calls = calls; /* it needs no frame */
  d->kernel->is_ordered = true;
  m->launches = true;
}

static void decode_condition(struct decoder *d, struct op *op, const struct ptx_operand *arguments) {
  if (!arguments || arguments->count != 2)
    decoder_refuse(d, "wrong number of arguments");
  op->code = OP_CONDITION;
  op->src[0] = offset_of(d, &arguments->elements[0], 8);
  op->src[1] = offset_of(d, &arguments->elements[1], 4);
  refuse_predicate(d);
}

/* System calls of the device's libraries: printf, assert, malloc and free; and one of graphs. */
static void decode_system_call(struct decoder *d, struct op *op, const struct ptx_function *callee,
                               const struct ptx_operand *results, const struct ptx_operand *arguments) {
  bool print = strcmp(callee->name, "vprintf") == 0, assertion = strcmp(callee->name, "__assertfail") == 0;
  uint32_t count = print ? 2 : 5;
  if (is_heap_function(callee->name)) {
    decode_heap(d, op, callee->name, results, arguments);
    return;
  }
  if (strcmp(callee->name, "cudaGraphSetConditional") == 0) {
    decode_condition(d, op, arguments);
    return;
  }
  if (device_runtime_find(callee->name) >= 0) {
    decode_device_runtime(d, op, device_runtime_find(callee->name), results, arguments);
    return;
  }
  if (!print && !assertion)
    decoder_refuse(d, "function '%s' is not supported on the simulated device", callee->name);
  if (!arguments || arguments->count != count || (print && (!results || results->count != 1)))
    decoder_refuse(d, "wrong number of arguments");
  op->code = print ? OP_PRINT : OP_ASSERT;
  for (uint32_t i = 0; i < count; i++)
    op->src[i] = offset_of(d, &arguments->elements[i], assertion && i == 2 ? 4 : 8);
  if (print)
    op->dst[0] = offset_of(d, &results->elements[0], 4);
  refuse_predicate(d);
}

bool decode_is_indirect_call(const struct ptx_inst *inst) {
  uint32_t n = inst->operand_count > 0 && inst->operands[0].kind == PTX_OPERAND_VECTOR;
  return ptx_is(inst, "call") && inst->operand_count > n && inst->operands[n].kind == PTX_OPERAND_REGISTER;
}

/* call [(result),] register [, (arguments)], prototype: the callee is known only at run time */
static void decode_indirect_call(struct decoder *d, struct op *op, const struct ptx_operand *target,
                                 const struct ptx_operand *results, const struct ptx_operand *arguments) {
  uint32_t result_count = results ? results->count : 0, count = arguments ? arguments->count : 0;
  op->code = OP_CALL_INDIRECT;
  op->src[0] = decoder_register(d, target->reg, 8);
  op->call = d->module->call_count;
  struct call *call = new_call(d, ANY_FUNCTION, result_count + count);
  for (uint32_t i = 0; i < result_count + count; i++) {
    const struct ptx_symbol *own =
        param_named(d, i < result_count ? &results->elements[i] : &arguments->elements[i - result_count]);
    call->arguments[call->count++] =
        (struct argument){(uint32_t)own->offset, 0, (uint32_t)own->size, i < result_count};
  }
  op->reconverge = d->labels[d->inst - d->function->insts + 1];
  refuse_predicate(d);
}

/* call[.uni] [(result),] function [, (arguments)] */
void decode_call(struct decoder *d, struct op *op) {
  struct module *m = d->module;
  uint32_t n = 0;
  const struct ptx_operand *results =
      decoder_operand(d, 0)->kind == PTX_OPERAND_VECTOR ? decoder_operand(d, n++) : NULL;
  const struct ptx_operand *target = decoder_operand(d, n++);
  const struct ptx_operand *arguments =
      n < d->inst->operand_count && decoder_operand(d, n)->kind == PTX_OPERAND_VECTOR ? decoder_operand(d, n)
                                                                                      : NULL;
  if (target->kind == PTX_OPERAND_REGISTER) {
    decode_indirect_call(d, op, target, results, arguments);
    return;
  }
  if (target->kind != PTX_OPERAND_SYMBOL || target->symbol->kind != PTX_SYMBOL_FUNCTION)
    decoder_refuse(d, "expected a function");
  const struct ptx_function *callee = target->symbol->function;
  if (!callee->has_body) {
    decode_system_call(d, op, callee, results, arguments);
    return;
  }
  if (callee->is_entry)
    decoder_refuse(d, "call of a kernel");
  if ((results ? results->count : 0) != callee->return_count ||
      (arguments ? arguments->count : 0) != callee->param_count)
    decoder_refuse(d, "wrong number of arguments");
  uint32_t index = 0;
  for (const struct ptx_function *f = m->ptx->functions; f != callee; f = f->next)
    index++;
  op->call = m->call_count;
  struct call *call = new_call(d, index, callee->return_count + callee->param_count);
  for (uint32_t i = 0; i < callee->return_count; i++)
    pass(d, call, param_named(d, &results->elements[i]), callee->returns[i], true);
  for (uint32_t i = 0; i < callee->param_count; i++)
    pass(d, call, param_named(d, &arguments->elements[i]), callee->params[i], false);
  refuse_predicate(d);
  op->code = OP_CALL;
}

/* A function's returns are branches to its end, where its lanes reconverge. */
void decode_return(struct decoder *d, struct op *op) {
  op->code = d->function->is_entry ? OP_EXIT : OP_BRA;
  op->target = d->labels[d->function->inst_count];
  op->reconverge = d->labels[d->inst->reconverge];
  op->depth = d->inst->depth;
}

void decode_exit(struct decoder *d, struct op *op) {
  (void)d;
  op->code = OP_EXIT;
}

void decode_trap(struct decoder *d, struct op *op) {
  (void)d;
  op->code = OP_TRAP;
}
