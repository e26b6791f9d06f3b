/* Checks each format's rules on a sample with every kind of item (RESULT) and on variants of it: INFRA, compile errors,
 * hostile and huge texts, random points. test_report_parsers.py reads XML and TAP, which jansson cannot read. */
#include "allocate.h"
#include "load_result.h"
#include "report.h"
#include "suite.h"
#include "template.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>

static struct error error;
static const struct report_format *by_name(const char *name) {
  const struct report_format *format = report_formats;
  while (format->name && strcmp(format->name, name) != 0)
    format++;
  ck_assert_msg(format->name != NULL, "no format %s", name);
  return format;
}

/* What an older kit wrote reads like what this one writes. */
START_TEST(results_of_the_old_schema_are_read) {
  json_error_t why;
  json_t *old = load_result(OLD_RESULT, 0, &why), *now = load_result(RESULT, 0, &why);
  ck_assert(old && now);
  ck_assert(json_equal(old, now));
  json_decref(old);
  json_decref(now);
}
END_TEST

static json_t *sample(void) {
  json_error_t parse;
  json_t *result = json_load_file(RESULT, 0, &parse);
  ck_assert_msg(result != NULL, "%s: %s", RESULT, parse.text);
  return result;
}

static json_t *lab_of(json_t *result, size_t lab) {
  return json_array_get(json_object_get(result, "labs"), lab);
}

static json_t *line_of(json_t *result, size_t lab, size_t line) {
  return json_array_get(json_object_get(lab_of(result, lab), "items"), line);
}

static void set_text(json_t *object, const char *key, const char *text) {
  ck_assert_int_eq(json_object_set_new(object, key, json_stringn_nocheck(text, strlen(text))), 0);
}

/* The contents of the format's file. */
static char *written(json_t *result, const char *name) {
  struct report report;
  char *text = NULL;
  size_t size;
  ck_assert_msg(report_read(&report, result, &error), "%s", error.text);
  FILE *out = open_memstream(&text, &size);
  ck_assert(by_name(name)->write(&report, out));
  fclose(out);
  report_release(&report);
  ck_assert_uint_eq(strlen(text), size);
  return text;
}

static json_t *parsed(json_t *result, const char *name) {
  json_error_t parse;
  char *text = written(result, name);
  json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &parse);
  ck_assert_msg(json != NULL, "%s: %s", name, parse.text);
  free(text);
  return json;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  ck_assert_msg(text != NULL, "no string '%s'", key);
  return text;
}

static double number_of(const json_t *object, const char *key) {
  ck_assert_msg(json_is_number(json_object_get(object, key)), "no number '%s'", key);
  return json_number_value(json_object_get(object, key));
}

/* The test whose member key begins with id. */
static const json_t *find_test(const json_t *root, const char *key, const char *id) {
  size_t k;
  json_t *test;
  json_array_foreach(json_object_get(root, "tests"), k, test) {
    if (strncmp(text_of(test, key), id, strlen(id)) == 0)
      return test;
  }
  ck_abort_msg("no test %s", id);
}

START_TEST(gradescope_follows_the_specification) {
  static const char *const known[] = {"score",  "max_score",  "status", "name",  "number",
                                      "output", "visibility", "tags",   "order", "value"};
  json_t *result = sample(), *root = parsed(result, "gradescope"), *test, *value;
  const char *key;
  size_t k;
  ck_assert(number_of(root, "score") == 46.5);
  ck_assert(number_of(root, "execution_time") == 12.75);
  ck_assert_str_eq(text_of(root, "output_format"), "text");
  ck_assert_str_eq(text_of(root, "test_output_format"), "text");
  ck_assert_str_eq(text_of(root, "visibility"), "visible");
  ck_assert_str_eq(text_of(root, "stdout_visibility"), "hidden");
  ck_assert_str_eq(text_of(json_object_get(root, "extra_data"), "isolation"), "none");
  ck_assert_uint_eq(json_array_size(json_object_get(root, "tests")), 9); /* 10 items, two of them hidden */
  json_array_foreach(json_object_get(root, "tests"), k, test) {
    json_object_foreach(test, key, value) {
      bool is_known = false;
      for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is_known |= strcmp(key, known[i]) == 0;
      ck_assert_msg(is_known, "unknown member %s", key);
    }
    ck_assert_str_eq(text_of(test, "visibility"), "visible");
    if (json_object_get(test, "status"))
      ck_assert_msg(strcmp(text_of(test, "status"), "passed") == 0 ||
                        strcmp(text_of(test, "status"), "failed") == 0,
                    "status %s", text_of(test, "status"));
  }
  json_decref(root);
  json_decref(result);
}
END_TEST

