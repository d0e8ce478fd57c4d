#include <algorithm>
#include <span>

#include "base/hash.h"
#include "rules/rule_keys.h"

namespace rules {

void refuse_game(const std::string& where, const std::string& message) {
  throw RulesError((where.empty() ? "" : where + ": ") + message);
}

namespace {

constexpr int kMostPieces = 17;  // of a side
constexpr int kMostRows = 6;     // of both sides' first position together
constexpr std::size_t kMostArmies = 250'000, kMostStarts = 100'000'000;  // first positions

std::string spread(const std::string& row) {
  std::string squares;
  for (const char c : row) {
    if (type_of(c)) {
      squares += c;
    } else {
      squares.append(static_cast<std::size_t>(c - '0'), '1');
    }
  }
  return squares;
}

bool keeps(const Shuffle& shuffle, const std::string& row) {
  const auto at = [&](char piece) { return row.find(piece); };
  if (shuffle.bishops_opposite) {
    std::array<bool, 2> shades{};
    for (std::size_t i = 0; i < row.size(); ++i) shades[i % 2] |= row[i] == 'B';
    if (!shades[0] || !shades[1]) return false;
  }
  if (shuffle.king_between_rooks && !(at('R') < at('K') && at('K') < row.rfind('R'))) return false;
  return !shuffle.king_in_corner || at('K') == 0 || at('K') == row.size() - 1;
}

// All first positions of the rows, each with as many rows, pieces on all squares or '1'.
std::vector<std::vector<std::string>> armies_of(const RuleDetails& details,
                                                const std::vector<std::string>& rows) {
  std::vector<std::string> squares;
  for (const std::string& row : rows) squares.push_back(spread(row));
  std::vector<std::vector<std::string>> armies{squares};
  if (details.shuffle.on) {
    armies.clear();
    std::vector<std::string> army = squares;
    std::ranges::sort(army.front());
    do {
      if (keeps(details.shuffle, army.front())) armies.push_back(army);
    } while (std::ranges::next_permutation(army.front()).found);
  }
  if (!details.pawns_scattered) return armies;
  std::vector<std::vector<std::string>> scattered;
  for (std::vector<std::string> army : armies) {
    army.resize(std::max<std::size_t>(army.size(), 3), std::string(8, '1'));
    const auto others = std::ssize(scattered);  // of other first rows
    for (unsigned forward = 0; forward < 256; ++forward) {
      std::vector<std::string> one = army;
      for (unsigned file = 0; file < 8; ++file) {
        if (forward >> file & 1) std::swap(one[1][file], one[2][file]);
      }
      if (std::find(scattered.begin() + others, scattered.end(), one) == scattered.end()) {
        scattered.push_back(one);
      }
    }
  }
  return scattered;
}

std::string fen_row(const std::string& squares) {
  std::string row;
  for (const char c : squares) {
    if (c == '1' && !row.empty() && row.back() >= '1' && row.back() <= '7') {
      ++row.back();
    } else {
      row += c;
    }
  }
  return row;
}

// As FEN joins them; Black's with the empty rows after it.
std::string joined(std::vector<std::string> army, Color color, std::size_t empty_rows) {
  const bool white = color == Color::kWhite;
  if (white) std::ranges::reverse(army);
  std::string text;
  for (std::string row : army) {
    if (!white)
      std::ranges::transform(row, row.begin(), [](char c) { return type_of(c) ? lower(c) : c; });
    text += (text.empty() ? "" : "/") + fen_row(row);
  }
  for (std::size_t i = 0; !white && i < empty_rows; ++i) text += "/8";
  return white ? text : text + "/";
}

void set_armies(Game& made, const std::string& where) {
  const RuleDetails& details = made.details;
  const bool own = details.black == BlackArmy::kOwn;
  const auto white = armies_of(details, details.rows[0]);
  auto black = own ? armies_of(details, details.rows[1]) : white;
  if (white.empty()) refuse_game(where, "setup.shuffle: no order of the first row keeps all of it");
  const std::size_t drawn = details.black == BlackArmy::kApart ? black.size() : 1;
  if (white.size() > kMostArmies || white.size() * drawn > kMostStarts) {
    refuse_game(where, "setup: " + std::to_string(white.size() * drawn) +
                           " first positions, expected at most " +
                           std::to_string(drawn > 1 ? kMostStarts : kMostArmies));
  }
  if (details.black == BlackArmy::kTurned) {
    for (auto& army : black) {
      for (std::string& row : army) std::ranges::reverse(row);
    }
  }
  const std::size_t rows = white.front().size() + black.front().size();
  if (rows > kMostRows) {
    refuse_game(where, "setup.rows: " + std::to_string(rows) +
                           " rows of both sides, expected at most " + std::to_string(kMostRows));
  }
  for (const auto& army : white) made.armies[0].push_back(joined(army, Color::kWhite, 0));
  for (const auto& army : black) made.armies[1].push_back(joined(army, Color::kBlack, 8 - rows));
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    PieceCounts& held = made.in_reserve[side];
    held.fill(0);
    for (const char c : details.reserve[side]) ++held[static_cast<std::size_t>(*type_of(c))];
    PieceCounts& all = made.at_start[side] = held;
    for (const std::string& row : (color == Color::kWhite ? white : black).front()) {
      for (const char c : row) {
        if (const auto type = type_of(c)) ++all[static_cast<std::size_t>(*type)];
      }
    }
  }
}

void check_armies(const Game& made, const RuleSet& rules, const std::string& where) {
  constexpr PieceCounts kMostHeld{0, 2, 2, 2, 2, 1};
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    const std::string whose = color == Color::kWhite ? "White's " : "Black's ";
    if (rules.entry == Entry::kNone && !made.details.reserve[side].empty()) {
      refuse_game(where, "setup.reserve: " + whose + made.details.reserve[side] +
                             ", expected '' where placing.entry is 'none'");
    }
    const PieceCounts& all = made.at_start[side];
    int count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      count += all[i];
      if (made.in_reserve[side][i] > kMostHeld[i]) {
        refuse_game(where, "setup.reserve: " + whose + std::to_string(made.in_reserve[side][i]) +
                               " of " + std::string(kPieceNames[i]) + ", expected at most " +
                               std::to_string(kMostHeld[i]));
      }
    }
    const int kings = all[static_cast<std::size_t>(PieceType::kKing)];
    if (kings != 1) {
      refuse_game(where, "setup: " + whose + std::to_string(kings) +
                             " kings on the board and in reserve, expected one");
    }
    if (count > kMostPieces) {
      refuse_game(where, "setup: " + whose + std::to_string(count) + " pieces, expected at most " +
                             std::to_string(kMostPieces));
    }
  }
}

