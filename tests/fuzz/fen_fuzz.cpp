// Any bytes as a FEN: refused with its reason, or a position whose own FEN reads back and which can
// be asked everything.
#include "rules/position.h"
#include "tests/fuzz/check.h"
#include "tests/rules/color_swapped.h"

namespace {

void check_position(const rules::Position& p) {
  using rules::Position;
  const rules::RuleSet rules = p.rule_set();
  fuzz::check(Position::from_fen(p.to_fen(), rules) == p, "a FEN reads back");
  const rules::MoveList moves = p.legal_moves();
  fuzz::check(moves.size() == static_cast<std::size_t>(p.count_legal_moves()), "moves are counted");
  rules::MoveList surviving;
  p.surviving_moves(surviving);
  fuzz::check(surviving.size() <= moves.size(), "survivors are legal");
  const auto outcome = p.outcome({});
  fuzz::check(!p.is_mirror_symmetric() || p.mirrored().outcome({}) == outcome,
              "the mirror has the same outcome");
  const auto swapped = p.color_flipped().outcome({});
  fuzz::check(outcome.has_value() == swapped.has_value() &&
                  (!outcome || *swapped == color_swapped(*outcome)),
              "the flip has the swapped outcome");
  if (outcome) return;
  for (const rules::Move move : moves) {
    const Position next = p.after(move);
    fuzz::check(Position::from_fen(next.to_fen(), rules) == next, "so does every successor's");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    check_position(rules::Position::from_fen(text, fuzz::rule_set(*data)));
  } catch (const rules::RulesError& error) {
    fuzz::check_refusal(error.what());
  }
  return 0;
}