START_TEST(gradescope_has_no_score_for_what_was_not_run) {
  json_t *result = sample(), *root = parsed(result, "gradescope");
  static const char *const not_run[] = {"03/ratio", "04/conflicts"};
  for (size_t k = 0; k < 2; k++) {
    const json_t *test = find_test(root, "name", not_run[k]);
    ck_assert(!json_object_get(test, "score") && !json_object_get(test, "max_score") &&
              !json_object_get(test, "status"));
  }
  ck_assert_str_eq(text_of(find_test(root, "name", "03/index"), "status"), "passed");
  ck_assert_str_eq(text_of(find_test(root, "name", "03/input"), "status"), "passed"); /* 0 of 0 points */
  ck_assert_str_eq(text_of(find_test(root, "name", "03/lanes"), "status"), "failed"); /* 7.5 of 10 */
  ck_assert_str_eq(text_of(find_test(root, "name", "04/left"), "status"), "failed");
  json_decref(root);
  set_text(line_of(result, 0, 1), "verdict", "WRONG"); /* all of 0 points are reached */
  root = parsed(result, "gradescope");
  ck_assert_str_eq(text_of(find_test(root, "name", "03/input"), "status"), "failed");
  json_decref(root);
  json_decref(result);
}
END_TEST

/* Without --leaderboard there is none. */
START_TEST(gradescope_lists_the_leaderboard) {
  json_t *result = sample(), *root = parsed(result, "gradescope"),
         *board = json_object_get(root, "leaderboard");
  ck_assert_uint_eq(json_array_size(board), 3);
  ck_assert_str_eq(text_of(json_array_get(board, 0), "name"), "points");
  ck_assert_str_eq(text_of(json_array_get(board, 0), "order"), "desc");
  ck_assert_str_eq(text_of(json_array_get(board, 1), "name"), "03/copy");
  ck_assert_str_eq(text_of(json_array_get(board, 1), "order"), "desc");
  ck_assert_str_eq(text_of(json_array_get(board, 2), "order"), "asc");
  json_decref(root);
  json_object_del(result, "leaderboard");
  root = parsed(result, "gradescope");
  ck_assert(!json_object_get(root, "leaderboard") && json_object_get(root, "tests"));
  json_decref(root);
  json_decref(result);
}
END_TEST

START_TEST(a_line_tells_all_that_it_knows) {
  json_t *result = sample(), *root = parsed(result, "gradescope");
  const char *output = text_of(find_test(root, "name", "03/lanes"), "output");
  ck_assert_str_eq(output,
                   "line 41: 27.2 of 32 lanes work: the last block of a row is half empty\n"
                   "measured: 0.85 of 32\n"
                   "limits: no points at 0.55, full marks at 0.95 of 32\n"
                   "formula: thread instructions / (32 * warp instructions), linear between the limits\n"
                   "at: compressed.cu:41\n"
                   "hint: ./kit hint 03 2");
  ck_assert_str_eq(text_of(find_test(root, "name", "03/index"), "output"), "shows: race: <of two>");
  json_decref(root);
  json_decref(result);
}
END_TEST

/* No format shows names or messages of hidden items, but one item with their points. */
START_TEST(hidden_lines_are_one_and_say_so) {
  static const char *const secrets[] = {"odd_prime", "1009", "03/huge", "32768", "32767"};
  json_t *result = sample();
  for (const struct report_format *format = report_formats; format->name; format++) {
    char *text = written(result, format->name);
    for (size_t k = 0; k < sizeof secrets / sizeof secrets[0]; k++)
      ck_assert_msg(!strstr(text, secrets[k]), "%s tells '%s'", format->name, secrets[k]);
    ck_assert_msg(strstr(text, "hidden tests are not shown"), "%s does not say that tests are hidden",
                  format->name);
    ck_assert(!strstr(text, "all public tests passed"));
    free(text);
  }
  json_t *root = parsed(result, "gradescope");
  const json_t *hidden = find_test(root, "name", "03/hidden: hidden tests");
  ck_assert(number_of(hidden, "score") == 9 && number_of(hidden, "max_score") == 15);
  ck_assert_str_eq(text_of(hidden, "status"), "failed");
  json_decref(root);
  json_decref(result);
}
END_TEST

START_TEST(all_public_passed_is_said_when_they_did) {
  json_t *result = sample(), *lines = json_object_get(lab_of(result, 0), "items");
  json_array_remove(json_object_get(result, "labs"), 1);
  json_array_remove(lines, 2); /* 03/lanes, which lost points */
  json_t *root = parsed(result, "gradescope");
  ck_assert_ptr_nonnull(
      strstr(text_of(root, "output"), "all public tests passed; hidden tests are not shown"));
  json_decref(root);
  json_array_clear(lines);
  root = parsed(result, "gradescope");
  ck_assert_ptr_null(strstr(text_of(root, "output"), "hidden"));
  json_decref(root);
  json_decref(result);
}
END_TEST

