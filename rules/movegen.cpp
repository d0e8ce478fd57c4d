// Move generation. Every pseudo-legal move of Chess# is legal, so moves come out set-wise, with no
// test of single moves; the same walk counts them, lists them, or asks whether there is any.
#include "rules/attacks.h"
#include "rules/position.h"

namespace rules {
namespace {

// Where generated moves go. Each takes sets of arrival squares.
struct Counter {
  int count = 0;
  void placements(PieceType, Bitboard to) { count += std::popcount(to); }
  void from_square(Square, Bitboard to) { count += std::popcount(to); }
  void pawns(int, Bitboard to) { count += std::popcount(to); }
};

struct AnyMove {
  bool found = false;
  void placements(PieceType, Bitboard to) { found |= to != 0; }
  void from_square(Square, Bitboard to) { found |= to != 0; }
  void pawns(int, Bitboard to) { found |= to != 0; }
};

struct Lister {
  MoveList& out;
  void placements(PieceType piece, Bitboard to) {
    while (to) out.push_back(Move::placement(piece, pop_first(to)));
  }
  void from_square(Square from, Bitboard to) {
    while (to) out.push_back(Move::board(from, pop_first(to)));
  }
  // Pawns that arrive on `to` from `step` squares behind.
  void pawns(int step, Bitboard to) {
    constexpr Bitboard kLastRanks = rank_bb(0) | rank_bb(7);
    while (to) {
      const Square t = pop_first(to);
      const Square from = static_cast<Square>(index(t) - step);
      out.push_back(bit(t) & kLastRanks ? Move::promotion(from, t, PieceType::kQueen)
                                        : Move::board(from, t));
    }
  }
};

// Which of the generated moves are wanted: here all. A filter sees the same sets as a sink.
struct Everything {
  static Bitboard placements(PieceType, Bitboard to) { return to; }
  static Bitboard from_square(Square, Bitboard to) { return to; }
  static Bitboard king(Bitboard to) { return to; }
  static Bitboard pawns(int, Bitboard to) { return to; }
  static bool en_passant(Square, Square) { return true; }
};

// What matters of one side's attacks on the other side's king.
struct Threats {
  Bitboard checkers = 0;  // men that attack the king
  Bitboard pinned = 0;    // men of the king's side that alone stand between him and a slider
};

}  // namespace

// The walk over a side's moves; a friend of Position, for its planes.
struct Generator {
  const Position& p;
  Color us;
  Bitboard occ, own, enemy;

  explicit Generator(const Position& position)
      : p(position),
        us(position.side_),
        occ(position.occupied()),
        own(position.of_color(us) & occ),
        enemy(occ ^ own) {}

  Bitboard pawns() const { return p.diagonal_ & ~p.straight_ & ~p.slider_; }
  Bitboard knights() const { return p.straight_ & ~p.diagonal_ & ~p.slider_; }
  Bitboard kings() const { return p.diagonal_ & p.straight_ & ~p.slider_; }
  Bitboard diagonal_sliders() const { return p.diagonal_ & p.slider_; }
  Bitboard straight_sliders() const { return p.straight_ & p.slider_; }
  unsigned hand() const { return p.hand(us); }
  Bitboard free_first_rank() const { return rank_bb(us == Color::kWhite ? 0 : 7) & ~occ; }
  Square en_passant() const { return p.en_passant_; }

  template <bool kGated>
  bool men_may_move() const {
    if constexpr (kGated) return p.men_may_move(us);
    return (kings() & own) != 0;
  }
  // Any non-queen piece in reserve, or the queen as the last one.
  bool can_place() const { return hand() != 0 && free_first_rank() != 0; }

  template <Color kUs, class Filter, class Sink>
  void placements(const Filter& filter, Sink& sink) const {
    const unsigned in_hand = p.reserve_[static_cast<std::size_t>(index(kUs))];
    if (in_hand == 0) return;
    const Bitboard free = rank_bb(kUs == Color::kWhite ? 0 : 7) & ~occ;
    if (in_hand == Position::kHandQueen) {
      return sink.placements(PieceType::kQueen, filter.placements(PieceType::kQueen, free));
    }
    for (const PieceType type :
         {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kKing}) {
      const auto i = static_cast<std::size_t>(type);
      if (in_hand >> Position::kHandShift[i] & Position::kHandMask[i]) {
        sink.placements(type, filter.placements(type, free));
      }
    }
  }

