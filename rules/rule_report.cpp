#include "rules/rule_report.h"

#include <algorithm>

#include "base/rng.h"
#include "base/text.h"
#include "rules/history.h"
#include "rules/letters.h"
#include "rules/notation.h"
#include "rules/repertoire.h"
#include "rules/rule_keys.h"

namespace rules {
namespace {

std::string name_of(PieceType type) {
  return std::string(kPieceNames[static_cast<std::size_t>(type)]);
}

// "a, b or c"
std::string joined(const std::vector<std::string>& words, const std::string& last = " or ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  }
  return text;
}

// "row 1", "rows 2, 3", with what is left as squares.
std::string where(Bitboard squares) {
  std::vector<std::string> rows = square_names(squares);
  const auto first_square =
      std::ranges::find_if(rows, [](const std::string& name) { return name.size() > 1; });
  std::vector<std::string> others(first_square, rows.end());
  rows.erase(first_square, rows.end());
  if (!rows.empty()) {
    others.insert(others.begin(), (rows.size() == 1 ? "row " : "rows ") + joined(rows));
  }
  return others.empty() ? "nowhere" : joined(others);
}

using Lines = std::vector<std::string>;

void say_setup(RuleSet rules, const RuleDetails& details, Lines& say) {
  const int starts = starts_of(rules);
  if (rules.entry == Entry::kCard) {
    say.push_back("The board is empty; each side has its sixteen pieces as cards.");
  } else {
    const std::string count =
        starts == 1 ? "one first position" : std::to_string(starts) + " first positions";
    say.push_back("There is " + count + "; the first: " + Position::start(rules, 0).to_fen() + ".");
    if (starts > 1) say.back().replace(0, 8, "There are");
  }
  if (details.shuffle.on) {
    Lines kept;
    if (details.shuffle.bishops_opposite) kept.push_back("the bishops on both colours");
    if (details.shuffle.king_between_rooks) kept.push_back("the king between his rooks");
    if (details.shuffle.king_in_corner) kept.push_back("the king in a corner");
    say.push_back("The first row is shuffled" + (kept.empty() ? "" : ", " + joined(kept, " and ")) +
                  ".");
  }
  if (details.pawns_scattered) {
    say.push_back("Each pawn of the second row begins there or on the third.");
  }
  if (starts > 1) {
    say.push_back(details.black == BlackArmy::kApart ? "Black's first position is drawn for itself."
                  : details.black == BlackArmy::kTurned
                      ? "Black's is White's turned by half a turn."
                      : "Black's mirrors White's.");
  }
}

void say_placing(RuleSet rules, const RuleDetails& details, Lines& say) {
  if (rules.entry == Entry::kCard) {
    say.push_back("A turn is a move, or a card drawn and placed.");
    return;
  }
  if (rules.entry == Entry::kNone || details.reserve[0].empty() + details.reserve[1].empty() == 2) {
    return;
  }
  const bool alike =
      std::ranges::all_of(details.placing, [&](Bitboard b) { return b == details.placing[1]; });
  if (rules.entry == Entry::kBehindPawn) {
    say.push_back(
        "A turn is a move, or a piece from hand placed behind an own pawn of the second row, "
        "which may then move too.");
  } else if (alike) {
    say.push_back("A turn is a move, or a piece from hand placed on an empty square of " +
                  where(details.placing[1]) + ", as its side sees it.");
  } else {
    say.push_back(
        "A turn is a move, or a piece from hand placed on an empty square, as its side sees it:");
    for (const PieceType type : kReserveOrder) {
      say.push_back("  the " + name_of(type) + " on " +
                    where(details.placing[static_cast<std::size_t>(type)]) + ".");
    }
  }
  say.push_back(rules.before == 0
                    ? std::string("Pieces move once their king is on the board.")
                    : "Pieces move once their king is on the board and " +
                          std::to_string(rules.before) + " others have left the hand.");
  if (!rules.queen_any &&
      (details.reserve[0] + details.reserve[1]).find('Q') != std::string::npos) {
    say.push_back("The queen is placed when nothing else is in hand.");
  }
  if (rules.bishops_opposite)
    say.push_back("The second bishop goes on a square of the other colour.");
}

void say_pawns(RuleSet rules, const RuleDetails& details, Lines& say) {
  if (details.double_step == 0) {
    say.push_back("Pawns move one square.");
  } else {
    say.push_back("Pawns move one square, or two from " + where(details.double_step) +
                  (details.en_passant ? ", and may then be taken en passant." : "."));
  }
  if (rules.entry == Entry::kCard) {
    say.push_back("On the last row they become a piece of their side's kit, each once.");
  } else if (details.promotion == 0) {
    say.push_back("On the last row they stay pawns.");
  } else {
    say.push_back("On the last row they become a " + joined(piece_names(details.promotion << 1)) +
                  (details.promotes_to_lost
                       ? ", if the side has fewer of it than at the start; else they stay pawns."
                       : "."));
  }
}

void say_ends(RuleSet rules, const RuleDetails& details, Lines& say) {
  say.push_back(rules.king_safe ? "Kings may not be left attacked; mate wins."
                                : "Kings are captured: who takes the king wins.");
  for (const PieceType type : kAllTypes) {
    const Bitboard goal = details.goal[static_cast<std::size_t>(type)];
    if (goal)
      say.push_back("Who brings a " + name_of(type) + " to " + where(goal) +
                    ", as he sees it, wins.");
  }
  if (details.extinct) {
    say.push_back("Who has lost his last " + joined(piece_names(details.extinct)) + " has lost.");
  }
  if (details.bare_king_loses) say.push_back("Who has nothing but his king has lost.");
  if (rules.stuck_in_hand_loses) {
    say.push_back("Who cannot move while his king is in hand has lost.");
  }
  say.push_back(
      "Who has no move that leaves his king unattacked, and is not attacked, is stalemated.");
  std::string impasse = std::to_string(details.impasse_plies / 2) +
                        " turns of each side without a capture or a pawn's move are an impasse";
  if (rules.repetition) impasse += ", and so is the third occurrence of a position";
  say.push_back(impasse + ".");
  const bool own_ends = Position::start(rules, 0).ends_its_own_way();
  if (rules.dead_material == DeadMaterial::kClassical && !own_ends) {
    say.push_back(
        "So is material that cannot mate: bare kings, a knight alone, bishops of one colour.");
  }
  if (rules.dead_material == DeadMaterial::kKingsOnly && !own_ends)
    say.push_back("So are bare kings.");
  if (rules.castling != Castling::kNone) {
    say.push_back(std::string("Kings castle with rooks that stand for it, as in ") +
                  (rules.castling == Castling::kClassical  ? "chess."
                   : rules.castling == Castling::kChess960 ? "Chess960."
                                                           : "Chess480."));
  }
}

void say_points(const ScoringTable& table, Lines& say) {
  std::string points = "White's points of ten:";
  for (int i = kOutcomes - 1; i >= 0; --i) {
    points += " " + std::string(name(static_cast<Outcome>(i))) + " " +
              base::shortest_text(table.points_white[static_cast<std::size_t>(i)]) +
              (i > 0 ? "," : ".");
  }
  say.push_back(points);
  std::string values = "Worth at an impasse:";
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    values += " " + std::string(kPieceNames[i]) + " " + base::shortest_text(table.material[i]) +
              (i + 1 < table.material.size() ? "," : ".");
  }
  say.push_back(values);
}

}  // namespace

