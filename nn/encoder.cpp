#include "nn/encoder.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "rules/attacks.h"
#include "tactics/checks.h"
#include "tactics/material.h"
#include "tactics/see.h"

namespace nn {
namespace {

using rules::Bitboard;
using rules::Color;
using rules::PieceType;
using rules::Position;
using tactics::WinningCaptures;

// The reserve's planes: a piece, and how many of it a side has at least.
struct InHand {
  PieceType type;
  int at_least;
};
constexpr std::array<InHand, 8> kInHand{{{PieceType::kKing, 1},
                                         {PieceType::kQueen, 1},
                                         {PieceType::kRook, 1},
                                         {PieceType::kRook, 2},
                                         {PieceType::kBishop, 1},
                                         {PieceType::kBishop, 2},
                                         {PieceType::kKnight, 1},
                                         {PieceType::kKnight, 2}}};

// The squares that one side's pieces attack, not flipped.
struct Attacks {
  std::array<Bitboard, 6> by_type{};
  Bitboard any = 0, twice = 0;

  Attacks(const Position& position, Color color) {
    const Bitboard occupied = position.occupied();
    const Bitboard pawns = position.pieces(color, PieceType::kPawn);
    const auto [left, right] = rules::pawn_attack_sides(color, pawns);
    add(0, left);
    add(0, right);
    for (std::size_t type = 1; type < rules::kAllTypes.size(); ++type) {
      for (Bitboard pieces = position.pieces(color, rules::kAllTypes[type]); pieces;) {
        add(type, rules::attacks_from(rules::kAllTypes[type], rules::pop_first(pieces), occupied));
      }
    }
  }

 private:
  void add(std::size_t type, Bitboard squares) {
    twice |= any & squares;
    any |= squares;
    by_type[type] |= squares;
  }
};

// Lines to one side's king; empty while it is in hand.
struct KingView {
  Bitboard knight = 0, bishop = 0, rook = 0;  // from where such a piece would attack it
  Bitboard pinned = 0;                        // own pieces that shield it
  Bitboard checkers = 0;                      // enemy pieces that attack it

  KingView(const Position& position, Color color) {
    const Bitboard king = position.pieces(color, PieceType::kKing);
    if (!king) return;
    const rules::Square at = rules::first_square(king);
    const Bitboard occupied = position.occupied();
    const Color enemy = ~color;
    const auto pieces = [&](PieceType type) { return position.pieces(enemy, type); };
    knight = rules::attacks_from(PieceType::kKnight, at, occupied);
    bishop = rules::attacks_from(PieceType::kBishop, at, occupied);
    rook = rules::attacks_from(PieceType::kRook, at, occupied);
    const Bitboard diagonal = pieces(PieceType::kBishop) | pieces(PieceType::kQueen);
    const Bitboard straight = pieces(PieceType::kRook) | pieces(PieceType::kQueen);
    checkers = (knight & pieces(PieceType::kKnight)) | (bishop & diagonal) | (rook & straight) |
               (rules::pawn_attacks(color, king) & pieces(PieceType::kPawn));
    pinned = tactics::shields(position, at, bishop, rook, color, enemy);
  }
};

// Pieces but the king that are attacked and not defended, or attacked by a cheaper piece.
Bitboard hanging(const Position& position, Color color, const Attacks& own, const Attacks& enemy) {
  const auto pieces = [&](PieceType type) { return position.pieces(color, type); };
  const Bitboard by_pawn = enemy.by_type[0];
  const Bitboard by_minor = by_pawn | enemy.by_type[1] | enemy.by_type[2];
  const Bitboard by_rook = by_minor | enemy.by_type[3];
  const Bitboard cheaper = ((pieces(PieceType::kKnight) | pieces(PieceType::kBishop)) & by_pawn) |
                           (pieces(PieceType::kRook) & by_minor) |
                           (pieces(PieceType::kQueen) & by_rook);
  return ((position.pieces(color) & enemy.any & ~own.any) | cheaper) & ~pieces(PieceType::kKing);
}

class PlaneWriter {
 public:
  PlaneWriter(EncodedPosition& out, bool flip) : out_(out), flip_(flip) {}
  void operator()(int plane, Bitboard squares) const {
    out_.planes[static_cast<std::size_t>(plane)] = flip_ ? __builtin_bswap64(squares) : squares;
  }

