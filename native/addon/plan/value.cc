#include "value.h"

#include <utility>

namespace vedette {

namespace {

template <size_t... Index>
Value empty_at(size_t wanted, std::index_sequence<Index...>) {
  Value value;
  (void)((Index == wanted && (value.emplace<Index>(), true)) || ...);
  return value;
}

}  // namespace

Value empty_value(Kind kind) {
  return empty_at(static_cast<size_t>(kind), std::make_index_sequence<std::variant_size_v<Value>>());
}

}  // namespace vedette
