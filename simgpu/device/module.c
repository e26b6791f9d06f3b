#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "decode.h"
#include "device/room.h"
#include "model.h"
#include "native.h"

/* Places the variables declared since the last call. */
static void place_variables(struct decoder *d) {
  struct module *m = d->module;
  struct ptx_module *p = m->ptx;
  const uint32_t first = m->variable_count;
  while (m->variable_count < p->variable_count) {
    const uint32_t i = m->variable_count;
    m->addresses = arena_grow(&p->arena, m->addresses, i, sizeof *m->addresses);
    m->addresses[m->variable_count++] = 0;
    struct ptx_symbol *v = p->variables[i];
    if (v->is_extern || v->size == 0)
      continue;
    struct allocation *a = memory_allocate(&m->device->memory, v->size);
    if (!a)
      decoder_stop(d, "variable '%s' of %llu bytes does not fit in device memory", v->name,
                   (unsigned long long)v->size);
    a->is_symbol = true;
    a->is_compilers = v->name[0] == '$';
    a->is_constant = v->space == PTX_CONST;
    if (a->is_constant)
      m->constant_memory += v->size;
    m->addresses[i] = a->base;
    if (v->data)
      memcpy(a->host, v->data, v->size);
    else
      memset(a->host, 0, v->size);
  }
  for (uint32_t i = first; i < p->variable_count; i++)
    for (const struct ptx_relocation *r = p->variables[i]->relocations; r; r = r->next)
      if (m->addresses[i]) {
        uint64_t value = r->addend + (r->target->kind == PTX_SYMBOL_FUNCTION
                                          ? decoder_function_address(m, r->target->function)
                                          : m->addresses[r->target->first]);
        memcpy(memory_at(&m->device->memory, m->addresses[i], 1) + r->offset, &value, sizeof value);
      }
}

/* Refuses every caller of a refused function: walks up the calls from each of those. */
static void refuse_callers(struct decoder *d) {
  struct module *m = d->module;
  struct arena *arena = &m->ptx->arena;
  const uint32_t none = UINT32_MAX;
  uint32_t *first = arena_alloc(arena, m->kernel_count + 1, sizeof *first); /* first call of each function */
  uint32_t *next = arena_alloc(arena, m->call_count + 1, sizeof *next); /* next call of the same function */
  uint32_t *queue = arena_alloc(arena, m->kernel_count + 1, sizeof *queue), count = 0;
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    first[i] = none;
    if (m->kernels[i].refusal)
      queue[count++] = i;
  }
  for (uint32_t i = 0; i < m->call_count; i++) {
    if (m->calls[i].callee == ANY_FUNCTION)
      continue;
    next[i] = first[m->calls[i].callee];
    first[m->calls[i].callee] = i;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t call = first[queue[i]]; call != none; call = next[call]) {
      struct kernel *caller = &m->kernels[m->calls[call].caller];
      if (caller->refusal)
        continue;
      caller->refusal = m->kernels[queue[i]].refusal;
      caller->refused_for_callee = true;
      queue[count++] = m->calls[call].caller;
    }
}

/* A kernel calls only functions, and those are already decoded. */
static void follow_calls(struct module *m, struct kernel *k, uint32_t first_call) {
  for (uint32_t i = first_call; i < m->call_count && !k->refusal; i++)
    if (m->calls[i].callee != ANY_FUNCTION && m->kernels[m->calls[i].callee].refusal) {
      k->refusal = m->kernels[m->calls[i].callee].refusal;
      k->refused_for_callee = true;
    }
  for (uint32_t i = 0; k->calls && i < m->kernel_count; i++) /* it may call any function */
    if (!m->kernels[i].ptx->is_entry)
      k->is_ordered |= m->kernels[i].is_ordered;
}

/* Decodes the function, or keeps only the reason for its refusal. */
static void decode_or_refuse(struct module *m, struct kernel *kernel) {
  struct decoder d = {.module = m};
  const uint32_t first = m->code_count;
  const bool parsed = ptx_parse_body(m->ptx, kernel->ptx);
  kernel->is_decoded = true;
  decoder_watch_memory(&d);
  if (setjmp(d.escape) == 0) {
    if (!parsed)
      decoder_stop(&d, "%s", m->ptx->error);
    place_variables(&d);
    decode_function(&d, kernel->ptx, kernel);
  } else {
    m->code_count = kernel->entry = kernel->end = first;
    kernel->refusal = d.refusal;
  }
  m->ptx->arena.fail = NULL;
}

static void decode_kernel(struct module *m, struct kernel *k) {
  const uint32_t first_call = m->call_count;
  decode_or_refuse(m, k);
  follow_calls(m, k, first_call);
}

struct kernel *module_kernel(struct module *m, uint32_t index) {
  struct kernel *k = &m->kernels[index];
  if (k->is_decoded || !k->ptx->has_body)
    return k;
  decode_kernel(m, k);
  for (uint32_t i = 0; m->launches && i < m->kernel_count; i++) /* any of them may be launched by a kernel */
    if (!m->kernels[i].is_decoded && m->kernels[i].ptx->has_body)
      decode_kernel(m, &m->kernels[i]);
  return k;
}

static bool decode_functions(struct decoder *d) {
  if (setjmp(d->escape) != 0)
    return false;
  struct module *m = d->module;
  struct arena *arena = &m->ptx->arena;
  decoder_watch_memory(d);
  place_variables(d);
  for (const struct ptx_function *f = m->ptx->functions; f; f = f->next)
    m->kernel_count++;
  decoder_new_constants(m);
  m->kernels = arena_alloc(arena, m->kernel_count, sizeof *m->kernels);
  struct kernel *k = m->kernels;
  for (struct ptx_function *f = m->ptx->functions; f; f = f->next, k++) {
    k->ptx = f;
    if (!f->is_entry && f->has_body)
      decode_or_refuse(m, k);
  }
  decoder_watch_memory(d);
  refuse_callers(d);
  arena->fail = NULL;
  return true;
}

struct module *module_load(struct device *device, char *text, char *error, size_t error_size) {
  struct module *m = room_zeroed(1, sizeof *m);
  m->device = device;
  m->ptx = ptx_parse(text);
  struct decoder d = {.module = m, .refusal = m->ptx->error};
  if (!m->ptx->error[0] && decode_functions(&d))
    return m;
  snprintf(error, error_size, "%s", d.refusal);
  module_unload(m);
  return NULL;
}

static void forget(struct kernel *k) {
  native_forget(k);
  call_forget(k);
}

void module_unload(struct module *m) {
  model_forget(); /* it knows launches by their kernels */
  for (uint32_t i = 0; i < m->kernel_count; i++)
    forget(&m->kernels[i]);
  for (uint32_t i = 0; i < m->variable_count; i++)
    if (m->addresses[i])
      memory_free(&m->device->memory, memory_find(&m->device->memory, m->addresses[i]));
  free(m->constants);
  ptx_free(m->ptx);
  free(m);
}
