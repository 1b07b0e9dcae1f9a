// Says a text to whoever started this process: the datagram socket of systemd's protocol (sd_notify(3)), to which Node
// cannot send.
#include <errno.h>
#include <node_api.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>

namespace {

/** 0, or the error. path: with @ in front, a name that no file has. */
int send_to(const std::string& path, const std::string& text) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';
  const socklen_t length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());

  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return errno;
  const timeval limit{0, 100'000};  // a receiver that takes nothing shall not hold up the robot's link
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const ssize_t sent =
      sendto(socket, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
  const int error = sent < 0 ? errno : 0;
  close(socket);
  return error;
}

std::string text_of(napi_env env, napi_value value) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) return "";
  std::string text(length, '\0');
  napi_get_value_string_utf8(env, value, text.data(), length + 1, &length);
  return text;
}

/** send(path, text): undefined, or why it was not sent. */
napi_value send(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value given[2]{};
  napi_get_cb_info(env, info, &count, given, nullptr, nullptr);
  const int error = send_to(text_of(env, given[0]), text_of(env, given[1]));
  napi_value said = nullptr;
  if (error == 0) {
    napi_get_undefined(env, &said);
  } else {
    napi_create_string_utf8(env, strerror(error), NAPI_AUTO_LENGTH, &said);
  }
  return said;
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function = nullptr;
  napi_create_function(env, "send", NAPI_AUTO_LENGTH, send, nullptr, &function);
  napi_set_named_property(env, exports, "send", function);
  return exports;
}
