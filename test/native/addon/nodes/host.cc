// Steps that JavaScript does, without JavaScript: a thread stands for the worker.
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "host_node.h"
#include "one_node.h"

namespace vedette::test {
namespace {

constexpr int64_t LONG_US = 10'000'000;  // nothing here takes that long, on any machine
constexpr int64_t SHORT_US = 1'000;

const HostNeeds SMALL{64, 64, {640, 480}};

/** A worker on a thread of its own: does `body` with each request. */
class Worker {
 public:
  using Body = std::function<void(HostChannel&, size_t)>;

  Worker(const std::shared_ptr<HostChannel>& channel, Body body, const HostNeeds& needs = SMALL) : channel_(channel) {
    channel->attach(needs, [this](size_t bytes) {
      const std::lock_guard<std::mutex> lock(mutex_);
      requests_.push_back(bytes);
      woken_.notify_all();
    });
    thread_ = std::thread([this, body] { work(body); });
  }
  ~Worker() { end(); }

  void end() {
    if (!thread_.joinable()) return;
    channel_->detach();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_ended_ = true;
      woken_.notify_all();
    }
    thread_.join();
  }

 private:
  void work(const Body& body) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      woken_.wait(lock, [this] { return is_ended_ || !requests_.empty(); });
      if (is_ended_) return;
      const size_t bytes = requests_.front();
      requests_.erase(requests_.begin());
      lock.unlock();
      body(*channel_, bytes);
      lock.lock();
    }
  }

  const std::shared_ptr<HostChannel> channel_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<size_t> requests_;
  bool is_ended_ = false;
  std::thread thread_;
};

/** A channel that is closed with it. */
struct Opened {
  const int number = HostChannel::open();
  const std::shared_ptr<HostChannel> channel = HostChannel::find(number);
  ~Opened() { HostChannel::close(number); }
};

/** Something that one thread waits for and another says. */
class Gate {
 public:
  void open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

void twice(HostChannel& channel, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    channel.output_room()->data()[i] = static_cast<uint8_t>(2 * channel.input_room()->data()[i]);
  channel.answer(bytes);
}

bool is(const HostAnswer& answer, HostOutcome outcome) { return answer.outcome == outcome; }

/** Asks with one byte, and takes one. */
class ByteNode : public HostNode {
 public:
  using HostNode::HostNode;
  size_t asked = 0;

 protected:
  void clear(const Ports& ports) override { ports.out<Values>().clear(); }
  size_t write(const Moment&, const Ports&, uint8_t* room, size_t) override {
    asked++;
    room[0] = 21;
    return 1;
  }
  void read(const Moment&, const Ports& ports, const uint8_t* answer, size_t bytes) override {
    ports.out<Values>().text.assign(answer, answer + bytes);
  }
};

struct Sink : WarningSink {
  std::vector<Fault> warnings;
  void add(const Fault& fault) override { warnings.push_back(fault); }
};

/** A step with its place in a plan. */
struct Step {
  explicit Step(int host, int timeout_ms = 1000) : node(params(host, timeout_ms)) {}

  static Params params(int host, int timeout_ms) {
    Params all("aim");
    all.set("host", static_cast<double>(host));
    all.set("timeout_ms", static_cast<double>(timeout_ms));
    return all;
  }
  /** What it gave. */
  std::string run() {
    Frame frame;
    node.process({frame, Pose{}, &sink}, Ports{{}, {&out}});
    return std::get<Values>(out).text;
  }

