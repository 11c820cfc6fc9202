#ifndef SOOKE_CSYSTEM_H
#define SOOKE_CSYSTEM_H

// What Glibc's Swift module leaves out. Header only: nothing here is compiled on its own.

#ifdef __linux__
#include <crypt.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#endif
#include <sys/file.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

// flock(2). Swift sees two things of this name, the function and a structure of fcntl; this names the function.
static inline int sooke_flock(int descriptor, int operation) {
    return flock(descriptor, operation);
}

// Whether the processor has an instruction for CRC-32C; where not, sooke_crc32c gives back what it was given.
static inline int sooke_has_crc32c(void) {
#if defined(__x86_64__)
    unsigned a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
#elif defined(__ARM_FEATURE_CRC32)
    return 1;
#else
    return 0;
#endif
}

// Takes bytes into the register of a CRC-32C with the processor's instruction for it.
#if defined(__x86_64__)
__attribute__((target("sse4.2")))
#endif
static inline uint32_t sooke_crc32c(uint32_t state, const void *bytes, size_t count) {
    const unsigned char *next = (const unsigned char *)bytes;
#if defined(__x86_64__)
    uint64_t wide = state;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    state = (uint32_t)wide;
    for (; count > 0; count--) state = __builtin_ia32_crc32qi(state, *next++);
#elif defined(__ARM_FEATURE_CRC32)
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        state = __crc32cd(state, word);
    }
    for (; count > 0; count--) state = __crc32cb(state, *next++);
#endif
    return state;
}

// Whether the processor has the instructions that sooke_sha256_block takes, which are those of x86-64; where not, that
// does nothing.
static inline int sooke_has_sha256(void) {
#if defined(__x86_64__)
    unsigned a, b, c = 0, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
#else
    return 0;
#endif
}

// Takes a block of 16 words into the eight words of a SHA-256, with the 64 constants of the standard. The instructions
// want the state as the halves ABEF and CDGH, highest lane first.
#if defined(__x86_64__)
typedef uint32_t sooke_words __attribute__((vector_size(16)));
typedef int sooke_lanes __attribute__((vector_size(16)));
__attribute__((target("sha,sse4.1,ssse3")))
#endif
static inline void sooke_sha256_block(uint32_t *state, const uint32_t *block, const uint32_t *constants) {
#if defined(__x86_64__)
    sooke_words abcd, efgh, constant, words[16];
    memcpy(&abcd, state, 16);
    memcpy(&efgh, state + 4, 16);
    const sooke_words firstABEF = __builtin_shufflevector(efgh, abcd, 1, 0, 5, 4);
    const sooke_words firstCDGH = __builtin_shufflevector(efgh, abcd, 3, 2, 7, 6);
    sooke_words abef = firstABEF, cdgh = firstCDGH;
    for (int four = 0; four < 16; four++) {
        if (four < 4) {
            memcpy(&words[four], block + 4 * four, 16);
        } else {
            const sooke_words last = words[four - 1];
            const sooke_words early = (sooke_words)__builtin_ia32_sha256msg1(
                (sooke_lanes)words[four - 4], (sooke_lanes)words[four - 3]);
            const sooke_words sum = early + __builtin_shufflevector(words[four - 2], last, 1, 2, 3, 4);
            words[four] = (sooke_words)__builtin_ia32_sha256msg2((sooke_lanes)sum, (sooke_lanes)last);
        }
        memcpy(&constant, constants + 4 * four, 16);
        const sooke_words sum = words[four] + constant;
        const sooke_words later = __builtin_shufflevector(sum, sum, 2, 3, 2, 3);
        cdgh = (sooke_words)__builtin_ia32_sha256rnds2((sooke_lanes)cdgh, (sooke_lanes)abef, (sooke_lanes)sum);
        abef = (sooke_words)__builtin_ia32_sha256rnds2((sooke_lanes)abef, (sooke_lanes)cdgh, (sooke_lanes)later);
    }
    abef += firstABEF;
    cdgh += firstCDGH;
    abcd = __builtin_shufflevector(abef, cdgh, 3, 2, 7, 6);
    efgh = __builtin_shufflevector(abef, cdgh, 1, 0, 5, 4);
    memcpy(state, &abcd, 16);
    memcpy(state + 4, &efgh, 16);
#endif
}

#ifdef __linux__
// Declared by glibc only under _GNU_SOURCE, which Swift's module does not set.
int accept4(int, struct sockaddr *, socklen_t *, int);

// prctl(2) takes a varying number of arguments, which Swift cannot call. At most 15 bytes of the name count.
static inline void sooke_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// setpriority(2), whose first argument is an enumeration that Swift cannot pass. Linux keeps a priority a thread, and
// disk access goes by it: the calling one gets the lowest.
static inline void sooke_lower_priority(void) {
    setpriority(PRIO_PROCESS, 0, 19);
}
#endif

#endif
