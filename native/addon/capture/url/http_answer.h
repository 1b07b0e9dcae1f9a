// The answer of a camera's web server, which never ends: asked for, redirected at most a few times, read as it comes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "address_class.h"
#include "name_lookup.h"
#include "picture_reader.h"
#include "source.h"

namespace vedette {

/** What to ask for. The url has no name and password in it. */
struct HttpRequest {
  std::string url, username, password;
};

/** url as it may be shown: without what stands behind `?`, where cameras take passwords. */
std::string shown(const std::string& url);

/** Without a name and password in it. */
std::string without_credentials(const std::string& url);

/**
 * One request, begun when it is made.
 *
 * A redirect is followed only to an address of the class that the first one had, so that a camera cannot make this
 * device ask others for what only it can reach; and name and password go only to the server that they were given for.
 */
class HttpAnswer {
 public:
  /** Waits for nobody. Throws Fault `camera.unreadable` when there is no library for it. */
  explicit HttpAnswer(const HttpRequest& request);
  ~HttpAnswer();
  HttpAnswer(const HttpAnswer&) = delete;
  HttpAnswer& operator=(const HttpAnswer&) = delete;

  /**
   * Reads what comes within `wait_ms`, or at once what is there. Throws Fault: `camera.missing` (nobody answers there,
   * or to its name), `camera.unreadable` (the answer is no live picture), `camera.lost` (it had begun and is over, and
   * everything of it is taken).
   */
  void read(int wait_ms);

  /** The newest picture that was not taken yet. */
  bool take(ReceivedPicture& out) { return pictures_ && pictures_->take(out); }

  /**
   * What has begun is a video instead of pictures: its bytes are to be taken, and read() asks for more when there are
   * none.
   */
  bool is_video() const { return is_video_; }
  size_t take_bytes(uint8_t* to, size_t most);

 private:
  bool has_content() const { return (pictures_ && pictures_->has_picture()) || taken_ < bytes_.size(); }
  struct Handles;

  void ask(const std::string& url);
  void connect();
  void finish(int result);
  void follow();
  void check_status() const;
  bool is_single_picture() const;
  void check_type(const std::string& type) const;
  void begin_content(const std::string& type);
  void push(const uint8_t* bytes, size_t length);
  static size_t on_bytes(char* bytes, size_t size, size_t count, void* self);
  static int on_socket(void* self, int purpose, void* address);

  const HttpRequest request_;
  std::string url_;
  std::optional<NameLookup> lookup_;  // until the server is asked
  int redirects_ = 0;
  std::optional<AddressClass> class_;  // of the first server; none yet: any will do
  bool is_other_class_ = false;        // one of its addresses was of another
  std::unique_ptr<PictureReader> pictures_;
  bool is_video_ = false, is_begun_ = false;
  std::vector<uint8_t> beginning_;  // until it is known what it is
  std::vector<uint8_t> bytes_;      // of a video; taken up to taken_
  size_t taken_ = 0;
  std::optional<Fault> over_;     // why nothing more comes
  std::optional<Fault> refused_;  // why a callback did not take the bytes
  std::unique_ptr<Handles> handles_;
};

}  // namespace vedette
