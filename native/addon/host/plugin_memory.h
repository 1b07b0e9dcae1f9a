// The memory that a step shares with the program of a plugin, and where in it everything stands. The same is written
// down for those who write such programs in docs/how-to/write-a-plugin-node.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "node.h"

namespace vedette {

constexpr uint32_t PLUGIN_MAGIC = 0x4e505631;  // "1VPN" in memory
constexpr size_t MAX_PLUGIN_PORTS = 4;

/** Of a picture that the program is given, or of rows. format: by the index of ImageFormat. bytes: of the rows. */
struct PluginInputHead {
  uint32_t width = 0, height = 0, stride = 0, format = 0;
  uint32_t is_bent = 0, rows = 0;
  uint64_t bytes = 0;
  double to_source[9] = {};
  uint64_t at = 0;  // in the picture memory, where is_there
  uint32_t is_there = 0;
  uint8_t unused[12] = {};
};
static_assert(sizeof(PluginInputHead) == 128);

/** What stands at the beginning: of the frame, then of each input. number: of the request. */
struct PluginRequestHead {
  uint32_t magic = PLUGIN_MAGIC, version = 1;
  uint64_t number = 0;
  double seq = 0, captured_us = 0, width = 0, height = 0;
  uint8_t unused[16] = {};
  PluginInputHead inputs[MAX_PLUGIN_PORTS];
};
static_assert(sizeof(PluginRequestHead) == 64 + 128 * MAX_PLUGIN_PORTS);

/** Of what the program gives. in_source: places are pixels of the source, not of the first picture. */
struct PluginOutputHead {
  uint32_t width = 0, height = 0, stride = 0, in_source = 0, rows = 0, bytes = 0;
  uint8_t unused[40] = {};
};
static_assert(sizeof(PluginOutputHead) == 64);

struct PluginAnswerHead {
  uint64_t number = 0;
  uint8_t unused[56] = {};
  PluginOutputHead outputs[MAX_PLUGIN_PORTS];
};
static_assert(sizeof(PluginAnswerHead) == 64 + 64 * MAX_PLUGIN_PORTS);

constexpr size_t REQUEST_AT = 0, ANSWER_AT = 4096;

/** What a port is, and where its pixels, rows or text stand. */
struct PluginPort {
  Kind kind = Kind::image;
  PortFormat format = PortFormat::gray;
  size_t at = 0, bytes = 0;
};

/** The ports of a step, each with room of its own. Pages that nobody touches take no memory. */
struct PluginLayout {
  std::vector<PluginPort> inputs, outputs;
  size_t bytes = 0;
};

/**
 * Of ports as a plan names them: `detections`, `image gray`. Throws Fault `engine.bad_task` when they are more than may
 * be, or none that there are.
 */
PluginLayout plugin_layout(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/**
 * Shared with one process: the memory, of which neither side can change the length, and a socket. What stands there may
 * change at any moment.
 */
class PluginSeat {
 public:
  /** Throws Fault `engine.bad_task` when the system has none. */
  explicit PluginSeat(size_t bytes);
  ~PluginSeat();
  PluginSeat(const PluginSeat&) = delete;
  PluginSeat& operator=(const PluginSeat&) = delete;

  uint8_t* memory() const { return memory_; }
  int socket() const { return socket_; }
  /**
   * The descriptors of the other side, once; whoever takes them closes them. pictures: of the picture memory; -1: this
   * system has none.
   */
  struct Theirs {
    int socket = -1, memory = -1, pictures = -1;
  };
  Theirs take_theirs();

 private:
  const size_t bytes_;
  uint8_t* memory_ = nullptr;
  int socket_ = -1;
  Theirs theirs_;
};

/** Reads what others may be writing: it is read once, and what was read is what is looked at. */
inline void copy_once(void* to, const uint8_t* from, size_t bytes) {
  std::memcpy(to, from, bytes);
  asm volatile("" ::: "memory");  // so that nothing is read again from there
}

}  // namespace vedette