/* The second-last line is the feedback table, the last one holds the scores. */
static void autolab_lines(json_t *result, json_t **feedback, json_t **autoresult, char **last) {
  char *text = written(result, "autolab"), *line = text, *previous = NULL;
  size_t length = strlen(text);
  ck_assert_int_eq(text[length - 1], '\n');
  text[length - 1] = '\0';
  for (char *newline; (newline = strchr(line, '\n')); line = newline + 1) {
    *newline = '\0';
    previous = line;
  }
  ck_assert_ptr_nonnull(previous);
  *feedback = json_loads(previous, JSON_REJECT_DUPLICATES, NULL);
  *autoresult = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
  ck_assert(*feedback && *autoresult);
  *last = strdup(line);
  free(text);
}

START_TEST(autolab_ends_with_feedback_and_autoresult) {
  json_t *result = sample(), *feedback, *autoresult, *stage;
  char *last;
  size_t k;
  autolab_lines(result, &feedback, &autoresult, &last);
  ck_assert_str_eq(text_of(feedback, "_presentation"), "semantic");
  ck_assert_uint_eq(json_array_size(json_object_get(feedback, "stages")), 2);
  json_array_foreach(json_object_get(feedback, "stages"), k, stage)
    ck_assert(json_is_object(json_object_get(feedback, json_string_value(stage))));
  json_t *third = json_object_get(feedback, "03_compressed");
  ck_assert(json_is_true(
      json_object_get(json_object_get(third, "03/index: columns of both colours (15 of 15)"), "passed")));
  json_t *lanes = json_object_get(third, "03/lanes: active lanes of the half-sweep (7.5 of 10)");
  ck_assert(json_is_false(json_object_get(lanes, "passed")));
  ck_assert_ptr_nonnull(strstr(text_of(lanes, "hint"), "./kit hint 03 2"));
  ck_assert_str_eq(text_of(third, "03/ratio: time against the reference (0 of 0)"), "INCONCLUSIVE");
  json_t *scores = json_object_get(autoresult, "scores"), *board = json_object_get(autoresult, "scoreboard");
  ck_assert_uint_eq(json_object_size(scores), 2);
  ck_assert(number_of(scores, "03_compressed") == 41.5 && number_of(scores, "04_split_layout") == 5);
  ck_assert(json_array_size(board) == 3 && json_number_value(json_array_get(board, 2)) == 46.5);
  json_decref(feedback);
  json_decref(autoresult);
  json_decref(result);
  free(last);
}
END_TEST

/* Autolab replaces /([a-zA-Z0-9]+):/ by '"\1":' before it parses the last line. */
START_TEST(autolab_finds_no_word_before_a_colon) {
  json_t *result = sample(), *feedback, *autoresult;
  char *last;
  set_text(lab_of(result, 0), "lab", "lab: a \"b\":c");
  autolab_lines(result, &feedback, &autoresult, &last);
  for (char *colon = strchr(last, ':'); colon; colon = strchr(colon + 1, ':'))
    ck_assert_msg(colon > last &&
                      !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", colon[-1]),
                  "Autolab would quote the word before '%s'", colon);
  json_decref(feedback);
  json_decref(autoresult);
  json_decref(result);
  free(last);
}
END_TEST

static json_int_t whole(const json_t *object, const char *key) {
  ck_assert_msg(json_is_integer(json_object_get(object, key)), "'%s' is no integer", key);
  json_int_t value = json_integer_value(json_object_get(object, key));
  ck_assert_msg(value >= 0, "'%s' is negative", key);
  return value;
}

/* Checks what the runner checks (validate_result), and that rounding is fair. Returns the maximum. */
static json_int_t assert_classroom50(json_t *result) {
  json_t *root = parsed(result, "classroom50"), *test;
  json_int_t score = 0, max_score = 0, total = whole(root, "score"), max_total = whole(root, "max-score");
  size_t k;
  ck_assert_str_eq(text_of(root, "schema"), "classroom50/result/v1");
  json_array_foreach(json_object_get(root, "tests"), k, test) {
    json_int_t got = whole(test, "score"), most = whole(test, "max-score");
    ck_assert(text_of(test, "test-name")[0] && json_is_boolean(json_object_get(test, "passed")));
    ck_assert_int_le(got, most);
    if (json_is_true(json_object_get(test, "passed")))
      ck_assert_int_eq(got, most);
    else if (most > 0 && strcmp(text_of(test, "verdict"), "PASS") != 0)
      ck_assert_int_lt(got, most);
    score += got;
    max_score += most;
  }
  ck_assert(score == total && max_score == max_total && total <= max_total);
  json_decref(root);
  return max_total;
}

