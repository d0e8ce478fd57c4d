// Move generation. Every pseudo-legal move of Chess# is legal, so moves come out set-wise, with no
// test of single moves; the same walk counts them, lists them, or asks whether there is any. Where
// kings must be safe, masks of checks and pins do the same.
#include <algorithm>

#include "rules/attacks.h"
#include "rules/castling.h"
#include "rules/move_sinks.h"
#include "rules/position.h"

namespace rules {
namespace {

// What matters of one side's attacks on the other side's king.
struct Threats {
  Bitboard checkers = 0;  // pieces that attack the king
  Bitboard pinned = 0;    // pieces of the king's side that alone stand between him and a slider
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
  Square en_passant() const { return p.en_passant_; }

  template <class Rules, Color kUs, class Filter, class Sink>
  void placements(Rules rules, const Filter& filter, Sink& sink) const {
    const RuleSet r = rules.get();
    const unsigned in_hand = p.reserve_[static_cast<std::size_t>(index(kUs))];
    if (in_hand == 0) return;
    const Bitboard first_row = rank_bb(kUs == Color::kWhite ? 0 : 7) & ~occ;
    const auto place = [&](PieceType type) {
      const Bitboard free = r.game == 0 ? first_row : p.placing_squares(kUs, type);
      const Bitboard to = r.bishops_opposite ? where_bishops_let(r, type, free) : free;
      sink.placements(type, filter.placements(type, to));
    };
    if (!r.queen_any && in_hand == Position::kHandQueen) return place(PieceType::kQueen);
    const auto place_held = [&](PieceType type) {
      const auto i = static_cast<std::size_t>(type);
      if (in_hand >> Position::kHandShift[i] & Position::kHandMask[i]) place(type);
    };
    place_held(PieceType::kKnight);
    place_held(PieceType::kBishop);
    place_held(PieceType::kRook);
    if (r.queen_any) place_held(PieceType::kQueen);
    place_held(PieceType::kKing);
  }

  // Bishops on opposite colours: the squares of `free` where a piece may be placed.
  Bitboard where_bishops_let(const RuleSet& rules, PieceType type, Bitboard free) const {
    const Bitboard bishops = p.pieces(us, PieceType::kBishop);
    const bool dark = (bishops & kDarkSquares) != 0, light = (bishops & ~kDarkSquares) != 0;
    Bitboard allowed = free;
    if (type == PieceType::kBishop && dark != light) allowed &= dark ? ~kDarkSquares : kDarkSquares;
    const auto minors_and_rooks = [&] {
      if (rules.game == 0) return rules.minors_and_rooks();
      const auto& held = p.game().in_reserve[static_cast<std::size_t>(index(us))];
      return held[1] + held[2] + held[3];
    };
    if (rules.before < minors_and_rooks()) return allowed;
    const int left = p.reserve(us, PieceType::kBishop) - (type == PieceType::kBishop);
    Bitboard out = 0;
    while (left > 0 && allowed) {
      const Square s = pop_first(allowed);
      const bool here = type == PieceType::kBishop, on_dark = (bit(s) & kDarkSquares) != 0;
      const bool dark_taken = dark || (here && on_dark), light_taken = light || (here && !on_dark);
      const bool dark_free = (free & ~bit(s) & kDarkSquares) != 0;
      const bool light_free = (free & ~bit(s) & ~kDarkSquares) != 0;
      const bool one = left == 1 || dark_taken || light_taken;
      const bool any_colour = one && dark_taken == light_taken;
      if (any_colour ? dark_free || light_free
                     : (dark_taken || dark_free) && (light_taken || light_free)) {
        out |= bit(s);
      }
    }
    return out | allowed;
  }

