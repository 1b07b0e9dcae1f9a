// The plan executor: steps in order, over numbered slots.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "node.h"

namespace vedette {

/**
 * Values that a plan may keep. Two for each node of the largest graph; the planner refuses what needs more, by the same
 * number.
 */
constexpr int MAX_SLOTS = 1024;

/** A plan as it came from JavaScript (machines/pipeline/graph.ts). Slot -1: an optional input that is not connected. */
struct PlanDocument {
  struct Step {
    std::string id, type;
    std::vector<int> inputs, outputs;
    Params params;
  };
  struct Output {
    std::string port;
    int slot = 0;
  };
  int slots = 0;
  std::vector<Step> steps;
  std::vector<Output> outputs;
};

/**
 * Of what all steps of a plan keep, bytes. Graphs are held to half of that before they come here
 * (machines/pipeline/planning/picture-bytes.ts).
 */
constexpr double MAX_BYTES = 600e6;

/** Some of the pictures that a plan gives as outputs: a bit for each, by its number among them. */
using PictureSet = uint64_t;

/** A picture that a plan gives as an output. It lies there until the plan runs again. */
struct PictureOutput {
  std::string port;
  const Image* image = nullptr;
};

/**
 * A plan with its nodes made. One worker thread runs it.
 *
 * Steps that nothing but pictures needs are not run with the others: pictures are made when they have viewers, and
 * after the results.
 */
class Plan {
 public:
  /** Throws Fault `engine.bad_task` when the plan does not hold together. */
  Plan(const PlanDocument& document, const Scene& scene, double max_bytes = MAX_BYTES);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /**
   * Runs the steps that results need on a frame; what they leave in the slots stays until the next run. pictures: which
   * are to be made of it then, so that the source has the colour for them. is_too_late: asked after each step that is
   * done, with how long they took so far in µs of wall time; when it says so, Fault `picture.too_slow` is thrown.
   * is_seen: false, where neither reads_picture() nor pictures nor anybody else see the frame, and it is not decoded.
   */
  void run(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late,
           bool is_seen = true);
  /** Decodes a frame that is not run, for those who only want to see it. */
  void read_picture(const Moment& moment);
  /** Makes these pictures of the frame that was run, with the steps that nothing else needs. As run(). */
  void make_pictures(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late);

  /** Hands a step new parameters (Node::set_params). Between runs. Throws Fault `engine.bad_task`. */
  void set_params(const std::string& step, const Params& params);

  /**
   * Wall time of each step in the last run, µs; of those that only pictures need, when those of the frame before were
   * made, else 0.
   */
  const std::vector<double>& stage_us() const { return stage_us_; }
  /** The values that leave the engine, in the order of the plan's outputs; pictures are not among them. */
  const std::vector<const Value*>& outputs() const { return outputs_; }
  const std::vector<PictureOutput>& pictures() const { return pictures_; }
  /** The picture of that name; none when there is no such output. */
  PictureSet picture(const std::string& port) const;
  /** Whether results are made of what the source sees. */
  bool reads_picture() const { return is_read_; }
  /** Whether results take colour from the source. */
  bool reads_colour() const { return colour_.by_results; }
  /** The pictures for which it must have colour. */
  PictureSet colour_pictures() const { return colour_.by_pictures; }
  /**
   * The corners of the last run from which the robot is found: those of the first step that finds it, else those that
   * were made last. nullptr: there are none.
   */
  const Points* observed() const;
  /** Every tag that any step has detected in the last run, to be drawn. */
  void collect_detections(Detections& out) const;

 private:
  /** Who needs something. */
  struct Need {
    bool by_results = false;
    PictureSet by_pictures = 0;

    bool is_none() const { return !by_results && by_pictures == 0; }
    bool is_there(PictureSet pictures) const { return by_results || (by_pictures & pictures) != 0; }
    void add(const Need& other) {
      by_results = by_results || other.by_results;
      by_pictures |= other.by_pictures;
    }
  };
  /** An output that is filled for those who need it, and else left open. */
  struct OptionalOutput {
    size_t port = 0;
    Value* value = nullptr;
    Need need;
  };
  struct Step {
    std::string id;
    std::unique_ptr<Node> node;
    Ports ports;
    std::vector<OptionalOutput> optional;
    Need need;
    bool has_run = false, is_source = false, finds_robot = false;
  };
  Value* slot(int number, const std::string& of);
  void add_step(const PlanDocument::Step& step, const Scene& scene, std::vector<bool>& filled);
  void add_outputs(const PlanDocument& document, const std::vector<bool>& filled, std::vector<Need>& needs);
  void find_needs(const PlanDocument& document, std::vector<Need>& needs);
  void keep_count(const Step& step);
  template <typename IsDue>
  void run_steps(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late,
                 IsDue is_due);

  const double max_bytes_;
  double bytes_ = 0, picture_bytes_ = 0;  // by parameters, and of the pictures of the last run as they came
  Need colour_;
  bool is_read_ = false;
  std::vector<Value> slots_;
  std::vector<Step> steps_;
  std::vector<double> stage_us_;
  std::vector<const Value*> outputs_;
  std::vector<PictureOutput> pictures_;
};

}  // namespace vedette
