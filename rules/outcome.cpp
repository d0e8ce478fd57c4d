#include "rules/outcome.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "rules/position.h"

namespace rules {
namespace {

constexpr std::array<std::string_view, kOutcomes> kOutcomeNames{
    "black_wins",         "stalemate_white_stalemated", "impasse_black_more", "impasse_equal",
    "impasse_white_more", "stalemate_black_stalemated", "white_wins"};

// The keys of a list of changes, in the order of the table's fields.
constexpr std::array<std::string_view, kOutcomes> kPointKeys{
    "black_wins",         "white_stalemated", "impasse_black_more", "impasse_equal",
    "impasse_white_more", "black_stalemated", "white_wins"};
constexpr std::array<std::string_view, 5> kMaterialKeys{"pawn", "knight", "bishop", "rook",
                                                        "queen"};
constexpr double kMaxMaterial = 1000;

// The short forms: what the poorer side gets, for both colours.
struct ShortForm {
  std::string_view key;
  std::size_t white_poorer, black_poorer;
};
constexpr std::array<ShortForm, 2> kShortForms{{{"stalemate", 1, 5}, {"impasse_unequal", 2, 4}}};

double read_number(std::string_view key, std::string_view text, double most) {
  const auto value = base::parse_number<double>(text);
  if (!value || !(*value >= 0 && *value <= most)) {
    refuse("scoring table " + std::string(key), text,
           "a number from 0 to " + std::to_string(static_cast<int>(most)));
  }
  return *value;
}

// The value of the table with this key and the most that it may be; null where there is no such
// key.
struct Field {
  double* value;
  double most;
};
Field field(ScoringTable& table, std::string_view key) {
  for (std::size_t i = 0; i < kPointKeys.size(); ++i) {
    if (key == kPointKeys[i]) return {&table.points_white[i], 10};
  }
  for (std::size_t i = 0; i < kMaterialKeys.size(); ++i) {
    if (key == kMaterialKeys[i]) return {&table.material[i], kMaxMaterial};
  }
  return {nullptr, 0};
}

}  // namespace

std::string_view name(Outcome outcome) { return kOutcomeNames[static_cast<std::size_t>(outcome)]; }

ScoringTable ScoringTable::from_changes(std::string_view changes, const ScoringTable& standard) {
  ScoringTable table = standard;
  if (changes.empty() || changes == "default") return table;
  for (const std::string_view change : base::split(changes, ',')) table.set(change);
  table.check();
  return table;
}

void ScoringTable::set(std::string_view change) {
  const std::string_view key = change.substr(0, change.find('='));
  const std::string_view text = change.substr(std::min(key.size() + 1, change.size()));
  const auto form = std::ranges::find(kShortForms, key, &ShortForm::key);
  if (form != kShortForms.end()) {
    points_white[form->white_poorer] = read_number(key, text, 10);
    points_white[form->black_poorer] = 10 - points_white[form->white_poorer];
  } else if (const auto [value, most] = field(*this, key); value != nullptr) {
    *value = read_number(key, text, most);
  } else {
    refuse("scoring table change", change,
           "key=value with a key of black_wins, white_stalemated, impasse_black_more, "
           "impasse_equal, impasse_white_more, black_stalemated, white_wins, stalemate, "
           "impasse_unequal, pawn, knight, bishop, rook, queen");
  }
}

std::array<std::pair<std::string_view, double>, kOutcomes + 5> ScoringTable::entries() const {
  std::array<std::pair<std::string_view, double>, kOutcomes + 5> all;
  for (std::size_t i = 0; i < kPointKeys.size(); ++i) all[i] = {kPointKeys[i], points_white[i]};
  for (std::size_t i = 0; i < kMaterialKeys.size(); ++i) {
    all[kPointKeys.size() + i] = {kMaterialKeys[i], material[i]};
  }
  return all;
}

void ScoringTable::check() const {
  const double least = points_white.front(), most = points_white.back();
  for (std::size_t i = 0; i < points_white.size(); ++i) {
    if (points_white[i] >= least && points_white[i] <= most) continue;
    refuse("scoring table " + std::string(kPointKeys[i]), base::shortest_text(points_white[i]),
           "from black_wins=" + base::shortest_text(least) + " to white_wins=" +
               base::shortest_text(most) + ", for nothing may pay more than a win");
  }
}

std::string ScoringTable::to_changes(const ScoringTable& standard) const {
  std::string out;
  const auto add = [&](std::string_view key, double value) {
    out.append(out.empty() ? "" : ",").append(key).append("=").append(base::shortest_text(value));
  };
  std::array<bool, kOutcomes> told{};
  for (std::size_t i = 0; i < points_white.size(); ++i)
    told[i] = points_white[i] == standard.points_white[i];
  for (const auto& [key, white, black] : kShortForms) {
    if (told[white] || told[black] || points_white[black] != 10 - points_white[white]) continue;
    add(key, points_white[white]);
    told[white] = told[black] = true;
  }
  for (std::size_t i = 0; i < points_white.size(); ++i) {
    if (!told[i]) add(kPointKeys[i], points_white[i]);
  }
  for (std::size_t i = 0; i < material.size(); ++i) {
    if (material[i] != standard.material[i]) add(kMaterialKeys[i], material[i]);
  }
  return out.empty() ? "default" : out;
}

double Position::material_balance_white(const ScoringTable& table) const {
  double balance = 0;
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    const Bitboard both = of_type(static_cast<PieceType>(i));
    const int more = std::popcount(both & ~black_) - std::popcount(both & black_);
    balance += more * table.material[i];
  }
  return balance;
}

