// The contract of a position, checked at every ply of random games in every rule set, against
// itself (round trips, symmetries, definitions) and against the mailbox implementation.
//
// SHARPZERO_WALK_PLIES sets the number of plies (default 30,000; the full proof is 1,000,000).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "mailbox.h"
#include "rules/notation.h"
#include "rules/rng.h"

namespace rules {
namespace {

using Strings = std::vector<std::string>;

Strings sorted_uci(const MoveList& moves) {
  Strings out;
  for (const Move move : moves) out.push_back(to_uci(move));
  std::sort(out.begin(), out.end());
  return out;
}

template <class Turned>
Strings turned_uci(const MoveList& moves, Turned turned) {
  Strings out;
  for (const Move move : moves) out.push_back(to_uci(turned(move)));
  std::sort(out.begin(), out.end());
  return out;
}

std::string outcome_name(const std::optional<Outcome>& outcome) {
  return outcome ? std::string(name(*outcome)) : "ongoing";
}

void expect_round_trips(const Position& p, const MoveList& moves) {
  const auto again = Position::from_fen(p.to_fen(), p.rule_set());
  ASSERT_EQ(again, p);  // the key with it, which from_fen computes afresh
  std::set<std::string> san;
  for (const Move move : moves) {
    ASSERT_EQ(parse_uci(p, to_uci(move)), move);
    ASSERT_TRUE(san.insert(to_san(p, move)).second) << to_san(p, move);
  }
}

void expect_symmetries(const Position& p, const MoveList& moves) {
  const ScoringTable table;
  const auto outcome = p.outcome(table);
  const Position mirror = p.mirrored(), flip = p.color_flipped();
  const auto turn_mirror = [](Move m) { return mirrored(m); };
  const auto turn_flip = [](Move m) { return flipped(m); };
  ASSERT_EQ(sorted_uci(mirror.legal_moves()), turned_uci(moves, turn_mirror));
  ASSERT_EQ(sorted_uci(flip.legal_moves()), turned_uci(moves, turn_flip));
  ASSERT_EQ(mirror.outcome(table), outcome);
  ASSERT_EQ(flip.outcome(table), outcome ? std::optional(color_swapped(*outcome)) : outcome);
  ASSERT_EQ(mirror.mirrored(), p);
  ASSERT_EQ(flip.color_flipped(), p);
  ASSERT_EQ(Position::from_fen(mirror.to_fen(), p.rule_set()), mirror);
  ASSERT_EQ(Position::from_fen(flip.to_fen(), p.rule_set()), flip);
}

// surviving_moves() by its definition, and can_capture_king() by the moves themselves.
void expect_definitions(const Position& p, const MoveList& moves) {
  MoveList expected, surviving;
  for (const Move move : moves) {
    const Position next = p.after(move);
    const bool takes_king = !next.king_on_board(next.side_to_move()) &&
                            next.reserve(next.side_to_move(), PieceType::kKing) == 0;
    if (takes_king || !next.can_capture_king()) expected.push_back(move);
  }
  p.surviving_moves(surviving);
  ASSERT_TRUE(std::equal(surviving.begin(), surviving.end(), expected.begin(), expected.end()));
  const Bitboard king = p.pieces(~p.side_to_move(), PieceType::kKing);
  const bool can = p.halfmove_clock() < 100 && std::any_of(moves.begin(), moves.end(), [&](Move m) {
                     return (bit(m.to()) & king) != 0;
                   });
  ASSERT_EQ(p.can_capture_king(), can);
}

void expect_like_mailbox(const Position& p, const MoveList& moves, bool all) {
  const RuleSet rules = p.rule_set();
  const mailbox::Board board(p.to_fen(), rules.sprint, rules.before);
  ASSERT_EQ(sorted_uci(moves), board.moves());
  ASSERT_EQ(outcome_name(p.outcome(ScoringTable{})), board.outcome());
  ASSERT_EQ(p.can_capture_king(), board.can_capture_king());
  if (!all) return;
  for (const Move move : moves) {
    ASSERT_EQ(p.after(move).to_fen(), board.after(to_uci(move)).fen()) << to_uci(move);
  }
  MoveList surviving;
  p.surviving_moves(surviving);
  ASSERT_EQ(sorted_uci(surviving), board.surviving());
}

void expect_contract(const Position& p, Rng& rng) {
  SCOPED_TRACE(p.to_fen() + " " + p.rule_set().name());
  const MoveList moves = p.legal_moves();
  ASSERT_EQ(static_cast<std::size_t>(p.count_legal_moves()), moves.size());
  expect_round_trips(p, moves);
  expect_symmetries(p, moves);
  expect_definitions(p, moves);
  expect_like_mailbox(p, moves, rng.below(16) == 0);
  const Move any = Move::from_raw(static_cast<std::uint16_t>(rng.below(1 << 16)));
  ASSERT_EQ(p.is_legal(any), std::count(moves.begin(), moves.end(), any) == 1);
  if (moves.empty()) return;
  const Move one = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  ASSERT_EQ(parse_san(p, to_san(p, one)), one);
}

// A plausible position that no game may lead to: men of both sides strewn about, the rest of them
// in hand or gone.
Position strewn(Rng& rng, RuleSet rules) {
  std::string board(64, '.'), hand;
  const auto place = [&](char man, bool pawn) {
    for (int tries = 0; tries < 100; ++tries) {
      std::size_t s = rng.below(64);
      // Half of the pawns stand where en passant is near.
      if (pawn && rng.below(2) == 0) s = s % 8 + 8 * (rng.below(2) == 0 ? 1U : 4U);
      if (pawn && man == 'p') s ^= 56;
      if (board[s] != '.' || (pawn && (s < 8 || s >= 56))) continue;
      board[s] = man;
      return;
    }
  };
  const std::uint32_t sparse = 1 + rng.below(6);
  for (const bool white : {true, false}) {
    for (const char man : std::string("KQRRBBNNPPPPPPPP")) {
      const char c = static_cast<char>(white ? man : man | 0x20);
      const bool lost = man != 'K' && rng.below(6) < sparse;
      if (lost && man == 'P' && rng.below(4) == 0) place(static_cast<char>(c + 1), false);  // Q
      if (lost) continue;
      if (man != 'P' && rng.below(4) == 0) {
        hand += c;
      } else {
        place(c, man == 'P');
      }
    }
  }
  std::string fen;
  for (std::size_t rank = 8; rank-- > 0;) {
    for (std::size_t file = 0; file < 8; ++file) {
      fen += board[rank * 8 + file] == '.' ? '1' : board[rank * 8 + file];
    }
    fen += rank > 0 ? '/' : '[';
  }
  const std::string side = rng.below(2) == 0 ? "w" : "b";
  return Position::from_fen(
      fen + hand + "] " + side + " - - " + std::to_string(rng.below(101)) + " 50", rules);
}

bool is_pawn_move(const Position& p, Move move) {
  const Bitboard pawns = p.pieces(p.side_to_move(), PieceType::kPawn);
  return !move.is_placement() && (pawns & bit(move.from())) != 0;
}

// Mostly a move that does not lose at once, so that games last; often one that is rare otherwise: a
// double step that can be taken en passant, and its taking.
Move next_move(const Position& p, Rng& rng) {
  MoveList moves;
  p.legal_moves(moves);
  if (p.rule_set().sprint && rng.below(2) == 0) {
    for (const Move move : moves) {
      const bool takes = p.en_passant() && move.to() == *p.en_passant();
      if (is_pawn_move(p, move) && (takes || p.after(move).en_passant())) return move;
    }
  }
  MoveList surviving;
  if (rng.below(16) != 0) p.surviving_moves(surviving);
  if (!surviving.empty()) moves = surviving;
  return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

TEST(RandomWalk, KeepsTheContractAtEveryPly) {
  const char* wanted = std::getenv("SHARPZERO_WALK_PLIES");
  const long plies = wanted ? std::atol(wanted) : 30000;
  std::vector<RuleSet> sets{{}, {.sprint = true}};
  for (const int before : {1, 3, 6, 7}) {
    sets.push_back({.before = static_cast<std::uint8_t>(before)});
    sets.push_back({.sprint = true, .before = static_cast<std::uint8_t>(before)});
  }
  Rng rng(20240601);
  std::array<int, kOutcomes> seen{};
  int taken_en_passant = 0;
  long ply = 0;
  for (int game = 0; ply < plies; ++game) {
    // A quarter each is Chess# and Chess# with the double step, the others are of any set.
    const std::size_t turn = static_cast<std::size_t>(game % 4);
    const RuleSet rules = sets[turn < 2 ? turn : rng.below(10)];
    Position p = game % 3 == 0 ? Position::start(rules) : strewn(rng, rules);
    for (;; ++ply) {
      ASSERT_NO_FATAL_FAILURE(expect_contract(p, rng));
      const auto outcome = p.outcome(ScoringTable{});
      if (outcome) {
        ++seen[static_cast<std::size_t>(*outcome)];
        break;
      }
      const Move move = next_move(p, rng);
      taken_en_passant += p.en_passant() && move.to() == *p.en_passant() && is_pawn_move(p, move);
      p.play(move);
    }
  }
  EXPECT_GT(taken_en_passant, 5);
  for (int i = 0; i < kOutcomes; ++i) {
    EXPECT_GT(seen[static_cast<std::size_t>(i)], 0) << name(static_cast<Outcome>(i));
  }
}

}  // namespace
}  // namespace rules
