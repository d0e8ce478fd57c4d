#include "base/errors.h"
#include "book/book_file.h"
#include "book/ways.h"
#include "training/student/self_play.h"

namespace training {

selfplay::BookStarts book_starts(const RunConfig& config) {
  const std::string& folder = config.selfplay.book;
  if (folder.empty()) return nullptr;
  const book::Book book = book::read_book(folder);
  const rules::Repertoire of_book = book.terms().start.rule_set();
  if (config.rules.repertoire() != of_book) {
    throw base::InputError("selfplay.book: " + folder + " is a book of " + of_book.name() +
                           ", expected one of " + config.rules.repertoire().name());
  }
  auto starts = std::make_shared<std::vector<rules::Position>>();
  for (const int end : book::ends(book)) starts->push_back(book.node(end).position);
  if (starts->empty()) throw base::InputError("selfplay.book: " + folder + ": the book is empty");
  return starts;
}

}  // namespace training
