// The commit that is checked out when this file is compiled: the last entry of git's log of HEAD. The compiler reads the
// log, and of all its text only these digits get into the program. SwiftPM compiles this file again when the log changes.
// The manifest cannot do that: SwiftPM stores its result for as long as its text is the same.

#include "CBuild.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

namespace {

constexpr unsigned char log[] = {
#ifdef __has_embed
#if __has_embed("../../.git/logs/HEAD")
#embed "../../.git/logs/HEAD" suffix(, )
#endif
#endif
    0,
};

constexpr int digits = 40;

struct Commit {
    char text[digits + 1];
};

// A line of the log is `OLD NEW NAME <EMAIL> TIME ZONE\tACTION`.
constexpr Commit lastCommit() {
    Commit commit{};
    long end = static_cast<long>(sizeof log) - 1;
    long start = end - (end > 0);
    while (start > 0 && log[start - 1] != '\n') start--;
    if (end - start <= 2 * digits + 2) return commit;
    for (int index = 0; index < digits; index++) {
        unsigned char byte = log[start + digits + 1 + index];
        bool isDigit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
        if (!isDigit) return Commit{};
        commit.text[index] = static_cast<char>(byte);
    }
    return commit;
}

constexpr Commit commit = lastCommit();

}  // namespace

const char *sooke_commit(void) { return commit.text; }