START_TEST(classroom50_counts_in_whole_points) {
  json_t *result = sample();
  ck_assert_int_eq(assert_classroom50(result), 75);
  json_t *root = parsed(result, "classroom50");
  ck_assert_int_eq(whole(root, "score"), 47); /* 46.5 */
  ck_assert_int_eq(whole(find_test(root, "test-name", "03/lanes"), "score"), 8);
  ck_assert(json_is_false(json_object_get(find_test(root, "test-name", "03/lanes"), "passed")));
  ck_assert(json_object_get(root, "commit") == NULL);
  json_decref(root);
  ck_assert_int_eq(setenv("COMMIT_URL", "https://example.org/commit/1", 1), 0);
  root = parsed(result, "classroom50");
  ck_assert_str_eq(text_of(root, "commit"), "https://example.org/commit/1");
  json_decref(root);
  json_decref(result);
}
END_TEST

static double draw(uint64_t *state, double most) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return most * (double)(*state >> 40) / (double)(1u << 24);
}

START_TEST(classroom50_rounds_any_points_fairly) {
  uint64_t state = 1;
  for (int round = 0; round < 200; round++) {
    json_t *result = sample(), *lines = json_object_get(lab_of(result, 0), "items"), *line;
    json_array_remove(json_object_get(result, "labs"), 1);
    double sum = 0, most = 0;
    size_t k;
    json_array_foreach(lines, k, line) {
      double max_points = floor(draw(&state, 40)) / 4, part = fmax(draw(&state, 1.5) - 0.25, 0);
      double points = max_points * fmin(part, 1);
      json_object_set_new(line, "public", json_true());
      json_object_set_new(line, "max_points", json_real(max_points));
      json_object_set_new(line, "points", json_real(points));
      set_text(line, "verdict", points < max_points ? "WRONG" : "PASS");
      sum += points;
      most += max_points;
    }
    ck_assert_int_eq(assert_classroom50(result), lround(most));
    json_t *root = parsed(result, "classroom50");
    ck_assert_msg(fabs((double)whole(root, "score") - sum) <= 3, "%d points for %g",
                  (int)whole(root, "score"), sum);
    if (!(sum < most))
      ck_assert_int_eq(whole(root, "score"), whole(root, "max-score"));
    json_decref(root);
    json_decref(result);
  }
}
END_TEST

START_TEST(prairielearn_scores_a_fraction) {
  json_t *result = sample(), *root = parsed(result, "prairielearn");
  ck_assert(fabs(number_of(root, "score") - 0.62) <= 1e-12);
  ck_assert(json_is_true(json_object_get(root, "gradable")));
  const json_t *lanes = find_test(root, "name", "active lanes");
  ck_assert(number_of(lanes, "points") == 7.5 && number_of(lanes, "max_points") == 10);
  ck_assert_str_eq(text_of(lanes, "description"), "03_compressed, 03/lanes");
  json_decref(root);
  json_object_set_new(result, "points", json_real(0));
  set_text(result, "message", "ada.zip: an archive");
  set_text(lab_of(result, 0), "message", "compressed.cu(7): error: expected a ;");
  static const char *const verdicts[] = {"MISSING", "COMPILE"}; /* cost no attempt */
  for (int n = 0; n < 2; n++) {
    set_text(result, "verdict", verdicts[n]);
    root = parsed(result, "prairielearn");
    const char *errors = text_of(root, "format_errors");
    ck_assert(json_is_false(json_object_get(root, "gradable")));
    ck_assert(strncmp(errors, verdicts[n], 7) == 0);
    ck_assert_ptr_nonnull(strstr(errors, ": 0 of 75 points\nada.zip: an archive\n"));
    ck_assert_ptr_nonnull(strstr(errors, "\ncompressed.cu(7): error: expected a ;\n"));
    json_decref(root);
  }
  json_object_set_new(result, "max_points", json_real(0));
  json_object_set_new(result, "points", json_real(1));
  root = parsed(result, "prairielearn");
  ck_assert(number_of(root, "score") == 0);
  json_decref(root);
  json_decref(result);
}
END_TEST

static void assert_fits(json_t *result) {
  char *text = written(result, "prairielearn");
  ck_assert_msg(strlen(text) <= 1000000, "%zu bytes", strlen(text));
  json_t *root = json_loads(text, 0, NULL);
  ck_assert_ptr_nonnull(root);
  ck_assert(fabs(number_of(root, "score") - 0.62) <= 1e-12);
  json_decref(root);
  free(text);
}

START_TEST(prairielearn_stays_below_a_megabyte) {
  json_t *result = sample(), *lines = json_object_get(lab_of(result, 1), "items");
  size_t size = 10u << 20;
  char *text = allocate_zeroed(size + 1, 1);
  memset(text, '"', size); /* two bytes each in JSON */
  set_text(json_array_get(lines, 0), "message", text);
  assert_fits(result);
  for (int k = 0; k < 300; k++)
    json_array_append_new(lines, json_deep_copy(json_array_get(lines, 1)));
  text[TEXT_LIMIT] = '\0';
  for (size_t k = 0; k < json_array_size(lines); k++)
    set_text(json_array_get(lines, k), "message", text);
  assert_fits(result);
  set_text(json_array_get(lines, 1), "message", "short");
  for (int k = 0; k < 8000; k++)
    json_array_append(lines, json_array_get(lines, 1));
  assert_fits(result);
  free(text);
  json_decref(result);
}
END_TEST