  Value out = empty_value(Kind::values);
  Sink sink;
  ByteNode node;
};

const Suite suite([] {
  test("a request is answered in memory that both sides see", [] {
    Opened opened;
    Worker worker(opened.channel, twice);
    for (uint8_t n = 0; n < 100; n++) {
      opened.channel->input()[0] = n;
      const HostAnswer answer = opened.channel->ask(1, LONG_US);
      expect(is(answer, HostOutcome::done) && answer.bytes == 1 && opened.channel->output()[0] == 2 * n,
             "another answer");
    }
    expect(opened.channel->facts() == std::vector<double>({640, 480}), "the facts did not come through");
    return std::string();
  });

  test("who does not answer in time is late, is not asked again meanwhile, and his late answer is dropped", [] {
    Opened opened;
    Gate gate;
    Worker worker(opened.channel, [&](HostChannel& channel, size_t bytes) {
      if (bytes == 2) gate.wait();
      channel.answer(bytes);
    });
    expect(is(opened.channel->ask(2, SHORT_US), HostOutcome::late), "not late");
    expect(is(opened.channel->ask(1, LONG_US), HostOutcome::late), "asked again");
    expect(opened.channel->pulse().is_busy, "not busy");
    gate.open();
    while (opened.channel->pulse().is_busy) std::this_thread::yield();
    const HostAnswer answer = opened.channel->ask(1, LONG_US);
    expect(is(answer, HostOutcome::done) && answer.bytes == 1, "the late answer was taken for the next one");
    expect(opened.channel->pulse().answered == 2, "not counted");
    return std::string();
  });

  test("a failure is told, and so is an answer that is too long", [] {
    Opened opened;
    Worker worker(opened.channel, [](HostChannel& channel, size_t bytes) {
      bytes == 1 ? channel.fail("no tags in sight") : channel.answer(65);
    });
    expect(is(opened.channel->ask(1, LONG_US), HostOutcome::failed) && opened.channel->why() == "no tags in sight",
           "another failure");
    expect(is(opened.channel->ask(2, LONG_US), HostOutcome::failed), "took more than there is room for");
    return opened.channel->why();
  });

  test("who waits for a worker that ends, or for a channel that is closed, waits no longer", [] {
    for (const bool is_closed : {false, true}) {
      Opened opened;
      Gate asked;
      Worker worker(opened.channel, [&](HostChannel&, size_t) { asked.open(); });
      HostAnswer answer;
      std::thread asker([&] { answer = opened.channel->ask(1, LONG_US); });
      asked.wait();
      if (is_closed) HostChannel::close(opened.number);
      else worker.end();
      asker.join();
      expect(is(answer, HostOutcome::gone), "another outcome");
      expect(is(opened.channel->ask(1, LONG_US), HostOutcome::gone), "asked nobody");
    }
    return std::string();
  });

  test("a worker that takes the place of another needs the same room, and there is one at a time", [] {
    Opened opened;
    {
      Worker worker(opened.channel, twice);
      expect(fault_of([&] { Worker second(opened.channel, twice); }).code == "engine.bad_task", "two workers");
    }
    expect(fault_of([&] {
             Worker larger(opened.channel, twice, {128, 64, {640, 480}});
           }).code == "engine.bad_task",
           "other room");
    Worker next(opened.channel, twice);
    expect(is(opened.channel->ask(1, LONG_US), HostOutcome::done), "the next one is not asked");
    return std::string();
  });

  test("needs that are out of bounds are refused", [] {
    for (const HostNeeds& odd : {HostNeeds{0, 1, {}}, HostNeeds{1, size_t{1} << 40, {}},
                                 HostNeeds{1, 1, std::vector<double>(65)}, HostNeeds{1, 1, {std::nan("")}}}) {
      Opened opened;
      expect(fault_of([&] { opened.channel->attach(odd, [](size_t) {}); }).code == "engine.bad_task", "taken");
    }
    return std::string();
  });

  test("a step gives what it is answered, and is counted among those that have the worker", [] {
    Opened opened;
    Worker worker(opened.channel, twice);
    {
      Step step(opened.number);
      expect(step.run() == "*" && step.sink.warnings.empty(), "another answer");
      expect(opened.channel->pulse().users == 1, "not counted");
    }
    expect(opened.channel->pulse().users == 0, "still counted");
    return std::string();
  });

  test("a step that gets no answer gives nothing, and says why in a warning that names it", [] {
    Opened opened;
    Gate gate;
    Worker worker(opened.channel, [&](HostChannel& channel, size_t) {
      gate.wait();
      channel.fail("it threw");
    });
    Step step(opened.number, 1);
    expect(step.run().empty() && step.run().empty(), "something came of nothing");
    expect(step.node.asked == 1, "wrote into the room while the worker was at it");
    gate.open();
    while (opened.channel->pulse().is_busy) std::this_thread::yield();
    step.node.set_params(Step::params(opened.number, 1000));
    step.run();
    worker.end();
    step.run();
    expect(step.sink.warnings.back().detail.find("its worker has ended") != std::string::npos,
           step.sink.warnings.back().detail);
    opened.channel->set_reason("it hangs");
    step.run();
    expect(step.sink.warnings.back().detail.find("it hangs") != std::string::npos, step.sink.warnings.back().detail);
    std::string codes;
    for (const Fault& warning : step.sink.warnings) {
      expect(warning.detail.find("step aim: ") == 0, warning.detail);
      codes += warning.code + " ";
    }
    expect(codes == "step.too_slow step.too_slow step.failed step.ended step.ended ", codes);
    return step.sink.warnings.back().detail;
  });

  test("a script gets the frame and its inputs, laid out like a result, and answers with a text or nothing", [] {
    Opened opened;
    std::vector<double> given;
    std::string answer = "{}";
    Worker worker(opened.channel,
                  [&](HostChannel& channel, size_t bytes) {
                    given.resize(bytes / sizeof(double));
                    std::memcpy(given.data(), channel.input_room()->data(), bytes);
                    std::memcpy(channel.output_room()->data(), answer.data(), answer.size());
                    channel.answer(answer.size());
                  },
                  {4096, 64, {}});
    OneNode script("script", {{"host", static_cast<double>(opened.number)}, {"timeout_ms", 1000.0}});
    const Value focus = FocusMetrics{{0.5, 0.75}}, tags = Detections{};
    std::vector<const Value*> inputs(std::size(KIND_NAMES) - 1);
    inputs[0] = &tags;
    inputs[static_cast<size_t>(Kind::focus) - 1] = &focus;
    Frame frame;
    frame.seq = 7;
    frame.captured_us = 1000;
    frame.width = 640;
    frame.height = 400;

    script.run(inputs, frame);
    expect(given == std::vector<double>({7, 1000, 0, 0, 640, 400, 0, 0, 0, 0, 0, 1, 0.5, 0.75}),
           "given something else");
    expect(script.out<Values>().rows.size() == 1 && script.out<Values>().text == "{}", "another text");
    answer = "";
    script.run(inputs, frame);
    expect(script.out<Values>().rows.empty(), "a row of nothing");
    return std::string();
  });

  test("a step without a worker cannot be made", [] {
    expect(fault_of([] { Step step(0); }).code == "engine.bad_task", "it was made");
    return std::string();
  });
});

}  // namespace
}  // namespace vedette::test
