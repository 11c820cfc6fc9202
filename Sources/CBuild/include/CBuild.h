#ifndef SOOKE_CBUILD_H
#define SOOKE_CBUILD_H

// The commit that this program was built from, in 40 hexadecimal digits; empty when it was built without git.
#ifdef __cplusplus
extern "C"
#endif
const char *sooke_commit(void);

#endif
