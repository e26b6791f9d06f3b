/* Calls of device functions: frames and parameters. */
#pragma once

#include "device/machine.h"

/* Returns false if the calls are nested too deeply. */
bool call_enter(struct warp *w, struct subwarp *s, const struct op *op, uint32_t callee);
void call_leave(struct warp *w, struct subwarp *s);
/* Gives the worker the frames of calls that have not returned. */
void call_leave_all(struct warp *w);
void call_free_frames(struct worker *worker);
/* Frees what calls of the function have kept. */
void call_forget(struct kernel *function);
/* Returns the number of the function at an address, or ANY_FUNCTION if no function there has the parameters
 * and results of the call. */
uint32_t call_target(const struct module *module, const struct call *call, uint64_t address);
/* ld.param and st.param of the frame's own parameters. */
void call_move_parameters(const struct op *op, char **bases, const struct frame *f, uint32_t m);

/* Returns the address of the lane's parameter bytes at `offset`. */
static inline char *call_parameter(const struct frame *f, uint32_t offset, uint32_t lane) {
  return f->registers + f->function->param_offset + lane * f->function->ptx->frame_param_bytes + offset;
}
