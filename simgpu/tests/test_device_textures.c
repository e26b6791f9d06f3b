/* Descriptions of textures that the device refuses, and the geometry of cubemaps. */
#include "suite.h"

#include "texture.h"
#include "texture_cube.h"

static struct sim_texture mipmapped(void) {
  return (struct sim_texture){.address = SIM_ADDRESS_FIRST,
                              .width = 8,
                              .height = 8,
                              .depth = 12,
                              .kind = SIM_TEXEL_FLOAT,
                              .bits = 32,
                              .channels = 1,
                              .flags = SIM_TEXTURE_LAYERED | SIM_TEXTURE_CUBE,
                              .levels = 2,
                              .level = {{0, 32, 256}, {4096, 16, 64}}};
}

static bool accepts(const struct sim_texture *description) {
  struct textures textures = {0};
  const bool accepted = texture_new(&textures, description) == 1;
  texture_free_all(&textures);
  return accepted;
}

static void set_no_levels(struct sim_texture *t) { t->levels = 0; }
static void set_many_levels(struct sim_texture *t) { t->levels = SIM_TEXTURE_LEVELS + 1; }
static void set_height(struct sim_texture *t) { t->height = 4; }
static void set_five_faces(struct sim_texture *t) { t->depth = 5; }
static void set_depth(struct sim_texture *t) { t->flags = SIM_TEXTURE_CUBE; }
static void set_offset(struct sim_texture *t) { t->level[1].offset = SIM_MAX_MESSAGE + 1; }
static void set_pitch(struct sim_texture *t) { t->level[1].pitch = UINT64_MAX; }
static void set_slice(struct sim_texture *t) { t->level[1].slice = UINT64_MAX / 2; }

static void (*const changes[])(struct sim_texture *) = {
    set_no_levels, set_many_levels, set_height, set_five_faces, set_depth, set_offset, set_pitch, set_slice};

START_TEST(impossible_textures_are_refused) {
  struct sim_texture texture = mipmapped();
  ck_assert(accepts(&texture));
  changes[_i](&texture);
  ck_assert(!accepts(&texture));
}
END_TEST

/* A step over an edge and back: the face beyond has the first face's texel beyond the same edge. */
START_TEST(neighbours_are_mutual) {
  enum { SIZE = 7 };
  for (uint32_t face = 0; face < SIM_CUBE_FACES; face++)
    for (int edge = 0; edge < 4; edge++)
      for (int64_t k = 0; k < SIZE; k++) {
        const int64_t out = edge % 2 ? SIZE : -1, in = edge % 2 ? SIZE - 1 : 0;
        int64_t texel[] = {edge / 2 ? k : out, edge / 2 ? out : k};
        uint32_t beyond = face;
        int found = 0;
        ck_assert(cube_fold(SIZE, texel, &beyond));
        ck_assert_uint_ne(beyond, face);
        ck_assert_uint_ne(beyond, face ^ 1); /* the opposite face */
        for (int back = 0; back < 4; back++) {
          int64_t again[] = {texel[0], texel[1]};
          uint32_t there = beyond;
          again[back / 2] += back % 2 ? 1 : -1;
          found += cube_fold(SIZE, again, &there) && there == face && again[0] == (edge / 2 ? k : in) &&
                   again[1] == (edge / 2 ? in : k);
        }
        ck_assert_int_eq(found, 1);
      }
}
END_TEST

START_TEST(corners_have_no_texel) {
  for (uint32_t face = 0; face < SIM_CUBE_FACES; face++)
    for (int corner = 0; corner < 4; corner++) {
      int64_t texel[] = {corner % 2 ? 4 : -1, corner / 2 ? 4 : -1};
      uint32_t same = face;
      ck_assert(!cube_fold(4, texel, &same));
    }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("device_textures");
  TCase *test_case = tcase_create("textures");
  tcase_add_loop_test(test_case, impossible_textures_are_refused, 0, sizeof changes / sizeof *changes);
  tcase_add_test(test_case, neighbours_are_mutual);
  tcase_add_test(test_case, corners_have_no_texel);
  suite_add_tcase(suite, test_case);
  return suite_run(suite);
}
