#include "pass_through.h"

#include <algorithm>
#include <iterator>

namespace vedette {

void PassThrough::set_kinds(const std::vector<PictureKind>& kinds) {
  std::vector<PictureKind> own;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(own),
               [](const PictureKind& kind) { return kind.output.empty() && kind.quality == 0 && !kind.overlay; });
  kinds_.set(own);
}

void PassThrough::show(const std::shared_ptr<const Frame>& frame) {
  if (!frame->is_whole_jpeg) return;
  kinds_.use_due(frame->captured_us, [&](const PictureKind& kind) {
    if (takes(*frame, kind))
      viewers_.offer({kind.key, kind.output, Jpeg(frame, &frame->encoded), frame->seq, frame->captured_us});
    return true;
  });
}

}  // namespace vedette