  // A piece behind an own pawn on the second row, and what that pawn may do.
  template <Color kUs, class Filter, class Sink>
  void entries(const Filter& filter, Sink& sink) const {
    constexpr bool kWhite = kUs == Color::kWhite;
    const Bitboard own_pawns = pawns() & own & rank_bb(kWhite ? 1 : 6);
    const Bitboard behind = forward(~kUs, own_pawns) & ~occ;
    if (hand() == 0 || !behind) return;
    const Bitboard one = forward(kUs, own_pawns) & ~occ, two = forward(kUs, one) & ~occ;
    for (const PieceType type : std::span(kAllTypes).subspan(1)) {
      if (p.reserve(kUs, type) == 0) continue;
      sink.placements(type, filter.placements(type, behind));
      for (Bitboard squares = behind; squares;) {
        const Square to = pop_first(squares);
        for (const PawnStep step :
             {PawnStep::kOne, PawnStep::kTwo, PawnStep::kTakesLeft, PawnStep::kTakesRight}) {
          const Move move = Move::entry(type, to, step);
          const Bitboard pawn = bit(move.pawn_from());
          const auto [left, right] = pawn_attack_sides(kUs, pawn);
          const Bitboard reach = step == PawnStep::kOne         ? one
                                 : step == PawnStep::kTwo       ? two
                                 : step == PawnStep::kTakesLeft ? left & enemy
                                                                : right & enemy;
          if ((reach & bit(move.pawn_to())) && filter.entry(move)) sink.entry(move);
        }
      }
    }
  }

  // The empty squares on which a card may be placed, the own king's safety aside.
  Bitboard card_squares(Card card) const {
    constexpr Bitboard kMiddle = ~(rank_bb(0) | rank_bb(1) | rank_bb(6) | rank_bb(7));
    if (card == Card::kLight) return ~occ & ~kDarkSquares;
    if (card == Card::kDark) return ~occ & kDarkSquares;
    if (card != Card::kPawn) return ~occ;
    return ~occ & (kMiddle | rank_bb(us == Color::kWhite ? 1 : 6));
  }

  // In check a card must be left that could lift it.
  template <class Filter>
  bool may_draw(const Filter& filter) const {
    if (p.deck_size(us) == 0) return false;
    if (!p.in_check(us)) return true;
    return std::ranges::any_of(kAllCards, [&](Card card) {
      return p.in_deck(us, card) > 0 && filter.placements(piece_on(card), card_squares(card));
    });
  }

  // While a card is drawn: the kinds left. With the card in hand: its placements, or where there is
  // none the pass of a side that is not in check.
  template <class Filter, class Sink>
  void card_plies(const Filter& filter, Sink& sink) const {
    const auto held = p.card();
    if (!held) {
      for (const Card card : kAllCards) {
        if (p.in_deck(us, card) > 0) sink.entry(Move::card(card));
      }
      return;
    }
    const Bitboard to = filter.placements(piece_on(*held), card_squares(*held));
    sink.placements(piece_on(*held), to);
    if (!to && !p.in_check(us)) sink.entry(Move::pass());
  }

  template <class Rules, Color kUs, class Filter, class Sink>
  void pawn_moves(Rules rules, const Filter& filter, Sink& sink) const {
    const RuleSet r = rules.get();
    constexpr int kAhead = kUs == Color::kWhite ? 8 : -8;
    const Bitboard own_pawns = pawns() & own;
    const Bitboard push = forward(kUs, own_pawns) & ~occ;
    const auto [left, right] = pawn_attack_sides(kUs, own_pawns);
    const auto arrive = [&](int step, Bitboard to) {
      const Bitboard wanted = filter.pawns(step, to);
      if (!r.underpromotion) return sink.pawns(step, wanted);
      sink.pawns(step, wanted & ~kLastRanks);
      const bool any = r.entry != Entry::kCard && r.game == 0;
      const unsigned kinds = any ? kAnyPromotion : p.promotions(kUs);
      if (wanted & kLastRanks) sink.promotions(step, wanted & kLastRanks, kinds);
    };
    arrive(kAhead, push);
    if (r.sprint) {
      Bitboard from = rank_bb(kUs == Color::kWhite ? 1 : 6);
      if (r.game != 0) from = p.game().double_step[static_cast<std::size_t>(index(kUs))];
      const Bitboard passed = push & forward(kUs, from);
      sink.pawns(2 * kAhead, filter.pawns(2 * kAhead, forward(kUs, passed) & ~occ));
    }
    arrive(kAhead - 1, left & enemy);
    arrive(kAhead + 1, right & enemy);
    if (!r.sprint || index(en_passant()) == 0) return;
    Bitboard capturers = pawn_attacks(~kUs, bit(en_passant())) & own_pawns;
    while (capturers) {
      const Square from = pop_first(capturers);
      if (filter.en_passant(from, en_passant())) sink.from_square(from, bit(en_passant()));
    }
  }

