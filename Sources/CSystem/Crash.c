#define _GNU_SOURCE
#include "CSystem.h"

#ifdef __linux__
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
static const char *const names[] = {[SIGILL] = "SIGILL", [SIGTRAP] = "SIGTRAP", [SIGSEGV] = "SIGSEGV",
                                    [SIGBUS] = "SIGBUS", [SIGFPE] = "SIGFPE",   [SIGABRT] = "SIGABRT"};
static char program[128], path[4096], text[8192];
static size_t length;
static int output;
static _Thread_local char request[256];

static void put(const char *const *parts) {
    for (; *parts != NULL; parts++)
        for (const char *part = *parts; *part != 0 && length < sizeof text; part++) text[length++] = *part;
}

// Addresses as in the file of the program, from that of the crash on.
static _Unwind_Reason_Code put_address(struct _Unwind_Context *context, void *count) {
    int is_exact = 0;  // otherwise it follows a call
    uintptr_t code = _Unwind_GetIPInfo(context, &is_exact);
    if (*(int *)count == 0 && !is_exact) return _URC_NO_REASON;
    if (code == 0 || ++*(int *)count > 64) return _URC_END_OF_STACK;
    code -= (__ehdr_start.e_type == ET_DYN ? (uintptr_t)&__ehdr_start : 0) + !is_exact;
    char digits[20] = "", *digit = digits + sizeof digits - 1;
    for (; code != 0; code /= 16) *--digit = "0123456789abcdef"[code % 16];
    put((const char *[]){" 0x", digit, NULL});
    return _URC_NO_REASON;
}

static void flush(int file) {
    if (file >= 0) (void)!write(file, text, length);
    (void)!write(output, text, length);
    length = 0;
}

// It calls only what signal-safety(7) allows, but for the unwinder, which may fail where memory is damaged: the first
// lines are written before, and SIGALRM ends what hangs, also when nobody reads the output.
static void report(int number, siginfo_t *info, void *context) {
    static atomic_flag crashed = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&crashed)) pause();  // the thread that came first ends the process
    alarm(5);
    int count = 0, file = path[0] == 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0600);
    put((const char *[]){"sooke: crashed: ", names[number], ", ", program, "\n  request: ",
                         request[0] != 0 ? request : "none", "\n  addresses:", NULL});
    flush(file);
    _Unwind_Backtrace(put_address, &count);
    put((const char *[]){"\nsooke: send these lines to whoever maintains sooke, and say what was done before",
                         file < 0 ? "" : "; they are also in ", file < 0 ? "" : path, "\n", NULL});
    flush(file);
    signal(number, SIG_DFL);
    raise(number);  // when the handler returns
}

void sooke_report_crashes(const char *name, int descriptor, const char *file) {
    strncpy(program, name, sizeof program - 1);
    strncpy(path, file, sizeof path - 1);
    output = descriptor;
    struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGALRM);
    for (int number = 0; number < (int)(sizeof names / sizeof *names); number++)
        if (names[number]) sigaction(number, &action, NULL);
}

void sooke_set_request(const unsigned char *bytes, size_t count) {
    if (count >= sizeof request) count = sizeof request - 1;
    for (size_t index = 0; index < count; index++)
        request[index] = bytes[index] >= ' ' && bytes[index] <= '~' ? (char)bytes[index] : '?';
    request[count] = 0;
}

const char *sooke_request(void) { return request; }

void sooke_call_with_signal_stack(void (*body)(void *), void *context) {
    char stack[65536];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    body(context);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}
#endif
