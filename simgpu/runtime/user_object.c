#include "user_object.h"

#include "context.h"

#include <stdlib.h>
#include <string.h>

struct CUuserObject_st {
  void *data;
  cudaHostFn_t destroy;
  size_t references;
};

cudaUserObject_t user_object_new(void *data, cudaHostFn_t destroy, unsigned references) {
  cudaUserObject_t object = malloc(sizeof *object);
  if (object)
    *object = (struct CUuserObject_st){data, destroy, references};
  return object;
}

void user_object_keep(cudaUserObject_t object, size_t count) { object->references += count; }

bool user_object_drop(cudaUserObject_t object, size_t count) {
  if (count > object->references)
    return false;
  object->references -= count;
  if (object->references)
    return true;
  const struct CUuserObject_st last = *object;
  free(object);
  context_unlock();
  last.destroy(last.data);
  context_lock();
  return true;
}

bool user_objects_add(struct user_objects *objects, cudaUserObject_t object, size_t count) {
  struct user_objects_held *list = realloc(objects->list, (objects->length + 1) * sizeof *list);
  if (!list)
    return false;
  objects->list = list;
  list[objects->length++] = (struct user_objects_held){object, count};
  return true;
}

/* The same object may be in the list several times. */
static size_t held(const struct user_objects *objects, cudaUserObject_t object) {
  size_t count = 0;
  for (size_t i = 0; i < objects->length; i++)
    count += objects->list[i].object == object ? objects->list[i].count : 0;
  return count;
}

bool user_objects_remove(struct user_objects *objects, cudaUserObject_t object, size_t count) {
  size_t left = held(objects, object), kept = 0;
  if (count > left)
    return false;
  left -= count;
  for (size_t i = 0; i < objects->length; i++)
    if (objects->list[i].object != object)
      objects->list[kept++] = objects->list[i];
  if (left) /* the list has room, as the object was in it */
    objects->list[kept++] = (struct user_objects_held){object, left};
  objects->length = kept;
  return user_object_drop(object, count);
}

cudaError_t user_objects_copy(struct user_objects *to, const struct user_objects *from) {
  *to = (struct user_objects){0};
  if (!from->length) /* no block of memory, which a program could take for a leak of its own */
    return cudaSuccess;
  to->list = malloc(from->length * sizeof *to->list);
  if (!to->list)
    return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < from->length; i++) {
    to->list[i] = from->list[i];
    user_object_keep(from->list[i].object, from->list[i].count);
  }
  to->length = from->length;
  return cudaSuccess;
}

/* Empties the list first, since a destructor may use the graph. */
void user_objects_drop(struct user_objects *objects) {
  const struct user_objects all = *objects;
  *objects = (struct user_objects){0};
  for (size_t i = 0; i < all.length; i++)
    user_object_drop(all.list[i].object, all.list[i].count);
  free(all.list);
}
