/* User objects: data of the program with a destructor, which runs when the last reference is dropped. The program holds
 * references, and so do graphs, their copies and executable graphs. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>
#include <stddef.h>

/* NULL: no memory. The caller owns `references` of them, which are not 0. */
cudaUserObject_t user_object_new(void *data, cudaHostFn_t destroy, unsigned references);

/* user_object_drop() returns false if there are not so many references. It may call the destructor; the lock is
 * released in the meantime. */
void user_object_keep(cudaUserObject_t object, size_t count);
bool user_object_drop(cudaUserObject_t object, size_t count);

/* The references that a graph holds. */
struct user_objects {
  struct user_objects_held {
    cudaUserObject_t object;
    size_t count;
  } * list;
  size_t length;
};

/* Adds references that the caller owned; false: no memory. */
bool user_objects_add(struct user_objects *objects, cudaUserObject_t object, size_t count);
/* Drops some; false: there are not so many. */
bool user_objects_remove(struct user_objects *objects, cudaUserObject_t object, size_t count);
/* Gives *to, which is empty, references of its own. */
cudaError_t user_objects_copy(struct user_objects *to, const struct user_objects *from);
void user_objects_drop(struct user_objects *objects);