  // Castling leaves the king unattacked under every rule set, so no filter is asked.
  template <class Sink>
  void castlings(Castling kind, Sink& sink) const {
    Bitboard rooks = p.castling_rooks(us);
    if (!rooks) return;
    const Square king = first_square(kings() & own);
    while (rooks) {
      const CastlingSquares squares = castling_squares(kind, king, pop_first(rooks));
      if (may_castle(kind, squares)) sink.from_square(king, bit(squares.move(kind).to()));
    }
  }

  bool may_castle(Castling kind, const CastlingSquares& s) const {
    const Bitboard pair = bit(s.king_from) | bit(s.rook_from);
    Bitboard empty = between(s.king_from, s.rook_from) | bit(s.king_to);
    if (kind != Castling::kChess480) {
      empty |= bit(s.rook_to) | between(s.rook_from, s.rook_to) | between(s.king_from, s.king_to);
    }
    if (empty & occ & ~pair) return false;
    const Bitboard without_king = occ & ~bit(s.king_from);
    for (Bitboard way = between(s.king_from, s.king_to) | bit(s.king_from) | bit(s.king_to); way;) {
      if (p.attackers(pop_first(way), ~us, without_king)) return false;
    }
    const Bitboard after = (occ & ~pair) | bit(s.king_to) | bit(s.rook_to);
    return !p.attackers(s.king_to, ~us, after);
  }

  template <class Rules, Color kUs, class Filter, class Sink>
  void walk(Rules rules, const Filter& filter, Sink& sink) const {
    const RuleSet r = rules.get();
    if (r.entry == Entry::kFirstRow) placements<Rules, kUs>(rules, filter, sink);
    if (r.entry == Entry::kBehindPawn) entries<kUs>(filter, sink);
    if (r.entry == Entry::kCard) {
      if (p.is_mid_turn()) return card_plies(filter, sink);
      if (may_draw(filter)) sink.entry(Move::draw());
    }
    if (!(kings() & own) || (r.before > 0 && !p.pieces_may_move(us))) return;
    pawn_moves<Rules, kUs>(rules, filter, sink);
    for (Bitboard left = knights() & own; left;) {
      const Square from = pop_first(left);
      sink.from_square(from, filter.from_square(from, knight_attacks(from) & ~own));
    }
    for (Bitboard left = diagonal_sliders() & own; left;) {
      const Square from = pop_first(left);
      sink.from_square(from, filter.from_square(from, bishop_attacks(from, occ) & ~own));
    }
    for (Bitboard left = straight_sliders() & own; left;) {
      const Square from = pop_first(left);
      sink.from_square(from, filter.from_square(from, rook_attacks(from, occ) & ~own));
    }
    const Square king = first_square(kings() & own);
    sink.from_square(king, filter.king(king_attacks(king) & ~own));
    if (r.castling != Castling::kNone) castlings(r.castling, sink);
  }

  template <class Rules, class Filter, class Sink>
  void walk_side(Rules rules, const Filter& filter, Sink& sink) const {
    if (us == Color::kWhite) {
      walk<Rules, Color::kWhite>(rules, filter, sink);
    } else {
      walk<Rules, Color::kBlack>(rules, filter, sink);
    }
  }

