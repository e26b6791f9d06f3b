/* test_isolation JAILED ESCAPE: what a program in a jail cannot do, and what the self-test says of a machine. */
#define _GNU_SOURCE /* mkdtemp */
#include "error.h"
#include "guard.h"
#include "jail.h"
#include "seccomp_filter.h"
#include "suite.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { KILLED_BY_FILTER = 128 + 31, NO_JAIL = 99 };

static char jailed[PATH_MAX], escape[PATH_MAX], folder[PATH_MAX], text[8192];
static bool is_capable; /* of level full */

/* The exit status of a shell command; text holds what it prints, standard error included. */
__attribute__((format(printf, 1, 2))) static int sh(const char *format, ...) {
  char command[8192];
  va_list values;
  va_start(values, format);
  vsnprintf(command, sizeof command - 8, format, values);
  va_end(values);
  strcat(command, " 2>&1");
  FILE *stream = popen(command, "r");
  const size_t length = fread(text, 1, sizeof text - 1, stream);
  text[length] = '\0';
  const int status = pclose(stream);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_file(const char *name, const char *content, mode_t mode) {
  FILE *file = fopen(name, "w");
  fputs(content, file);
  fclose(file);
  chmod(name, mode);
}

#define SAYS(part) ck_assert_msg(strstr(text, part) != NULL, "expected \"%s\" in \"%s\"", part, text)
#define SILENT_ON(part) ck_assert_msg(strstr(text, part) == NULL, "unexpected \"%s\" in \"%s\"", part, text)

/* --- the filter of system calls --- */

static const char *const fatal[] = {"acct",
                                    "bpf",
                                    "delete_module",
                                    "finit_module",
                                    "init_module",
                                    "kexec_file_load",
                                    "kexec_load",
                                    "open_by_handle_at",
                                    "pivot_root",
                                    "process_vm_writev",
                                    "quotactl",
                                    "reboot",
                                    "setns",
                                    "swapon",
                                    "userfaultfd",
#ifdef __x86_64__
                                    "x32",
                                    "32 bits",
#endif
                                    NULL};
static const char *const refused[] = {"add_key",
                                      "chroot",
                                      "clone3",
                                      "io_uring_setup",
                                      "kcmp",
                                      "keyctl",
                                      "memfd_create",
                                      "mount",
                                      "msgget",
                                      "name_to_handle_at",
                                      "perf_event_open",
                                      "personality",
                                      "process_vm_readv",
                                      "ptrace",
                                      "request_key",
                                      "semget",
                                      "shmget",
                                      "socketpair",
                                      "umount2",
                                      "unshare",
                                      "pidfd_getfd",
                                      "open_tree",
                                      "unix socket",
                                      "internet socket",
                                      "netlink socket",
                                      "virtual machine socket",
                                      "hidden memory",
                                      "terminal input",
                                      "terminal input in 64 bits",
                                      "user namespace",
                                      "process namespace",
                                      "mount namespace",
                                      "network namespace",
#ifdef __x86_64__
                                      "modify_ldt",
#endif
                                      NULL};
static const char *const levels[] = {"full 1", "reduced 1"};

static void expect_status(const char *const *deeds, int status) {
  for (size_t level = 0; level < 2; level++)
    for (; *deeds && (level > 0 || is_capable); deeds++) {
      const int got = sh("%s readable=%s '%s' %s '%s'", jailed, escape, levels[level], escape, *deeds);
      ck_assert_msg(got == status, "%s, level %s: expected status %d, got %d: %s", *deeds, levels[level],
                    status, got, text);
    }
}

START_TEST(calls_of_attacks_kill) { expect_status(fatal, KILLED_BY_FILTER); }
END_TEST

START_TEST(other_calls_are_refused) { expect_status(refused, 1); }
END_TEST

/* --- level full --- */

START_TEST(it_sees_the_system_and_its_files_alone) {
  write_file("given.txt", "given", 0644);
  write_file("secret.txt", "secret", 0644);
  ck_assert_int_eq(sh("%s readable=%s/given.txt 'full 1' /bin/sh -c 'cat %s/given.txt; ls %s; ls /dev /etc'",
                      jailed, folder, folder, folder),
                   0);
  ck_assert_str_eq(text, "givengiven.txt\n/dev:\nfd\nnull\nurandom\n\n/etc:\nalternatives\nld.so.cache\n");
  ck_assert_int_eq(sh("%s 'full 1' /bin/sh -c 'for f in /boot /home /mnt /opt /root /run /srv /var; do "
                      "! test -e $f || echo $f; done'",
                      jailed),
                   0);
  ck_assert_str_eq(text, "");
}
END_TEST

/* Without them, a page fault for each 4096 bytes is a fifth of a program's time. */
START_TEST(the_c_library_finds_large_pages) {
  const char *large = "/sys/kernel/mm/transparent_hugepage";
  for (size_t level = 0; level < 2 && access(large, F_OK) == 0; level++)
    ck_assert_int_eq(sh("%s '%s' /bin/cat %s/hpage_pmd_size %s/enabled", jailed, levels[level], large, large),
                     0);
  sh("%s 'full 1' /usr/bin/find /sys -maxdepth 4 ! -path '%s/*'", jailed, large);
  ck_assert_str_eq(text, access(large, F_OK) == 0
                             ? "/sys\n/sys/kernel\n/sys/kernel/mm\n/sys/kernel/mm/transparent_hugepage\n"
                             : "");
}
END_TEST

START_TEST(a_closed_folder_hides_no_file_that_is_given) {
  mkdir("closed", 0700);
  write_file("closed/given.txt", "given", 0644);
  ck_assert_int_eq(
      sh("%s readable=%s/closed/given.txt 'full 1' /bin/cat %s/closed/given.txt", jailed, folder, folder), 0);
  ck_assert_str_eq(text, "given");
}
END_TEST

START_TEST(it_writes_into_its_folder_alone) {
  static const char *const places[] = {"/", "/usr", "/etc", "/dev", "/proc/sys/kernel", "/var/tmp"};
  struct stat status;
  write_file("given.txt", "given", 0666);
  mkdir("own", 0755);
  for (size_t n = 0; n < sizeof places / sizeof *places; n++)
    ck_assert_msg(sh("%s 'full 1' /bin/sh -c 'echo > %s/probe.txt'", jailed, places[n]) != 0, "%s",
                  places[n]);
  ck_assert_int_ne(
      sh("%s readable=%s/given.txt 'full 1' /bin/sh -c 'echo > %s/given.txt'", jailed, folder, folder), 0);
  ck_assert_int_eq(sh("%s writable=%s/own 'full 1' /bin/sh -c 'echo > made.txt; pwd'", jailed, folder), 0);
  SAYS("/own\n");
  ck_assert_int_eq(stat("own/made.txt", &status), 0);
  ck_assert_int_eq(status.st_uid, geteuid() == 0 ? JAIL_FIRST_USER + 1 : geteuid());
}
END_TEST

/* Only its own folder is a tmpfs: files below /tmp are neither hidden nor in a folder that can be written. */
START_TEST(files_may_be_below_tmp) {
  char place[] = "/tmp/isolation.XXXXXX", name[64];
  ck_assert(mkdtemp(place) && chmod(place, 0755) == 0);
  snprintf(name, sizeof name, "%s/given.txt", place);
  write_file(name, "given", 0644);
  const int seen = sh("%s readable=%s 'full 1' /bin/cat %s", jailed, name, name);
  const int written = sh("%s readable=%s 'full 1' /bin/sh -c 'echo > %s/own.txt || echo > /tmp/own.txt'",
                         jailed, name, place);
  unlink(name);
  rmdir(place);
  ck_assert_int_eq(seen, 0);
  ck_assert_int_ne(written, 0);
}
END_TEST

START_TEST(a_link_is_no_writable_folder) {
  struct stat status;
  mkdir("victim", 0755);
  ck_assert_int_eq(symlink("victim", "link"), 0);
  ck_assert_int_eq(sh("%s writable=%s/link 'full 1' /bin/true", jailed, folder), NO_JAIL);
  ck_assert_int_eq(stat("victim", &status), 0);
  ck_assert_int_eq(status.st_uid, geteuid());
}
END_TEST

START_TEST(its_temporary_files_are_few) {
  ck_assert_int_eq(sh("%s readable=%s tmpfs=1048576 'full 1' %s fill own.bin", jailed, escape, escape), 0);
  ck_assert_int_eq(atoi(text), 1 << 20);
  ck_assert_int_eq(sh("%s readable=%s 'full 1' %s fill /dev/shm/x", jailed, escape, escape), 1);
}
END_TEST

START_TEST(it_sees_no_other_process) {
  ck_assert_int_eq(sh("%s 'full 1' /bin/sh -c 'cd /proc; echo [0-9]*'", jailed), 0);
  ck_assert_str_eq(text, "1 2\n");
}
END_TEST

START_TEST(its_processes_are_counted) {
  for (int run = 0; run < 2; run++) { /* none is left of the first */
    ck_assert_int_eq(sh("%s readable=%s 'full 1' %s 'count processes'", jailed, escape, escape), 0);
    ck_assert_msg(atoi(text) > JAIL_PROCESSES / 2 && atoi(text) < JAIL_PROCESSES, "%s processes", text);
  }
}
END_TEST

START_TEST(it_has_no_network) {
  ck_assert_int_eq(
      sh("%s 'full 1' /bin/sh -c 'sed 1,2d /proc/net/dev | cut -d: -f1; sed 1d /proc/net/route'", jailed), 0);
  ck_assert_str_eq(text, "    lo\n");
}
END_TEST

START_TEST(its_limits_are_set) {
  for (size_t level = 0; level < 2; level++) {
    ck_assert_int_eq(sh("%s readable=%s '%s' %s limits", jailed, escape, levels[level], escape), 0);
    ck_assert_str_eq(text, "0 0 65536 ");
  }
}
END_TEST

START_TEST(it_has_no_privilege) {
  for (size_t level = 0; level < 2; level++) {
    ck_assert_int_eq(sh("%s '%s' /bin/sh -c 'while read a b; do echo \"$a $b\"; done < /proc/self/status'",
                        jailed, levels[level]),
                     0);
    SAYS("NoNewPrivs: 1\n");
    SAYS("Seccomp: 2\n");
    SAYS("CapEff: 0000000000000000\n");
    if (geteuid() == 0 || level == 0)
      SAYS("CapBnd: 0000000000000000\n");
  }
}
END_TEST

START_TEST(slots_are_users) {
  if (geteuid() != 0) {
    suite_skip("only root gives each slot a user of its own");
    return;
  }
  for (int slot = 0; slot < 3; slot++) {
    ck_assert_int_eq(
        sh("%s '%s %d' /bin/sh -c 'id -u; id -g; id -G'", jailed, slot ? "full" : "reduced", slot), 0);
    char expected[64];
    snprintf(expected, sizeof expected, "%d\n%d\n%d\n", JAIL_FIRST_USER + slot, JAIL_FIRST_USER + slot,
             JAIL_FIRST_USER + slot);
    ck_assert_str_eq(text, expected);
  }
}
END_TEST

START_TEST(inherited_descriptors_are_all) {
  write_file("run.sh",
             "exec 7</dev/null\nfor n in {3..6} {8..255}; do eval \"exec $n<&-\"; done 2>/dev/null\n"
             "\"$1\" 'full 1' /bin/sh -c 'cd /proc/self/fd; echo *'\n",
             0644); /* echo opens the folder as 3 */
  ck_assert_int_eq(sh("bash run.sh %s", jailed), 0);
  ck_assert_str_eq(text, "0 1 2 3 7\n");
}
END_TEST

/* --- starts and ends --- */

START_TEST(ends_are_passed_on) {
  for (size_t level = 0; level < 2; level++) {
    ck_assert_int_eq(sh("%s '%s' /bin/sh -c 'exit 7'", jailed, levels[level]), 7);
    ck_assert_int_eq(sh("%s readable=%s '%s' %s signal 11", jailed, escape, levels[level], escape), 128 + 11);
    ck_assert_int_eq(sh("%s readable=%s '%s' %s signal 9", jailed, escape, levels[level], escape), 128 + 9);
  }
}
END_TEST

START_TEST(a_jail_that_cannot_be_made_is_no_end) {
  ck_assert_int_eq(sh("%s readable=/nowhere 'full 1' /bin/true", jailed), NO_JAIL);
  suite_assert_line(text, "the jail: /nowhere: No such file or directory");
  ck_assert_int_eq(sh("PATH=/nowhere %s 'full 1' /bin/true", jailed), NO_JAIL);
  suite_assert_line(text, "the jail: bwrap is not in PATH");
  mkdir("bin", 0755);
  write_file("bin/bwrap", "#!/bin/sh\necho 'bwrap: no room'\nexit 1\n", 0755);
  ck_assert_int_eq(sh("PATH=%s/bin:$PATH %s 'full 1' /bin/true", folder, jailed), NO_JAIL);
}
END_TEST

START_TEST(all_its_processes_go_with_it) {
  ck_assert_int_eq(sh("%s 'full 1' /bin/sh -c '(sleep 54321 &)'; pgrep -fx 'sleep 5432[1]'", jailed), 1);
  sh("exec 2>/dev/null; timeout -s KILL 0.3 %s 'full 1' /bin/sh -c 'sleep 54322 & sleep 54322'; sleep 0.3",
     jailed);
  ck_assert_int_eq(sh("pgrep -fx 'sleep 5432[2]'"), 1);
}
END_TEST

START_TEST(a_jail_is_a_word) {
  static const char *const words[] = {"none 0", "reduced 3", "reduced 63 namespaces", "full 5"};
  struct jail jail = {.slot = 0};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
    char again[64];
    ck_assert(jail_read(words[n], &jail));
    jail_print(&jail, again, sizeof again);
    ck_assert_str_eq(again, words[n]);
  }
  ck_assert(!jail_read("full", &jail) && !jail_read("full 64", &jail) && !jail_read("fuller 1", &jail));
  ck_assert(!jail_read("full -1", &jail) && !jail_read("full 1 ", &jail));
}
END_TEST