bool holds_two_queens(const RuleDetails& details) {
  return std::ranges::any_of(details.reserve,
                             [](const auto& held) { return held.find("QQ") != held.npos; });
}

// What cannot be together.
void check_keys(const Draft& draft, const std::string& where) {
  const RuleSet& r = draft.rules;
  const RuleDetails& d = draft.details;
  const auto require = [&](bool holds, const std::string& message) {
    if (!holds) refuse_game(where, message);
  };
  for (const auto& [is_on, key] : {std::pair{r.repetition, "ends.repetition"},
                                   {r.dead_material != DeadMaterial::kNone, "ends.dead_material"},
                                   {r.stuck_in_hand_loses, "ends.stuck_in_hand_loses"}}) {
    require(!is_on || r.king_safe, std::string(key) + ": expected only where kings.end is 'mated'");
  }
  require(!d.shuffle.on || d.black != BlackArmy::kOwn,
          "setup.shuffle: expected none where setup.black has rows of its own");
  const bool alike = std::ranges::all_of(std::span(d.placing).subspan(1),
                                         [&](Bitboard b) { return b == d.placing[1]; });
  require(!r.bishops_opposite || alike,
          "placing.bishops_opposite: expected the same squares for all pieces");
  const bool first_row = alike && d.placing[1] == rank_bb(0);
  require(r.entry == Entry::kFirstRow || first_row,
          "placing: squares, expected only where placing.entry is 'squares'");
  require(r.entry != Entry::kBehindPawn || d.double_step == rank_bb(1),
          "pawns.double_step: expected [2] where placing.entry is 'behind_pawn'");
  const auto held = [&](std::size_t side) {
    return std::ssize(d.reserve[side]) - std::ranges::count(d.reserve[side], 'K');
  };
  const auto least = std::min(held(0), held(1)), most = std::max(held(0), held(1));
  require(r.before <= least, "placing.before_moving: " + std::to_string(r.before) +
                                 ", expected at most the " + std::to_string(least) +
                                 " pieces of the smaller reserve");
  require(
      r.entry == Entry::kNone || most == 0 || r.castling == Castling::kNone ||
          (r.castling == Castling::kClassical && r.before == most),
      "kings.castling: expected 'none', or 'classical' where before_moving counts all pieces in "
      "hand, for only what has never moved may castle");
  const bool two = holds_two_queens(d);
  require(!two || r.castling == Castling::kNone,
          "kings.castling: expected 'none' where two queens are in a reserve");
  require(!two || r.entry == Entry::kFirstRow,
          "setup.reserve: two queens, expected one where placing.entry is not 'squares'");
  if (r.entry != Entry::kCard) return;
  RuleSet cards = kRaindrop;
  cards.sprint = r.sprint;
  RuleDetails allowed = standard_details(cards);
  allowed.impasse_plies = d.impasse_plies;
  allowed.table = d.table;
  require(
      d == allowed && !d.double_step == !r.sprint && r.king_safe && r.castling == Castling::kNone,
      "placing.entry: 'card', expected only changes of points, impasse_turns and "
      "double_step = [2] to raindrop");
}

