// Pictures that a plan makes for those who watch: what is run for them, and that no thread meets what another has given
// back.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "connection.h"
#include "picture.h"

namespace vedette::test {

void test_headings();
void test_showing();
void test_unseen();

namespace {

const auto NEVER_TOO_LATE = [](int64_t) { return false; };

bool has_picture(const Mailbox::Contents& contents) { return !contents.pictures.empty(); }
bool has_result(const Mailbox::Contents& contents) { return !contents.result.empty(); }

void test_plan() {
  test("steps only for pictures run for these alone, and what they found ends with the next picture", [] {
    Plan plan(drawing_plan(), {});
    Frame frame;
    frame.gray.resize(WIDTH, HEIGHT);
    const Image& drawn = *plan.pictures().at(0).image;

    expect(!plan.reads_colour() && plan.colour_pictures() == plan.picture("drawn") && plan.picture("nobody") == 0,
           "who needs colour is not known");
    plan.run({frame, Pose{}}, 0, NEVER_TOO_LATE);
    expect(drawn.pixels == nullptr && plan.stage_us()[2] == 0, "it was made for nobody");
    plan.run({frame, Pose{}}, 1, NEVER_TOO_LATE);
    expect(drawn.pixels == nullptr, "it was made before the result was out");
    plan.make_pictures({frame, Pose{}}, 1, NEVER_TOO_LATE);
    expect(drawn.pixels != nullptr && drawn.width == WIDTH && drawn.format == ImageFormat::colour, "it was not made");
    plan.run({frame, Pose{}}, 0, NEVER_TOO_LATE);
    plan.run({frame, Pose{}}, 0, NEVER_TOO_LATE);
    expect(plan.stage_us()[2] == 0, "it counts though it was not made");
    return "";
  });

  test("more pictures than can be told apart are refused", [] {
    PlanDocument plan = drawing_plan();
    for (int i = 0; i < 64; i++) plan.outputs.push_back({"more" + std::to_string(i), 3});
    expect(fault_of([&] { Plan made(plan, {}); }).code == "engine.bad_task", "they were taken");
    return "";
  });
}

/** A mirrored picture, mirrored again and again, in so many steps. */
PlanDocument mirroring_plan(int steps) {
  PlanDocument plan;
  plan.slots = steps + 1;
  plan.steps.push_back(step("source", "source", {}, {0, -1}));
  for (int i = 0; i < steps; i++)
    plan.steps.push_back(step("m" + std::to_string(i), "flip", {i}, {i + 1}, {{"direction", std::string("both")}}));
  plan.outputs = {{"last", steps}};
  return plan;
}

void test_memory() {
  test("pictures that would fill the memory are given up, by their sizes as they come", [] {
    Frame frame;
    frame.gray.resize(WIDTH, HEIGHT);
    const double most = 10.5 * WIDTH * HEIGHT;
    Plan few(mirroring_plan(9), {}, most), many(mirroring_plan(30), {}, most);
    const auto fault_with = [&](Plan& plan) {
      return fault_of([&] {
        plan.run({frame, Pose{}}, 1, NEVER_TOO_LATE);
        plan.make_pictures({frame, Pose{}}, 1, NEVER_TOO_LATE);
      });
    };
    const Fault fault = fault_with(many);
    expect(fault.code == "step.failed" && fault.detail.find("up to m9") != std::string::npos, fault.detail);
    for (int i = 0; i < 3; i++) expect(fault_with(few).code.empty(), "few are given up");
    frame.gray.resize(8 * WIDTH, HEIGHT);
    expect(fault_with(few).code == "step.failed", "larger ones are taken");
    frame.gray.resize(WIDTH, HEIGHT);
    expect(fault_with(few).code.empty(), "small ones are refused after a large one");
    return fault.detail;
  });

  test("copies of pictures are kept as far as there is room, and their memory is given back with their size", [] {
    std::vector<uint8_t> pixels(1'000'000);
    const Image large{pixels.data(), 1000, 1000, 1000}, small{pixels.data(), 10, 10, 10};
    KeptPictures kept(2'500'000);
    const auto first = kept.keep({"a", &large}), second = kept.keep({"b", &large});
    expect(first && second && !kept.keep({"c", &large}), "a third one is kept");
    auto third = kept.keep({"c", &small});
    expect(third != nullptr, "a small one is not");
    third.reset();
    const auto other = kept.keep({"d", &small});
    expect(other && other->pixels.capacity() < 1000, "it has the memory of a large one");
    return "";
  });
}

void test_watched() {
  test("a picture comes in colour from the first one on, and only while somebody watches", [] {
    EngineByHand engine;
    engine.open(drawing_plan());
    for (int i = 0; i < 5; i++) expect(!has_picture(engine.until("a result", has_result)), "nobody watched");
    expect(!engine.shutter.is_colour_wanted, "colour was asked for");

    engine.runner().set_kinds({kind_of("drawn"), kind_of("drawn", "small", 32), kind_of("nobody", "b")});
    const Mailbox::Contents first = engine.until("a picture", has_picture);
    const EncodedPicture& picture = first.pictures.front();
    GrayImage gray;
    Chroma chroma;
    PictureDecoder().decode_colour(picture.jpeg.data(), picture.jpeg.size(), gray, chroma);
    expect(gray.width == picture.width && picture.width == (picture.key == "a" ? WIDTH : 32),
           text("%s is %d wide", picture.key.c_str(), picture.width));
    expect(!chroma.is_empty() && chroma.cr.front() > 180, "it is not red");

    engine.runner().set_kinds({});
    engine.until("the end of colour", [&](const Mailbox::Contents&) {
      const std::lock_guard<std::mutex> lock(engine.shutter.mutex);
      return !engine.shutter.is_colour_wanted;
    });
    return "";
  });

  test("a plan without the picture gives none, one that has it gives it again", [] {
    EngineByHand engine;
    engine.open(drawing_plan());
    engine.runner().set_kinds({kind_of("drawn")});
    engine.until("a picture", has_picture);
    engine.set_plan(measuring_plan(), 2);
    engine.until("the other plan",
                 [](const Mailbox::Contents& contents) { return has_result(contents) && contents.result[8] == 2; });
    int late = 0;
    for (int i = 0; i < 20; i++) late += static_cast<int>(has_picture(engine.until("a result", has_result)));
    expect(late <= 1, text("%d pictures of a plan that has none", late));
    engine.set_plan(drawing_plan(), 3);
    engine.until("a picture", has_picture);
    return "";
  });

  test("a picture that cannot be made costs no result, and is told", [] {
    PlanDocument plan = drawing_plan();
    plan.slots = 5;
    plan.steps.insert(
        plan.steps.begin() + 2,
        step("cut", "crop", {1}, {4}, {{"x_px", 1000.0}, {"y_px", 0.0}, {"width_px", 16.0}, {"height_px", 16.0}}));
    plan.steps[3].inputs[0] = 4;
    EngineByHand engine;
    engine.open(plan);
    engine.runner().set_kinds({kind_of("drawn")});
    const Mailbox::Contents contents = engine.until("a warning", [](const Mailbox::Contents& each) {
      return !each.notices.empty() && each.notices.back().type == "warned";
    });
    expect(contents.notices.back().fault.code == "picture.unencodable", contents.notices.back().fault.detail);
    engine.until("a result", has_result);
    return "";
  });
}

void test_params() {
  test("of parameters that wait for a picture the latest of each step are taken over", [] {
    EngineByHand engine;
    engine.open(measuring_plan());
    for (int i = 0; i < 100; i++)
      engine.runner().set_params({{"nobody", Params("nobody")}, {"somebody", Params("somebody")}});
    int64_t refused = 0;
    engine.until("a result", [&](const Mailbox::Contents& contents) {
      for (const Notice& notice : contents.notices)
        if (notice.fault.code == "engine.bad_task") refused += notice.count;
      return has_result(contents);
    });
    engine.close();
    expect(refused <= 2 && refused > 0, text("%lld were taken", static_cast<long long>(refused)));
    return "";
  });
}

/** Outlines of what is red, with a tolerance at which OpenCV throws: as an output, or only drawn. */
PlanDocument throwing_plan(bool is_drawn) {
  PlanDocument plan;
  plan.slots = 6;
  plan.steps.push_back(step("source", "source", {}, {0, 1}));
  plan.steps.push_back(step("red", "hsv-threshold", {1}, {2},
                            {{"hue_min_deg", 0.0},
                             {"hue_max_deg", 360.0},
                             {"saturation_min", 0.0},
                             {"saturation_max", 255.0},
                             {"value_min", 0.0},
                             {"value_max", 255.0}}));
  plan.steps.push_back(step("outlines", "contours", {2}, {3}, {{"min_area_px", 1.0}}));
  plan.steps.push_back(
      step("corners", "polygons", {3}, {4},
           {{"tolerance_share", 1e30}, {"corners_min", 3.0}, {"corners_max", 8.0}, {"convex_only", false}}));
  plan.steps.push_back(step("drawn", "overlay", {1, -1, 4, -1, -1, -1, -1}, {5}, {{"scale", 1.0}, {"labels", true}}));
  if (is_drawn) plan.outputs = {{"outlines", 3}, {"drawn", 5}};
  else plan.outputs = {{"corners", 4}};
  return plan;
}

/** Why a step has failed; fails when the camera is lost over it. */
std::string failure(const Mailbox::Contents& contents) {
  for (const Notice& notice : contents.notices) {
    expect(notice.type != "lost", "the camera is lost: " + notice.fault.detail);
    if (notice.type == "warned" && notice.fault.code == "step.failed") return notice.fault.detail;
  }
  return "";
}

void test_failing_steps() {
  test("a step in which a library throws loses its result, and the next plan runs with the same camera", [] {
    EngineByHand engine;
    engine.open(throwing_plan(false));
    const std::string why =
        failure(engine.until("the warning", [](const Mailbox::Contents& each) { return !failure(each).empty(); }));
    expect(why.find("step corners") != std::string::npos, why);
    engine.set_plan(measuring_plan(), 2);
    engine.until("a result", has_result);
    return why.substr(0, 40);
  });

  test("a step in which a library throws, and which only a picture needs, costs no result", [] {
    EngineByHand engine;
    engine.open(throwing_plan(true));
    engine.runner().set_kinds({kind_of("drawn")});
    engine.until("the warning", [](const Mailbox::Contents& each) { return !failure(each).empty(); });
    for (int i = 0; i < 5; i++) engine.until("a result", has_result);
    return "";
  });
}

void test_placeholders() {
  test("what stands for an output's pictures is shown to those who watch it, until one comes that was taken since", [] {
    Viewers viewers{[](int64_t, const char*) {}};
    const int page = memfd_create("page", 0);
    expect(page >= 0 && ftruncate(page, 2 * static_cast<off_t>(sizeof(Record))) == 0, "no page");
    viewers.keep_records(page);
    const Connection of_camera, of_output;
    viewers.take(1, 0, of_camera.ours);
    viewers.take(2, 1, of_output.ours);
    viewers.start(1, {"a", "", "|", 0, 1'000'000});
    viewers.start(2, {"b", "drawn", "|", 0, 1'000'000});
    const auto bytes = [](const char* word) { return std::vector<uint8_t>(word, word + std::strlen(word)); };
    const auto jpeg = [&](const char* word) { return std::make_shared<const std::vector<uint8_t>>(bytes(word)); };
    const int64_t before_us = monotonic_us() - 1;

    viewers.show_instead(bytes("gone"), "drawn");
    expect(of_output.read().find("X-Placeholder") != std::string::npos && of_camera.read().empty(),
           "it was not shown, or to others");
    viewers.offer({"b", "drawn", jpeg("old"), 1, before_us});
    viewers.offer({"a", "", jpeg("camera"), 1, monotonic_us()});
    std::string seen;
    for (int i = 0; i < 400 && seen.find("gone") == std::string::npos; i++) {
      usleep(5000);
      seen += of_output.read();
    }
    expect(seen.find("gone") != std::string::npos, "a picture of before took it away");
    viewers.offer({"b", "drawn", jpeg("new"), 2, monotonic_us()});
    expect(of_output.read().find("new") != std::string::npos, "the new picture is not shown");
    viewers.start(3, {"b", "drawn", "|", 0, 1'000'000});
    viewers.end();
    ::close(page);
    return "";
  });
}

LiveControls skipping(int skip) {
  LiveControls live;
  live.skip = skip;
  return live;
}

/** What came of some pictures of a camera that somebody watches. */
struct Seen {
  std::vector<int64_t> results, skipped, plans, pictures;

