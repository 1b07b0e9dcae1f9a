// Looking the name of a camera up, for libraries that do so without a limit in time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vedette {

/** The host in an address; an IPv6 address without its brackets. */
std::string host_of(const std::string& url);

/** The port in an address; else that of its scheme, http or https. */
std::string port_of(const std::string& url);

/** The address with another host in it. */
std::string with_host(const std::string& url, const std::string& host);

/** The address with name and password in it, as libraries want it that take them from nowhere else. */
std::string with_credentials(const std::string& url, const std::string& username, const std::string& password);

/**
 * A lookup that is under way, on a thread of its own: glibc's cannot be ended. A caller that wants it no longer lets go
 * of it, and does not wait.
 */
class NameLookup {
 public:
  /** Begins. host: a name, or an address, which is found at once. */
  explicit NameLookup(const std::string& host);

  /**
   * Waits so long for the addresses. False: there are none yet. Throws Fault `camera.missing` when the name has none,
   * or nobody says so within 3 s of the beginning.
   */
  bool wait(int64_t wait_us) const;

  /**
   * Once they are found: as text, the best first. Those that hold only on one link of this device have its name
   * (fe80::1%eth0).
   */
  const std::vector<std::string>& addresses() const;

 private:
  struct Search;

  std::string host_;
  int64_t began_us_;
  std::shared_ptr<Search> search_;  // its thread holds on to it
};

}  // namespace vedette
