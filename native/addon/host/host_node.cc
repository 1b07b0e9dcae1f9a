#include "host_node.h"

#include <algorithm>

namespace vedette {

namespace {
// a worker of the stream that stands still for twice that counts as hanging (machines/engine/health.ts)
constexpr int MAX_TIMEOUT_MS = 1000;
}  // namespace

HostNode::HostNode(const Params& params) : step_(params.owner()), channel_(HostChannel::find(params.integer("host"))) {
  HostNode::set_params(params);
  channel_->enter();
}

HostNode::~HostNode() { channel_->leave(); }

void HostNode::set_params(const Params& params) {
  timeout_ms_ = std::clamp(params.integer("timeout_ms"), 1, MAX_TIMEOUT_MS);
}

void HostNode::process(const Moment& moment, const Ports& ports) {
  clear(ports);
  try {
    ask(moment, ports);
  } catch (const Fault& fault) {
    clear(ports);
    moment.warn({fault.code, "step " + step_ + ": " + fault.detail});
  }
}

void HostNode::ask(const Moment& moment, const Ports& ports) {
  const HostOutcome readiness = channel_->readiness();
  if (readiness != HostOutcome::done) fail(readiness);
  const size_t bytes = write(moment, ports, channel_->input(), channel_->input_bytes());
  if (bytes == 0) return;
  const HostAnswer answer = channel_->ask(bytes, int64_t{1000} * timeout_ms_);
  if (answer.outcome != HostOutcome::done) fail(answer.outcome);
  read(moment, ports, channel_->output(), answer.bytes);
}

void HostNode::fail(HostOutcome outcome) const {
  if (outcome == HostOutcome::failed)
    throw Fault{"step.failed", channel_->why() + "; this picture has none of its results"};
  if (outcome == HostOutcome::late)
    throw Fault{"step.too_slow",
                "it has not answered in " + std::to_string(timeout_ms_) +
                    " ms, so that pictures have none of its results; let it do less, or raise timeout_ms"};
  throw Fault{"step.ended", channel_->why() + "; until it has begun anew, pictures have none of its results"};
}

}  // namespace vedette