/* --- level reduced --- */

START_TEST(reduced_has_landlock) {
  write_file("given.txt", "given", 0666);
  write_file("secret.txt", "secret", 0644);
  mkdir("own", 0755);
  const char *reduced = "reduced 1";
  ck_assert_int_eq(sh("%s readable=%s/given.txt '%s' /bin/cat %s/given.txt", jailed, folder, reduced, folder),
                   0);
  ck_assert_int_eq(sh("%s '%s' /bin/cat %s/secret.txt", jailed, reduced, folder), 1);
  SAYS("Permission denied");
  ck_assert_int_ne(sh("%s '%s' /bin/sh -c 'echo > /var/tmp/probe.$$'", jailed, reduced), 0);
  ck_assert_int_ne(sh("%s '%s' /bin/sh -c 'echo > /dev/shm/probe.$$'", jailed, reduced), 0);
  ck_assert_int_ne(
      sh("%s readable=%s/given.txt '%s' /bin/sh -c 'echo > %s/given.txt'", jailed, folder, reduced, folder),
      0);
  ck_assert_int_eq(sh("%s writable=%s/own '%s' /bin/sh -c 'echo > made.txt'", jailed, folder, reduced), 0);
}
END_TEST

START_TEST(reduced_runs_a_program_in_a_closed_folder) {
  mkdir("closed", 0700);
  ck_assert_int_eq(sh("cp %s closed/escape", escape), 0);
  ck_assert_int_eq(
      sh("%s readable=%s/closed/escape 'reduced 1' %s/closed/escape limits", jailed, folder, folder), 0);
  ck_assert_str_eq(text, "0 0 65536 ");
}
END_TEST

