#include "rules/pgn_tags.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "rules/spelling.h"

namespace rules {
namespace {

constexpr double kRounding = 1e-9;

bool same(double a, double b) { return std::abs(a - b) < kRounding; }

std::optional<double> share(std::string_view text) {
  if (text == "1/2") return 0.5;
  const auto value = base::parse_number<double>(text);
  return value && *value >= 0 && *value <= 10 ? value : std::nullopt;
}

}  // namespace

std::string termination_of(const PgnGame& game) {
  constexpr std::array<std::string_view, kAdjudications> kHow{"", " by resignation",
                                                              " by fast_fifty", " by tablebase"};
  if (!game.outcome) return "unterminated";
  return std::string(name(*game.outcome)).append(kHow[static_cast<std::size_t>(game.adjudication)]);
}

std::optional<PgnResult> PgnResult::read(std::string_view text) {
  std::string plain = as_ascii(text);
  std::erase(plain, ' ');
  if (plain == "*") return PgnResult{"*", {}};
  if (plain == "1/2") return PgnResult{"1/2-1/2", {}};
  const std::size_t dash = plain.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto white = share(std::string_view(plain).substr(0, dash));
  const auto black = share(std::string_view(plain).substr(dash + 1));
  if (!white || !black) return std::nullopt;
  if (same(*white + *black, 10)) return PgnResult{plain, white};
  if (!same(*white + *black, 1)) return std::nullopt;
  if (same(*white, 0.5)) return PgnResult{"1/2-1/2", {}};
  if (!same(*white, 1) && !same(*white, 0)) return std::nullopt;
  return PgnResult{*white > 0.5 ? "1-0" : "0-1", {}};
}

PgnResult PgnResult::of(const PgnGame& game) {
  if (!game.outcome) return {"*", {}};
  const double points = game.table.white_points(*game.outcome);
  if (game.rules.king_safe && points == 5) return {"1/2-1/2", {}};
  return {points > 5 ? "1-0" : "0-1", {}};
}

PgnResult PgnResult::points_of(const PgnGame& game) {
  if (!game.outcome) return {"*", {}};
  const double white = game.table.white_points(*game.outcome);
  return {base::shortest_text(white) + "-" + base::shortest_text(10 - white), white};
}

std::string_view PgnResult::winner() const {
  if (!white_points) return text;
  return same(*white_points, 5) ? "1/2-1/2" : *white_points > 5 ? "1-0" : "0-1";
}

bool PgnResult::fits(const PgnGame& game) const {
  const PgnResult told = white_points ? points_of(game) : of(game);
  if (!white_points || !told.white_points) return text == told.text;
  return same(*white_points, *told.white_points);
}

}  // namespace rules