 private:
  EncodedPosition& out_;
  bool flip_;
};

// Where such a piece in hand could stand.
Bitboard entry_squares(const Position& position, Color color, PieceType type) {
  if (position.has_cards()) return ~position.occupied();
  const Bitboard home = position.placing_squares(color, type);
  if (position.rule_set().entry != rules::Entry::kBehindPawn) return home;
  const bool white = color == Color::kWhite;
  const Bitboard pawns = position.pieces(color, PieceType::kPawn);
  return home & (white ? pawns >> 8 : pawns << 8);
}

void encode_side(const Position& position, Color color, bool own, const PlaneWriter& set) {
  for (std::size_t type = 0; type < rules::kAllTypes.size(); ++type) {
    set((own ? kOwnPieces : kEnemyPieces) + static_cast<int>(type),
        position.pieces(color, rules::kAllTypes[type]));
  }
  for (std::size_t i = 0; i < kInHand.size(); ++i) {
    const bool held = position.reserve(color, kInHand[i].type) >= kInHand[i].at_least;
    set((own ? kOwnReserve : kEnemyReserve) + static_cast<int>(i),
        held ? entry_squares(position, color, kInHand[i].type) : 0);
  }
}

void encode_attacks(const Position& position, Color mover, const PlaneWriter& set) {
  const Attacks own(position, mover), enemy(position, ~mover);
  for (std::size_t type = 0; type < rules::kAllTypes.size(); ++type) {
    set(kOwnAttacks + static_cast<int>(type), own.by_type[type]);
    set(kEnemyAttacks + static_cast<int>(type), enemy.by_type[type]);
  }
  set(kOwnTwice, own.twice);
  set(kEnemyTwice, enemy.twice);
  set(kOwnHanging, hanging(position, mover, own, enemy));
  set(kEnemyHanging, hanging(position, ~mover, enemy, own));
  const KingView own_king(position, mover), enemy_king(position, ~mover);
  set(kOwnPinned, own_king.pinned);
  set(kEnemyPinned, enemy_king.pinned);
  set(kCheckers, own_king.checkers);
  set(kOwnKingLines, own_king.knight);
  set(kOwnKingLines + 1, own_king.bishop);
  set(kOwnKingLines + 2, own_king.rook);
  set(kEnemyKingLines, enemy_king.knight);
  set(kEnemyKingLines + 1, enemy_king.bishop);
  set(kEnemyKingLines + 2, enemy_king.rook);
}

void encode_best_move(rules::Move best, const PlaneWriter& set) {
  set(kBestMove, best && !best.is_placement() ? rules::bit(best.from()) : 0);
  set(kBestMove + 1, best && !best.is_off_board() ? rules::bit(best.to()) : 0);
}

void encode_captures(const WinningCaptures& own, const WinningCaptures& enemy,
                     const PlaneWriter& set) {
  set(kOwnWinners, own.from);
  set(kOwnWinners + 1, own.targets);
  set(kOwnWinners + 2, own.large);
  set(kEnemyWinners, enemy.from);
  set(kEnemyWinners + 1, enemy.targets);
  set(kEnemyWinners + 2, enemy.large);
}

class GlobalWriter {
 public:
  explicit GlobalWriter(EncodedPosition& out) : next_(out.globals.data()) {}
  void operator()(double value) { *next_++ = static_cast<float>(value); }