  template <bool kSprint, Color kUs, class Filter, class Sink>
  void pawn_moves(const Filter& filter, Sink& sink) const {
    constexpr int kAhead = kUs == Color::kWhite ? 8 : -8;
    const Bitboard men = pawns() & own;
    const Bitboard push = forward(kUs, men) & ~occ;
    const auto [left, right] = pawn_attack_sides(kUs, men);
    sink.pawns(kAhead, filter.pawns(kAhead, push));
    if constexpr (kSprint) {
      const Bitboard third = rank_bb(kUs == Color::kWhite ? 2 : 5);
      sink.pawns(2 * kAhead, filter.pawns(2 * kAhead, forward(kUs, push & third) & ~occ));
    }
    sink.pawns(kAhead - 1, filter.pawns(kAhead - 1, left & enemy));
    sink.pawns(kAhead + 1, filter.pawns(kAhead + 1, right & enemy));
    if constexpr (kSprint) {
      if (index(en_passant()) == 0) return;
      Bitboard capturers = pawn_attacks(~kUs, bit(en_passant())) & men;
      while (capturers) {
        const Square from = pop_first(capturers);
        if (filter.en_passant(from, en_passant())) sink.from_square(from, bit(en_passant()));
      }
    }
  }

  template <Mechanics kM, Color kUs, class Filter, class Sink>
  void walk(const Filter& filter, Sink& sink) const {
    placements<kUs>(filter, sink);
    if (!men_may_move<kM.gated>()) return;
    pawn_moves<kM.sprint, kUs>(filter, sink);
    for (Bitboard men = knights() & own; men;) {
      const Square from = pop_first(men);
      sink.from_square(from, filter.from_square(from, knight_attacks(from) & ~own));
    }
    for (Bitboard men = diagonal_sliders() & own; men;) {
      const Square from = pop_first(men);
      sink.from_square(from, filter.from_square(from, bishop_attacks(from, occ) & ~own));
    }
    for (Bitboard men = straight_sliders() & own; men;) {
      const Square from = pop_first(men);
      sink.from_square(from, filter.from_square(from, rook_attacks(from, occ) & ~own));
    }
    const Square king = first_square(kings() & own);
    sink.from_square(king, filter.king(king_attacks(king) & ~own));
  }

  template <class Filter, class Sink>
  void generate(const Filter& filter, Sink& sink) const {
    dispatch(p.rules_, [&]<Mechanics kM>() {
      if (us == Color::kWhite) {
        walk<kM, Color::kWhite>(filter, sink);
      } else {
        walk<kM, Color::kBlack>(filter, sink);
      }
    });
  }

  // Men of `by`, among `men`, that attack a square.
  Bitboard attackers(Square s, Bitboard men, Bitboard occupied, Color by) const {
    return men & ((pawn_attacks(~by, bit(s)) & pawns()) | (knight_attacks(s) & knights()) |
                  (king_attacks(s) & kings()) | (bishop_attacks(s, occupied) & diagonal_sliders()) |
                  (rook_attacks(s, occupied) & straight_sliders()));
  }

  // All squares that the enemy attacks, seen through `transparent`.
  Bitboard enemy_attacks(Bitboard transparent) const {
    const Bitboard occupied = occ & ~transparent;
    Bitboard seen = pawn_attacks(~us, pawns() & enemy) | knight_attacks(knights() & enemy) |
                    king_attacks(kings() & enemy);
    for (Bitboard men = diagonal_sliders() & enemy; men;) {
      seen |= bishop_attacks(pop_first(men), occupied);
    }
    for (Bitboard men = straight_sliders() & enemy; men;) {
      seen |= rook_attacks(pop_first(men), occupied);
    }
    return seen;
  }

  Threats threats(Square king) const {
    Threats t;
    t.checkers = enemy & ((pawn_attacks(us, bit(king)) & pawns()) |
                          (knight_attacks(king) & knights()) | (king_attacks(king) & kings()));
    Bitboard snipers = enemy & ((bishop_attacks(king, enemy) & diagonal_sliders()) |
                                (rook_attacks(king, enemy) & straight_sliders()));
    while (snipers) {
      const Square sniper = pop_first(snipers);
      const Bitboard blockers = between(king, sniper) & occ;
      if (!blockers) t.checkers |= bit(sniper);
      if (std::popcount(blockers) == 1) t.pinned |= blockers;
    }
    return t;
  }
};

namespace {

// The moves after which the own king is not attacked, or the enemy king is gone.
class Safe {
 public:
  // `waiting`: a move that is no capture and no pawn move is safe whatever it leaves attacked.
  Safe(const Generator& g, bool waiting)
      : g_(g), enemy_king_(g.kings() & g.enemy), waiting_(waiting ? ~g.occ : 0) {
    const Bitboard king = g.kings() & g.own;
    danger_ = g.enemy_attacks(king);
    if (!king) return;  // in hand: only his own placement can leave him attacked
    king_ = first_square(king);
    const Threats t = g.threats(king_);
    pinned_ = t.pinned;
    if (t.checkers) {
      const Square checker = first_square(t.checkers);
      const bool one = (t.checkers & (t.checkers - 1)) == 0;
      check_ = one ? between(king_, checker) | t.checkers : 0;
    }
  }

