// A step of a plan whose work JavaScript does.
#pragma once

#include <memory>

#include "host_channel.h"
#include "node.h"

namespace vedette {

/**
 * Puts a request together, waits for the answer, and takes it apart; what it cannot get costs this step's results of
 * this picture, and a warning. A plan that has such a step names its channel in the parameter `host`, and the limit in
 * `timeout_ms`, which is live.
 */
class HostNode : public Node {
 public:
  /** Throws Fault `engine.bad_task` when there is no such channel. */
  explicit HostNode(const Params& params);
  ~HostNode() override;
  HostNode(const HostNode&) = delete;
  HostNode& operator=(const HostNode&) = delete;

  void process(const Moment& moment, const Ports& ports) final;
  void set_params(const Params& params) override;

 protected:
  /** What the worker said when it was made ready. */
  const std::vector<double>& facts() const { return channel_->facts(); }
  /** What a picture without an answer gives. */
  virtual void clear(const Ports& ports) = 0;
  /**
   * The request: into `room`, at most so many bytes. Its length; 0: there is nothing to ask. A Fault costs this step's
   * results alone.
   */
  virtual size_t write(const Moment& moment, const Ports& ports, uint8_t* room, size_t most) = 0;
  /** The answer, which lies there until this returns. A Fault costs this step's results alone. */
  virtual void read(const Moment& moment, const Ports& ports, const uint8_t* answer, size_t bytes) = 0;

 private:
  void ask(const Moment& moment, const Ports& ports);
  [[noreturn]] void fail(HostOutcome outcome) const;

  const std::string step_;
  const std::shared_ptr<HostChannel> channel_;
  int timeout_ms_ = 0;
};

}  // namespace vedette
