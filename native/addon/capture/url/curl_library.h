// libcurl, loaded when the first camera on the network is opened: an engine without one spares 8 MB.
#pragma once

#include <curl/curl.h>

namespace vedette {

/** The functions of libcurl that are used here. */
struct CurlLibrary {
  decltype(&curl_global_init) global_init;
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_getinfo) easy_getinfo;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_multi_init) multi_init;
  decltype(&curl_multi_add_handle) multi_add_handle;
  decltype(&curl_multi_remove_handle) multi_remove_handle;
  decltype(&curl_multi_perform) multi_perform;
  decltype(&curl_multi_poll) multi_poll;
  decltype(&curl_multi_info_read) multi_info_read;
  decltype(&curl_multi_cleanup) multi_cleanup;
};

/** Loads it at the first call. Throws Fault `camera.unreadable` on a device that has none. */
const CurlLibrary& curl_library();

}  // namespace vedette
