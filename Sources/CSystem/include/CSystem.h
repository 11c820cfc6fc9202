#ifndef SOOKE_CSYSTEM_H
#define SOOKE_CSYSTEM_H

// What Glibc's Swift module leaves out.

#ifdef __linux__
#include <crypt.h>
#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#endif
#include <zlib.h>
#include <sys/file.h>

// flock(2). Swift sees two things of this name, the function and a structure of fcntl; this names the function.
static inline int sooke_flock(int descriptor, int operation) {
    return flock(descriptor, operation);
}

#ifdef __linux__
// Declared by glibc only under _GNU_SOURCE, which Swift's module does not set.
static const int sooke_open_name = 010000000;  // O_PATH
static const int sooke_empty_path = 0x1000;    // AT_EMPTY_PATH
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end);
int accept4(int, struct sockaddr *, socklen_t *, int);
extern int wcwidth(wchar_t character);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// prctl(2) takes a varying number of arguments, which Swift cannot call. At most 15 bytes of the name count.
static inline void sooke_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// The calling process gets SIGTERM when its parent ends.
static inline void sooke_end_with_parent(void) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

// fork(2), which Swift's module declares as unavailable, because it is wrong in a process with threads.
static inline pid_t sooke_fork(void) {
    return fork();
}

// Reports crashes of a program to a descriptor, and to a file unless its path is empty.
void sooke_report_crashes(const char *program, int output, const char *path);
// The request of the calling thread, for the report.
void sooke_set_request(const unsigned char *bytes, size_t count);
const char *sooke_request(void);
// Calls a function on a thread whose signal handlers run on a stack of their own.
void sooke_call_with_signal_stack(void (*body)(void *), void *context);

// setpriority(2), whose first argument is an enumeration that Swift cannot pass. Linux keeps a priority a thread, and
// disk access goes by it: the calling one gets the lowest.
static inline void sooke_lower_priority(void) {
    setpriority(PRIO_PROCESS, 0, 19);
}

// Files beyond the size limit of the process (ulimit -f) are an error of the write, EFBIG, not the end of the process.
static inline void sooke_ignore_file_size_signal(void) {
    signal(SIGXFSZ, SIG_IGN);
}
#endif

#endif
