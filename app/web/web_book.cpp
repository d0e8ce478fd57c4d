#include "app/web/web_book.h"

#include <algorithm>
#include <system_error>

#include "app/protocols/book_json.h"
#include "base/errors.h"
#include "base/text.h"
#include "book/book_file.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kReadAgain{10};
constexpr int kPliesDrawn = 2;  // beyond the position; book.js draws three rings of moves

}  // namespace

std::shared_ptr<const book::Book> WebBook::book() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (folder_.empty() || !book::has_book(folder_)) return nullptr;
  if (book_ && now - read_ < kReadAgain) return book_;
  read_ = now;
  std::error_code none;
  fs::file_time_type changed = fs::last_write_time(folder_ / book::kBookFile, none);
  const fs::path log = (folder_ / book::kBookFile).string() + "-wal";
  if (fs::exists(log, none)) changed = std::max(changed, fs::last_write_time(log, none));
  if (book_ && changed == changed_) return book_;
  changed_ = changed;
  book_ = std::make_shared<const book::Book>(book::read_book(folder_));
  return book_;
}

WebReply WebBook::handle(const std::string& method, const std::vector<std::string>& words) {
  if (method != "GET") throw Refusal{405, "there is nothing here to " + base::one_line(method)};
  const auto known = book();
  const bool is_there = known && known->size() > 0;
  if (words.size() == 1) return {200, {{"book", is_there ? book_json(*known) : nullptr}}};
  if (words.size() != 2 || !is_there) throw Refusal{404, "there is nothing here"};
  const auto number = base::whole_number("position", words[1], 0, known->size() - 1);
  return {200, book_positions_json(*known, static_cast<int>(number), kPliesDrawn)};
}

}  // namespace app
