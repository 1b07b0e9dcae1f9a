// Counts how often each step of a plan asks for memory, and who it is that asks: the project's own code, or a library
// that it calls. Reads the same task as the program `step`, runs its frames twice, and tells of the second time, when
// all buffers have found their size, as JSON.
#include <execinfo.h>
#include <link.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <opencv2/core/utility.hpp>
#include <string>

#include "pack.h"
#include "step_task.h"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

const std::string OWN = "own";

struct Object {
  std::string name;
  uintptr_t from, to;
};

/**
 * Every shared object, and the program itself. None of what it defines but what is asked for below is seen by the
 * others, which would call it for theirs (allocations.map).
 */
std::vector<Object> objects;

/** Those that ask on behalf of whoever called them. */
bool is_go_between(const std::string& name) {
  return name.rfind("libc.", 0) == 0 || name.rfind("libstdc++", 0) == 0 || name.rfind("libm.", 0) == 0;
}

int add_object(dl_phdr_info* info, size_t, void*) {
  const std::string path = info->dlpi_name;
  const std::string name = objects.empty() ? OWN : path.substr(path.rfind('/') + 1);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
    const uintptr_t from = info->dlpi_addr + part.p_vaddr;
    objects.push_back({name, from, from + part.p_memsz});
  }
  return 0;
}

bool is_counting = false;
std::map<std::string, long> asked;

const std::string* object_at(void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const Object& object : objects)
    if (at >= object.from && at < object.to) return &object.name;
  return nullptr;
}

constexpr int MAX_CALLERS = 100;

/**
 * Who asks is the library that our code called, or our code itself. What that library calls in its turn is its own
 * affair.
 */
__attribute__((noinline)) void count() {
  if (!is_counting) return;
  is_counting = false;  // who looks asks for memory, too
  void* callers[MAX_CALLERS];
  const int found = backtrace(callers, MAX_CALLERS);
  const std::string* who = nullptr;
  for (int i = 2; i < found; i++) {  // behind this and what it was called by
    const std::string* name = object_at(callers[i]);
    const bool is_own = name && *name == OWN;
    if (is_own && !who) who = name;
    if (is_own) break;
    if (name && !is_go_between(*name)) who = name;
  }
  asked[who ? *who : "unknown"]++;
  is_counting = true;
}

}  // namespace

// In place of the C library's, and of the language's, for everybody in this program.
extern "C" __attribute__((noinline)) void* malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
extern "C" __attribute__((noinline)) void* calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
extern "C" __attribute__((noinline)) void* realloc(void* memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}
extern "C" __attribute__((noinline)) void* aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
extern "C" __attribute__((noinline)) int posix_memalign(void** out, size_t alignment, size_t size) {
  count();
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

namespace vedette::test {
namespace {

using Counts = std::map<std::string, long>;

void add(Counts& to, const Counts& more) {
  for (const auto& [who, times] : more) to[who] += times;
}

/** What was counted since it was last asked for. Nothing is while it is being read. */
Counts taken() {
  is_counting = false;
  Counts out;
  std::swap(out, asked);
  return out;
}

void print(const Counts& counts, double frames) {
  std::printf("{");
  const char* between = "";
  for (const auto& [who, times] : counts) {
    std::printf("%s\"%s\":%.3f", between, who.c_str(), static_cast<double>(times) / frames);
    between = ",";
  }
  std::printf("}");
}

void run(const Task& task) {
  cv::setNumThreads(0);  // as in the engine
  SyntheticCamera camera(task.camera);
  Plan plan(task.plan, {camera.intrinsics(), task.camera.map});
  std::vector<Counts> steps(task.plan.steps.size());
  Counts packing;
  std::vector<double> packed;
  Frame frame;
  const SaidYaw said(frame, task);
  LiveControls live;
  live.picks_ids = true;
  for (const MapTag& tag : task.camera.map.tags) live.localization_ids.push_back(tag.id);
  std::sort(live.localization_ids.begin(), live.localization_ids.end());
  live.window = {0, 0, 1, 0.99};
  for (int i = 0; i < 2 * task.frames; i++) {
    const bool is_second = i >= task.frames;
    camera.render(task.from + (i % task.frames) * task.every, frame);
    frame.captured_us = 1'000'000 + i * 33'000;
    size_t step = 0;
    const std::function<bool(int64_t)> after_each = [&](int64_t) {
      if (is_second) add(steps[step++], taken());
      is_counting = is_second;
      return false;
    };
    is_counting = is_second;
    plan.run({frame, task.camera.mount, nullptr, &live, &said}, 0, after_each);
    if (is_second && step != steps.size()) throw Fault{"task", "a step of the plan leads to no result"};
    taken();
    is_counting = is_second;
    packed.assign(10, 0);
    packed.insert(packed.end(), plan.stage_us().begin(), plan.stage_us().end());
    for (const Value* value : plan.outputs()) pack_rows(*value, packed);
    pack_truth(frame, packed);
    add(packing, taken());
  }
  std::printf("{\"steps\":{");
  for (size_t i = 0; i < steps.size(); i++) {
    std::printf("%s\"%s\":", i == 0 ? "" : ",", task.plan.steps[i].id.c_str());
    print(steps[i], task.frames);
  }
  std::printf("},\"packing\":");
  print(packing, task.frames);
  std::printf(",\"numbers\":%zu}\n", packed.size());
}

}  // namespace
}  // namespace vedette::test

int main() {
  dl_iterate_phdr(add_object, nullptr);
  void* first[4];
  backtrace(first, 4);  // loads what it needs
  try {
    vedette::test::run(vedette::test::read_task(std::cin));
    return 0;
  } catch (const vedette::Fault& fault) {
    std::fprintf(stderr, "allocations: %s\n", fault.detail.c_str());
    return 1;
  }
}
