// What the program of a plugin does, in a process of its own. Its pictures are written where that sees them, and what
// it gives is copied once and checked: nothing that it writes can be relied on.
#include <algorithm>
#include <cmath>

#include "ideal_points.h"
#include "other_nodes.h"
#include "pack.h"
#include "picture_memory.h"
#include "plugin_channel.h"
#include "plugin_rows.h"
#include "plugin_values.h"

namespace vedette {

namespace {

// a worker of the stream that stands still for twice that counts as hanging (machines/engine/health.ts)
constexpr int MAX_TIMEOUT_MS = 1000;

const Image& image_in(const Ports& ports, size_t port) { return ports.in<Image>(port); }

/** Pixels that a step gives. */
struct Given {
  std::vector<uint8_t> pixels;
  bool is_blank = false;
};

double area_of(const double (&corners)[4][2]) {
  double twice = 0;
  for (int i = 0; i < 4; i++) {
    const double *a = corners[i], *b = corners[(i + 1) % 4];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return std::fabs(twice) / 2;
}

class PluginNode : public Node {
 public:
  PluginNode(const Params& params, const Intrinsics& camera)
      : step_(params.owner()), channel_(PluginChannel::find(params.integer("host"))), ideal_(camera) {
    PluginNode::set_params(params);
    given_.resize(channel_->layout().outputs.size());
    const auto& inputs = channel_->layout().inputs;
    const auto first =
        std::find_if(inputs.begin(), inputs.end(), [](const PluginPort& each) { return each.kind == Kind::image; });
    picture_ = static_cast<size_t>(first - inputs.begin());
    channel_->enter();
  }
  ~PluginNode() override { channel_->leave(); }
  PluginNode(const PluginNode&) = delete;
  PluginNode& operator=(const PluginNode&) = delete;

  void set_params(const Params& params) override {
    const int timeout_ms = std::clamp(params.integer("timeout_ms"), 1, MAX_TIMEOUT_MS);
    params_ = params.string("told");
    timeout_ms_ = timeout_ms;
    is_told_ = false;
  }

  void process(const Moment& moment, const Ports& ports) override {
    try {
      clear(ports);
      ask(moment, ports);
    } catch (const Fault& fault) {
      blank(ports);
      moment.warn({fault.code, "step " + step_ + ": " + fault.detail});
    }
  }

 private:
  bool has_picture() const { return picture_ < channel_->layout().inputs.size(); }

  void clear(const Ports& ports) {
    for (size_t port = 0; port < ports.outputs.size(); port++) {
      Value& value = *ports.outputs[port];
      if (!std::holds_alternative<Image>(value)) value = empty_value(kind_of(value));
    }
  }

  /** Nothing in rows and values, and black pictures. */
  void blank(const Ports& ports) {
    clear(ports);
    for (size_t port = 0; port < ports.outputs.size(); port++) {
      Image* image = std::get_if<Image>(ports.outputs[port]);
      if (!image) continue;
      const Image& like = image_in(ports, picture_);
      const int channels = image->channels();
      const size_t bytes = static_cast<size_t>(like.width) * like.height * channels;
      Given& given = given_[port];
      if (!given.is_blank || given.pixels.size() != bytes) given.pixels.assign(bytes, 0);
      given.is_blank = true;
      set(*image, like.width, like.height, given, like.to_source);
    }
  }

  static void set(Image& image, int width, int height, const Given& given, const ToSource& to_source) {
    image.pixels = given.pixels.data();
    image.width = width;
    image.height = height;
    image.stride = width * image.channels();
    image.to_source = to_source;
  }

  void ask(const Moment& moment, const Ports& ports) {
    HostOutcome outcome = HostOutcome::gone;
    const std::shared_ptr<PluginSeat> seat = channel_->ready_seat(outcome);
    if (!seat) fail(outcome);
    if (seat != told_seat_ || !is_told_) channel_->tell(seat, params_);
    told_seat_ = seat;
    is_told_ = true;
    write(moment, ports, seat->memory(), channel_->is_shown(seat));
    outcome = channel_->ask(seat, int64_t{1000} * timeout_ms_);
    if (outcome != HostOutcome::done) fail(outcome);
    read(moment, ports, seat->memory());
  }

  void write(const Moment& moment, const Ports& ports, uint8_t* memory, bool is_shown) {
    const Frame& frame = moment.frame;
    PluginRequestHead head;
    head.number = channel_->next_number();
    head.seq = static_cast<double>(frame.seq);
    head.captured_us = static_cast<double>(frame.captured_us);
    head.width = frame.width;
    head.height = frame.height;
    const auto& inputs = channel_->layout().inputs;
    for (size_t i = 0; i < inputs.size(); i++) {
      if (inputs[i].kind == Kind::image) write_picture(image_in(ports, i), inputs[i], memory, is_shown, head.inputs[i]);
      else write_rows(*ports.inputs[i], inputs[i], memory, head.inputs[i]);
    }
    std::memcpy(memory + REQUEST_AT, &head, sizeof(head));
  }

  static void write_picture(const Image& image, const PluginPort& port, uint8_t* memory, bool is_shown,
                            PluginInputHead& head) {
    const size_t row = static_cast<size_t>(image.width) * image.channels(), bytes = row * image.height;
    if (bytes > port.bytes)
      throw Fault{"step.failed", "its picture of " + size_text(image.width, image.height) + " has " +
                                     std::to_string(bytes) + " bytes; " + std::to_string(port.bytes) +
                                     " can be handed over, so give it a smaller one"};
    uint8_t* to = memory + port.at;
    const bool is_whole = static_cast<size_t>(image.stride) == row;
    const PictureMemory* shared = is_shown && is_whole ? PictureMemory::of_process() : nullptr;
    if (shared && shared->has(image.pixels)) {
      head.is_there = 1;
      head.at = shared->place_of(image.pixels);
    } else if (is_whole) {
      std::memcpy(to, image.pixels, bytes);
    } else {
      for (int y = 0; y < image.height; y++)
        std::memcpy(to + y * row, image.pixels + static_cast<size_t>(y) * image.stride, row);
    }
    head.width = static_cast<uint32_t>(image.width);
    head.height = static_cast<uint32_t>(image.height);
    head.stride = static_cast<uint32_t>(row);
    head.format = static_cast<uint32_t>(image.format);
    head.is_bent = image.to_source.bend != nullptr;
    head.bytes = bytes;
    std::copy(image.to_source.matrix.begin(), image.to_source.matrix.end(), head.to_source);
  }

  void write_rows(const Value& value, const PluginPort& port, uint8_t* memory, PluginInputHead& head) {
    packed_.clear();
    pack_rows(value, packed_);
    const size_t bytes = (packed_.size() - 1) * sizeof(double);
    if (bytes > port.bytes)
      throw Fault{"step.failed", "what it is to be given has " + std::to_string(bytes) + " bytes; " +
                                     std::to_string(port.bytes) + " can be handed over"};
    std::memcpy(memory + port.at, packed_.data() + 1, bytes);
    head.rows = static_cast<uint32_t>(packed_[0]);
    head.bytes = bytes;
  }

  void read(const Moment& moment, const Ports& ports, const uint8_t* memory) {
    PluginAnswerHead head;
    copy_once(&head, memory + ANSWER_AT, sizeof(head));
    const auto& outputs = channel_->layout().outputs;
    for (size_t i = 0; i < outputs.size(); i++) {
      Value& out = *ports.outputs[i];
      if (outputs[i].kind == Kind::image)
        read_picture(head.outputs[i], outputs[i], memory, image_in(ports, picture_), i, std::get<Image>(out));
      else if (outputs[i].kind == Kind::values) read_values(head.outputs[i], outputs[i], memory, std::get<Values>(out));
      else read_rows(moment, ports, head.outputs[i], outputs[i], memory, out);
    }
  }

  void read_picture(const PluginOutputHead& head, const PluginPort& port, const uint8_t* memory, const Image& like,
                    size_t number, Image& out) {
    const uint64_t channels = static_cast<uint64_t>(out.channels()), row = head.width * channels;
    if (head.width > static_cast<uint32_t>(like.width) || head.height > static_cast<uint32_t>(like.height) ||
        head.width == 0 || head.height == 0)
      throw Fault{"step.failed", "it gives a picture of " + std::to_string(head.width) + "x" +
                                     std::to_string(head.height) + " pixels; 1x1 to " +
                                     size_text(like.width, like.height) + ", as its first input, are possible"};
    if (head.stride < row || uint64_t{head.stride} * head.height > port.bytes)
      throw Fault{"step.failed", "it gives a picture whose rows do not lie in its memory"};
    Given& given = given_[number];
    given.pixels.resize(row * head.height);
    given.is_blank = false;
    for (uint32_t y = 0; y < head.height; y++)
      copy_once(given.pixels.data() + y * row, memory + port.at + uint64_t{y} * head.stride, row);
    if (out.format == ImageFormat::mask)
      for (uint8_t& pixel : given.pixels) pixel = pixel ? 255 : 0;
    const double scale_x = static_cast<double>(like.width) / head.width,
                 scale_y = static_cast<double>(like.height) / head.height;
    const bool is_same = scale_x == 1 && scale_y == 1;
    set(out, static_cast<int>(head.width), static_cast<int>(head.height), given,
        is_same ? like.to_source : like.to_source.scaled(scale_x, scale_y, 0, 0));
  }

  static void read_values(const PluginOutputHead& head, const PluginPort& port, const uint8_t* memory, Values& out) {
    if (head.bytes == 0) return;
    if (head.bytes > std::min(MAX_VALUES_BYTES, port.bytes))
      throw Fault{"step.failed", "it gives " + std::to_string(head.bytes) + " bytes of values; " +
                                     std::to_string(MAX_VALUES_BYTES) + " at most"};
    std::string text(head.bytes, '\0');
    copy_once(text.data(), memory + port.at, head.bytes);
    if (const std::string why = values_refusal(text); !why.empty()) throw Fault{"step.failed", why};
    out.text = std::move(text);
    out.rows.push_back({0, out.text.size()});
  }

  void read_rows(const Moment& moment, const Ports& ports, const PluginOutputHead& head, const PluginPort& port,
                 const uint8_t* memory, Value& out) {
    if (head.rows > MAX_PLUGIN_ROWS)
      throw Fault{"step.failed",
                  "it gives " + std::to_string(head.rows) + " rows; " + std::to_string(MAX_PLUGIN_ROWS) + " at most"};
    numbers_.resize(head.rows * plugin_row_width(port.kind));
    copy_once(numbers_.data(), memory + port.at, numbers_.size() * sizeof(double));
    const bool is_in_source = head.in_source != 0 || !has_picture();
    read_plugin_rows(numbers_, is_in_source ? ToSource{} : image_in(ports, picture_).to_source, out);
    set_places(moment, out);
  }

  /** What follows from where something is. */
  void set_places(const Moment& moment, Value& out) {
    const Frame& frame = moment.frame;
    if (auto* targets = std::get_if<Targets>(&out)) {
      const double picture_px = static_cast<double>(frame.width) * frame.height;
      for (Target& target : *targets)
        target.area_share = picture_px > 0 ? std::min(1.0, area_of(target.corners) / picture_px) : 0;
      if (ideal_.know(frame)) set_directions(*targets, ideal_);
    } else if (auto* objects = std::get_if<Objects>(&out)) {
      if (ideal_.know(frame)) set_directions(*objects, ideal_);
    }
  }

  [[noreturn]] void fail(HostOutcome outcome) const {
    if (outcome == HostOutcome::failed)
      throw Fault{"step.failed", channel_->why() + "; this picture has none of its results"};
    if (outcome == HostOutcome::late)
      throw Fault{"step.too_slow",
                  "it has not answered in " + std::to_string(timeout_ms_) +
                      " ms, so that pictures have none of its results; let it do less, or raise timeout_ms"};
    throw Fault{"step.ended", channel_->why() + "; until it has begun anew, pictures have none of its results"};
  }

  const std::string step_;
  const std::shared_ptr<PluginChannel> channel_;
  IdealPoints ideal_;
  int timeout_ms_ = 0;
  std::string params_;
  bool is_told_ = false;
  std::shared_ptr<PluginSeat> told_seat_;
  size_t picture_ = 0;
  std::vector<Given> given_;
  std::vector<double> packed_, numbers_;
};

/** As the step itself names them. */
std::vector<NodeType::Port> ports_of(const std::vector<PluginPort>& ports) {
  std::vector<NodeType::Port> out;
  for (const PluginPort& port : ports)
    out.push_back({KIND_NAMES[static_cast<int>(port.kind)], port.kind, false, port.format});
  return out;
}

}  // namespace

StepPorts plugin_ports(const Params& params) {
  const PluginLayout& layout = PluginChannel::find(params.integer("host"))->layout();
  return {ports_of(layout.inputs), ports_of(layout.outputs)};
}

std::unique_ptr<Node> make_plugin_node(const Params& params, const Scene& scene) {
  return std::make_unique<PluginNode>(params, scene.intrinsics);
}

}  // namespace vedette