/* --- the self-test --- */

static const char ordinary[] = "setpriv --reuid 12345 --regid 12345 --clear-groups --no-new-privs";
static const char without_bwrap[] = "mkdir -p few; ln -sf $(command -v prlimit) few/; PATH=$PWD/few";

START_TEST(level_full_holds) {
  write_file("secret.txt", "secret", 0644);
  ck_assert_int_eq(sh("CANARY=1 %s secret=%s/secret.txt 'self-test full'", jailed, folder), 0);
  ck_assert_str_eq(text, "full namespaces\n");
  if (geteuid() == 0) {
    ck_assert_int_eq(sh("CANARY=1 %s %s secret=%s/secret.txt 'self-test full'", ordinary, jailed, folder), 0);
    ck_assert_str_eq(text, "full namespaces\n");
  }
}
END_TEST

START_TEST(without_bubblewrap_isolation_is_reduced) {
  ck_assert_int_eq(sh("%s %s 'self-test full'", without_bwrap, jailed), 0);
  ck_assert_msg(strncmp(text, "reduced\nbubblewrap: apt install bubblewrap; ", 44) == 0, "%s", text);
  SAYS("network interfaces are visible");
  if (seccomp_filter_can_limit()) {
    SILENT_ON("sockets");
    SILENT_ON("namespaces can");
  } else {
    SAYS("; libseccomp: apt install libseccomp-dev, and build again; ");
    SAYS("no system call is refused; ");
  }
}
END_TEST