// The fields that the details imply.
void imply_fields(Draft& draft) {
  RuleSet& r = draft.rules;
  const RuleDetails& d = draft.details;
  r.sprint = d.double_step != 0;
  r.underpromotion = d.promotion != 8 || d.promotes_to_lost;
  r.prices = StandardTable::kChessSharp;
  r.army = Army::kChess;
  if (r.entry == Entry::kCard) {
    r.underpromotion = true;
    r.setup = Setup::kEmpty;
    return;
  }
  if (holds_two_queens(d)) r.army = Army::kTwoQueens;
  r.setup = Setup::kPawns;
}

// The set of fields alone that says the same, if there is one with a name.
std::optional<RuleSet> known_set(const Draft& draft) {
  for (const NamedRuleSet& named : kRuleSets) {
    RuleSet candidate = draft.rules;
    candidate.setup = named.rules.setup;
    candidate.army = named.rules.army;
    candidate.prices = named.rules.prices;
    if (candidate.name() == "unnamed") continue;
    if (standard_details(candidate) == draft.details) return candidate;
  }
  return std::nullopt;
}

void check_title(const std::string& title, const std::string& where) {
  constexpr std::size_t kMost = 40;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" -_'.").find(c) != std::string_view::npos;
  };
  const bool letter_first = !title.empty() && fits(title[0]) && title[0] > '9';
  if (!letter_first || title.size() > kMost || !std::ranges::all_of(title, fits)) {
    refuse_game(where, refusal("title", title,
                               "at most 40 letters, digits, spaces and -_'. beginning with a "
                               "letter"));
  }
  if (RuleSet::spelt(title)) {
    refuse_game(where, refusal("title", title, "a name of its own: this game is another"));
  }
}

// First positions can be read, and none is over.
void check_starts(RuleSet rules, const std::string& where) {
  constexpr int kMost = 2000;
  const int starts = starts_of(rules), step = std::max(1, starts / kMost);
  for (int number = 0; number < starts; number += step) {
    Position start;
    try {
      start = Position::start(rules, number);
    } catch (const RulesError& error) {
      refuse_game(where, std::string("setup: the first position: ") + error.what());
    }
    if (start.outcome(rules.table())) {
      refuse_game(where, "setup: the first position " + start.to_fen() +
                             " is over, expected one to play from");
    }
  }
}

}  // namespace

Draft draft_of(RuleSet rules) {
  Draft draft{rules, details_of(rules), rules.title()};
  draft.rules.game = 0;
  return draft;
}

namespace {

// What follows from the details.
void set_derived(Game& made, const std::string& where) {
  const RuleDetails& d = made.details;
  if (made.rules.entry != Entry::kCard) {
    set_armies(made, where);
    check_armies(made, made.rules, where);
  } else {
    made.armies = {{{""}, {""}}};
    made.at_start.fill(kAtStart);
  }
  for (const Color color : kColors) {
    const auto side = static_cast<std::size_t>(index(color));
    const auto seen = [&](Bitboard b) { return color == Color::kWhite ? b : __builtin_bswap64(b); };
    std::ranges::transform(d.placing, made.placing[side].begin(), seen);
    std::ranges::transform(d.goal, made.goal[side].begin(), seen);
    made.double_step[side] = seen(d.double_step);
  }
  made.ends_its_own_way = d.bare_king_loses || d.extinct != 0 ||
                          std::ranges::any_of(d.goal, [](Bitboard b) { return b != 0; });
  const auto mirrored_alike = [](Bitboard squares) {
    Bitboard image = 0;
    for (Bitboard left = squares; left;) image |= bit(mirrored(pop_first(left)));
    return image == squares;
  };
  made.is_symmetric =
      std::ranges::all_of(d.placing, mirrored_alike) && std::ranges::all_of(d.goal, mirrored_alike);
  made.clock_from = Position::kImpasseClock - d.impasse_plies;
  if (made.starts() > 1) made.rules.setup = Setup::kShuffled;
}

}  // namespace

RuleSet made_of(Draft draft, const std::string& where) {
  imply_fields(draft);
  check_keys(draft, where);
  if (const auto known = known_set(draft)) return *known;
  check_title(draft.title, where);
  const std::string keys = inline_text(draft);
  Game made;
  made.name = draft.title + keys;
  made.rules = draft.rules;
  made.details = draft.details;
  made.fingerprint = base::fnv1a(keys);
  if (const auto known = find_game(made.name)) return *known;
  set_derived(made, where);
  const RuleSet rules = number_game(std::move(made));
  try {
    check_starts(rules, where);
  } catch (...) {
    drop_game(rules);
    throw;
  }
  return rules;
}

}  // namespace rules
