#include "plugin_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "picture_memory.h"

namespace vedette {

namespace {

constexpr size_t PAGE = 4096;
constexpr size_t ROWS_BYTES = 1024 * 1024;       // a node gives a quarter of that at most
constexpr size_t GRAY_BYTES = 16 * 1024 * 1024;  // 4096x4096
constexpr size_t COLOUR_BYTES = 3 * GRAY_BYTES;

[[noreturn]] void refuse(const std::string& why) { throw Fault{"engine.bad_task", why}; }

template <typename Names>
int place_of(const std::string& name, const Names& names) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) refuse("a port of a plugin is of the unknown kind or format " + name);
  return static_cast<int>(found - std::begin(names));
}

PluginPort port_of(const std::string& name) {
  PluginPort out;
  const size_t space = name.find(' ');
  out.kind = static_cast<Kind>(place_of(name.substr(0, space), KIND_NAMES));
  if (out.kind != Kind::image) {
    out.bytes = ROWS_BYTES;
    return out;
  }
  if (space != std::string::npos)
    out.format = static_cast<PortFormat>(place_of(name.substr(space + 1), PORT_FORMAT_NAMES));
  const bool is_narrow = out.format == PortFormat::gray || out.format == PortFormat::mask;
  out.bytes = is_narrow ? GRAY_BYTES : COLOUR_BYTES;
  return out;
}

void place(std::vector<PluginPort>& ports, const std::vector<std::string>& names, size_t& at) {
  if (names.size() > MAX_PLUGIN_PORTS) refuse("a step of a plugin has more than 4 ports on one side");
  for (const std::string& name : names) {
    PluginPort port = port_of(name);
    port.at = at;
    at += port.bytes;
    ports.push_back(port);
  }
}

}  // namespace

PluginLayout plugin_layout(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  PluginLayout out;
  size_t at = 2 * PAGE;
  place(out.inputs, inputs, at);
  place(out.outputs, outputs, at);
  out.bytes = at;
  return out;
}

PluginSeat::PluginSeat(size_t bytes) : bytes_(bytes) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    refuse("there is no socket for the program of a plugin: " + std::string(std::strerror(errno)));
  socket_ = sockets[0];
  theirs_.socket = sockets[1];
  theirs_.memory = memfd_create("vedette-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // A length that the other side could take away would end this process as it reads what is not there any more.
  const bool is_made = theirs_.memory >= 0 && ftruncate(theirs_.memory, static_cast<off_t>(bytes)) == 0 &&
                       fcntl(theirs_.memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  void* mapped = is_made ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, theirs_.memory, 0) : MAP_FAILED;
  if (mapped != MAP_FAILED) {
    memory_ = static_cast<uint8_t*>(mapped);
    if (const PictureMemory* pictures = PictureMemory::of_process()) theirs_.pictures = pictures->descriptor();
    return;
  }
  const std::string why = std::strerror(errno);
  for (const int fd : {socket_, theirs_.socket, theirs_.memory})
    if (fd >= 0) ::close(fd);
  refuse("there is no memory to share with the program of a plugin: " + why);
}

PluginSeat::~PluginSeat() {
  munmap(memory_, bytes_);
  for (const int fd : {socket_, theirs_.socket, theirs_.memory, theirs_.pictures})
    if (fd >= 0) ::close(fd);
}

PluginSeat::Theirs PluginSeat::take_theirs() { return std::exchange(theirs_, {}); }

}  // namespace vedette