START_TEST(without_user_namespaces_isolation_is_reduced) {
  if (sh("unshare -U -r true") != 0) {
    suite_skip("no user namespaces");
    return;
  }
  ck_assert_int_eq(
      sh("unshare -U -r sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec %s \"self-test full\"'",
         jailed),
      0);
  if (seccomp_filter_can_limit()) {
    ck_assert_msg(strncmp(text, "reduced\nnew namespaces (bwrap: ", 31) == 0, "%s", text);
    SAYS("sysctl -w user.max_user_namespaces=");
  } else {
    SAYS("reduced\n");
    SAYS("libseccomp: apt install libseccomp-dev, and build again; ");
  }
}
END_TEST

START_TEST(a_leaking_jail_is_not_full) {
  mkdir("leak", 0755);
  write_file("secret.txt", "secret", 0644);
  write_file("leak/bwrap",
             "#!/bin/bash\n# bubblewrap with a folder of the machine\n"
             "PATH=${PATH#*:} exec bwrap --ro-bind /var/tmp /var/tmp \"$@\"\n",
             0755);
  ck_assert_int_eq(sh("PATH=%s/leak:$PATH %s secret=%s/secret.txt 'self-test full'", folder, jailed, folder),
                   0);
  ck_assert_msg(strncmp(text, "reduced", 7) == 0, "%s", text);
  SAYS("files of the grader are readable");
}
END_TEST

