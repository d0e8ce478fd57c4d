#include "selfplay/random_starts.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "rules/error.h"
#include "rules/history.h"
#include "rules/letters.h"

namespace selfplay {
namespace {

// A board of letters as FEN has them, rank 8 first.
class Letters {
 public:
  // Puts it on an empty square of rows [first, last], counted from White's.
  void drop(char letter, int first, int last, base::Rng& rng) {
    for (;;) {
      const auto rows = static_cast<std::uint32_t>(last - first + 1);
      const auto row = static_cast<std::size_t>(first) + rng.below(rows);
      char& square = squares_[(7 - row) * 8 + rng.below(8)];
      if (square != '1') continue;
      square = letter;
      return;
    }
  }
  std::string text() const {
    std::string text = squares_.substr(0, 8);
    for (std::size_t rank = 1; rank < 8; ++rank) text += '/' + squares_.substr(8 * rank, 8);
    return text;
  }

 private:
  std::string squares_ = std::string(64, '1');
};

std::string random_ending_fen(rules::RuleSet rules, base::Rng& rng) {
  constexpr int kMostPieces = 3, kMostPawns = 4;
  Letters board;
  const bool cards = rules.entry == rules::Entry::kCard;
  std::string decks;
  for (const bool white : {true, false}) {
    const auto drop = [&](char piece, int first, int last) {
      board.drop(static_cast<char>(white ? std::toupper(piece) : piece), first, last, rng);
    };
    drop('k', 0, 7);
    const auto& army = rules::at_start(rules, white ? rules::Color::kWhite : rules::Color::kBlack);
    std::string pieces;
    for (const rules::PieceType type : rules::kReserveOrder) {
      if (type == rules::PieceType::kKing) continue;
      pieces.append(static_cast<std::size_t>(army[static_cast<std::size_t>(type)]),
                    rules::letter(type, rules::Color::kBlack));
    }
    const auto most = static_cast<std::uint32_t>(pieces.size());
    for (auto n = std::min(rng.below(kMostPieces + 1), most); n > 0; --n) {
      const auto i = rng.below(static_cast<std::uint32_t>(pieces.size()));
      drop(pieces[i], 0, 7);
      pieces.erase(i, 1);
    }
    for (auto n = rng.below(kMostPawns + 1); n > 0; --n) drop('p', 1, 6);
    std::erase(pieces, 'b');  // a card knows its squares' colour
    for (auto n = cards ? rng.below(3) : 0; n > 0; --n) {
      const char card = (pieces + "ppp")[rng.below(static_cast<std::uint32_t>(pieces.size() + 3))];
      if (const auto at = pieces.find(card); at != pieces.npos) pieces.erase(at, 1);
      decks += static_cast<char>(white ? std::toupper(card) : card);
    }
  }
  const char* const side = rng.below(2) == 0 ? " w" : " b";
  const std::uint32_t clock = rng.below(60);
  const std::string reserves = cards                                ? "[" + decks + "][QRBNqrbn]"
                               : rules.entry == rules::Entry::kNone ? ""
                                                                    : "[]";
  return board.text() + reserves + side + " - - " + std::to_string(clock) + " 60";
}

}  // namespace

rules::Position Opening::position() const {
  rules::Position result = start;
  for (const rules::Move move : moves) result.play(move);
  return result;
}

namespace {

constexpr int kMostTries = 10000;  // games from files may have no such position

}  // namespace

std::optional<rules::Position> draw_book_start(const BookStarts& starts, float share,
                                               base::Rng& rng) {
  if (!starts || rng.uniform() >= static_cast<double>(share)) return std::nullopt;
  return (*starts)[rng.below(static_cast<std::uint32_t>(starts->size()))];
}

std::optional<Opening> random_line(rules::RuleSet rules, const rules::ScoringTable& table,
                                   int plies, base::Rng& rng) {
  Opening opening{draw_start(rules, rng), {}};
  rules::Position position = opening.start;
  rules::History past;
  for (int ply = 0; ply < plies || position.is_mid_turn(); ++ply) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) return std::nullopt;
    opening.moves.push_back(position.is_chance()
                                ? draw_card(position, rng)
                                : moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    past.add(position);
    position.play(opening.moves.back());
    const bool over = position.outcome(table, past.occurrences(position)).has_value();
    if (over || position.can_capture_king()) return std::nullopt;
  }
  return opening;
}

rules::Position random_opening(rules::RuleSet rules, const rules::ScoringTable& table, int least,
                               int most, base::Rng& rng) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    const auto more = rng.below(static_cast<std::uint32_t>(most - least) + 1);
    const auto line = random_line(rules, table, least + static_cast<int>(more), rng);
    if (line) return line->position();
  }
  return draw_start(rules, rng);
}

rules::Position random_ending(rules::RuleSet rules, const rules::ScoringTable& table,
                              base::Rng& rng) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    try {
      const auto position = rules::Position::from_fen(random_ending_fen(rules, rng), rules);
      if (!position.outcome(table) && !position.can_capture_king()) return position;
    } catch (const rules::RulesError&) {
      continue;  // impossible under these rules
    }
  }
  return draw_start(rules, rng);
}

}  // namespace selfplay
