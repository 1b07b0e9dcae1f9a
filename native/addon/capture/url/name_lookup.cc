#include "name_lookup.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "source.h"

namespace vedette {

namespace {

constexpr int64_t LIMIT_US = 3'000'000;

/** Where the host stands in an address, brackets and all: from its first letter to the one behind its last. */
std::pair<size_t, size_t> place_of_host(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t from = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t end = std::min(url.find_first_of("/?#", from), url.size());
  const size_t bracket = from < end && url[from] == '[' ? url.find(']', from) : std::string::npos;
  if (bracket < end) return {from, bracket + 1};
  return {from, std::min(url.find(':', from), end)};
}

/** 0, or what getaddrinfo says. */
int resolve(const std::string& host, int flags, std::vector<std::string>& addresses) {
  addrinfo hints{};
  hints.ai_flags = flags;
  hints.ai_socktype = SOCK_STREAM;  // each address once
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found)) return error;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> held(found, freeaddrinfo);
  for (const addrinfo* each = found; each; each = each->ai_next) {
    char text[NI_MAXHOST];
    if (getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0)
      addresses.emplace_back(text);
  }
  return addresses.empty() ? EAI_NONAME : 0;
}

/** All but what never means anything else in an address. */
std::string escaped(const std::string& text) {
  constexpr const char* DIGITS = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z') || byte == '-' || byte == '_' || byte == '.';
    if (is_plain) out += letter;
    else (out += '%') += {DIGITS[byte >> 4], DIGITS[byte & 15]};
  }
  return out;
}

}  // namespace

std::string host_of(const std::string& url) {
  const auto [from, end] = place_of_host(url);
  return from < end && url[from] == '[' ? url.substr(from + 1, end - from - 2) : url.substr(from, end - from);
}

std::string port_of(const std::string& url) {
  const size_t end = place_of_host(url).second;
  const std::string port = end < url.size() && url[end] == ':'
                               ? url.substr(end + 1, url.find_first_not_of("0123456789", end + 1) - end - 1)
                               : "";
  if (!port.empty()) return port;
  return url.compare(0, 6, "https:") == 0 ? "443" : "80";
}

std::string with_host(const std::string& url, const std::string& host) {
  const auto [from, end] = place_of_host(url);
  const bool is_v6 = host.find(':') != std::string::npos;
  return url.substr(0, from) + (is_v6 ? "[" + host + "]" : host) + url.substr(end);
}

std::string with_credentials(const std::string& url, const std::string& username, const std::string& password) {
  if (username.empty()) return url;
  const size_t from = url.find("://") + 3;
  return url.substr(0, from) + escaped(username) + ":" + escaped(password) + "@" + url.substr(from);
}

struct NameLookup::Search {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  int error = 0;
  std::vector<std::string> addresses;

  void finish(int result, std::vector<std::string> found) {
    const std::lock_guard<std::mutex> lock(mutex);
    is_done = true;
    error = result;
    addresses = std::move(found);
    done.notify_all();
  }
};

NameLookup::NameLookup(const std::string& host)
    : host_(host), began_us_(monotonic_us()), search_(std::make_shared<Search>()) {
  std::vector<std::string> numbers;
  if (resolve(host, AI_NUMERICHOST, numbers) == 0) {
    search_->finish(0, std::move(numbers));
    return;
  }
  std::thread([host, search = search_] {
    std::vector<std::string> found;
    int error = EAI_MEMORY;
    try {
      error = resolve(host, 0, found);
    } catch (const std::bad_alloc&) {
    }
    search->finish(error, std::move(found));
  }).detach();
}

bool NameLookup::wait(int64_t wait_us) const {
  std::unique_lock<std::mutex> lock(search_->mutex);
  search_->done.wait_for(lock, std::chrono::microseconds(wait_us), [this] { return search_->is_done; });
  const bool is_over = !search_->is_done && monotonic_us() - began_us_ > LIMIT_US;
  if (search_->is_done && search_->error == 0) return true;
  if (!search_->is_done && !is_over) return false;
  throw Fault{"camera.missing", "the name " + host_ + " is not found (" +
                                    (is_over ? "nobody answers" : gai_strerror(search_->error)) +
                                    "); check the address and the network"};
}

const std::vector<std::string>& NameLookup::addresses() const { return search_->addresses; }

}  // namespace vedette