  // All squares that the enemy attacks, seen through `transparent`.
  Bitboard enemy_attacks(Bitboard transparent) const {
    const Bitboard occupied = occ & ~transparent;
    Bitboard seen = pawn_attacks(~us, pawns() & enemy) | knight_attacks(knights() & enemy) |
                    king_attacks(kings() & enemy);
    for (Bitboard left = diagonal_sliders() & enemy; left;) {
      seen |= bishop_attacks(pop_first(left), occupied);
    }
    for (Bitboard left = straight_sliders() & enemy; left;) {
      seen |= rook_attacks(pop_first(left), occupied);
    }
    return seen;
  }

  // After a capture en passant the own king is not attacked.
  bool is_safe_en_passant(Square king, Square from, Square to) const {
    const Bitboard victim = bit(Position::taken_en_passant(us, to));
    const Bitboard occupied = (occ & ~(victim | bit(from))) | bit(to);
    return !p.attackers(king, ~us, occupied);
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
  bool en_passant(Square from, Square to) const { return g_.is_safe_en_passant(king_, from, to); }
  // Looked at when the turn is over: the pawn may take what would attack the king.
  bool entry(Move move) const {
    const bool enters = move.placed() == PieceType::kKing;
    const Bitboard king = enters ? bit(move.to()) : g_.kings() & g_.own;
    const Bitboard pawn_to = bit(move.pawn_to());
    if (!king || (pawn_to & enemy_king_)) return true;
    const Bitboard occupied = (g_.occ & ~bit(move.pawn_from())) | bit(move.to()) | pawn_to;
    return !(g_.p.attackers(first_square(king), ~g_.us, occupied) & ~pawn_to);
  }

 private:
  const Generator& g_;
  Square king_{};
  Bitboard danger_ = 0;            // where he would be attacked
  Bitboard check_ = ~Bitboard{0};  // where another piece's arrival leaves him unattacked
  Bitboard pinned_ = 0;
  Bitboard enemy_king_;
  Bitboard waiting_;
};

// The walks hand out their sinks as values and build all they need inside of what is dispatched, so
// that for Chess# everything stays in registers.

// All legal moves.
template <class Sink>
Sink walk_legal(const Position& p, RuleSetId id, Sink empty) {
  return dispatch(id, [&p, empty](auto rules) {
    Sink sink = empty;
    const Generator g(p);
    if (rules.get().king_safe) {
      g.walk_side(rules, Safe(g, false), sink);
    } else {
      g.walk_side(rules, Everything{}, sink);
    }
    return sink;
  });
}

// The moves that Safe lets through.
template <class Sink>
Sink walk_safe(const Position& p, RuleSetId id, bool waiting, Sink empty) {
  return dispatch(id, [&p, waiting, empty](auto rules) {
    Sink sink = empty;
    const Generator g(p);
    g.walk_side(rules, Safe(g, waiting), sink);
    return sink;
  });
}

}  // namespace

void Position::legal_moves(MoveList& out) const {
  out.clear();
  walk_legal(*this, rules_, Lister{out});
}

MoveList Position::legal_moves() const {
  MoveList out;
  legal_moves(out);
  return out;
}

int Position::count_legal_moves() const { return walk_legal(*this, rules_, Counter{}).count; }

void Position::surviving_moves(MoveList& out) const {
  if ((rules_ & rule_bits::kKingSafe) || !pieces_may_move(~side_)) return legal_moves(out);
  out.clear();
  walk_safe(*this, rules_, halfmove_ + 1 >= kImpasseClock, Lister{out});
  if (!ends_its_own_way()) return;
  // What ends the game survives too.
  const MoveList safe = out;
  const Move* next = safe.begin();
  out.clear();
  for (const Move move : legal_moves()) {
    const bool is_safe = next != safe.end() && *next == move;
    next += is_safe;
    if (is_safe || after(move).winner_by_own_end()) out.push_back(move);
  }
}

void Position::noisy_moves(MoveList& out) const {
  out.clear();
  if (rules_ & (rule_bits::kKingSafe | rule_bits::kGame)) {
    MoveList all;
    legal_moves(all);
    for (const Move move : all) {
      if (move.is_placement()) continue;
      if (move.is_promotion() || captured_by(move)) out.push_back(move);
    }
    return;
  }
  dispatch(rules_, [&](auto rules) {
    const Generator g(*this);
    Lister sink{out};
    g.walk_side(rules, Noisy{g.enemy}, sink);
  });
}

void Position::quiet_moves(MoveList& out, Bitboard from,
                           const std::array<Bitboard, kPieceTypes>& to) const {
  out.clear();
  dispatch(rules_, [&](auto rules) {
    const Generator g(*this);
    Lister sink{out};
    g.walk_side(rules, Towards{*this, ~g.occ, from, to}, sink);
  });
}

bool Position::can_capture_king() const {
  const Bitboard king = pieces(~side_, PieceType::kKing);
  if (!king || halfmove_ >= kImpasseClock || !pieces_may_move(side_)) return false;
  if (ends_its_own_way() && winner_by_own_end()) return false;
  return attackers(first_square(king), side_, occupied()) != 0;
}

bool Position::in_check(Color color) const {
  const Bitboard king = pieces(color, PieceType::kKing);
  return king && attackers(first_square(king), ~color, occupied()) != 0;
}

bool Position::is_legal(Move move) const { return legal_moves().contains(move); }

bool Position::stuck(bool& attacked) const {
  const Generator g(*this);
  // Nearly always one of these settles it: a placement that cannot expose the king, or a pawn that
  // can push and stands on no line of his (where he is attacked, any legal move keeps the game on).
  const Bitboard king = g.kings() & g.own;
  const Bitboard first_rank = rank_bb(side_ == Color::kWhite ? 0 : 7);
  if ((first_rank & ~g.occ) && (g.hand() & (king ? ~0u : ~(kHandKing | kHandQueen))) &&
      !(rules_ & (rule_bits::kBishopsOpposite | rule_bits::kEntry | rule_bits::kGame))) {
    return false;
  }
  if (king && pieces_may_move(side_)) {
    const Square k = first_square(king);
    const Bitboard off_line = g.pawns() & g.own & ~queen_attacks(k, 0);
    if (forward(side_, off_line) & ~g.occ) return false;
  }
  attacked = in_check(side_);
  return !(attacked ? walk_legal(*this, rules_, AnyMove{})
                    : walk_safe(*this, rules_, false, AnyMove{}))
              .found;
}

unsigned Position::promotions(Color color) const {
  if (has_cards()) return kit(color);
  const RuleDetails& details = game().details;
  unsigned kinds = details.promotion;
  if (!details.promotes_to_lost) return kinds;
  const PieceCounts& at_start = game().at_start[static_cast<std::size_t>(index(color))];
  for (const PieceType type : kPromotionTypes) {
    const int left = std::popcount(pieces(color, type)) + reserve(color, type);
    if (left >= at_start[static_cast<std::size_t>(type)]) kinds &= ~(1u << (index(type) - 1));
  }
  return kinds;
}

bool Position::has_legal_move() const { return walk_legal(*this, rules_, AnyMove{}).found; }

void Position::keep_usable_en_passant() {
  if (index(en_passant_) == 0) return;
  const Generator g(*this);
  if (pieces_may_move(side_)) {
    const Square king = first_square(g.kings() & g.own);
    for (Bitboard left = pawn_attacks(~side_, bit(en_passant_)) & g.pawns() & g.own; left;) {
      const Square from = pop_first(left);
      const bool king_safe = (rules_ & rule_bits::kKingSafe) != 0;
      if (!king_safe || g.is_safe_en_passant(king, from, en_passant_)) return;
    }
  }
  en_passant_ = Square{};
}

}  // namespace rules
