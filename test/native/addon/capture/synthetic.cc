// The synthetic camera: the same request gives the same picture, and the motions keep their word.
#include <atomic>
#include <cmath>

#include "check.h"
#include "scene.h"
#include "suites.h"
#include "synthetic_camera.h"
#include "synthetic_faults.h"

namespace vedette::test {
namespace {

SyntheticOptions quarter_size() {
  SyntheticOptions options = small_field_options();
  options.width = 320;
  options.height = 200;
  return options;
}

Frame frame_of(const SyntheticOptions& options, int64_t index) {
  Frame frame;
  SyntheticCamera(options).render(index, frame);
  return frame;
}

bool close(const Pose& a, const Pose& b, double metres, double radians) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) < metres && rotation_angle(compose(invert(a), b)) < radians;
}

Lens small_lens() { return Lens(default_intrinsics(320, 200)); }

/** By how much a robot that stands upright has turned, radians. */
double turn_of(const Pose& before, const Pose& after) {
  const Pose turn = compose(invert(before), after);
  return std::remainder(2 * std::atan2(turn.qz, turn.qw), 2 * M_PI);
}

FieldMap wide_map() {
  FieldMap map{"tag36h11", 0.1651, 100, 100, {}};
  for (int id = 0; id < 500; id++) map.tags.push_back({id, pose_from_euler(id % 25 * 4, id / 25 * 5, 1, 0, 0.3, id)});
  return map;
}

}  // namespace

