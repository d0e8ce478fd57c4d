// The contract of a position, checked at every ply of random games in every rule set, against
// itself (round trips, symmetries, definitions) and against the mailbox implementation.
//
// SHARPZERO_WALK_PLIES sets the number of plies (default 30,000; the full proof is 1,000,000).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>

#include "base/rng.h"
#include "mailbox.h"
#include "rules/letters.h"
#include "rules/notation.h"
#include "rules/rule_file.h"
#include "tests/rules/color_swapped.h"

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
  const RuleSet rules = p.rule_set();
  if (at_start(rules, Color::kWhite) != at_start(rules, Color::kBlack)) return;
  const Position flip = p.color_flipped();
  ASSERT_EQ(sorted_uci(flip.legal_moves()), turned_uci(moves, [](Move m) { return flipped(m); }));
  ASSERT_EQ(flip.outcome(table), outcome ? std::optional(color_swapped(*outcome)) : outcome);
  ASSERT_EQ(flip.color_flipped(), p);
  // White places first, so a flip amid the placing is no position of a game.
  const bool placing = p.rule_set().king_safe && !p.reserve_empty(p.side_to_move());
  if (p.rule_set().before < 7 || !placing) {
    ASSERT_EQ(Position::from_fen(flip.to_fen(), p.rule_set()), flip);
  }
  if (!p.is_mirror_symmetric()) return;
  const Position mirror = p.mirrored();
  ASSERT_EQ(sorted_uci(mirror.legal_moves()),
            turned_uci(moves, [](Move m) { return mirrored(m); }));
  ASSERT_EQ(mirror.outcome(table), outcome);
  ASSERT_EQ(mirror.mirrored(), p);
  ASSERT_EQ(Position::from_fen(mirror.to_fen(), p.rule_set()), mirror);
}

bool ends_its_own_way(const Position& p) {
  return p.rule_set().game != 0 && p.game().ends_its_own_way;
}

// surviving_moves() and noisy_moves() by their definitions, and can_capture_king() by the moves
// themselves.
void expect_definitions(const Position& p, const MoveList& moves) {
  MoveList expected, surviving, expected_noisy, noisy;
  for (const Move move : moves) {
    const Position next = p.after(move);
    const bool takes =
        std::popcount(next.pieces(~p.side_to_move())) < std::popcount(p.pieces(~p.side_to_move()));
    if (!move.is_placement() && (takes || move.is_promotion())) expected_noisy.push_back(move);
    const bool takes_king = !next.king_on_board(next.side_to_move()) &&
                            next.reserve(next.side_to_move(), PieceType::kKing) == 0;
    if (takes_king || !next.can_capture_king()) expected.push_back(move);
  }
  p.surviving_moves(surviving);
  ASSERT_TRUE(std::equal(surviving.begin(), surviving.end(), expected.begin(), expected.end()));
  p.noisy_moves(noisy);
  ASSERT_TRUE(std::equal(noisy.begin(), noisy.end(), expected_noisy.begin(), expected_noisy.end()));
  const Bitboard king = p.pieces(~p.side_to_move(), PieceType::kKing);
  const bool over = ends_its_own_way(p) && p.winner_by_own_end();
  const bool can =
      !over && p.halfmove_clock() < 100 && std::any_of(moves.begin(), moves.end(), [&](Move m) {
        return !m.is_off_board() && (bit(m.to()) & king) != 0;
      });
  ASSERT_EQ(p.can_capture_king(), can);
}