/* INFRA of the whole, a lab, an item or a hidden item: no format has a grade. */
START_TEST(infra_is_no_grade) {
  for (int where = 0; where < 4; where++) {
    json_t *result = sample();
    json_t *places[] = {result, lab_of(result, 1), line_of(result, 1, 0), line_of(result, 0, 6)};
    set_text(places[where], "verdict", "INFRA");
    set_text(places[where], "message", "no space left on the machine");
    json_t *root = parsed(result, "gradescope");
    ck_assert(!json_object_get(root, "score") && !json_object_get(root, "tests") &&
              !json_object_get(root, "leaderboard"));
    ck_assert_ptr_nonnull(strstr(text_of(root, "output"), "grade it again"));
    bool is_hidden = where == 3; /* its message is not changed */
    ck_assert((strstr(text_of(root, "output"), "no space left") == NULL) == is_hidden);
    json_decref(root);
    root = parsed(result, "prairielearn");
    ck_assert(!json_object_get(root, "score") && json_is_false(json_object_get(root, "gradable")));
    json_decref(root);
    json_t *feedback, *autoresult;
    char *last, *tap = written(result, "tap"), *junit = written(result, "junit"),
                *page = written(result, "html");
    ck_assert(strstr(page, "<h2>03_compressed: <span class=\"standing partly\">not graded</span></h2>"));
    ck_assert(!strstr(page, " points</span>") && !strstr(page, " points;") && !strstr(page, "below full"));
    free(page);
    autolab_lines(result, &feedback, &autoresult, &last);
    ck_assert_str_eq(last, "{\"scores\":{\"03_compressed\":null,\"04_split_layout\":null}}");
    ck_assert(strstr(tap, "\nBail out! ") && !strstr(tap, "\nok") && !strstr(tap, "\nnot ok"));
    ck_assert(strstr(junit, "<error type=\"INFRA\"") && !strstr(junit, "points\" value"));
    json_decref(feedback);
    json_decref(autoresult);
    free(last);
    free(tap);
    free(junit);
    json_decref(result);
  }
}
END_TEST

/* JSON formats are valid JSON with every byte, alone and beside others, in every text of a result. */
START_TEST(hostile_text_stays_json) {
  char bytes[3 * 255 + 1] = "";
  for (int k = 1; k < 256; k++)
    snprintf(bytes + strlen(bytes), 4, "%c%c", k, k % 3 ? '\\' : ']');
  json_t *result = sample(), *line = line_of(result, 0, 2);
  static const char *const keys[] = {"id",      "title",  "kind",    "verdict", "unit",
                                     "formula", "source", "message", "hint"};
  for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
    set_text(line, keys[k], bytes);
  static const char *const heads[] = {"kit", "mode", "device"};
  for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
    set_text(result, heads[k], bytes);
  set_text(json_object_get(result, "submission"), "name", bytes);
  set_text(json_object_get(result, "isolation"), "missing", bytes);
  static const char *const formats[] = {"gradescope", "classroom50", "prairielearn"};
  for (size_t k = 0; k < 3; k++)
    json_decref(parsed(result, formats[k]));
  json_t *feedback, *autoresult;
  char *last;
  autolab_lines(result, &feedback, &autoresult, &last);
  json_decref(feedback);
  json_decref(autoresult);
  free(last);
  json_decref(result);
}
END_TEST

/* The text for people, for each state of an item. */
static const struct {
  const char *verdict;
  double points, max_points;
  const char *words, *tone; /* a class of the page's style */
} items[] = {
    {"PASS", 8, 8, "passed", "full"},
    {"PASS", 0, 0, "passed", "full"},
    {"WRONG", 7.95, 8, "partly", "partly"},
    {"PASS", 7.5, 10, "partly", "partly"},
    {"WRONG", 0, 8, "failed", "failed"},
    {"CRASH", 0, 8, "failed", "failed"},
    {"WRONG", 0, 0, "remark", "remark"},
    {"CRASH", 0, 0, "remark", "remark"},
    {"UNWRITTEN", 0, 8, "not written yet", "open"},
    {"UNWRITTEN", 0, 0, "not written yet", "open"},
    {"SKIPPED", 0, 8, "skipped", "open"},
    {"COMPILE", 0, 8, "not judged", "open"},
    {"MISSING", 0, 8, "not handed in", "open"},
    {"INCONCLUSIVE", 0, 0, "inconclusive", "partly"},
    {"SUSPECT", 0, 8, "suspect", "partly"},
};

