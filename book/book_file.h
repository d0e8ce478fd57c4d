#pragma once
// A book's folder: a file of SQLite, to which each step is added in a transaction of its own.

#include <filesystem>
#include <string>

#include "book/book.h"
#include "selfplay/sqlite_file.h"

namespace book {

inline constexpr const char* kBookFile = "book.db";
bool has_book(const std::filesystem::path& folder);

// Throws as SqliteFile does, also where the file is no book by the rules.
class BookFile {
 public:
  // Opens the folder's book to read it.
  explicit BookFile(const std::filesystem::path& folder)
      : BookFile(folder, selfplay::StoreMode::kRead) {}
  // Opens or makes one of these terms, to add to it; throws InputError where the one that is there
  // is of others.
  BookFile(const std::filesystem::path& folder, const Terms& terms);

  Book load() const;
  // The step is kept when this returns, whatever becomes of the process. `before`: the book without
  // it.
  void append(const Book& before, const Step& step);

 private:
  BookFile(const std::filesystem::path& folder, selfplay::StoreMode mode);
  Terms terms() const;
  std::string setting(const char* name) const;

  selfplay::SqliteFile file_;
};

// The book of that folder.
inline Book read_book(const std::filesystem::path& folder) { return BookFile(folder).load(); }

}  // namespace book
