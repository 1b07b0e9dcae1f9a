// The C library's own functions behind those that the shim stands in front of.
#pragma once

#include <sys/types.h>

namespace shim {

struct Real {
  int (*open)(const char*, int, ...);
  int (*close)(int);
  int (*ioctl)(int, unsigned long, ...);
  void* (*mmap)(void*, size_t, int, int, int, off_t);
};

const Real& real();

}  // namespace shim
