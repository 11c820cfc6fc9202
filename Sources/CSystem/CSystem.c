#define _GNU_SOURCE
#include "CSystem.h"

#ifdef __linux__
#include <errno.h>
#include <sys/syscall.h>

// libdispatch, which runs the tasks of Swift, raises the priority of its threads, up to 4 above the normal one. Linux
// denies this to every ordinary user, and libdispatch writes a line to the system's log for each thread. This definition
// takes the place of glibc's: a priority is lowered only.
int setpriority(__priority_which_t which, id_t who, int value) {
    errno = 0;
    int current = getpriority(which, who);
    if (current == -1 && errno != 0) return -1;
    return value > current ? (int)syscall(SYS_setpriority, which, who, value) : 0;
}
#endif
