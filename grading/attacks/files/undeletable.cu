// Leaves folders that cannot be removed: without rights, immutable, a mount point, or a name of odd characters.
// with: RIGHTS IMMUTABLE MOUNT NAME
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#define RIGHTS 1
#define IMMUTABLE 2
#define MOUNT 3
#define NAME 4
ATTACK {
  int flags = FS_IMMUTABLE_FL;
  mkdir("folder", 0700);
  mkdir("folder/x", 0700);
  if (WITH == MOUNT)
    mount("x", "folder", "tmpfs", 0, "");
  if (WITH == NAME)
    mkdir("folder/$(touch x)\n-rf \xff", 0700);
  const int folder = open("folder", O_RDONLY);
  if (WITH == IMMUTABLE)
    ioctl(folder, FS_IOC_SETFLAGS, &flags);
  if (WITH == RIGHTS)
    chmod("folder", 0);
  _exit(0);
}
