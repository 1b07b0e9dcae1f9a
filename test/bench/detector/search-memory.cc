// What one detector adds to the memory of a process that has nothing else to do: bare libapriltag, or this service's
// own.
//
//   search-memory library|own WIDTH HEIGHT FAMILY=BITS[,FAMILY=BITS...] FILE...
//
// All pictures are read first and made WIDTH x HEIGHT pixels large. From then on counts what is resident: the families,
// the detector, and what it uses to look at each picture once at decimate 1. Prints { peak_mb, kept_mb, tags }: the
// most of it, and what is left while the detector waits for another picture. MB of 1e6 bytes.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "bare_library.h"
#include "sized_picture.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "search-memory: %s\n", why.c_str());
  std::exit(1);
}

/** Of /proc/self/status, MB. */
double status_mb(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(field + ":", 0) == 0) return std::atof(line.c_str() + field.size() + 1) * 1024 / 1e6;
  fail("the system does not tell " + field);
}

/** What is free goes back to the system, and the highest so far is what there is now. */
void begin_anew() {
  malloc_trim(0);
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) fail("the system does not let the peak begin anew");
}

struct Families {
  std::vector<FamilyOwner> owned;
  std::vector<SoughtFamily> sought;
};

Families families_of(const std::string& words) {
  Families out;
  std::istringstream list(words);
  for (std::string word; std::getline(list, word, ',');) {
    const size_t equals = word.find('=');
    out.owned.push_back(make_family(word.substr(0, equals)));
    if (!out.owned.back() || equals == std::string::npos) fail(word + " is no family with a number of bits");
    out.sought.push_back({out.owned.back().get(), std::atoi(word.c_str() + equals + 1)});
  }
  return out;
}

int measure(bool is_own, const std::string& words, const std::vector<GrayImage>& pictures) {
  begin_anew();
  const double before_mb = status_mb("VmRSS");
  const Families families = families_of(words);
  std::unique_ptr<TagSearch> search;
  if (is_own) search = std::make_unique<TagScan>(families.sought);
  else search = std::make_unique<BareLibrary>(families.sought);
  size_t tags = 0;
  for (const GrayImage& picture : pictures) tags += search->find(view_of(picture), 1).size();
  std::printf("{\"peak_mb\":%.2f,\"kept_mb\":%.2f,\"tags\":%zu}\n", status_mb("VmHWM") - before_mb,
              status_mb("VmRSS") - before_mb, tags);
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  const std::string who = argc > 1 ? argv[1] : "";
  if (argc < 6 || (who != "library" && who != "own"))
    return std::fprintf(stderr, "search-memory library|own WIDTH HEIGHT FAMILY=BITS[,FAMILY=BITS...] FILE...\n"), 1;
  cv::setNumThreads(0);
  return measure(who == "own", argv[4],
                 read_pictures("search-memory", argc - 5, argv + 5, std::atoi(argv[2]), std::atoi(argv[3])));
}
