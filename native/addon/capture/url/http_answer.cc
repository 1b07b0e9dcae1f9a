#include "http_answer.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "curl_library.h"
#include "jpeg_sequence.h"
#include "multipart.h"

namespace vedette {

namespace {

constexpr int MAX_REDIRECTS = 3;
constexpr long CONNECT_LIMIT_MS = 3'000;
constexpr long BUFFER_BYTES = 64 * 1024;  // a picture has 30 to 200 kB
// of a video at a time: the library hands out a tenth of it at most before it is asked again
constexpr size_t MAX_BYTES = 16u << 20;
constexpr const char* USER_AGENT = "vedette";

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/** Scheme, host and port, in lower case: who gets the password. */
std::string origin_of(const std::string& url) {
  const size_t host = url.find("://");
  return lower(url.substr(0, url.find_first_of("/?#", host == std::string::npos ? 0 : host + 3)));
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/**
 * Of `multipart/x-mixed-replace ; Boundary = "next picture"`; names are written in any case, and with blanks about
 * them.
 */
std::string boundary_in(const std::string& type) {
  for (size_t at = type.find(';'); at != std::string::npos; at = type.find(';', at + 1)) {
    const size_t equals = type.find('=', at);
    if (equals == std::string::npos) return "";
    if (lower(trimmed(type.substr(at + 1, equals - at - 1))) != "boundary") continue;
    const size_t begin = type.find_first_not_of(" \t", equals + 1);
    if (begin == std::string::npos) return "";
    if (type[begin] == '"') return type.substr(begin + 1, type.find('"', begin + 1) - begin - 1);
    return trimmed(type.substr(begin, type.find(';', begin) - begin));
  }
  return "";
}

/** In lower case, without what stands behind it. */
std::string name_of_type(const std::string& type) { return lower(trimmed(type.substr(0, type.find(';')))); }

bool is_multipart(const std::string& name) { return name.compare(0, 10, "multipart/") == 0; }

/**
 * What these types are said to be says nothing: parts, JPEGs one behind the other or a video come under any of them,
 * and under none. Playlists are videos nowhere: what they name lies elsewhere.
 */
bool is_any_content(const std::string& name) {
  const bool is_octets = name.empty() || name == "application/octet-stream" || name == "application/mp4";
  return is_octets || name.compare(0, 6, "video/") == 0 || name == "image/jpeg" || name == "image/jpg";
}

/** What the first bytes of an answer are. */
enum class Content { unknown, parts, jpegs, page, video };

constexpr size_t MAX_BLANKS = 1024;  // before the first boundary

Content content_of(const std::vector<uint8_t>& beginning) {
  const auto is_blank = [](uint8_t byte) { return byte == '\r' || byte == '\n' || byte == ' ' || byte == '\t'; };
  const auto first = std::find_if_not(beginning.begin(), beginning.end(), is_blank);
  if (first - beginning.begin() > static_cast<std::ptrdiff_t>(MAX_BLANKS)) return Content::video;
  if (beginning.end() - first < 3) return Content::unknown;
  if (first[0] == '-' && first[1] == '-') return Content::parts;
  if (first[0] == 0xff && first[1] == 0xd8 && first[2] == 0xff) return Content::jpegs;
  return first[0] == '<' ? Content::page : Content::video;
}

}  // namespace

std::string shown(const std::string& url) { return url.substr(0, url.find_first_of("?#")); }

std::string without_credentials(const std::string& url) {
  const size_t host = url.find("://");
  if (host == std::string::npos) return url;
  const size_t end = std::min(url.find_first_of("/?#", host + 3), url.size());
  const size_t at = url.rfind('@', end);
  return at == std::string::npos || at < host + 3 ? url : url.substr(0, host + 3) + url.substr(at + 1);
}

struct HttpAnswer::Handles {
  const CurlLibrary& curl = curl_library();
  std::string found;  // what `resolve` points to
  curl_slist resolve{nullptr, nullptr};
  CURLM* multi = curl.multi_init();
  CURL* easy = curl.easy_init();