  /** Takes pictures until so many were shown. */
  void watch(EngineByHand& engine, size_t shown) {
    engine.until("pictures", [&](const Mailbox::Contents& contents) {
      if (!contents.result.empty()) {
        results.push_back(static_cast<int64_t>(contents.result[0]));
        skipped.push_back(static_cast<int64_t>(contents.result[6]));
        plans.push_back(static_cast<int64_t>(contents.result[8]));
      }
      for (const EncodedPicture& picture : contents.pictures) pictures.push_back(picture.seq);
      return pictures.size() >= shown;
    });
  }
};

/** Until none is run any more only because something else is run than before. */
void outlast_change(EngineByHand& engine) {
  for (int i = 0; i < 2; i++) engine.until("a result", has_result);
  std::this_thread::sleep_for(std::chrono::milliseconds(260));  // by the clock of the process: there is no other
}

void test_left_out() {
  test("a robot that wants fewer results gets fewer, and who watches the camera sees it all the same", [] {
    EngineByHand engine;
    engine.robot.set_live(skipping(2));
    engine.open(measuring_plan());
    engine.runner().set_kinds({kind_of("")});
    outlast_change(engine);
    Seen seen;
    seen.watch(engine, 30);
    expect(seen.results.size() >= 4 && seen.results.size() <= 20, text("%zu results", seen.results.size()));
    for (size_t i = 1; i < seen.results.size(); i++) {
      const auto step = static_cast<int>(seen.results[i] - seen.results[i - 1]);
      expect(step >= 3, text("%d pictures from one result to the next", step));
      expect(seen.skipped[i] - seen.skipped[i - 1] == step - 1, "it counts others than were left out");
    }
    const auto was_left_out = [&](int64_t seq) {
      return std::find(seen.results.begin(), seen.results.end(), seq) == seen.results.end();
    };
    expect(std::count_if(seen.pictures.begin(), seen.pictures.end(), was_left_out) >= 5,
           "what has no result is not shown");

    engine.robot.set_live({});
    Seen after;
    after.watch(engine, 20);
    // a picture that comes while the one before is worked on may be passed over: not each has a result
    bool are_closer = false;
    for (size_t i = 1; i < after.results.size(); i++)
      are_closer = are_closer || after.results[i] - after.results[i - 1] < 3;
    expect(are_closer, "they are left out for ever");
    return text("%zu of %lld", seen.results.size(), static_cast<long long>(seen.pictures.back()));
  });

  test("no picture is skipped right after a new pipeline or new parameters, however many should be", [] {
    EngineByHand engine;
    engine.robot.set_live(skipping(100'000));
    engine.open(measuring_plan());
    outlast_change(engine);
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"plan", [&] { engine.set_plan(measuring_plan(), 2); }},
        {"parameters",
         [&] {
           engine.runner().set_params({{"light", measuring_plan().steps[1].params}});
         }},
    };
    for (const auto& [what, change] : changes) {
      // Four pictures may take a quarter of a second where everything computes, and one that comes while another is
      // worked on is passed over: once in three times they do not.
      bool is_second_run = false, are_all_run = false;
      for (int round = 0; round < 3 && !are_all_run; round++) {
        change();
        std::vector<double> seqs;
        for (int i = 0; i < 4; i++) seqs.push_back(engine.until("a result", has_result).result[0]);
        is_second_run = is_second_run || seqs[1] - seqs[0] == 1;
        are_all_run = seqs[3] - seqs[0] == 3;
        outlast_change(engine);
      }
      expect(is_second_run, text("another %s: the second picture was left out", what));
      expect(are_all_run, text("another %s: of four pictures some are left out", what));
    }
    return "";
  });

  test("another pipeline has two results, and a camera is not silent for long, however many pictures are left out", [] {
    EngineByHand engine;
    engine.open(measuring_plan());
    engine.runner().set_kinds({kind_of("")});
    engine.robot.set_live(skipping(100'000));
    outlast_change(engine);
    Seen before;
    before.watch(engine, 20);
    expect(before.results.size() <= 1, text("%zu results", before.results.size()));

    engine.set_plan(measuring_plan(), 2);
    engine.until("a result", has_result);
    std::this_thread::sleep_for(std::chrono::milliseconds(260));
    Seen other;
    other.watch(engine, 10);
    expect(other.plans == std::vector<int64_t>{2}, text("%zu results", other.results.size()));

    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    Seen late;
    late.watch(engine, 10);
    expect(late.results.size() == 1, text("%zu results", late.results.size()));
    return "";
  });
}

EncodedPicture picture_of(const Mailbox::Contents& contents, const std::string& key) {
  for (const EncodedPicture& picture : contents.pictures)
    if (picture.key == key) return picture;
  return {};
}

void test_pictures_left_out() {
  test("a new viewer of a colour picture gets it from the next frame that runs, though others are skipped", [] {
    EngineByHand engine;
    engine.robot.set_live(skipping(100'000));
    engine.open(drawing_plan());
    outlast_change(engine);
    engine.runner().set_kinds({kind_of("drawn"), kind_of("", "camera")});
    for (int i = 0; i < 2; i++)
      engine.until("a picture that was left out",
                   [](const Mailbox::Contents& each) { return !picture_of(each, "camera").key.empty(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    int results = 0;
    engine.until("the picture", [&](const Mailbox::Contents& each) {
      results += static_cast<int>(has_result(each));
      return results > 1 || !picture_of(each, "a").key.empty();
    });
    expect(results == 1, "the first frame that was run had no colour");
    return "";
  });

  test("what was found is drawn onto no other frame than its own", [] {
    EngineByHand engine;
    engine.robot.set_live(skipping(2));
    engine.open(measuring_plan());
    outlast_change(engine);
    PictureKind drawn = kind_of("", "drawn");
    drawn.overlay = true;
    engine.runner().set_kinds({drawn, kind_of("", "camera")});
    std::vector<int64_t> results, shown, drawn_onto;
    engine.until("pictures", [&](const Mailbox::Contents& each) {
      if (has_result(each)) results.push_back(static_cast<int64_t>(each.result[0]));
      for (const EncodedPicture& picture : each.pictures)
        (picture.key == "drawn" ? drawn_onto : shown).push_back(picture.seq);
      return drawn_onto.size() > 5 && shown.size() > 10;
    });
    for (const int64_t seq : drawn_onto)
      expect(std::find(results.begin(), results.end(), seq) != results.end(),
             text("frame %lld was left out", static_cast<long long>(seq)));
    return text("%zu of %zu", drawn_onto.size(), shown.size());
  });

  test("a picture that was made and not begun to be encoded outlives a frame that was left out", [] {
    Mailbox mailbox([] {});
    Viewers viewers{[](int64_t, const char*) {}};
    Warnings warnings(mailbox);
    Encoder encoder(mailbox, viewers, warnings);
    Plan plan(drawing_plan(), {});
    encoder.set_kinds({kind_of("drawn"), kind_of("", "camera")});
    const auto frame_of = [](int64_t seq, int size) {
      auto frame = std::make_shared<Frame>();
      frame->seq = seq;
      frame->captured_us = monotonic_us();
      frame->gray.resize(size, size);
      frame->width = frame->height = size;
      return frame;
    };
    encoder.offer(frame_of(1, 4000), plan, 0, nullptr);  // takes the encoder a while
    const auto made_of = frame_of(2, 64);
    plan.run({*made_of, Pose{}}, 1, NEVER_TOO_LATE);
    plan.make_pictures({*made_of, Pose{}}, 1, NEVER_TOO_LATE);
    encoder.offer(made_of, plan, 1, nullptr);
    encoder.offer_left_out(frame_of(3, 64));
    int64_t drawn = 0, camera = 0;
    for (int i = 0; i < 2000 && (drawn == 0 || camera < 3); i++) {
      usleep(5000);
      Mailbox::Contents contents;
      mailbox.take(contents);
      for (const EncodedPicture& picture : contents.pictures) (picture.key == "a" ? drawn : camera) = picture.seq;
    }
    expect(drawn == 2 && camera == 3,
           text("of frames %lld and %lld", static_cast<long long>(drawn), static_cast<long long>(camera)));
    viewers.end();
    return "";
  });
}

void test_late_heading() {
  test("for its heading a robot is asked by the step that needs it, when that runs, and by no other", [] {
    EngineByHand engine;
    engine.open(measuring_plan());
    for (int i = 0; i < 3; i++) engine.until("a result", has_result);
    engine.close();
    expect(engine.robot.asked == 0, text("it was asked %d times", engine.robot.asked.load()));
    return "";
  });
}

void test_threads() {
  test("viewers, plans and the camera come and go, and nobody reads memory that was given back", [] {
    int64_t pictures = 0, results = 0;
    for (int round = 0; round < 6; round++) {
      EngineByHand engine;
      const int page = memfd_create("page", 0);
      expect(page >= 0 && ftruncate(page, 4 * static_cast<off_t>(sizeof(Record))) == 0, "no page");
      engine.viewers().keep_records(page);
      engine.open(round % 2 ? drawing_plan() : measuring_plan());
      std::atomic<bool> is_over{false};
      std::thread watching([&] {
        const Connection connection;
        for (int64_t turn = 1; !is_over; turn++) {
          engine.viewers().take(turn, static_cast<size_t>(turn % 4), connection.ours);
          engine.viewers().start(turn, {"a", "drawn", "|", 0, 1'000'000});
          engine.runner().set_kinds({kind_of("drawn"), kind_of("drawn", "small", 16), kind_of("")});
          engine.viewers().show_instead({1, 2, 3}, turn % 2 ? "drawn" : "");
          std::this_thread::sleep_for(std::chrono::microseconds(300));
          connection.read();
          engine.viewers().drop(turn);
          if (turn % 5 == 0) engine.runner().set_kinds({});
        }
      });
      std::thread switching([&] {
        for (int64_t number = 2; !is_over; number++) {
          engine.set_plan(number % 2 ? drawing_plan() : measuring_plan(), number);
          std::this_thread::sleep_for(std::chrono::microseconds(700));
        }
      });
      engine.shutter.release(1000);
      for (int i = 0; i < 150; i++) {
        const Mailbox::Contents contents = engine.until("a result", has_result);
        results++;
        pictures += static_cast<int64_t>(contents.pictures.size());
      }
      is_over = true;
      watching.join();
      switching.join();
      engine.close();  // with pictures on their way
      ::close(page);
    }
    expect(pictures > 0, "nobody saw anything");
    return text("%lld results, %lld pictures", static_cast<long long>(results), static_cast<long long>(pictures));
  });
}

}  // namespace
}  // namespace vedette::test

int main() {
  using namespace vedette::test;
  test_plan();
  test_memory();
  test_watched();
  test_failing_steps();
  test_params();
  test_placeholders();
  test_showing();
  test_left_out();
  test_pictures_left_out();
  test_unseen();
  test_headings();
  test_late_heading();
  test_threads();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
