// The clocks of the addon, in microseconds.
#pragma once

#include <cstdint>

namespace vedette {

/** Now, CLOCK_MONOTONIC. */
int64_t monotonic_us();

/** CPU time of the calling thread. Threads that libapriltag starts when asked for more than one are not in it. */
int64_t thread_cpu_us();

/** CPU time of the whole process. */
int64_t process_cpu_us();

}  // namespace vedette
