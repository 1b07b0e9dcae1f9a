// Looking the name of a camera up, for libraries that do so without a limit in time.
#pragma once

#include <cstdint>
#include <string>

namespace vedette {

/** The host in an address; an IPv6 address without its brackets. */
std::string host_of(const std::string& url);

/** The address with name and password in it, as libraries want it that take them from nowhere else. */
std::string with_credentials(const std::string& url, const std::string& username, const std::string& password);

/** Waits until a name is found: whoever asks for it next has it at once. Throws Fault `camera.missing` when there is none, or nobody says so in time. */
void look_up(const std::string& host, int64_t limit_us);

}  // namespace vedette