  Handles() {
    if (!multi || !easy) throw Fault{"camera.unreadable", "no connection can be made: there is not enough memory"};
  }
  ~Handles() {
    curl.multi_remove_handle(multi, easy);
    curl.easy_cleanup(easy);
    curl.multi_cleanup(multi);
  }
  template <typename Value>
  void set(CURLoption option, Value value) const {
    curl.easy_setopt(easy, option, value);
  }
  std::string text(CURLINFO what) const {
    char* text = nullptr;
    curl.easy_getinfo(easy, what, &text);
    return text ? text : "";
  }
  long status() const {
    long status = 0;
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
  }
};

HttpAnswer::HttpAnswer(const HttpRequest& request) : request_(request), handles_(std::make_unique<Handles>()) {
  const Handles& h = *handles_;
  h.set(CURLOPT_PROTOCOLS_STR, "http,https");
  h.set(CURLOPT_PROXY, "");  // a camera stands beside us; the environment's proxy is for others
  h.set(CURLOPT_NOSIGNAL, 1L);
  h.set(CURLOPT_CONNECTTIMEOUT_MS, CONNECT_LIMIT_MS);
  h.set(CURLOPT_QUICK_EXIT, 1L);  // should it look a name up itself, nobody waits for that
  h.set(CURLOPT_BUFFERSIZE, BUFFER_BYTES);
  h.set(CURLOPT_USERAGENT, USER_AGENT);
  h.set(CURLOPT_WRITEFUNCTION, on_bytes);
  h.set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  h.set(CURLOPT_OPENSOCKETFUNCTION, reinterpret_cast<curl_opensocket_callback>(on_socket));
  h.set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  ask(request_.url);
}

HttpAnswer::~HttpAnswer() = default;

void HttpAnswer::ask(const std::string& url) {
  const Handles& h = *handles_;
  h.curl.multi_remove_handle(h.multi, h.easy);
  url_ = url;
  is_other_class_ = false;
  h.set(CURLOPT_URL, url.c_str());
  const bool is_known = !request_.username.empty() && origin_of(url) == origin_of(request_.url);
  h.set(CURLOPT_HTTPAUTH, static_cast<long>(is_known ? CURLAUTH_BASIC | CURLAUTH_DIGEST : CURLAUTH_NONE));
  h.set(CURLOPT_USERNAME, is_known ? request_.username.c_str() : nullptr);
  h.set(CURLOPT_PASSWORD, is_known ? request_.password.c_str() : nullptr);
  lookup_.emplace(host_of(url));
}

/**
 * The library's own lookup of names cannot be ended, so that it is told what was found. Addresses of one link it cannot
 * be told: it asks for those itself.
 */
void HttpAnswer::connect() {
  Handles& h = *handles_;
  const std::string host = host_of(url_);
  const bool is_number = host.find(':') != std::string::npos;
  std::string addresses;
  for (const std::string& address : lookup_->addresses()) {
    if (is_number || address.find('%') != std::string::npos) continue;
    addresses +=
        (addresses.empty() ? "" : ",") + (address.find(':') == std::string::npos ? address : "[" + address + "]");
  }
  lookup_.reset();
  h.found = host + ":" + port_of(url_) + ":" + addresses;
  h.resolve.data = h.found.data();
  h.set(CURLOPT_RESOLVE, addresses.empty() ? nullptr : &h.resolve);
  if (h.curl.multi_add_handle(h.multi, h.easy) != CURLM_OK)
    throw Fault{"camera.unreadable", shown(url_) + " cannot be asked"};
}

void HttpAnswer::read(int wait_ms) {
  const Handles& h = *handles_;
  if (over_) throw *over_;
  if (lookup_) {
    if (!lookup_->wait(wait_ms * 1000)) return;
    connect();
  }
  int running = 0, left = 0;
  h.curl.multi_perform(h.multi, &running);
  while (const CURLMsg* message = h.curl.multi_info_read(h.multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    try {
      return finish(message->data.result);
    } catch (const Fault& fault) {
      over_ = fault;  // told when everything is taken that came before
      if (!has_content()) throw;
      return;
    }
  }
  if (!has_content()) h.curl.multi_poll(h.multi, nullptr, 0, wait_ms, nullptr);
}

/** The answer has ended: a redirect is followed, all else is a fault. */
void HttpAnswer::finish(int result) {
  const Handles& h = *handles_;
  if (refused_) throw *refused_;
  if (is_other_class_ && result == CURLE_COULDNT_CONNECT)
    throw Fault{"camera.unreadable",
                shown(request_.url) + " sends us on to " + shown(url_) +
                    ", which is in another kind of network; give the address of the camera itself"};
  const long status = h.status();
  if (result == CURLE_OK && status >= 300 && status < 400) return follow();
  if (result == CURLE_OK) check_status();
  if (pictures_ || is_video_) throw Fault{"camera.lost", "the camera at " + shown(url_) + " has ended its pictures"};
  if (result != CURLE_OK)
    throw Fault{"camera.missing", shown(url_) + " does not answer (" +
                                      h.curl.easy_strerror(static_cast<CURLcode>(result)) +
                                      "); check the address and the cable"};
  throw Fault{"camera.unreadable", shown(url_) + " answers without pictures"};
}

void HttpAnswer::follow() {
  const Handles& h = *handles_;
  const std::string next = without_credentials(h.text(CURLINFO_REDIRECT_URL));  // the library writes ours into it
  if (next.empty() || ++redirects_ > MAX_REDIRECTS)
    throw Fault{"camera.unreadable",
                shown(request_.url) + " sends us on and on; give the address at which the pictures are"};
  if (!class_) class_ = class_of(h.text(CURLINFO_PRIMARY_IP).c_str());
  ask(next);
}

void HttpAnswer::check_status() const {
  const long status = handles_->status();
  if (status == 401 || status == 403)
    throw Fault{"camera.unreadable",
                shown(url_) + " refuses us (HTTP " + std::to_string(status) + "); check username and password"};
  if (status != 200)
    throw Fault{"camera.unreadable", shown(url_) + " answers with HTTP " + std::to_string(status) +
                                         " instead of pictures; check the address"};
}

void HttpAnswer::check_type(const std::string& type) const {
  const std::string name = name_of_type(type);
  const bool is_picture = content_of(beginning_) == Content::jpegs && is_single_picture();
  if ((is_multipart(name) || is_any_content(name)) && !is_picture && content_of(beginning_) != Content::page) return;
  const std::string what = is_picture ? "one picture" : type.empty() ? "no type" : type.substr(0, 80);
  const char* instead =
      " instead of live pictures (multipart/x-mixed-replace) or a video; give the address of its "
      "MJPEG stream, or of its video";
  throw Fault{"camera.unreadable", shown(url_) + " answers with " + what + instead};
}

/** Who knows how long it will be has no live pictures. */
bool HttpAnswer::is_single_picture() const {
  curl_off_t length = -1;
  handles_->curl.easy_getinfo(handles_->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return length >= 0;
}

/** Called with more and more of the first bytes, until they say what this is. */
void HttpAnswer::begin_content(const std::string& type) {
  check_status();
  check_type(type);
  const bool is_told = is_multipart(name_of_type(type));
  const Content content = is_told ? Content::parts : content_of(beginning_);
  if (content == Content::unknown) return;
  is_begun_ = true;
  is_video_ = content == Content::video;
  if (content == Content::parts) pictures_ = std::make_unique<MultipartReader>(is_told ? boundary_in(type) : "");
  if (content == Content::jpegs) pictures_ = std::make_unique<JpegSequenceReader>();
}

size_t HttpAnswer::take_bytes(uint8_t* to, size_t most) {
  const size_t count = std::min(most, bytes_.size() - taken_);
  std::copy_n(bytes_.data() + taken_, count, to);
  taken_ += count;
  if (taken_ == bytes_.size()) {
    bytes_.clear();
    taken_ = 0;
  }
  return count;
}

void HttpAnswer::push(const uint8_t* bytes, size_t length) {
  if (!is_video_) return pictures_->push(bytes, length);
  if (bytes_.size() + length > MAX_BYTES)
    throw Fault{"camera.unreadable", shown(url_) + " sends more than can be read"};
  bytes_.insert(bytes_.end(), bytes, bytes + length);
}

size_t HttpAnswer::on_bytes(char* bytes, size_t size, size_t count, void* self) {
  auto& answer = *static_cast<HttpAnswer*>(self);
  const size_t length = size * count;
  try {
    const long status = answer.handles_->status();
    if (status >= 300 && status < 400) return length;  // the text of a redirect
    const auto* from = reinterpret_cast<const uint8_t*>(bytes);
    if (answer.is_begun_) return answer.push(from, length), length;
    answer.beginning_.insert(answer.beginning_.end(), from, from + length);
    answer.begin_content(answer.handles_->text(CURLINFO_CONTENT_TYPE));
    if (answer.is_begun_) answer.push(answer.beginning_.data(), answer.beginning_.size());
    return length;
  } catch (const Fault& fault) {
    answer.refused_ = fault;
  } catch (const std::exception& error) {
    answer.refused_ = Fault{"camera.unreadable", error.what()};
  }
  return CURL_WRITEFUNC_ERROR;
}

int HttpAnswer::on_socket(void* self, int, void* address) {
  auto& answer = *static_cast<HttpAnswer*>(self);
  const auto& to = *static_cast<const curl_sockaddr*>(address);
  if (answer.class_ && class_of(to.addr) != *answer.class_) {
    answer.is_other_class_ = true;
    return CURL_SOCKET_BAD;
  }
  return socket(to.family, to.socktype | SOCK_CLOEXEC, to.protocol);
}

}  // namespace vedette
