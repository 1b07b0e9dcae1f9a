#include "curl_library.h"

#include <dlfcn.h>

#include "source.h"

namespace vedette {

namespace {

[[noreturn]] void unusable() {
  throw Fault{"camera.unreadable",
              "cameras on the network need libcurl, which cannot be loaded; install the package libcurl4, then restart "
              "the stream"};
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function) unusable();
}

CurlLibrary load() {
  void* const library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);  // never closed: it keeps threads' data
  if (!library) unusable();
  CurlLibrary curl;
  find(library, "curl_global_init", curl.global_init);
  find(library, "curl_easy_init", curl.easy_init);
  find(library, "curl_easy_setopt", curl.easy_setopt);
  find(library, "curl_easy_getinfo", curl.easy_getinfo);
  find(library, "curl_easy_strerror", curl.easy_strerror);
  find(library, "curl_easy_cleanup", curl.easy_cleanup);
  find(library, "curl_multi_init", curl.multi_init);
  find(library, "curl_multi_add_handle", curl.multi_add_handle);
  find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
  find(library, "curl_multi_perform", curl.multi_perform);
  find(library, "curl_multi_poll", curl.multi_poll);
  find(library, "curl_multi_info_read", curl.multi_info_read);
  find(library, "curl_multi_cleanup", curl.multi_cleanup);
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) unusable();
  return curl;
}

}  // namespace

const CurlLibrary& curl_library() {
  static const CurlLibrary curl = load();  // a load that throws is tried again by the next call
  return curl;
}

}  // namespace vedette
