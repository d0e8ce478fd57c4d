// Any bytes as a line of `inspect`, and each of its words as UCI and as SAN.
#include "app/commands/parts/inspection.h"
#include "rules/notation.h"
#include "tests/fuzz/check.h"

namespace {

void try_word(const rules::Position& p, std::string_view word) {
  try {
    const rules::Move move = rules::parse_uci(p, word);
    fuzz::check(rules::parse_uci(p, to_uci(move)) == move, "UCI reads back");
  } catch (const rules::RulesError& error) {
    fuzz::check_refusal(error.what());
  }
  try {
    const rules::Move move = rules::parse_san(p, word);
    fuzz::check(rules::parse_san(p, to_san(p, move)) == move, "SAN reads back");
  } catch (const rules::RulesError& error) {
    fuzz::check_refusal(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const rules::RuleSet rules = fuzz::rule_set(*data);
  const auto found = app::inspect_line(text, 1, rules);
  for (const char c : found.json) fuzz::check(c >= 0x20 && c < 0x7f, "JSON is one printable line");
  fuzz::check(found.ok == found.json.starts_with("{\"fen\":"), "a refusal is told as one");
  const auto start = rules::Position::start(rules);
  static const auto middle =
      rules::Position::from_fen("2nqr2k/1P1P3P/8/2N5/8/2N5/6p1/R4K1R[Q] w - - 9 60");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    try_word(start, text.substr(begin, end - begin));
    try_word(middle, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return 0;
}