START_TEST(an_item_reads_as_it_stands) {
  char expected[128];
  json_t *result = sample(), *line = line_of(result, 1, 0);
  ck_assert_str_eq(standing_of_item(items[_i].verdict, items[_i].points, items[_i].max_points).words,
                   items[_i].words);
  set_text(line, "verdict", items[_i].verdict);
  json_object_set_new(line, "points", json_real(items[_i].points));
  json_object_set_new(line, "max_points", json_real(items[_i].max_points));
  char *page = written(result, "html"), *place = strstr(page, "<code>04/left</code>");
  ck_assert_ptr_nonnull(place);
  place[strcspn(place, "\n")] = '\0';
  snprintf(expected, sizeof expected, "<span class=\"standing %s\">%s</span>", items[_i].tone,
           items[_i].words);
  ck_assert_msg(strstr(place, expected) != NULL, "expected %s in %s", expected, place);
  snprintf(expected, sizeof expected, "%.6g of %.6g points", items[_i].points, items[_i].max_points);
  ck_assert_msg((strstr(place, expected) != NULL) == (items[_i].max_points > 0), "%s", place);
  free(page);
  json_decref(result);
}
END_TEST

/* A lab of these items, up to the first without a verdict. */
static const struct {
  struct {
    const char *verdict;
    double points, max_points;
  } items[4];
  const char *verdict, *words;
  enum standing_tone tone;
} sums[] = {
    {{{"PASS", 90, 90}, {"WRONG", 6.76, 10}}, "WRONG", "1 of 2 items below full marks", STANDING_PARTLY},
    {{{"PASS", 90, 90}, {"WRONG", 0, 0}}, "WRONG", "full marks, 1 remark", STANDING_FULL},
    {{{"PASS", 9, 9}, {"CRASH", 0, 1}, {"WRONG", 0, 0}, {"WRONG", 0, 0}},
     "CRASH",
     "1 of 2 items below full marks, 2 remarks",
     STANDING_PARTLY},
    {{{"PASS", 9, 9}}, "PASS", "full marks", STANDING_FULL},
    {{{"WRONG", 0, 9}}, "WRONG", "1 of 1 item below full marks", STANDING_FAILED},
    {{{"UNWRITTEN", 0, 9}, {"SKIPPED", 0, 1}, {"PASS", 0, 0}},
     "WRONG",
     "not written yet",
     STANDING_UNWRITTEN},
    {{{"UNWRITTEN", 0, 9}, {"PASS", 1, 1}}, "WRONG", "1 of 2 items below full marks", STANDING_PARTLY},
    {{{"UNWRITTEN", 0, 9}, {"WRONG", 0, 1}}, "WRONG", "2 of 2 items below full marks", STANDING_FAILED},
    {{{"SKIPPED", 0, 9}}, "WRONG", "1 of 1 item below full marks", STANDING_WAITING},
    {{{"COMPILE", 0, 9}, {"COMPILE", 0, 1}}, "COMPILE", "does not compile", STANDING_FAILED},
    {{{"MISSING", 0, 9}, {"MISSING", 0, 1}}, "MISSING", "not handed in", STANDING_WAITING},
    {{{"PASS", 9, 9}, {"INFRA", 0, 1}}, "INFRA", "not graded", STANDING_PARTLY},
    {{{"PASS", 0, 0}}, "PASS", "no points to earn", STANDING_FULL},
};

START_TEST(a_lab_stands_as_its_items_do) {
  struct standing_sum sum = {0};
  for (int n = 0; n < 4 && sums[_i].items[n].verdict; n++) {
    const double points = sums[_i].items[n].points, max_points = sums[_i].items[n].max_points;
    const struct standing item = standing_of_item(sums[_i].items[n].verdict, points, max_points);
    standing_add(&sum, &item, points, max_points, 0);
  }
  const struct standing lab = standing_of_sum(&sum, sums[_i].verdict, "item");
  ck_assert_str_eq(lab.words, sums[_i].words);
  ck_assert_int_eq(lab.tone, sums[_i].tone);
}
END_TEST

/* Points come first, and no verdict: WRONG would mislead if an item got most of its points. */
START_TEST(the_page_leads_with_points) {
  json_t *result = sample();
  char *page = written(result, "html");
  ck_assert_msg(strstr(page, "<h2>03_compressed: 41.5 of 50 points; <span class=\"standing partly\">"
                             "2 of 4 items below full marks</span></h2>") != NULL,
                "%s", page);
  ck_assert_ptr_nonnull(strstr(page, "2 of 2 labs below full marks"));
  ck_assert(!strstr(page, "WRONG") && !strstr(page, ">PASS<"));
  free(page);
  json_decref(result);
}
END_TEST

