// The values that a program gives: JSON that is checked before anybody reads it.
#pragma once

#include <string>

namespace vedette {

constexpr size_t MAX_VALUES_BYTES = 16'384;  // MAX_VALUES_BYTES of machines/engine/script-values.ts

/**
 * Why a text is no record of values as machines/engine/script-values.ts has them: an object of at most 64 numbers,
 * texts of at most 200 bytes, flags, and lists of at most 64 of these; empty: it is one.
 */
std::string values_refusal(const std::string& text);

}  // namespace vedette