 private:
  float* next_;
};

// Whom an impasse would favour: 1 the side to move, -1 the other.
int impasse_sign(const Position& position, Color mover, const rules::ScoringTable& table) {
  const int white =
      rules::index(position.impasse(table)) - rules::index(rules::Outcome::kImpasseEqual);
  return mover == Color::kWhite ? white : -white;
}

void encode_globals(const Position& position, const rules::ScoringTable& table, Color mover,
                    const std::array<WinningCaptures, 2>& captures, const tactics::Finding& finding,
                    GlobalWriter& put) {
  for (std::size_t i = 0; i < 7; ++i) {
    put(rules::value_stm(table.points_white[rules::outcome_seen_by(i, mover)], mover));
  }
  for (const double value : table.material) put(value / 9.0);
  const double clock = std::min(position.halfmove_clock(), 100);
  put(clock / 100.0);
  put(std::exp((clock - 100.0) / 10.0));  // rises shortly before the impasse
  const double own = tactics::material(position, mover, table.material, 0);
  const double enemy = tactics::material(position, ~mover, table.material, 0);
  put(std::tanh((own - enemy) / 8.0));
  put(impasse_sign(position, mover, table));
  put(own / 40.0);
  put(enemy / 40.0);
  for (const Color color : {mover, ~mover}) {
    for (std::size_t type = 1; type < rules::kAllTypes.size(); ++type) {
      put(position.reserve(color, rules::kAllTypes[type]) / 2.0);
    }
    put(position.king_on_board(color) ? 1.0 : 0.0);
  }
  for (const WinningCaptures& side : captures) {
    put(std::tanh(side.best / 500.0));
    put(std::tanh(side.second / 500.0));
  }
  const bool wins = finding.value > 0;
  put(!finding.king_falls() ? 0.0 : wins ? 1.0 : -1.0);
  put(std::tanh(finding.value / 300.0));
  put(std::tanh(finding.value / 1000.0));
  put(std::tanh((finding.value - finding.balance) / 300.0));
  put(finding.plies / 4.0);
}

// Writes what only other games than the plain Chess# family have.
void encode_wide(const Position& position, int occurrences, Color mover, const PlaneWriter& set,
                 GlobalWriter& put) {
  set(kOwnCastling, position.castling_rooks(mover));
  set(kEnemyCastling, position.castling_rooks(~mover));
  const auto passed = position.en_passant();
  set(kEnPassant, passed ? rules::bit(*passed) : 0);
  const rules::RuleSet rules = position.rule_set();
  put(occurrences > 1 ? 1.0 : 0.0);
  put(rules.sprint ? 1.0 : 0.0);
  put(rules.before / 7.0);
  put(rules.bishops_opposite ? 1.0 : 0.0);
  put(rules.queen_any ? 1.0 : 0.0);
  put(rules.underpromotion ? 1.0 : 0.0);
  put(rules.king_safe ? 1.0 : 0.0);
  put(rules.entry == rules::Entry::kBehindPawn ? 1.0 : 0.0);
  put(rules.castling == rules::Castling::kNone ? 0.0 : 1.0);
  put(rules.castling == rules::Castling::kChess960 ? 1.0 : 0.0);
  put(rules.castling == rules::Castling::kChess480 ? 1.0 : 0.0);
}

// The empty squares for which a bishop is in the deck.
Bitboard bishop_cards(const Position& position, Color color) {
  Bitboard squares = 0;
  if (position.in_deck(color, rules::Card::kLight) > 0) squares |= ~rules::kDarkSquares;
  if (position.in_deck(color, rules::Card::kDark) > 0) squares |= rules::kDarkSquares;
  return squares & ~position.occupied();
}

Bitboard placements(const Position& position) {
  Bitboard squares = 0;
  for (const rules::Move move : position.legal_moves()) {
    if (move.is_placement() && !move.is_off_board()) squares |= rules::bit(move.to());
  }
  return squares;
}

// Writes what only games with cards have. Light and dark are told by squares alone, so that a
// mirrored position has the same numbers.
void encode_cards(const Position& position, Color mover, const PlaneWriter& set,
                  GlobalWriter& put) {
  const bool cards = position.has_cards();
  const auto held = position.card();
  set(kOwnBishopCards, cards ? bishop_cards(position, mover) : 0);
  set(kEnemyBishopCards, cards ? bishop_cards(position, ~mover) : 0);
  set(kCardSquares, held ? placements(position) : 0);
  put(cards ? 1.0 : 0.0);
  put(held ? 1.0 : 0.0);
  for (const PieceType type : rules::kAllTypes) put(held && piece_on(*held) == type ? 1.0 : 0.0);
  for (const Color color : {mover, ~mover}) {
    put(cards ? position.in_deck(color, rules::Card::kPawn) / 8.0 : 0.0);
    put(cards ? position.deck_size(color) / 16.0 : 0.0);
    for (unsigned piece = 1; piece < 16; piece *= 2) {
      put(cards && (position.kit(color) & piece) != 0 ? 1.0 : 0.0);
    }
  }
}

// First move planes of a kind.
constexpr int kPlacementPlanes = 64;       // five pieces
constexpr int kUnderpromotionPlanes = 69;  // three pieces, in three directions each
constexpr int kEntryPlanes = 78;           // four pawn's steps, five pieces each
constexpr int kPawnCardPlane = 98;
constexpr int kOffBoardPlane = 99;

// How far a move plane's moves go.
struct Step {
  int files = 0, ranks = 0;
};
constexpr Step step_of(int plane) {
  constexpr std::array<Step, 8> kDirections{
      {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
  constexpr std::array<Step, 8> kKnight{
      {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
  if (plane < 56) {
    const Step& one = kDirections[static_cast<std::size_t>(plane / 7)];
    return {one.files * (plane % 7 + 1), one.ranks * (plane % 7 + 1)};
  }
  if (plane < kPlacementPlanes) return kKnight[static_cast<std::size_t>(plane - 56)];
  if (plane < kUnderpromotionPlanes || plane >= kEntryPlanes) return {};
  return {(plane - kUnderpromotionPlanes) % 3 - 1, 1};
}

// The square at which the plane's move arrives; none off the board.
constexpr std::optional<int> arrival(int from, int plane) {
  const auto [files, ranks] = step_of(plane);
  const int file = from % 8 + files, rank = from / 8 + ranks;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return rank * 8 + file;
}

// The queen and knight planes by the squares left and arrived at.
constexpr std::array<std::array<std::uint8_t, 64>, 64> make_move_planes() {
  std::array<std::array<std::uint8_t, 64>, 64> planes{};
  for (int from = 0; from < 64; ++from) {
    for (int plane = 0; plane < kPlacementPlanes; ++plane) {
      if (const auto to = arrival(from, plane)) {
        planes[static_cast<std::size_t>(from)][static_cast<std::size_t>(*to)] =
            static_cast<std::uint8_t>(plane);
      }
    }
  }
  return planes;
}

constexpr auto kMovePlaneTable = make_move_planes();

// Knight, bishop, rook, …: 0, 1, 2, …
int piece_index(PieceType type) { return rules::index(type) - rules::index(PieceType::kKnight); }

// The move plane of a placement, at the square arrived at.
int placement_plane(rules::Move move) {
  if (move.is_off_board()) return kOffBoardPlane;
  if (move.placed() == PieceType::kPawn) return kPawnCardPlane;
  const int piece = piece_index(move.placed());
  if (move.pawn_step() == rules::PawnStep::kStays) return kPlacementPlanes + piece;
  return kEntryPlanes + (static_cast<int>(move.pawn_step()) - 1) * 5 + piece;
}

// The move plane of a move on the board, at the square left.
int board_move_plane(rules::Move move) {
  if (move.is_promotion() && move.promoted_to() != PieceType::kQueen) {
    const int sideways = rules::file_of(move.to()) - rules::file_of(move.from());
    return kUnderpromotionPlanes + piece_index(move.promoted_to()) * 3 + sideways + 1;
  }
  return kMovePlaneTable[static_cast<std::size_t>(rules::index(move.from()))]
                        [static_cast<std::size_t>(rules::index(move.to()))];
}

}  // namespace

Encoder::Encoder(const rules::Repertoire& repertoire) : shape_(kWideShape) {
  if (std::ranges::all_of(repertoire.sets(), &rules::RuleSet::in_plain_chess_sharp_family)) {
    shape_ = kChessSharpShape;
  }
  const auto has_cards = [](rules::RuleSet rules) { return rules.entry == rules::Entry::kCard; };
  if (std::ranges::any_of(repertoire.sets(), has_cards)) shape_ = kCardShape;
}

void Encoder::encode(const Position& position, int occurrences, const rules::ScoringTable& table,
                     const tactics::Finding& finding, EncodedPosition& out) const {
  const Color mover = position.side_to_move();
  const PlaneWriter set(out, mover == Color::kBlack);
  encode_side(position, mover, true, set);
  encode_side(position, ~mover, false, set);
  encode_attacks(position, mover, set);
  const tactics::PieceValues values = tactics::piece_values(table);
  const std::array captures{tactics::winning_captures(position, mover, values),
                            tactics::winning_captures(position, ~mover, values)};
  encode_captures(captures[0], captures[1], set);
  encode_best_move(finding.best, set);
  set(kBoard, ~Bitboard{0});
  GlobalWriter put(out);
  encode_globals(position, table, mover, captures, finding, put);
  if (wide()) encode_wide(position, occurrences, mover, set, put);
  if (cards()) encode_cards(position, mover, set, put);
}

int Encoder::policy_index(rules::Move move, Color side_to_move) const {
  const rules::Move seen = side_to_move == Color::kWhite ? move : rules::flipped(move);
  const bool placed = seen.is_placement();
  const int square = rules::index(placed ? seen.to() : seen.from());
  return square * shape_.move_planes + (placed ? placement_plane(seen) : board_move_plane(seen));
}

std::vector<std::uint16_t> square_pairs(const Shape& shape) {
  std::vector<std::uint16_t> pairs;
  for (int from = 0; from < 64; ++from) {
    for (int plane = 0; plane < shape.move_planes; ++plane) {
      pairs.push_back(static_cast<std::uint16_t>(64 * from + arrival(from, plane).value_or(from)));
    }
  }
  return pairs;
}

}  // namespace nn
