#include "selfplay/random_starts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "rules/error.h"
#include "rules/history.h"
#include "rules/letters.h"

namespace selfplay {
namespace {

// A board of letters as FEN has them, rank 8 first.
class Letters {
 public:
  // Puts it on an empty square of rows [first, last], counted from White's; nowhere where a hundred
  // draws find none.
  void drop(char letter, int first, int last, base::Rng& rng) {
    for (int tries = 0; tries < 100; ++tries) {
      const auto rows = static_cast<std::uint32_t>(last - first + 1);
      const auto row = static_cast<std::size_t>(first) + rng.below(rows);
      char& square = squares_[(7 - row) * 8 + rng.below(8)];
      if (square != '1') continue;
      square = letter;
      return;
    }
  }
  void put(char letter, int file, int row) {
    squares_[static_cast<std::size_t>((7 - row) * 8 + file)] = letter;
  }
  std::string text() const {
    std::string text = squares_.substr(0, 8);
    for (std::size_t rank = 1; rank < 8; ++rank) text += '/' + squares_.substr(8 * rank, 8);
    return text;
  }

 private:
  std::string squares_ = std::string(64, '1');
};

using rules::PieceType;

// A letter in a FEN.
char letter_of(char piece, bool white) {
  return static_cast<char>(white ? std::toupper(piece) : piece);
}

// Pieces that a side has at the start besides pawns and king.
std::string army_of(rules::RuleSet rules, bool white) {
  const auto& army = rules::at_start(rules, white ? rules::Color::kWhite : rules::Color::kBlack);
  std::string pieces;
  for (const PieceType type : rules::kReserveOrder) {
    if (type == PieceType::kKing) continue;
    pieces.append(static_cast<std::size_t>(army[static_cast<std::size_t>(type)]),
                  rules::letter(type, rules::Color::kBlack));
  }
  return pieces;
}

// The words of a FEN behind the board; `decks`: cards to come.
std::string rest_of_fen(rules::RuleSet rules, const std::string& decks, int most_clock,
                        base::Rng& rng) {
  const char* const side = rng.below(2) == 0 ? " w" : " b";
  const std::uint32_t clock = rng.below(static_cast<std::uint32_t>(most_clock));
  const std::string reserves = rules.entry == rules::Entry::kCard   ? "[" + decks + "][QRBNqrbn]"
                               : rules.entry == rules::Entry::kNone ? ""
                                                                    : "[]";
  return reserves + side + " - - " + std::to_string(clock) + " 60";
}

std::string random_ending_fen(rules::RuleSet rules, base::Rng& rng) {
  constexpr int kMostPieces = 3, kMostPawns = 4;
  Letters board;
  const bool cards = rules.entry == rules::Entry::kCard;
  std::string decks;
  for (const bool white : {true, false}) {
    const auto drop = [&](char piece, int first, int last) {
      board.drop(letter_of(piece, white), first, last, rng);
    };
    drop('k', 0, 7);
    std::string pieces = army_of(rules, white);
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
      decks += letter_of(card, white);
    }
  }
  return board.text() + rest_of_fen(rules, decks, 60, rng);
}

// Both sides have lost the same pieces and as many pawns, but for a pawn in some games.
std::string random_middlegame_fen(rules::RuleSet rules, base::Rng& rng) {
  const double piece_share = 0.3 + 0.7 * rng.uniform(), pawn_share = 0.5 + 0.5 * rng.uniform();
  const base::Rng same_losses(rng.next());
  Letters board;
  for (const bool white : {true, false}) {
    const auto row = [white](std::uint32_t r) { return static_cast<int>(white ? r : 7 - r); };
    base::Rng losses = same_losses;
    std::array<int, 8> files{0, 1, 2, 3, 4, 5, 6, 7};
    rng.shuffle<int>(files);
    auto pawns = files.size();
    for (std::size_t i = 0; i < files.size(); ++i) pawns -= losses.uniform() < pawn_share ? 0 : 1;
    if (pawns > 0 && rng.below(8) == 0) --pawns;
    for (const int file : std::span(files).first(pawns)) {
      const auto advance = rng.below(4);  // half of them not at all
      board.put(letter_of('p', white), file, row(1 + (advance < 2 ? 0 : advance - 1)));
    }
    const auto drop = [&](char piece, std::uint32_t last) {
      board.drop(letter_of(piece, white), std::min(row(0), row(last)), std::max(row(0), row(last)),
                 rng);
    };
    drop('k', 0);
    for (const char piece : army_of(rules, white)) {
      if (losses.uniform() < piece_share) drop(piece, 1 + rng.below(2));
    }
  }
  return board.text() + rest_of_fen(rules, "", 1, rng);
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

namespace {

// Draws FENs until one is of a game that is not over.
rules::Position random_start(std::string (*fen)(rules::RuleSet, base::Rng&), rules::RuleSet rules,
                             const rules::ScoringTable& table, base::Rng& rng) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    try {
      const auto position = rules::Position::from_fen(fen(rules, rng), rules);
      if (!position.outcome(table) && !position.can_capture_king()) return position;
    } catch (const rules::RulesError&) {
      continue;  // impossible under these rules
    }
  }
  return draw_start(rules, rng);
}

}  // namespace

rules::Position random_ending(rules::RuleSet rules, const rules::ScoringTable& table,
                              base::Rng& rng) {
  return random_start(random_ending_fen, rules, table, rng);
}

rules::Position random_middlegame(rules::RuleSet rules, const rules::ScoringTable& table,
                                  base::Rng& rng) {
  return random_start(random_middlegame_fen, rules, table, rng);
}

std::optional<rules::Position> draw_given_start(const SelfPlayConfig& config,
                                                const BookStarts& book, rules::RuleSet rules,
                                                const rules::ScoringTable& table, base::Rng& rng) {
  const auto draws = [&rng](float share) {
    return share > 0 && rng.uniform() < static_cast<double>(share);
  };
  if (book && draws(config.book_share)) {
    return (*book)[rng.below(static_cast<std::uint32_t>(book->size()))];
  }
  if (draws(config.ending_share)) return random_ending(rules, table, rng);
  if (draws(config.middlegame_share)) return random_middlegame(rules, table, rng);
  return std::nullopt;
}

}  // namespace selfplay
