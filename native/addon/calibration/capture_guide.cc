// A program that guides a capture: capture-guide SQUARE_WIDTH SQUARE_HEIGHT (metres). It reads orders, one after the
// other, until its input ends:
//   board FAMILY COLUMNS ROWS STARTS_WHITE MARKER WIDTH HEIGHT: that of pictures of that size, taken earlier
//     {}
//   picture BYTES, then as many bytes of a JPEG or PNG
//     {"width_px":..,"height_px":..,"markers":..,"corners":[[column,row,u,v],..],"edge_px":..,"lowers":..,
//      "outline":[[u,v],..]}, or {"detail":"a sentence"}
//   corners WIDTH HEIGHT CORNERS, then COLUMN ROW U V of each: what a picture shows whose corners were found before
//     the same; edges are not measured
//   take WIDTH HEIGHT CORNERS, then COLUMN ROW U V of each: a picture was taken
//     {}
// Each answer is one line. Where what is known has changed since the last one, it has
// "known":{"pictures":..,"mean_px":..,"focal_share":..,"condition":..,"board":{..},
//          "proposed":{"outline":[..],"nearer":"..","lowers":..}} too.
// A process of its own, which gives way to all others: live pictures shall not notice it.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <opencv2/core.hpp>
#include <stdexcept>
#include <string>

#include "gray_picture.h"
#include "guide_session.h"
#include "json.h"
#include "own_process.h"
#include "procedure.h"

namespace vedette {
namespace {

constexpr rlim_t MAX_MEMORY = 1'500'000'000;
constexpr size_t MAX_BYTES = 40'000'000;
constexpr int NICE = 10;
constexpr const char* NEARER[] = {"none", "left", "right", "top", "bottom"};

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string place(double u, double v) { return JsonPieces().add(number(u)).add(number(v)).list(); }

std::string described(const std::array<std::array<double, 2>, 4>& outline) {
  return json_list(outline, [](const std::array<double, 2>& each) { return place(each[0], each[1]); });
}

/** Corners to 1/10,000 of a pixel: they are what is solved in the end. */
std::string described(const ChessCorner& corner) {
  char text[80];
  std::snprintf(text, sizeof text, "[%d,%d,%.4f,%.4f]", corner.column, corner.row, corner.u, corner.v);
  return text;
}

std::string described(const BoardLayout& layout) {
  return JsonPieces()
      .text("family", BOARD_FAMILIES[layout.family])
      .number("columns", layout.columns)
      .number("rows", layout.rows)
      .boolean("starts_white", layout.starts_white)
      .field("marker_share", number(layout.marker))
      .field("fitting_share", number(layout.fitting_share))
      .object();
}

JsonPieces described(const GuideLook& look) {
  JsonPieces to;
  to.number("width_px", look.width)
      .number("height_px", look.height)
      .number("markers", static_cast<int64_t>(look.markers))
      .field("corners", json_list(look.corners, [](const ChessCorner& each) { return described(each); }))
      .field("edge_px", number(look.edge_px))
      .field("lowers", number(look.lowers));
  if (look.outline) to.field("outline", described(*look.outline));
  return to;
}

/** Of a picture. */
struct Corners {
  int width = 0, height = 0;
  std::vector<ChessCorner> all;
};

template <typename Value>
Value next(const char* what) {
  Value value;
  if (!(std::cin >> value)) throw std::runtime_error(std::string("the order ends before ") + what);
  return value;
}

class Guide {
 public:
  Guide(double square_width, double square_height) : session_(square_width, square_height) {}

  /** False at the end of the input. */
  bool serve() {
    std::string order;
    if (!(std::cin >> order)) return false;
    if (order == "picture") {
      answer(look(read_bytes()));
    } else if (order == "corners") {
      const Corners seen = read_corners();
      answer(described(session_.look_at(seen.width, seen.height, seen.all)));
    } else if (order == "take") {
      const Corners taken = read_corners();
      session_.add(taken.width, taken.height, taken.all);
      answer({});
    } else if (order == "board") {
      set_board();
      answer({});
    } else {
      throw std::runtime_error("there is no order " + order);
    }
    return true;
  }

 private:
  std::vector<uint8_t> read_bytes() {
    const auto count = next<size_t>("the number of bytes");
    if (count > MAX_BYTES) throw std::runtime_error("the picture has too many bytes");
    std::cin.get();  // the end of the line
    std::vector<uint8_t> to(count);
    std::cin.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(count));
    if (static_cast<size_t>(std::cin.gcount()) != count) throw std::runtime_error("the picture is cut off");
    return to;
  }

  JsonPieces look(const std::vector<uint8_t>& bytes) {
    try {
      reader_.read(bytes, picture_);
    } catch (const Fault& fault) {
      return JsonPieces().text("detail", fault.detail);
    }
    return described(
        session_.look({picture_.data(), picture_.width, picture_.height, static_cast<int>(picture_.stride)}));
  }

  static Corners read_corners() {
    Corners to;
    to.width = next<int>("the width"), to.height = next<int>("the height");
    const int count = next<int>("the number of corners");
    if (count < 0 || count > MAX_CORNERS) throw std::runtime_error("there is no such number of corners");
    for (int i = 0; i < count; i++) {
      const int column = next<int>("a column"), row = next<int>("a row");
      const double u = next<double>("a place"), v = next<double>("a place");
      to.all.push_back({column, row, u, v});
    }
    return to;
  }

  void set_board() {
    const auto family = next<std::string>("the family");
    BoardLayout layout;
    for (int i = 0; i < BOARD_FAMILIES_COUNT; i++)
      if (family == BOARD_FAMILIES[i]) layout.family = i;
    layout.columns = next<int>("the columns"), layout.rows = next<int>("the rows");
    layout.starts_white = next<int>("the layout") == 1;
    layout.marker = next<double>("the side of a marker");
    layout.fitting_share = 1;
    const int width = next<int>("the width"), height = next<int>("the height");
    session_.set_board(layout, width, height);
  }

  void answer(JsonPieces to) {
    if (session_.can_propose() && session_.version() != told_) {
      told_ = session_.version();
      const ProposedView& proposed = session_.proposed();
      JsonPieces known;
      known.number("pictures", static_cast<int64_t>(session_.pictures()))
          .number("width_px", session_.board().width)
          .number("height_px", session_.board().height)
          .field("mean_px", number(session_.known().mean_px))
          .field("focal_share", number(session_.known().focal_share))
          .field("condition", number(session_.known().condition))
          .field("board", described(*session_.layout()))
          .field("proposed", JsonPieces()
                                 .field("outline", described(proposed.outline))
                                 .text("nearer", NEARER[static_cast<int>(proposed.nearer)])
                                 .field("lowers", number(proposed.lowers))
                                 .object());
      to.field("known", known.object());
    }
    print_line(to.object());
  }

  GuideSession session_;
  GrayReader reader_;
  GrayImage picture_;
  int told_ = 0;
};

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  const double width = argc == 3 ? std::atof(argv[1]) : 0, height = argc == 3 ? std::atof(argv[2]) : 0;
  if (!(width > 0 && height > 0)) return std::fprintf(stderr, "capture-guide SQUARE_WIDTH SQUARE_HEIGHT\n"), 2;
  vedette::limit_resources(vedette::MAX_MEMORY, RLIM_INFINITY);
  setpriority(PRIO_PROCESS, 0, vedette::NICE);
  cv::setNumThreads(0);
  std::ios::sync_with_stdio(false);
  return vedette::run_to_end("the capture", [&] {
    for (vedette::Guide guide(width, height); guide.serve();) {
    }
  });
}
