/* User objects, and the references that graphs hold to them. Where a program drops references that it does not own, the
 * error is cudaErrorInvalidValue; NVIDIA's library leaves that undefined. */
#include "api.h"

#include "../graph.h"

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  if (!object || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
    return last_error_record(cudaErrorInvalidValue);
  *object = user_object_new(data, destroy, references);
  return last_error_record(*object ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  context_lock();
  const bool good = object && count;
  if (good)
    user_object_keep(object, count);
  context_unlock();
  return last_error_record(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  context_lock();
  const bool good = object && count && user_object_drop(object, count);
  context_unlock();
  return last_error_record(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || !object || !count || flags & ~(unsigned)cudaGraphUserObjectMove))
    error = cudaErrorInvalidValue;
  if (!error && !user_objects_add(&graph->objects, object, count))
    error = cudaErrorMemoryAllocation;
  if (!error && flags != cudaGraphUserObjectMove) /* otherwise the graph gets the caller's references */
    user_object_keep(object, count);
  return context_leave(error);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || !object || !count || !user_objects_remove(&graph->objects, object, count)))
    error = cudaErrorInvalidValue;
  return context_leave(error);
}