std::vector<std::string> sentences(RuleSet rules) {
  const RuleDetails details = details_of(rules);
  Lines say;
  say_setup(rules, details, say);
  say_placing(rules, details, say);
  say_pawns(rules, details, say);
  say_ends(rules, details, say);
  say_points(details.table, say);
  return say;
}

GameTrial try_out(RuleSet rules, std::uint64_t seed) {
  GameTrial trial;
  base::Rng rng(seed);
  const ScoringTable table = rules.table();
  for (int game = 0; game < GameTrial::kGames; ++game) {
    Position position = draw_start(rules, rng);
    History history;
    int plies = 0;
    std::optional<Outcome> end;
    for (; plies < GameTrial::kMostPlies; ++plies) {
      end = position.outcome(table, history.occurrences(position));
      if (end) break;
      const MoveList moves = position.legal_moves();
      if (moves.empty()) break;
      const Move move = position.is_chance()
                            ? draw_card(position, rng)
                            : moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      if (game == 0) trial.first.push_back(to_san(position, move));
      history.add(position);
      position.play(move);
    }
    if (game == 0) trial.first_end = end;
    if (!end) {
      ++trial.unfinished;
    } else {
      ++trial.ends[static_cast<std::size_t>(index(*end))];
      trial.plies += plies;
    }
  }
  trial.plies /= std::max(1, GameTrial::kGames - trial.unfinished);
  return trial;
}

std::vector<std::string> suspicions(RuleSet rules, const GameTrial& trial) {
  Lines say;
  const RuleDetails details = details_of(rules);
  const auto count = [](int n) {
    return std::to_string(n) + " of " + std::to_string(GameTrial::kGames);
  };
  if (trial.unfinished > 0) {
    say.push_back(count(trial.unfinished) + " random games did not end within " +
                  std::to_string(GameTrial::kMostPlies) + " plies.");
  }
  const auto ends = [&](Outcome outcome) {
    return trial.ends[static_cast<std::size_t>(index(outcome))];
  };
  if (ends(Outcome::kWhiteWins) + ends(Outcome::kBlackWins) == 0) {
    say.push_back("No random game was won.");
  }
  const int stalemates = ends(Outcome::kWhiteStalemated) + ends(Outcome::kBlackStalemated);
  if (stalemates > GameTrial::kGames * 15 / 100) {
    say.push_back(count(stalemates) +
                  " random games ended in a stalemate: does a side run out of moves?");
  }
  const int one_sided = std::max(ends(Outcome::kWhiteWins), ends(Outcome::kBlackWins));
  if (one_sided > GameTrial::kGames * 9 / 10) {
    say.push_back("One side won " + count(one_sided) + " random games.");
  }
  for (const Color color : kColors) {
    Position start = Position::start(rules, 0);
    if (color == Color::kBlack) start = start.passed();
    if (start.count_legal_moves() == 0) {
      say.push_back(std::string(color == Color::kWhite ? "White" : "Black") +
                    " has no move at the start.");
    }
  }
  const bool pawns = at_start(rules, Color::kWhite)[0] + at_start(rules, Color::kBlack)[0] > 0;
  if (pawns && details.promotion == 0 && rules.entry != Entry::kCard) {
    say.push_back("Pawns become nothing.");
  }
  if (!pawns && (details.promotion != 8 || details.double_step != 0)) {
    say.push_back("There are rules for pawns, and no pawns.");
  }
  for (const Color color : kColors) {
    const auto& held = details.reserve[static_cast<std::size_t>(index(color))];
    for (const PieceType type : kReserveOrder) {
      if (held.find(letter(type)) == std::string::npos || rules.entry != Entry::kFirstRow) continue;
      if (details.placing[static_cast<std::size_t>(type)] != 0) continue;
      say.push_back("A " + name_of(type) + " is in hand and may be placed nowhere.");
    }
  }
  return say;
}

}  // namespace rules