START_TEST(a_measure_has_its_unit) {
  static const struct {
    double none_at, full_at;
    const char *text;
  } cases[] = {
      {3, 0.9, "0.7952 sectors per point; full marks up to 0.9, none from 3, linear between"},
      {0.55, 0.95, "0.7952 sectors per point; full marks from 0.95, none up to 0.55, linear between"},
      {1, 0, "0.7952 sectors per point; full marks at 0, none from 1, linear between"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[128] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    standing_put_measure(out, 0.7952, "sectors per point", cases[k].none_at, cases[k].full_at);
    fclose(out);
    ck_assert_str_eq(text, cases[k].text);
  }
  json_t *result = sample();
  char *page = written(result, "html");
  ck_assert_ptr_nonnull(strstr(page, "Measured: 0.85 of 32; full marks from 0.95, none up to 0.55"));
  ck_assert_ptr_nonnull(strstr(page, "full marks at 0.95, measured 0.85 of 32\">"));
  free(page);
  json_decref(result);
}
END_TEST

#define BAD "\xef\xbf\xbd"
static const struct {
  const char *bytes, *text;
} texts[] = {
    {"", ""},
    {"plain\n\ttext", "plain\n\ttext"},
    {"a\r\nb\rc", "a\nb" BAD "c"},
    {"\x1b[31mred\x7f", BAD "[31mred" BAD},
    {"ω κ² €😀", "ω κ² €😀"},
    {"\xff\xfe", BAD BAD},
    {"\xc0\xaf", BAD BAD},                 /* overlong / */
    {"\xe0\x80\xaf", BAD BAD BAD},         /* overlong / */
    {"\xf0\x80\x80\xaf", BAD BAD BAD BAD}, /* overlong / */
    {"\xed\xa0\x80", BAD BAD BAD},         /* a surrogate */
    {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* beyond U+10FFFF */
    {"\xf8\x88\x80\x80\x80", BAD BAD BAD BAD BAD},
    {"\xf8\x90\x80\x80", BAD BAD BAD BAD},
    {"\xef\xbf\xbe", BAD BAD BAD}, /* U+FFFE, which XML does not allow */
    {"\xc2\x85", BAD BAD},         /* a control character, next line */
    {"cut \xe2\x82", "cut " BAD BAD},
    {"\xc3(", BAD "("},
};

START_TEST(text_becomes_printable_utf8) {
  char *text = text_clean(texts[_i].bytes, strlen(texts[_i].bytes), 100);
  ck_assert_str_eq(text, texts[_i].text);
  free(text);
}
END_TEST

START_TEST(text_is_cut_between_characters) {
  char *text = text_clean("abcω", 5, 4);
  ck_assert_str_eq(text, "abc\n[2 more bytes]");
  free(text);
  text = text_clean("abcω", 5, 5);
  ck_assert_str_eq(text, "abcω");
  free(text);
  text = text_clean("a\0b", 3, 100); /* JSON may hold a zero byte */
  ck_assert_str_eq(text, "a" BAD "b");
  free(text);
}
END_TEST

START_TEST(a_template_is_filled) {
  static const char *const cases[][2] = {
      {"{{a}} {{n}} {{none}}{{no}}.", "&lt;b&gt; 7 ."},
      {"{{#list}}[{{a}}{{b}}]{{/list}}{{^list}}none{{/list}}", "[1][]none"},
      {"{{#in}}{{a}}-{{b}}{{#more}}{{a}}{{/more}}{{/in}}{{a}}", "-2&lt;b&gt;"},
      {"{{#yes}}{{a}}{{/yes}}{{#no}}{{#list}}x{{/list}}{{/no}}{{^no}}n{{/no}}{{#empty}}e{{/empty}}",
       "&lt;b&gt;n"},
      {"a\n  b\n  <c\n  {{n}}\nd", "a b<c7\nd"},
  };
  json_t *members = json_pack("{s:s, s:i, s:[{s:s}, {}], s:{s:s}, s:b, s:b, s:s}", "a", "<b>", "n", 7, "list",
                              "a", "1", "in", "b", "2", "yes", 1, "no", 0, "empty", "");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[128] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    template_write(cases[k][0], members, out);
    fclose(out);
    ck_assert_str_eq(text, cases[k][1]);
  }
  json_decref(members);
}
END_TEST

START_TEST(malformed_results_are_refused_by_name) {
  static const char *const heads[] = {"schema",  "kit",    "submission", "mode",    "isolation", "seed",
                                      "verdict", "points", "max_points", "seconds", "labs"};
  static const char *const labs[] = {"lab", "points", "max_points", "verdict", "items"};
  static const char *const lines[] = {"id", "title", "kind", "verdict", "points", "max_points"};
  static const struct {
    const char *const *keys;
    size_t count;
  } levels[] = {{heads, 11}, {labs, 5}, {lines, 6}};
  for (size_t level = 0; level < 3; level++)
    for (size_t k = 0; k < levels[level].count; k++) {
      struct report report;
      json_t *result = sample();
      json_t *objects[] = {result, lab_of(result, 1), line_of(result, 1, 1)};
      const char *key = levels[level].keys[k];
      json_object_set_new(objects[level], key, json_true());
      ck_assert_msg(!report_read(&report, result, &error), "a result with %s: true was read", key);
      if (strcmp(key, "submission") != 0)
        ck_assert_msg(strstr(error.text, key), "expected '%s' in \"%s\"", key, error.text);
      json_object_del(objects[level], key);
      ck_assert(!report_read(&report, result, &error));
      json_decref(result);
    }
}
END_TEST

START_TEST(formats_are_a_list_of_names) {
  char names[256] = "";
  for (const struct report_format *format = report_formats; format->name; format++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "", format->name);
  ck_assert_str_eq(names, REPORT_FORMATS);
  ck_assert(report_check("gradescope", &error));
  ck_assert(report_check("junit,tap,autolab,classroom50,prairielearn,gradescope,html", &error));
  static const char *const bad[] = {"",           ",",         "junit,",      ",junit",
                                    "junit,,tap", "gradescop", "junit,junit", "junit tap"};
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    ck_assert_msg(!report_check(bad[k], &error), "'%s' was taken", bad[k]);
    ck_assert_ptr_nonnull(strstr(error.text, "expected a list of html, gradescope"));
  }
}
END_TEST