START_TEST(users_of_slots_must_read_the_kit) {
  mkdir("closed", 0700);
  write_file("closed/needed.txt", "needed", 0644);
  if (geteuid() != 0)
    return;
  ck_assert_int_eq(sh("%s; %s needed=%s/closed/needed.txt 'self-test full'", without_bwrap, jailed, folder),
                   0);
  ck_assert_msg(strncmp(text, "none\n", 5) == 0, "%s", text);
  SAYS("cannot read");
}
END_TEST

START_TEST(none_needs_no_test) {
  ck_assert_int_eq(sh("%s 'self-test none'", jailed), 0);
  ck_assert_str_eq(text, "none\n");
}
END_TEST

/* Asks the machine, not the code that is tested: a jail with a hole must fail here, not skip its tests. */
static bool machine_can_isolate(void) {
  return seccomp_filter_can_limit() && sh("command -v prlimit") == 0 &&
         sh("%s bwrap --unshare-all --ro-bind / / --proc /proc true", geteuid() == 0 ? ordinary : "") == 0;
}

static void enter(void) {
  char name[] = "/var/tmp/isolation.XXXXXX";
  if (!mkdtemp(name) || !realpath(name, folder) || chmod(folder, 0777) != 0 || chdir(folder) != 0)
    error_die("cannot make a folder");
}

