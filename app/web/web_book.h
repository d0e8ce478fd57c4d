#pragma once
// The part of the page's API that shows an opening book.

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/web/web_request.h"
#include "book/book.h"

namespace app {

// All functions may be called by any thread.
//
//   GET /book     book_json(); null where there is no book
//   GET /book/N   book_positions_json() of the position N and of those that the page draws with it
class WebBook {
 public:
  // The folder of a book, which may still be grown by another process: it is read again when it has
  // changed, every ten seconds at most.
  explicit WebBook(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // REQUIRES: the first word is "book". Throws refusals and what bad input throws.
  WebReply handle(const std::string& method, const std::vector<std::string>& words);

 private:
  // Null where there is none.
  std::shared_ptr<const book::Book> book();

  const std::filesystem::path folder_;
  std::mutex mutex_;  // guards the others
  std::shared_ptr<const book::Book> book_;
  std::filesystem::file_time_type changed_{};  // the file, when it was read
  std::chrono::steady_clock::time_point read_{};
};

}  // namespace app
