#pragma once
// The page and its API over HTTP.

#include <atomic>
#include <memory>
#include <string>

#include "app/web/web_api.h"

namespace app {

struct WebServerOptions {
  std::string host;   // empty: the loopback address
  int port = 0;       // 0: any free one
  std::string token;  // what a request must carry; empty: nothing
};

// Serves /, the files of the page, and WebApi under /api. With a token a request must carry it, as
// a bearer or in the cookie that /?token=T sets; without one its Host must be this machine. No
// request reaches the file system.
class WebServer {
 public:
  // `api` is borrowed. Listens when this returns; throws base::EnvironmentError where that fails.
  WebServer(WebApi& api, const WebServerOptions& options);
  ~WebServer();

  // Where a browser finds it, with the token.
  const std::string& url() const { return url_; }
  // Answers requests until the flag is set, and then ends all streams.
  void run(const std::atomic<bool>& stop);

 private:
  class Http;
  WebApi& api_;
  int port_ = 0;
  std::string url_;
  std::unique_ptr<Http> http_;
};

}  // namespace app