  Bitboard placements(PieceType type, Bitboard to) const {
    return to & (type == PieceType::kKing ? ~danger_ | waiting_ : check_ | waiting_);
  }
  Bitboard from_square(Square from, Bitboard to) const {
    const Bitboard along = pinned_ & bit(from) ? check_ & line(king_, from) : check_;
    return to & (along | enemy_king_ | waiting_);
  }
  Bitboard king(Bitboard to) const { return to & (~danger_ | enemy_king_ | waiting_); }
  Bitboard pawns(int step, Bitboard to) const {
    Bitboard safe = to & (check_ | enemy_king_);
    for (Bitboard pinned = pinned_; pinned;) {
      const Square from = pop_first(pinned);
      const int arrived = index(from) + step;
      if (arrived < 0 || arrived > 63) continue;
      safe &= ~(Bitboard{1} << arrived) | line(king_, from) | enemy_king_;
    }
    return safe;
  }
  bool en_passant(Square from, Square to) const {
    const Bitboard victim = bit(static_cast<Square>(index(to) ^ 8));
    const Bitboard occupied = (g_.occ & ~(victim | bit(from))) | bit(to);
    return !g_.attackers(king_, g_.enemy & ~victim, occupied, ~g_.us);
  }

 private:
  const Generator& g_;
  Square king_{};
  Bitboard danger_ = 0;            // where he would be attacked
  Bitboard check_ = ~Bitboard{0};  // where another man's arrival leaves him unattacked
  Bitboard pinned_ = 0;
  Bitboard enemy_king_;
  Bitboard waiting_;
};

}  // namespace

void Position::legal_moves(MoveList& out) const {
  out.clear();
  Lister lister{out};
  Generator(*this).generate(Everything{}, lister);
}

MoveList Position::legal_moves() const {
  MoveList out;
  legal_moves(out);
  return out;
}

int Position::count_legal_moves() const {
  Counter counter;
  Generator(*this).generate(Everything{}, counter);
  return counter.count;
}

void Position::surviving_moves(MoveList& out) const {
  if (!men_may_move(~side_)) return legal_moves(out);
  out.clear();
  Lister lister{out};
  const Generator g(*this);
  g.generate(Safe(g, halfmove_ + 1 >= kImpasseClock), lister);
}

bool Position::can_capture_king() const {
  const Bitboard king = pieces(~side_, PieceType::kKing);
  if (!king || halfmove_ >= kImpasseClock || !men_may_move(side_)) return false;
  const Generator g(*this);
  return g.attackers(first_square(king), g.own, g.occ, side_) != 0;
}

bool Position::in_check(Color color) const {
  const Bitboard king = pieces(color, PieceType::kKing);
  if (!king) return false;
  const Generator g(*this);
  return g.attackers(first_square(king), color == side_ ? g.enemy : g.own, g.occ, ~color) != 0;
}

bool Position::is_legal(Move move) const {
  MoveList moves;
  legal_moves(moves);
  for (const Move m : moves) {
    if (m == move) return true;
  }
  return false;
}

bool Position::stuck(bool& attacked) const {
  const Generator g(*this);
  // Nearly always one of these settles it: a placement that cannot expose the king, or a pawn that
  // can push and stands on no line of his (where he is attacked, any legal move keeps the game on).
  const Bitboard king = g.kings() & g.own;
  if (g.can_place() && (king || (g.hand() & ~(kHandKing | kHandQueen)))) return false;
  if (king && men_may_move(side_)) {
    const Square k = first_square(king);
    const Bitboard off_line = g.pawns() & g.own & ~queen_attacks(k, 0);
    if (forward(side_, off_line) & ~g.occ) return false;
  }
  attacked = in_check(side_);
  AnyMove any;
  if (attacked) {
    g.generate(Everything{}, any);
  } else {
    g.generate(Safe(g, false), any);
  }
  return !any.found;
}

}  // namespace rules
