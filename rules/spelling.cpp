#include "rules/spelling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/letters.h"

namespace rules {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr std::array<Spelling, 26> kSigns{{
    {"\u2010", "-"},   {"\u2011", "-"},   {"\u2012", "-"}, {"\u2013", "-"}, {"\u2014", "-"},
    {"\u2015", "-"},   {"\u2212", "-"},   {"\ufe63", "-"}, {"\uff0d", "-"}, {"\u00d7", "x"},
    {"\u00bd", "1/2"}, {"\u2026", "..."}, {"\u00a0", " "}, {"\u202f", " "}, {"\u2654", "K"},
    {"\u2655", "Q"},   {"\u2656", "R"},   {"\u2657", "B"}, {"\u2658", "N"}, {"\u2659", "P"},
    {"\u265a", "K"},   {"\u265b", "Q"},   {"\u265c", "R"}, {"\u265d", "B"}, {"\u265e", "N"},
    {"\u265f", "P"},
}};
constexpr char kSharp = '#', kFlat = '\1';
constexpr std::array<Spelling, 4> kAccidentals{
    {{"\u266f", "#"}, {"\U0001d12a", "##"}, {"\u266d", "\1"}, {"\U0001d12b", "\1\1"}}};

template <class Table>
std::string replaced(std::string_view text, const Table& table) {
  std::string out;
  while (!text.empty()) {
    const auto sign = std::ranges::find_if(
        table, [text](const Spelling& entry) { return text.starts_with(entry.first); });
    out += sign == table.end() ? text.substr(0, 1) : sign->second;
    text.remove_prefix(sign == table.end() ? 1 : sign->first.size());
  }
  return out;
}

// As "doublesharp".
std::string accidental(char sign, std::size_t count) {
  constexpr std::array<std::string_view, 4> kTimes{"", "", "double", "triple"};
  if (count == 0 || count >= kTimes.size()) return std::string(count, sign);
  return std::string(kTimes[count]) + (sign == kSharp ? "sharp" : "flat");
}

}  // namespace

std::string as_ascii(std::string_view text) { return replaced(text, kSigns); }

std::string folded_name(std::string_view name) {
  constexpr std::string_view kDropped = " \t-_.'";
  std::string letters;
  for (const char c : replaced(as_ascii(name), kAccidentals)) {
    if (kDropped.find(c) == std::string_view::npos) letters += c >= 'A' && c <= 'Z' ? lower(c) : c;
  }
  constexpr std::string_view kChessWord = "chess";
  if (letters.starts_with(kChessWord) &&
      letters.find_first_not_of('b', kChessWord.size()) == std::string::npos) {
    std::fill(letters.begin() + kChessWord.size(), letters.end(), kFlat);
  }
  std::string out;
  for (std::size_t at = 0; at < letters.size();) {
    const char c = letters[at];
    const std::size_t end = std::min(letters.find_first_not_of(c, at), letters.size());
    const bool is_sign = c == kSharp || c == kFlat;
    out += is_sign ? accidental(c, end - at) : letters.substr(at, end - at);
    at = end;
  }
  return out;
}

}  // namespace rules
