// The smallest test harness: a test is a sentence and a function that throws when the sentence is wrong.
#pragma once

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vedette::test {

inline int failures = 0;

/** Of what was thrown and is no exception of the standard library. Called while it is being handled. */
inline std::string (*words_of_thrown)() = [] { return std::string("something else than an exception was thrown"); };

/** Runs one test and prints its line; figures that the function returns stand behind the sentence. */
inline void test(const char* sentence, const std::function<std::string()>& body) {
  const auto failed = [&](const std::string& why) {
    failures++;
    std::printf("FAILED %s: %s\n", sentence, why.c_str());
  };
  try {
    const std::string figures = body();
    std::printf("ok     %s%s%s\n", sentence, figures.empty() ? "" : ": ", figures.c_str());
  } catch (const std::exception& error) {
    failed(error.what());
  } catch (...) {
    failed(words_of_thrown());
  }
  std::fflush(stdout);
}

inline void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw std::runtime_error(otherwise);
}

template <typename... Values>
std::string text(const char* format, Values... values) {
  char line[400];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

/**
 * A group of tests, run with the others in no order that counts. Each file has one: `const Suite suite([] { test("...",
 * ...); });`
 */
class Suite {
 public:
  explicit Suite(void (*body)()) { all().push_back(body); }
  static std::vector<void (*)()>& all() {
    static std::vector<void (*)()> suites;
    return suites;
  }
};

}  // namespace vedette::test