static char directory[PATH_MAX];

static void assert_there(const char *name, bool expected) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  ck_assert_msg((access(path, F_OK) == 0) == expected, "%s %s", path, expected ? "is missing" : "is there");
}

START_TEST(files_are_saved_and_stale_ones_removed) {
  const char *all = "html,gradescope,autolab,classroom50,prairielearn,junit,tap";
  json_t *result = sample();
  snprintf(directory, sizeof directory, "%s/test_reports.XXXXXX",
           getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  ck_assert_int_eq(rmdir(directory), 0);
  ck_assert_msg(report_save(result, all, directory, &error), "%s", error.text);
  for (const struct report_format *format = report_formats; format->name; format++)
    assert_there(format->file, true);
  set_text(result, "verdict", "INFRA");
  ck_assert_msg(report_save(result, all, directory, &error), "%s", error.text);
  assert_there("classroom50.json", false); /* Classroom 50 counts a result without tests as passed */
  ck_assert_msg(report_save(result, "classroom50", directory, &error), "%s", error.text);
  for (const struct report_format *format = report_formats; format->name; format++) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, format->file);
    unlink(path);
  }
  ck_assert_int_eq(rmdir(directory), 0); /* no temporary file remains */
  strcat(directory, "/reports");
  ck_assert(!report_save(result, "junit", directory, &error));
  ck_assert_ptr_nonnull(strstr(error.text, directory));
  json_decref(result);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("reports");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, gradescope_follows_the_specification);
  tcase_add_test(tests, gradescope_has_no_score_for_what_was_not_run);
  tcase_add_test(tests, gradescope_lists_the_leaderboard);
  tcase_add_test(tests, a_line_tells_all_that_it_knows);
  tcase_add_test(tests, results_of_the_old_schema_are_read);
  tcase_add_test(tests, hidden_lines_are_one_and_say_so);
  tcase_add_test(tests, all_public_passed_is_said_when_they_did);
  tcase_add_test(tests, autolab_ends_with_feedback_and_autoresult);
  tcase_add_test(tests, autolab_finds_no_word_before_a_colon);
  tcase_add_test(tests, classroom50_counts_in_whole_points);
  tcase_add_test(tests, classroom50_rounds_any_points_fairly);
  tcase_add_test(tests, prairielearn_scores_a_fraction);
  tcase_add_test(tests, prairielearn_stays_below_a_megabyte);
  tcase_add_test(tests, infra_is_no_grade);
  tcase_add_loop_test(tests, an_item_reads_as_it_stands, 0, sizeof items / sizeof items[0]);
  tcase_add_loop_test(tests, a_lab_stands_as_its_items_do, 0, sizeof sums / sizeof sums[0]);
  tcase_add_test(tests, the_page_leads_with_points);
  tcase_add_test(tests, a_measure_has_its_unit);
  tcase_add_test(tests, hostile_text_stays_json);
  tcase_add_loop_test(tests, text_becomes_printable_utf8, 0, sizeof texts / sizeof texts[0]);
  tcase_add_test(tests, text_is_cut_between_characters);
  tcase_add_test(tests, a_template_is_filled);
  tcase_add_test(tests, malformed_results_are_refused_by_name);
  tcase_add_test(tests, formats_are_a_list_of_names);
  tcase_add_test(tests, files_are_saved_and_stale_ones_removed);
  return suite_run_case("reports", tests);
}