Outcome Position::impasse(const ScoringTable& table) const {
  constexpr double kRounding = 1e-9;  // values such as 3.3 are not exact in binary
  const double balance = material_balance_white(table);
  if (std::abs(balance) < kRounding) return Outcome::kImpasseEqual;
  return balance > 0 ? Outcome::kImpasseWhiteMore : Outcome::kImpasseBlackMore;
}

namespace {

constexpr Outcome stalemate_of(Color color) {
  return color == Color::kWhite ? Outcome::kWhiteStalemated : Outcome::kBlackStalemated;
}

}  // namespace

std::optional<Outcome> Position::outcome(const ScoringTable& table, int occurrences) const {
  if (rules_ & (rule_bits::kKingSafe | rule_bits::kGame)) [[unlikely]] {
    if (const auto winner = winner_by_own_end()) return win_of(*winner);
    if (rules_ & rule_bits::kKingSafe) return king_safe_outcome(table, occurrences);
  }
  return king_capture_outcome(table);
}

inline std::optional<Outcome> Position::king_capture_outcome(const ScoringTable& table) const {
  if (king_is_gone(side_)) return win_of(~side_);
  if (halfmove_ >= kImpasseClock) return impasse(table);
  bool attacked = false;
  if (!stuck(attacked)) return std::nullopt;
  return attacked ? win_of(~side_) : stalemate_of(side_);
}

std::optional<Outcome> Position::forced_outcome(const ScoringTable& table) const {
  if (!(rules_ & rule_bits::kRepetition)) return outcome(table);
  Position unclaimed = *this;
  unclaimed.halfmove_ = 0;
  return unclaimed.outcome(table);
}

std::optional<Color> Position::winner_by_own_end() const {
  if (!ends_its_own_way()) return std::nullopt;
  const Game& own = game();
  for (const Color color : {~side_, side_}) {  // who has just moved is looked at first
    const auto& goal = own.goal[static_cast<std::size_t>(index(color))];
    for (const PieceType type : kAllTypes) {
      if (pieces(color, type) & goal[static_cast<std::size_t>(type)]) return color;
    }
  }
  for (const Color color : {side_, ~side_}) {  // and loses last
    const auto has = [&](PieceType type) { return pieces(color, type) || reserve(color, type); };
    const auto is_lost = [&](PieceType type) {
      return (own.details.extinct >> index(type) & 1) != 0 && !has(type);
    };
    const bool bare = pieces(color) == pieces(color, PieceType::kKing) &&
                      (hand(color) & ~kHandKing) == 0 && second_queen(color) == 0;
    if ((own.details.bare_king_loses && bare) || std::ranges::any_of(kAllTypes, is_lost)) {
      return ~color;
    }
  }
  return std::nullopt;
}

// Draws are looked at between turns.
std::optional<Outcome> Position::card_outcome() const {
  if (is_chance() || has_legal_move()) return std::nullopt;
  return win_of(~side_);  // the card does not lift the check
}

std::optional<Outcome> Position::king_safe_outcome(const ScoringTable& table,
                                                   int occurrences) const {
  if (is_mid_turn()) return card_outcome();
  if (!has_legal_move()) {
    const bool in_hand = (rules_ & rule_bits::kStuckInHandLoses) && !king_on_board(side_);
    return in_hand || in_check(side_) ? win_of(~side_) : stalemate_of(side_);
  }
  const bool repeated = (rules_ & rule_bits::kRepetition) && occurrences >= kRepetitions;
  if (is_dead() || halfmove_ >= kImpasseClock || repeated) return impasse(table);
  return std::nullopt;
}

bool Position::is_dead() const {
  const RuleSet rules = rule_set();
  if (rules.dead_material == DeadMaterial::kNone) return false;
  if (ends_its_own_way()) return false;  // for which any piece may do
  const Bitboard kings = of_type(PieceType::kKing), others = occupied() & ~kings;
  for (const Color color : kColors) {
    const Bitboard doors =
        pieces(color, PieceType::kPawn) & rank_bb(color == Color::kWhite ? 1 : 6);
    if (!reserve_empty(color) && (rules.entry != Entry::kBehindPawn || doors)) return false;
  }
  if (!others) return true;
  if (rules.dead_material == DeadMaterial::kKingsOnly) return false;
  if (others == of_type(PieceType::kKnight)) return std::popcount(others) == 1;
  return others == of_type(PieceType::kBishop) &&
         (!(others & kDarkSquares) || !(others & ~kDarkSquares));
}

}  // namespace rules
