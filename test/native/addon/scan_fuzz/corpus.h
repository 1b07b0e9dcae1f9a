// What a fuzzer begins with, made by code: nothing of it is stored.
#pragma once

#include "looks.h"

namespace vedette::test {

/**
 * Tags of all families in many ways of looking, pictures that are hard, tiny, thin, and several in a row. The same in
 * every run.
 */
std::vector<Bytes> made_corpus();

/** One of the corpus with some changes: of its head, of bytes, of what is in its pictures. */
Bytes changed(const std::vector<Bytes>& corpus, Dice& dice);

}  // namespace vedette::test