void expect_like_mailbox(const Position& p, const MoveList& moves, bool all) {
  const RuleSet rules = p.rule_set();
  const mailbox::Board board(p.to_fen(), rules);
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

void expect_contract(const Position& p, base::Rng& rng) {
  SCOPED_TRACE(p.to_fen() + " " + p.rule_set().name());
  const MoveList moves = p.legal_moves();
  ASSERT_EQ(static_cast<std::size_t>(p.count_legal_moves()), moves.size());
  expect_round_trips(p, moves);
  expect_symmetries(p, moves);
  expect_definitions(p, moves);
  if (!p.has_cards()) expect_like_mailbox(p, moves, rng.below(16) == 0);
  const Move any = Move::from_raw(static_cast<std::uint16_t>(rng.below(1 << 16)));
  ASSERT_EQ(p.is_legal(any), std::count(moves.begin(), moves.end(), any) == 1);
  if (moves.empty()) return;
  const Move one = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  ASSERT_EQ(parse_san(p, to_san(p, one)), one);
}

// Castling rights, any that kings and rooks of that board allow; `board` by squares from a1.
std::string some_rights(const std::string& board, RuleSet rules, base::Rng& rng) {
  std::string rights;
  if (rules.castling == Castling::kNone) return "-";
  for (const bool white : {true, false}) {
    const std::string row = board.substr(white ? 0 : 56, 8);
    const std::size_t king = row.find(white ? 'K' : 'k');
    if (king == row.npos) continue;
    for (const bool right : {true, false}) {
      const char rook = white ? 'R' : 'r';
      std::size_t file = right ? row.rfind(rook) : row.find(rook);
      if (file == row.npos || (file > king) != right || rng.below(4) == 0) continue;
      std::string letter(1, static_cast<char>('A' + file));
      if (rules.castling == Castling::kClassical) {
        if (king != 4 || file != (right ? 7U : 0U)) continue;
        letter = right ? "K" : "Q";
      } else if (king == 0 || king == 7) {
        continue;
      }
      rights += static_cast<char>(white ? letter[0] : letter[0] | 0x20);
    }
  }
  return rights.empty() ? "-" : rights;
}

// A plausible position that no game may lead to: men of both sides strewn about, the rest of them
// in hand or gone. It may be refused, where the side not to move is in check.
Position strewn_once(base::Rng& rng, RuleSet rules) {
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
  const bool castling = rules.castling != Castling::kNone && rng.below(2) == 0;
  const bool hands = rules.entry != Entry::kNone && !(rules.king_safe && rules.before == 7);
  for (const bool white : {true, false}) {
    const auto& army = at_start(rules, white ? Color::kWhite : Color::kBlack);
    std::string men;
    for (const PieceType type : {PieceType::kKing, PieceType::kQueen, PieceType::kRook,
                                 PieceType::kBishop, PieceType::kKnight, PieceType::kPawn}) {
      men.append(static_cast<std::size_t>(army[static_cast<std::size_t>(type)]), letter(type));
    }
    for (const char man : men) {
      const char c = static_cast<char>(white ? man : man | 0x20);
      const bool lost = man != 'K' && rng.below(6) < sparse;
      if (lost && man == 'P' && rng.below(4) == 0) {
        const std::string pieces = rules.underpromotion ? "QRBN" : "Q";
        const char piece = pieces[rng.below(static_cast<std::uint32_t>(pieces.size()))];
        place(static_cast<char>(white ? piece : piece | 0x20), false);
      }
      if (lost) continue;
      const bool classical = rules.castling == Castling::kClassical;
      if (castling && (man == 'K' || man == 'R')) {  // on the first row, so that they may castle
        std::size_t s = man == 'K' ? (classical ? 4 : 1 + rng.below(6)) : rng.below(8);
        if (man == 'R' && classical) s = rng.below(2) * 7;
        s += white ? 0 : 56;
        if (board[s] == '.') {
          board[s] = c;
          continue;
        }
      }
      if (hands && man != 'P' && rng.below(4) == 0) {
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
    if (rank > 0) fen += '/';
  }
  if (rules.entry != Entry::kNone) fen += "[" + hand + "]";
  const std::string side = rng.below(2) == 0 ? " w " : " b ";
  const std::string clock = std::to_string(rng.below(101));
  return Position::from_fen(fen + side + some_rights(board, rules, rng) + " - " + clock + " 50",
                            rules);
}

Position strewn(base::Rng& rng, RuleSet rules) {
  while (true) {
    try {
      return strewn_once(rng, rules);
    } catch (const RulesError& error) {
      if (!error.bare().ends_with("only the side to move in check")) throw;
    }
  }
}

bool is_pawn_move(const Position& p, Move move) {
  const Bitboard pawns = p.pieces(p.side_to_move(), PieceType::kPawn);
  return !move.is_placement() && (pawns & bit(move.from())) != 0;
}
bool takes_en_passant(const Position& p, Move move) {
  return is_pawn_move(p, move) && p.en_passant() && move.to() == *p.en_passant();
}
bool castles(const Position& p, Move move) { return to_san(p, move).starts_with("O-O"); }
bool gains_right(const Position& p, Move move) {
  const Color us = p.side_to_move();
  return move.is_placement() && p.after(move).castling_rooks(us) != p.castling_rooks(us);
}
bool enters_and_steps(Move move) {
  return move.is_placement() && move.pawn_step() != PawnStep::kStays;
}

// Mostly a move that does not lose at once, so that games last; often one that is rare otherwise: a
// double step that can be taken en passant, and its taking; castling; a promotion to less than a
// queen.
Move next_move(const Position& p, base::Rng& rng) {
  MoveList moves;
  p.legal_moves(moves);
  if (rng.below(2) == 0) {
    for (const Move move : moves) {
      if (castles(p, move) || takes_en_passant(p, move) || gains_right(p, move)) return move;
      const bool can_be_taken = p.rule_set().sprint && p.after(move).en_passant();
      if (is_pawn_move(p, move) && can_be_taken) return move;
    }
  }
  MoveList surviving;
  if (rng.below(16) != 0) p.surviving_moves(surviving);
  if (!surviving.empty()) moves = surviving;
  return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

// What a walk has come across.
struct Seen {
  std::array<int, kOutcomes> outcomes{};
  int cards = 0, lost_by_card = 0, pawns_kept = 0;
  int en_passant = 0, castling = 0, underpromotions = 0, entries_with_steps = 0, placements = 0;

  void note(const Position& p, Move move) {
    en_passant += takes_en_passant(p, move);
    castling += castles(p, move);
    underpromotions += move.is_promotion() && move.promoted_to() != PieceType::kQueen;
    entries_with_steps += enters_and_steps(move);
    placements += move.is_placement();
    cards += move.is_card();
    lost_by_card += move.is_card() && p.after(move).outcome({}).has_value();
    constexpr Bitboard kEnds = rank_bb(0) | rank_bb(7);
    pawns_kept += is_pawn_move(p, move) && !move.is_promotion() && (bit(move.to()) & kEnds) != 0;
  }
};

// Games of the sets in turn, of at least so many plies, checked at each.
Seen walk(const std::vector<RuleSet>& sets, long plies, std::uint64_t seed) {
  base::Rng rng(seed);
  Seen seen;
  long ply = 0;
  for (std::size_t game = 0; ply < plies; ++game) {
    const RuleSet rules = sets[game % sets.size()];
    const bool from_start = rules.entry == Entry::kCard || rng.below(3) == 0;
    Position p =
        from_start ? Position::start(rules, static_cast<int>(rng.below(960))) : strewn(rng, rules);
    for (;; ++ply) {
      expect_contract(p, rng);
      if (testing::Test::HasFatalFailure()) return seen;
      const auto outcome = p.outcome(ScoringTable{});
      if (outcome) {
        ++seen.outcomes[static_cast<std::size_t>(*outcome)];
        break;
      }
      const Move move = next_move(p, rng);
      seen.note(p, move);
      p.play(move);
    }
  }
  return seen;
}

long wanted_plies() {
  const char* const wanted = std::getenv("SHARPZERO_WALK_PLIES");
  return wanted ? std::atol(wanted) : 30000;
}

void expect_every_outcome(const Seen& seen) {
  for (int i = 0; i < kOutcomes; ++i) {
    EXPECT_GT(seen.outcomes[static_cast<std::size_t>(i)], 0) << name(static_cast<Outcome>(i));
  }
}

// Games of one's own: each kind of change alone, and mixed.
constexpr std::array kGames{
    "based_on='chess960'\nsetup.black='apart'",
    "based_on='chess'\nsetup.pawns='second_or_third_row'",
    "based_on='chess960'\nsetup={black='turned', shuffle=['bishops_opposite','king_in_corner']}\n"
    "kings.castling='none'",
    "based_on='chess'\nsetup.rows=['RNBKQBNR','PPPPPPPP']\nkings.castling='chess480'",
    "based_on='chess'\nsetup={rows=['RNBQKBNR','PPPPPPPP'], black=['4K3','PPPPPPPP','PPPPPPP1']}",
    "setup={reserve='KQBBNN', black_reserve='KRRQ'}",
    "placing.squares=['1','2','3']\nplacing.king=['e1','d1']\nplacing.queen=['4']",
    "placing={squares=['1','2'], bishops_opposite=true, before_moving=6, queen_last=false}",
    "placing={squares=['a','h'], before_moving=2}\nsetup.rows=['8','8','PPPPPPPP']",
    "pawns={double_step=[2,3], promotion=['knight','queen']}",
    "based_on='chess'\npawns={double_step=[2,4], en_passant=false, promotes_to_lost=true}",
    "based_on='chess'\npawns={double_step=[2,3,4], promotion=[]}",
    "pawns={promotion=['rook'], promotes_to_lost=true, double_step=[3]}",
    "ends={impasse_turns=12, bare_king_loses=true}",
    "based_on='chess'\nends={goal_king=['d4','e4','d5','e5'], impasse_turns=30}",
    "based_on='chess'\nends={goal_pawn=['8'], extinct=['pawn']}\npawns.promotion=[]",
    "ends={goal_king=['8'], extinct=['queen','rook']}\npawns.double_step=[2]",
    "based_on='pre_chess'\nplacing={squares=['1','2'], before_moving=3, bishops_opposite=false}\n"
    "setup.rows=['8','8','PPPPPPPP']\nkings.castling='none'",
    "based_on='pre_chess'\nkings.castling='none'\npawns.double_step=[2,3]",
    "based_on='pre_chess'\npawns.en_passant=false",
    "based_on='chess_plus'\npawns.promotes_to_lost=true\nends={bare_king_loses=true}",
    "based_on='chess_double_sharp'\nplacing.squares=['1','2']\nsetup.rows=['8','1PPPPPP1']",
};

TEST(RandomWalk, GamesFromFilesKeepTheContractAtEveryPly) {
  std::vector<RuleSet> sets;
  for (const char* const text : kGames) {
    SCOPED_TRACE(text);
    sets.push_back(read_game_text(text, "own_game.toml"));
    EXPECT_NE(sets.back().game, 0);
    EXPECT_EQ(RuleSet::parse(sets.back().name()), sets.back());
    EXPECT_EQ(read_game_text(game_file_text(sets.back(), true), ""), sets.back());
    EXPECT_EQ(read_game_text(game_file_text(sets.back(), false), ""), sets.back());
  }
  const Seen seen = walk(sets, wanted_plies(), 5);
  if (HasFatalFailure()) return;
  expect_every_outcome(seen);
  for (const int count : {seen.en_passant, seen.castling, seen.underpromotions, seen.pawns_kept,
                          seen.entries_with_steps, seen.placements}) {
    EXPECT_GT(count, 0);
  }
}

TEST(RandomWalk, ChessSharpKeepsTheContractAtEveryPly) {
  const RuleSet sprint{.sprint = true};
  std::vector<RuleSet> sets;
  // A quarter each is Chess# and Chess# with the double step, the others have further options.
  for (const auto before : std::to_array<std::uint8_t>({1, 3, 6, 7})) {
    for (const bool with_sprint : {false, true}) {
      sets.insert(sets.end(), {{}, sprint});
      sets.push_back({.sprint = with_sprint, .before = before});
      sets.push_back({.sprint = with_sprint,
                      .before = before,
                      .bishops_opposite = true,
                      .queen_any = before != 6,
                      .underpromotion = before != 7});
    }
  }
  sets.push_back({.bishops_opposite = true});
  sets.push_back({.queen_any = true});
  sets.push_back({.underpromotion = true});
  const Seen seen = walk(sets, wanted_plies(), 20240601);
  EXPECT_GT(seen.en_passant, 5);
  EXPECT_GT(seen.underpromotions, 5);
  expect_every_outcome(seen);
}

TEST(RandomWalk, ChessKeepsTheContractAtEveryPly) {
  const Seen seen =
      walk({kChess, kNoCastling, kPawnOneSquare, kStalemateWin}, wanted_plies() / 2, 7);
  EXPECT_GT(seen.en_passant, 5);
  EXPECT_GT(seen.castling, 5);
  EXPECT_GT(seen.underpromotions, 5);
  expect_every_outcome(seen);
}

TEST(RandomWalk, TheFamilyOfChessSharpKeepsTheContractAtEveryPly) {
  std::vector<RuleSet> sets{kChessDoubleSharp, kChessFlat, kChessDoubleFlat, kChessTripleFlat};
  for (const char* options :
       {"chess_double_sharp+sprint+underpromotion", "chess_double_sharp+before=7",
        "chess_double_sharp+before=6+bishops_opposite", "chess_double_sharp+queen_any+before=3",
        "chess_flat+before=4+bishops_opposite+sprint", "chess_double_flat+before=1",
        "chess_triple_flat+sprint+underpromotion"}) {
    sets.push_back(RuleSet::parse(options));
  }
  Seen seen = walk(sets, wanted_plies(), 61);
  EXPECT_GT(seen.placements, 100);
  EXPECT_GT(seen.en_passant, 5);
  expect_every_outcome(seen);
  seen = walk({kClassicalChessSharp}, wanted_plies() / 3, 62);
  EXPECT_GT(seen.castling, 5);
}

TEST(RandomWalk, ShuffledChessKeepsTheContractAtEveryPly) {
  const Seen seen = walk({kChess960, kChess480}, wanted_plies() / 3, 8);
  EXPECT_GT(seen.castling, 20);
}

TEST(RandomWalk, PreChessKeepsTheContractAtEveryPly) {
  const Seen seen = walk({kPreChess}, wanted_plies() / 3, 9);
  EXPECT_GT(seen.castling, 3);
  EXPECT_GT(seen.placements, 100);
}

TEST(RandomWalk, ChessPlusKeepsTheContractAtEveryPly) {
  const Seen seen = walk({kChessPlus}, wanted_plies() / 6, 10);
  EXPECT_GT(seen.entries_with_steps, 50);
  EXPECT_GT(seen.en_passant, 5);
}

TEST(RandomWalk, RaindropKeepsTheContractAtEveryPly) {
  RuleSet sprint = kRaindrop;
  sprint.sprint = true;
  const Seen seen = walk({kRaindrop, sprint}, wanted_plies() / 2, 12);
  EXPECT_GT(seen.cards, 100);
  EXPECT_GT(seen.lost_by_card, 5);
  EXPECT_GT(seen.pawns_kept, 5);
  EXPECT_GT(seen.underpromotions, 5);
}

TEST(RandomWalk, ASetOfKnownFieldsIsOneConstant) {
  // Chess from an empty first row, where men may move once the king and three others stand.
  constexpr RuleSet kOwn{.before = 3,
                         .queen_any = true,
                         .underpromotion = true,
                         .king_safe = true,
                         .stuck_in_hand_loses = true,
                         .dead_material = DeadMaterial::kKingsOnly,
                         .prices = StandardTable::kStalemateWins};
  EXPECT_EQ(kOwn.name(), "unnamed");
  EXPECT_EQ(kOwn.app_variant(), "");
  const Seen seen = walk({kOwn}, wanted_plies() / 6, 11);
  EXPECT_GT(seen.placements, 100);
  EXPECT_GT(seen.outcomes[static_cast<std::size_t>(Outcome::kWhiteWins)], 0);
}

}  // namespace
}  // namespace rules
