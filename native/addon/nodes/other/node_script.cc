// A function of results to results that its user wrote in JavaScript. What it is given is laid out as a result without
// stages, as far as that is known before the end: of the frame, then of each input that is connected. What it gives is
// JSON; nothing where it has nothing to say.
#include <cstring>

#include "host_node.h"
#include "other_nodes.h"
#include "pack.h"

namespace vedette {

namespace {

class ScriptNode : public HostNode {
 public:
  explicit ScriptNode(const Params& params) : HostNode(params) {}

 protected:
  void clear(const Ports& ports) override { ports.out<Values>().clear(); }

  size_t write(const Moment& moment, const Ports& ports, uint8_t* room, size_t most) override {
    const Frame& frame = moment.frame;
    packed_.assign({static_cast<double>(frame.seq), static_cast<double>(frame.captured_us), 0, 0,
                    static_cast<double>(frame.width), static_cast<double>(frame.height), 0, 0, 0, 0});
    for (const Value* input : ports.inputs)
      if (input) pack_rows(*input, packed_);
    const size_t bytes = packed_.size() * sizeof(double);
    if (bytes > most)
      throw Fault{"step.failed", "what it is to be given has " + std::to_string(bytes) + " bytes; " +
                                     std::to_string(most) + " can be handed over"};
    std::memcpy(room, packed_.data(), bytes);
    return bytes;
  }

  void read(const Moment&, const Ports& ports, const uint8_t* answer, size_t bytes) override {
    if (bytes == 0) return;
    Values& out = ports.out<Values>();
    out.text.assign(reinterpret_cast<const char*>(answer), bytes);
    out.rows.push_back({0, bytes});
  }

 private:
  std::vector<double> packed_;
};

}  // namespace

std::unique_ptr<Node> make_script_node(const Params& params, const Scene&) {
  return std::make_unique<ScriptNode>(params);
}

}  // namespace vedette
