#include "name_lookup.h"

#include <netdb.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "source.h"

namespace vedette {

namespace {

/** What the lookup works on; left to itself when it cannot be ended. */
struct Lookup {
  std::string host;
  gaicb request{};
  gaicb* list[1] = {&request};

  explicit Lookup(const std::string& name) : host(name) { request.ar_name = host.c_str(); }
  ~Lookup() {
    if (request.ar_result) freeaddrinfo(request.ar_result);
  }
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;
};

/** All but what never means anything else in an address. */
std::string escaped(const std::string& text) {
  constexpr const char* DIGITS = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '-' || byte == '_' || byte == '.';
    if (is_plain)
      out += letter;
    else
      (out += '%') += {DIGITS[byte >> 4], DIGITS[byte & 15]};
  }
  return out;
}

}  // namespace

std::string host_of(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t from = scheme == std::string::npos ? 0 : scheme + 3;
  const std::string place = url.substr(from, url.find_first_of("/?#", from) - from);
  if (!place.empty() && place[0] == '[') return place.substr(1, place.find(']') - 1);
  return place.substr(0, place.find(':'));
}

std::string with_credentials(const std::string& url, const std::string& username, const std::string& password) {
  if (username.empty()) return url;
  const size_t from = url.find("://") + 3;
  return url.substr(0, from) + escaped(username) + ":" + escaped(password) + "@" + url.substr(from);
}

void look_up(const std::string& host, int64_t limit_us) {
  auto lookup = std::make_unique<Lookup>(host);
  int result = getaddrinfo_a(GAI_NOWAIT, lookup->list, 1, nullptr);
  if (result == 0) {
    const timespec limit{static_cast<time_t>(limit_us / 1'000'000), static_cast<long>(limit_us % 1'000'000) * 1000};
    const int64_t until_us = monotonic_us() + limit_us;
    while ((result = gai_error(&lookup->request)) == EAI_INPROGRESS && monotonic_us() < until_us) gai_suspend(lookup->list, 1, &limit);
  }
  if (result == 0) return;
  const bool is_unfinished = result == EAI_INPROGRESS && gai_cancel(&lookup->request) != EAI_CANCELED && gai_error(&lookup->request) == EAI_INPROGRESS;
  if (is_unfinished) lookup.release();  // its thread writes there when it is done
  throw Fault{"camera.missing", "the name " + host + " is not found (" + (is_unfinished ? "nobody answers" : gai_strerror(result)) + "); check the address and the network"};
}

}  // namespace vedette
