#ifndef SOOKE_CSYSTEM_H
#define SOOKE_CSYSTEM_H

// What Glibc's Swift module leaves out. Header only: nothing here is compiled on its own.

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#endif

#endif