void test_synthetic() {
  test("a frame is the same in every run, whatever was rendered before", [] {
    const SyntheticOptions options = quarter_size();
    SyntheticCamera camera(options);
    Frame frame;
    for (const int64_t index : {0, 1, 50, 7}) camera.render(index, frame);
    expect(frame.gray.pixels == frame_of(options, 7).gray.pixels, "frame 7 depends on its predecessors");
    return std::string();
  });

  test("another seed gives another picture, and another index another noise", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "still";
    const Frame first = frame_of(options, 0), second = frame_of(options, 1);
    expect(first.gray.pixels != second.gray.pixels, "the noise stands still");
    options.seed = 2;
    expect(first.gray.pixels != frame_of(options, 0).gray.pixels, "the seed changes nothing");
    options.noise = 0;
    expect(frame_of(options, 0).gray.pixels == frame_of(options, 1).gray.pixels,
           "a camera that stands without noise flickers");
    return std::string();
  });

  test("noise has the deviation that was asked for", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "still";
    options.noise = 0;
    const Frame clean = frame_of(options, 0);
    options.noise = 5;
    const Frame noisy = frame_of(options, 0);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < clean.gray.pixels.size(); i++) {
      const double off = noisy.gray.pixels[i] - clean.gray.pixels[i];
      sum += off;
      squares += off * off;
    }
    const double mean = sum / clean.gray.pixels.size(),
                 deviation = std::sqrt(squares / clean.gray.pixels.size() - mean * mean);
    expect(std::fabs(mean) < 0.1 && std::fabs(deviation - 5) < 0.15,
           text("mean %.3f, deviation %.3f", mean, deviation));
    return text("mean %.3f, deviation %.3f", mean, deviation);
  });

  test("the patrol is smooth, closed, and has two tags in view nearly always", [] {
    const SyntheticOptions options = small_field_options();
    const Lens lens(default_intrinsics(options.width, options.height));
    const Trajectory trajectory = make_trajectory(options, lens);
    int seeing = 0, moments = 0;
    double fastest_turn = 0;
    for (double seconds = 0; seconds < 60; seconds += 0.1, moments++) {
      const Pose robot = trajectory(seconds), later = trajectory(seconds + 0.01);
      const double speed = std::hypot(later.x - robot.x, later.y - robot.y) / 0.01;
      expect(std::fabs(speed - options.speed_m_s) < 0.05, text("%.3f m/s after %.1f s", speed, seconds));
      fastest_turn = std::max(fastest_turn, rotation_angle(compose(invert(robot), later)) / 0.01 * 180 / M_PI);
      expect(robot.x > 1 && robot.x < 15.5 && robot.y > 1 && robot.y < 7, "the robot has left the field");
      int tags = 0;
      for (const MapTag& tag : options.map.tags)
        tags += view_quality(lens, compose(robot, options.mount), tag.field_tag, options.map.tag_size_m) > 0.1;
      seeing += tags >= 2;
    }
    expect(fastest_turn < 45, text("turns by %.0f deg/s", fastest_turn));
    expect(seeing > moments * 0.9, text("two tags in view in %d of %d moments", seeing, moments));
    return text("two or more well in view in %d of %d moments, turns by %.0f deg/s at most", seeing, moments,
                fastest_turn);
  });

  test("the orbit keeps both tags of a group in view all the time, 3 m away", [] {
    SyntheticOptions options = small_field_options();
    options.motion = "orbit";
    options.noise = 0;
    SyntheticCamera camera(options);
    Frame frame;
    for (int64_t index = 0; index < 900; index += 30) {
      camera.render(index, frame);
      int near = 0;
      for (const VisibleTag& tag : frame.truth.visible)
        near += tag.visible_fraction == 1 && tag.distance_m > 2.4 && tag.distance_m < 3.9;
      expect(near >= 2, text("%d tags after %d frames", near, static_cast<int>(index)));
    }
    return std::string();
  });

  test("a drive stays on the field, brakes and turns as a robot can, and stands now and then", [] {
    double fastest = 0, hardest = 0, fastest_turn = 0, hardest_turn = 0, standing = 0, sum = 0, moments = 0;
    for (uint32_t seed = 1; seed <= 20; seed++) {
      SyntheticOptions options = small_field_options();
      options.motion = "drive";
      options.drive = {seed, seed % 4 * 1.5 + 0.5, seed % 3 * 180.0};
      const Trajectory trajectory = make_trajectory(options, small_lens());
      for (double seconds = 1e6 * seed; seconds < 1e6 * seed + 400; seconds += 0.02) {
        constexpr double H = 0.01;
        const Pose before = trajectory(seconds - H), robot = trajectory(seconds), later = trajectory(seconds + H);
        const double speed = std::hypot(later.x - before.x, later.y - before.y) / (2 * H);
        const double change = std::hypot(later.x - 2 * robot.x + before.x, later.y - 2 * robot.y + before.y) / (H * H);
        const double first = turn_of(before, robot), second = turn_of(robot, later);
        fastest = std::max(fastest, speed - options.drive.speed_m_s);
        hardest = std::max(hardest, change);
        fastest_turn = std::max(fastest_turn, std::fabs(second) / H * 180 / M_PI - options.drive.spin_deg_s);
        hardest_turn = std::max(hardest_turn, std::fabs(second - first) / (H * H) * 180 / M_PI);
        standing += speed < 1e-6;
        sum += speed / options.drive.speed_m_s;
        moments++;
        expect(robot.x > 0.999 && robot.x < 15.501 && robot.y > 0.999 && robot.y < 7.001 && robot.z == 0,
               text("seed %.0f: at %.2f, %.2f", seed, robot.x, robot.y));
      }
    }
    expect(fastest < 1e-3 && fastest_turn < 1e-3, text("faster by %.3f m/s, %.3f deg/s", fastest, fastest_turn));
    expect(hardest < 4.001 && hardest_turn < 360.5, text("%.2f m/s2, %.1f deg/s2", hardest, hardest_turn));
    expect(standing / moments > 0.05 && standing / moments < 0.5, text("stands %.2f of the time", standing / moments));
    expect(sum / moments > 0.4, text("goes at %.2f of its speed", sum / moments));
    return text("at %.2f of its speed, stands %.2f of the time, %.2f m/s2", sum / moments, standing / moments, hardest);
  });

  test("a drive is one robot for every camera, mount, lens and fault, and another for another seed", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "drive";
    options.drive.speed_m_s = 5;
    SyntheticOptions other = options;
    other.seed = 7;
    other.fps = 17;
    other.width = 160;
    other.mount = pose_from_euler(-0.2, 0.1, 0.3, 0, 0.2, 2);
    other.faults.mount = pose_from_euler(0.1, 0, 0, 0, 0, 0.1);
    other.faults.lens_share = 0.02;
    other.faults.map_m = 0.1;
    const Trajectory one = make_trajectory(options, small_lens()), two = make_trajectory(other, small_lens());
    options.drive.seed = 2;
    const Trajectory third = make_trajectory(options, small_lens());
    double apart = 0;
    for (double seconds = 0; seconds < 1e6; seconds += 1234.567) {
      expect(close(one(seconds), two(seconds), 1e-12, 1e-9), "two cameras are on two robots");
      apart = std::max(apart, std::hypot(one(seconds).x - third(seconds).x, one(seconds).y - third(seconds).y));
    }
    expect(apart > 5, "another seed is the same drive");
    return std::string();
  });

  test("a drive's frames have the truth of their time, whenever the camera is opened", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "drive";
    options.drive.speed_m_s = 5;
    options.fps = 50;
    const Trajectory trajectory = make_trajectory(options, small_lens());
    std::vector<int64_t> times;
    for (const uint32_t seed : {1, 2, 2}) {
      options.seed = seed;
      const auto source = make_synthetic_source(options);
      source->open();
      std::atomic<bool> stopping{false};
      Frame frame;
      Fault fault;
      for (int i = 0; i < 3; i++) {
        source->next(frame, fault, stopping);
        const Pose robot = trajectory(static_cast<double>(frame.captured_us) * 1e-6);
        expect(close(frame.truth.field_robot, robot, 1e-5, 1e-5), "the truth is that of another time");
        expect((i == 0) == (frame.seq == 0) && frame.seq < 50, "the first frame is not the first");
      }
      times.push_back(frame.captured_us % 20'000);
    }
    expect(std::abs(times[1] - times[2]) <= 1, "equal seeds are out of step");
    expect(std::abs(times[0] - times[1]) > 100, "cameras of different seeds are in step");
    return std::string();
  });

  test("faults are what was asked for, the truth knows them, and the way stays the same", [] {
    SyntheticOptions options = quarter_size();
    options.noise = 0;
    const Frame said = frame_of(options, 40);
    const Intrinsics lens = SyntheticCamera(options).intrinsics();

    SyntheticOptions moved = options;
    moved.faults.mount = pose_from_euler(0.01, 0.02, 0.03, 0, 0, 0.05);
    const Frame seen = frame_of(moved, 40);
    expect(close(seen.truth.field_robot, said.truth.field_robot, 1e-12, 1e-9), "a mount's fault moves the robot");
    const Pose apart = compose(invert(said.truth.field_camera), seen.truth.field_camera);
    expect(close(apart, moved.faults.mount, 1e-9, 1e-7), "the camera is elsewhere than asked for");

    SyntheticOptions longer = options;
    longer.faults.lens_share = 0.01;
    const Frame larger = frame_of(longer, 40);
    expect(close(larger.truth.field_robot, said.truth.field_robot, 1e-12, 1e-9), "a lens' fault moves the robot");
    expect(SyntheticCamera(longer).intrinsics().fx == lens.fx, "the lens says its fault");
    const VisibleTag &before = said.truth.visible.front(), &after = larger.truth.visible.front();
    const double grown = (after.corners[0][0] - lens.cx - 0.5) / (before.corners[0][0] - lens.cx - 0.5);
    expect(before.id == after.id && std::fabs(grown - 1.01) < 1e-6, text("the picture is larger by %.5f", grown));
    return std::string();
  });

  test("tags hang elsewhere than the map says, alike for equal seeds, by the deviation that was asked for", [] {
    const FieldMap map = wide_map();
    SyntheticFaults faults;
    faults.map_m = 0.01;
    faults.map_deg = 0.5;
    faults.map_seed = 9;
    faults.tags = {{3, pose_from_euler(0, 0.5, 0, 0, 0, 0)}};
    FieldMap few = map;
    few.tags.resize(5);
    const FieldMap real = displaced(map, faults), real_few = displaced(few, faults);
    double metres = 0, radians = 0;
    for (size_t i = 0; i < map.tags.size(); i++) {
      const Pose apart = compose(invert(map.tags[i].field_tag), real.tags[i].field_tag);
      if (i < few.tags.size())
        expect(close(real_few.tags[i].field_tag, real.tags[i].field_tag, 1e-12, 1e-9), "other tags make a difference");
      if (map.tags[i].id == 3) {
        expect(std::fabs(apart.y - 0.5) < 0.06, "tag 3 is not 50 cm aside");
        continue;
      }
      metres += apart.x * apart.x + apart.y * apart.y + apart.z * apart.z;
      radians += std::pow(rotation_angle(apart), 2);
    }
    const double axes = 3.0 * static_cast<double>(map.tags.size() - 1);
    const double mm = 1000 * std::sqrt(metres / axes), deg = std::sqrt(radians / axes) * 180 / M_PI;
    expect(std::fabs(mm - 10) < 0.5 && std::fabs(deg - 0.5) < 0.025, text("%.2f mm, %.3f deg", mm, deg));
    faults.map_seed = 10;
    expect(!close(displaced(map, faults).tags[0].field_tag, real.tags[0].field_tag, 1e-4, 1e-4),
           "a seed means nothing");
    return text("%.2f mm, %.3f deg", mm, deg);
  });

  test("a robot that stands is where it was put, with the camera on its mount", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "still";
    options.has_pose = true;
    options.pose = pose_from_euler(13, 4, 0, 0, 0, 0.2);
    const Truth truth = frame_of(options, 1234).truth;
    expect(close(truth.field_robot, options.pose, 1e-12, 1e-9), "the robot is elsewhere");
    expect(close(truth.field_camera, compose(options.pose, options.mount), 1e-12, 1e-9), "the camera is elsewhere");
    return std::string();
  });

  test("covered tags and tags behind nearer ones tell how much of them shows", [] {
    SyntheticOptions options = quarter_size();
    options.motion = "still";
    options.occlusion = 1;
    const std::vector<VisibleTag> covered = frame_of(options, 0).truth.visible;
    expect(!covered.empty(), "no tag is in view");
    for (const VisibleTag& tag : covered)
      expect(tag.visible_fraction > 0.2 && tag.visible_fraction < 0.85,
             text("tag %d: %.2f", tag.id, tag.visible_fraction));

    options.occlusion = 0;
    options.map.tags = {{1, pose_from_euler(5, 4, 0.55, 0, 0, M_PI)},
                        {2, pose_from_euler(6, 4, 0.55, 0, 0, M_PI)},
                        {3, pose_from_euler(6, 4.07, 0.55, 0, 0, M_PI)},
                        {4, pose_from_euler(4, 5, 0.55, 0, 0, 0)}};
    options.mount = pose_from_euler(0, 0, 0.55, 0, 0, 0);
    options.has_pose = true;
    options.pose = pose_from_euler(2, 4, 0, 0, 0, 0);
    const Truth truth = frame_of(options, 0).truth;
    expect(truth.visible.size() == 2 && truth.visible[0].id == 1 && truth.visible[0].visible_fraction == 1,
           "the nearer tag is not wholly seen");
    expect(truth.visible[1].id == 3 && truth.visible[1].visible_fraction < 0.5,
           "the half hidden tag is not told as such");
    return std::string();
  });

  test("odd sizes, empty maps, and strange lenses and mounts are drawn as well", [] {
    const std::vector<std::vector<double>> distortions = {{},
                                                          {-0.35, 0.12, 0, 0},
                                                          {0.5, -0.9, 0.002, 0.001, 0.4},
                                                          {0.1, 0.1, 0, 0, 0, 0.3, 0.1, 0.01},
                                                          {-1000, 1000, -1000, 1000, -1000}};
    int drawn = 0;
    for (const char* motion : {"patrol", "orbit", "still"}) {
      for (size_t kind = 0; kind < distortions.size(); kind++) {
        SyntheticOptions options = small_field_options();
        options.width = 65 + static_cast<int>(kind);
        options.height = 67 + static_cast<int>(kind) * 3;
        options.motion = motion;
        options.occlusion = 0.5;
        options.exposure_us = kind == 1 ? 100'000 : 0;
        options.light = kind == 2 ? 2 : 0.02;
        options.intrinsics = {true, 640, 480, 400 + 100.0 * kind, 500, 320, 240, distortions[kind]};
        if (kind == 1) options.map.tags.clear();
        if (kind == 2) options.map.length_m = options.map.width_m = 0;
        if (kind == 3) options.mount = {};
        if (kind == 4) options.mount = pose_from_euler(0, 0, 0.5, M_PI, -M_PI / 2, 2);
        SyntheticCamera camera(options);
        Frame frame;
        for (int64_t index = 0; index < 40; index += 13) camera.render(index, frame), drawn++;
      }
    }
    return text("%d frames", drawn);
  });

  test("a tag that the family does not have is refused with its number", [] {
    SyntheticOptions options = quarter_size();
    options.map.tags.push_back({587, {}});
    const Fault fault = fault_of([&] { make_synthetic_source(options)->open(); });
    expect(fault.code == "camera.unreadable" && fault.detail.find("587") != std::string::npos,
           fault.code + ": " + fault.detail);
    return fault.detail;
  });

  test("a late frame is skipped and the others keep their times and pictures", [] {
    SyntheticOptions options = quarter_size();
    options.fps = 100;
    const auto source = make_synthetic_source(options);
    expect(source->open().intrinsics.known, "no intrinsics");
    std::atomic<bool> stopping{false};
    Frame frame;
    Fault fault;
    source->next(frame, fault, stopping);
    const int64_t start_us = frame.captured_us;
    while (monotonic_us() < start_us + 55'000) {
    }
    source->next(frame, fault, stopping);
    expect(frame.seq >= 5, text("frame %d came after a stall of 55 ms", static_cast<int>(frame.seq)));
    expect(frame.captured_us == start_us + frame.seq * 10'000, "the time is no whole number of periods");
    expect(frame.gray.pixels == frame_of(options, frame.seq).gray.pixels, "the picture is not that of its index");
    stopping = true;
    expect(source->next(frame, fault, stopping) == Next::stopped, "goes on though it was stopped");
    return std::string();
  });
}

}  // namespace vedette::test
