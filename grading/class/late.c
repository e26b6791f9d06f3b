#define _DEFAULT_SOURCE /* timegm */
#include "late.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "Z", "+01:00", "-0530" or "". */
static bool read_zone(const char *text, struct late_time *time) {
  int hours, minutes, end = 0;
  time->has_zone = text[0] != '\0';
  if (!text[0] || strcmp(text, "Z") == 0)
    return true;
  if ((sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &end) != 2 &&
       sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &end) != 2) ||
      text[1 + end] || (text[0] != '+' && text[0] != '-') || hours < 0 || hours > 14 || minutes < 0 ||
      minutes > 59)
    return false;
  time->seconds -= (text[0] == '+' ? 60 : -60) * (60 * hours + minutes);
  return true;
}

bool late_time_read(const char *text, struct late_time *time, struct error *error) {
  struct tm read = {0};
  char between;
  int used = 0, seconds = 0;
  if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &read.tm_year, &read.tm_mon, &read.tm_mday, &between,
             &read.tm_hour, &read.tm_min, &used) == 6 &&
      (between == ' ' || between == 'T')) {
    if (sscanf(text + used, ":%2d%n", &read.tm_sec, &seconds) == 1)
      used += seconds;
    read.tm_year -= 1900;
    read.tm_mon--;
    struct tm same = read;
    time->seconds = timegm(&same); /* changes an invalid date into a valid one */
    if (same.tm_mon == read.tm_mon && same.tm_mday == read.tm_mday && same.tm_hour == read.tm_hour &&
        same.tm_min == read.tm_min && same.tm_sec == read.tm_sec && read_zone(text + used, time))
      return true;
  }
  return error_set(error, "'%s': expected a time like 2026-11-20 23:59 or 2026-11-20T23:59:00+01:00", text);
}

double late_percent(const struct late_policy *policy, struct late_time submitted) {
  const double late = difftime(submitted.seconds, policy->deadline.seconds) - 60 * policy->grace_minutes;
  return late > 0 ? fmin(policy->most, policy->per_day * late / 86400) : 0;
}