static TCase *cases_of_full(void) {
  TCase *cases = tcase_create("full");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, it_sees_the_system_and_its_files_alone);
  tcase_add_test(cases, the_c_library_finds_large_pages);
  tcase_add_test(cases, a_closed_folder_hides_no_file_that_is_given);
  tcase_add_test(cases, it_writes_into_its_folder_alone);
  tcase_add_test(cases, files_may_be_below_tmp);
  tcase_add_test(cases, a_link_is_no_writable_folder);
  tcase_add_test(cases, its_temporary_files_are_few);
  tcase_add_test(cases, it_sees_no_other_process);
  tcase_add_test(cases, its_processes_are_counted);
  tcase_add_test(cases, it_has_no_network);
  tcase_add_test(cases, its_limits_are_set);
  tcase_add_test(cases, it_has_no_privilege);
  tcase_add_test(cases, slots_are_users);
  tcase_add_test(cases, inherited_descriptors_are_all);
  tcase_add_test(cases, ends_are_passed_on);
  tcase_add_test(cases, a_jail_that_cannot_be_made_is_no_end);
  tcase_add_test(cases, all_its_processes_go_with_it);
  tcase_add_test(cases, level_full_holds);
  tcase_add_test(cases, a_leaking_jail_is_not_full);
  return cases;
}

/* Each of them holds the end of a pipe. As in bubblewrap, which can leave a process that nobody ends. */
static void start_and_wait(int end) {
  const pid_t killed = getpid();
  if (fork() == 0) {
    guard_go_on(killed);
    if (fork() == 0) {
      setsid();
      signal(SIGTERM, SIG_IGN);
      if (write(end, "x", 1) != 1)
        _exit(1);
    }
  }
  for (;;)
    pause();
}

START_TEST(what_a_killed_process_has_started_ends) {
  int ends[2];
  char letter;
  ck_assert_int_eq(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0)
    start_and_wait(ends[1]);
  close(ends[1]);
  ck_assert_int_eq(read(ends[0], &letter, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  struct pollfd end = {.fd = ends[0], .events = POLLIN};
  ck_assert_msg(poll(&end, 1, 30000) == 1 && read(ends[0], &letter, 1) == 0, "a process is left");
  close(ends[0]);
}
END_TEST

static TCase *cases_of_every_machine(void) {
  TCase *cases = tcase_create("every machine");
  tcase_set_timeout(cases, 120);
  if (seccomp_filter_can_limit()) {
    tcase_add_test(cases, calls_of_attacks_kill);
    tcase_add_test(cases, other_calls_are_refused);
  }
  tcase_add_test(cases, a_jail_is_a_word);
  tcase_add_test(cases, what_a_killed_process_has_started_ends);
  tcase_add_test(cases, reduced_has_landlock);
  tcase_add_test(cases, reduced_runs_a_program_in_a_closed_folder);
  tcase_add_test(cases, without_bubblewrap_isolation_is_reduced);
  tcase_add_test(cases, without_user_namespaces_isolation_is_reduced);
  tcase_add_test(cases, users_of_slots_must_read_the_kit);
  tcase_add_test(cases, none_needs_no_test);
  return cases;
}

int main(int argc, char **argv) {
  if (argc != 3 || !realpath(argv[1], jailed) || !realpath(argv[2], escape))
    error_die("expected JAILED ESCAPE");
  Suite *suite = suite_create("isolation");
  is_capable = machine_can_isolate();
  enter();
  suite_add_tcase(suite, cases_of_every_machine());
  if (is_capable)
    suite_add_tcase(suite, cases_of_full());
  else if (JAIL_KIND[0] == '\0') /* the unfiltered one never isolates at that level */
    suite_skip("isolation at level full needs bubblewrap, libseccomp and user namespaces");
  const int status = suite_run(suite);
  sh("rm -rf %s", folder);
  return status;
}
