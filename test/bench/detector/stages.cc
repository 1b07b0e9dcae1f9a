// What each stage of this service's own detector costs, beside bare libapriltag at decimate 1, on one thread, picture
// by picture, turn about who is first.
//
//   stages ROUNDS FAMILY BITS WIDTH HEIGHT FILE...
//
// The words are those of `scan`. Prints a line for each round: a list of [libapriltag's, our own whole, ...of each
// stage] for each picture: CPU of the thread, us.
//
// What tells noise, and makes a noisy picture smaller for a second look, counts as black and white; the other stages of
// that look count among those of the first.
//
// It takes the steps that TagScan takes, by the same parts, since a clock within TagScan would be read for every
// picture that the service looks at. One thing differs: all rows are made black and white before the first is cut into
// runs, where TagScan does both row by row, since a clock that is read for each row would take a part of the time that
// is measured. So that what is measured is what is shipped the program ends where a tag is another one than TagScan's,
// to the last bit.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bare_library.h"
#include "clock.h"
#include "json.h"
#include "picture_noise.h"
#include "rounds.h"
#include "same_answer.h"
#include "same_tag.h"
#include "sized_picture.h"
#include "tag_scan.h"

namespace vedette {
namespace {

/** In the order of the table in docs/decisions/0193-a-detector-of-our-own.md. */
enum Stage { BLACK_AND_WHITE, RUNS, COMPONENTS, BORDERS, POINTS, QUADS, READING, STAGES };

// As PictureRuns has it.
constexpr uint32_t MIN_PIXELS = 25;

/** TagScan at decimate 1, without blur, of pictures that are not too much for it. */
class Staged {
 public:
  explicit Staged(const SoughtFamily& sought)
      : reader_({sought}),
        min_modules_(sought.family->width_at_border),
        inside_{!sought.family->reversed_border, static_cast<bool>(sought.family->reversed_border)} {}

  const std::vector<FoundTag>& find(const GreyView& picture) {
    times_us_ = {};
    last_us_ = thread_cpu_us();
    look_at(picture, picture);
    tags_ = found_;
    if (!is_noisy(picture, kernels_)) return end(BLACK_AND_WHITE), tags_;
    look_at(picture, halved(picture));
    for (const FoundTag& tag : found_) add_once(tags_, tag);
    end(READING);
    return tags_;
  }

  /** Of the last picture, us. */
  const std::array<int64_t, STAGES>& times_us() const { return times_us_; }

 private:
  /** Sets found_. */
  void look_at(const GreyView& whole, const GreyView& picture) {
    const LookedAt looked_at(whole, picture, min_modules_);
    set_bits(picture);
    end(BLACK_AND_WHITE);
    cut_runs();
    end(RUNS);
    black_.number_components(MIN_PIXELS);
    white_.number_components(MIN_PIXELS);
    end(COMPONENTS);
    borders_.find(black_, white_, picture.height, inside_);
    end(BORDERS);
    choose_borders(borders_.all(), looked_at, inside_, wanted_);
    borders_.make_points(wanted_);
    end(POINTS);
    fit_quads(looked_at);
    end(QUADS);
    found_.clear();
    reader_.read(looked_at, quads_, found_);
    end(READING);
  }

  void end(Stage stage) {
    const int64_t now_us = thread_cpu_us();
    times_us_[stage] += now_us - std::exchange(last_us_, now_us);
  }

  GreyView halved(const GreyView& picture) {
    const int width = picture.width / 2, height = picture.height / 2;
    small_.resize(static_cast<size_t>(width) * height);
    cv::Mat to(height, width, CV_8UC1, small_.data());
    cv::resize(cv::Mat(picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.pixels),
                       static_cast<size_t>(picture.stride)),
               to, to.size(), 0, 0, cv::INTER_AREA);
    return {small_.data(), width, height, width};
  }

  void set_bits(const GreyView& picture) {
    words_ = (picture.width + WORD_PX - 1) / WORD_PX;
    rows_ = picture.height;
    black_bits_.resize(static_cast<size_t>(words_) * rows_);
    white_bits_.resize(black_bits_.size());
    black_white_.begin(picture);
    for (int y = 0; y < rows_; y++) {
      const RowBits bits = black_white_.row(y);
      std::memcpy(black_row(y), bits.black, words_ * sizeof(uint64_t));
      std::memcpy(white_row(y), bits.white, words_ * sizeof(uint64_t));
    }
  }

  void cut_runs() {
    black_.clear();
    white_.clear();
    for (int y = 0; y < rows_; y++) {
      black_.add_row(black_row(y), words_);
      white_.add_row(white_row(y), words_);
    }
  }

  void fit_quads(const LookedAt& looked_at) {
    quads_.clear();
    for (size_t i = 0; i < wanted_.size(); i++)
      reader_.fit(looked_at, borders_.all()[wanted_[i]], borders_.points_of(i), quads_);
  }

  uint64_t* black_row(int y) { return &black_bits_[static_cast<size_t>(y) * words_]; }
  uint64_t* white_row(int y) { return &white_bits_[static_cast<size_t>(y) * words_]; }

  BorderReader reader_;
  const double min_modules_;
  const Inside inside_;
  const RowKernels& kernels_ = *row_kernels(best_vector_path());
  BlackWhite black_white_{kernels_};
  int words_ = 0, rows_ = 0;
  std::vector<uint64_t> black_bits_, white_bits_;
  Runs black_{false}, white_{true};
  Borders borders_;
  std::vector<uint32_t> wanted_;
  std::vector<Quad> quads_;
  std::vector<FoundTag> tags_, found_;  // of all looks, of one
  std::vector<uint8_t> small_;
  int64_t last_us_ = 0;
  std::array<int64_t, STAGES> times_us_{};
};

int measure(int rounds, const SoughtFamily& sought, const std::vector<GrayImage>& pictures, char** paths) {
  BareLibrary library(sought);
  TagScan whole({sought});
  Staged staged(sought);
  for (size_t i = 0; i < pictures.size(); i++) {
    const GreyView view = view_of(pictures[i]);
    library.find(view, 1);
    if (!is_same(staged.find(view), whole.find(view, 1)) || whole.was_too_much())
      return std::fprintf(stderr, "stages: TagScan has taken other steps in %s\n", paths[i]), 1;
  }
  print_rounds(rounds, pictures, [&](const GreyView& view, bool is_staged_first) {
    if (is_staged_first) staged.find(view);
    const int64_t library_us = timed_us(library, view), whole_us = timed_us(whole, view);
    if (!is_staged_first) staged.find(view);
    JsonPieces times;
    times.add(std::to_string(library_us)).add(std::to_string(whole_us));
    for (const int64_t us : staged.times_us()) times.add(std::to_string(us));
    return times.list();
  });
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 7) return std::fprintf(stderr, "stages ROUNDS FAMILY BITS WIDTH HEIGHT FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("stages", argv[2]);
  const std::vector<GrayImage> pictures =
      read_pictures("stages", argc - 6, argv + 6, std::atoi(argv[4]), std::atoi(argv[5]));
  return measure(std::atoi(argv[1]), {family.get(), std::atoi(argv[3])}, pictures, argv + 6);
}
