// Waiting for the moment at which a picture is due, shared by the sources that have no hardware to wait for.
#pragma once

#include <atomic>
#include <cstdint>

namespace vedette {

/** Sleeps until `due_us` (CLOCK_MONOTONIC). False, within 20 ms, when `stopping` turns true first. */
bool wait_until(int64_t due_us, const std::atomic<bool>& stopping);

}  // namespace vedette
