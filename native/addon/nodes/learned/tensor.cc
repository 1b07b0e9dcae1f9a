#include "tensor.h"

#include <cstring>
#include <string>

#include "source.h"

namespace vedette {

namespace {

constexpr size_t WORD = sizeof(uint32_t), WORDS_OF_ONE = 2 + Tensor::MAX_DIMS + 1;

[[noreturn]] void refuse(const std::string& why) {
  throw Fault{"step.failed", "the answer of the model does not hold together: " + why};
}

size_t size_of(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::f32:
    case Element::i32:
      return 4;
    case Element::i64:
    case Element::f64:
      return 8;
  }
  refuse("it has numbers of an unknown kind");
}

class Words {
 public:
  Words(const uint8_t* from, size_t bytes) : from_(from), left_(bytes / WORD) {}

  uint32_t next() {
    if (left_ == 0) refuse("it ends too early");
    uint32_t word;
    std::memcpy(&word, from_, WORD);
    from_ += WORD;
    left_--;
    return word;
  }

 private:
  const uint8_t* from_;
  size_t left_;
};

Tensor read_tensor(Words& words, const uint8_t* answer, size_t bytes) {
  Tensor out;
  out.element = static_cast<Element>(words.next());
  const size_t size = size_of(out.element);
  out.rank = words.next();
  if (out.rank > Tensor::MAX_DIMS) refuse("a tensor has " + std::to_string(out.rank) + " dimensions");
  size_t numbers = 1;
  for (size_t i = 0; i < Tensor::MAX_DIMS; i++) {
    const size_t length = words.next();
    if (i >= out.rank) continue;
    out.dims[i] = length;
    numbers *= length;  // at most 2^32 times what was held against `bytes` before: no overflow
    if (numbers > bytes) refuse("a tensor has more numbers than there are bytes");
  }
  const size_t at = words.next();
  if (at % size != 0 || at > bytes || numbers * size > bytes - at) refuse("a tensor lies outside of it");
  out.data = answer + at;
  return out;
}

}  // namespace

double Tensor::at(size_t index) const {
  switch (element) {
    case Element::f32:
      return static_cast<const float*>(data)[index];
    case Element::u8:
      return static_cast<const uint8_t*>(data)[index];
    case Element::i32:
      return static_cast<const int32_t*>(data)[index];
    case Element::i64:
      return static_cast<double>(static_cast<const int64_t*>(data)[index]);
    case Element::f64:
      return static_cast<const double*>(data)[index];
  }
  return 0;
}

Tensors read_tensors(const uint8_t* answer, size_t bytes) {
  Words words(answer, bytes);
  Tensors out;
  out.count = words.next();
  if (out.count > Tensors::MAX) refuse("it has " + std::to_string(out.count) + " tensors");
  for (size_t i = 0; i < out.count; i++) out.all[i] = read_tensor(words, answer, bytes);
  return out;
}

}  // namespace vedette
