// Batch: many games side by side, with arrays in and out.

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "base/errors.h"
#include "base/rng.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/encoding.h"
#include "rules/history.h"
#include "rules/repertoire.h"

namespace python {
namespace {

constexpr const char* kBatchDoc =
    R"(``games`` games side by side, stepped together; a finished one starts anew.

An action is a policy index, as of policy_index(). Cards are drawn by the batch itself. ``seed``
and the actions alone decide what happens, and a game does not depend on how many are beside it.
``table``: its piece values decide an impasse, and planes() tell of it. Other threads of Python run
meanwhile; those that ask the same batch wait for each other.)";

constexpr const char* kStepDoc =
    R"(Plays one action in each game and returns how the games ended: int8 [games].

``actions``: int64 [games], each legal. An entry is the index of the game's outcome in OUTCOMES, or
-1 where the game goes on. Games that ended stand at their next start already. Raises ValueError
naming the first action that is not legal; nothing is played then.)";

using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Batch {
 public:
  Batch(int games, const RulesArgument& rules, std::uint64_t seed, const TableArgument& table)
      : rules_(rule_set(rules)), table_(scoring_table(table, rules_)), encoder_(rules_) {
    const base::Rng rng(seed);
    const int count = checked("games", games, 1, 10'000'000);
    for (int i = 0; i < count; ++i) {
      seats_.emplace_back(rng.split(static_cast<std::uint64_t>(i)));
      restart(seats_.back());
    }
  }

  std::size_t size() const { return seats_.size(); }

  Array<bool, -1, -1> mask() {
    const auto width = static_cast<std::size_t>(encoder_.shape().policy_size());
    Buffer<bool> legal(size() * width);
    alone([&] {
      bool* row = legal.data();
      for (const Seat& seat : seats_) {
        for (const rules::Move move : seat.moves) row[index_of(seat, move)] = true;
        row += width;
      }
    });
    return std::move(legal).as_array<-1, -1>({size(), width});
  }

  Array<std::int64_t, -1> sample() {
    return of_each<std::int64_t>([this](Seat& seat) {
      const auto count = static_cast<std::uint32_t>(seat.moves.size());
      return index_of(seat, seat.moves[seat.rng.below(count)]);
    });
  }

  Array<std::int8_t, -1> step(const Actions& actions) {
    if (actions.size() != size()) {
      throw base::InputError("actions of length " + std::to_string(actions.size()) + ": expected " +
                             std::to_string(size()) + ", one for each game");
    }
    Buffer<std::int8_t> ended(size());
    alone([&] {
      const std::vector<rules::Move> moves = moves_of({actions.data(), size()});
      for (std::size_t i = 0; i < size(); ++i) ended.data()[i] = play(seats_[i], moves[i]);
    });
    return std::move(ended).as_array<-1>({size()});
  }

  std::pair<Array<float, -1, -1, 8, 8>, Array<float, -1, -1>> planes(int lookahead) {
    checked("lookahead", lookahead, 0, kMostLookahead);
    Inputs inputs(encoder_, size());
    alone([&] {
      for (std::size_t i = 0; i < size(); ++i) {
        const Seat& seat = seats_[i];
        const Question question{seat.position, seat.past.occurrences(seat.position)};
        inputs.set(i, encoder_, question, table_, lookahead);
      }
    });
    return std::move(inputs).as_arrays();
  }

  Array<std::int8_t, -1> side_to_move() {
    return of_each<std::int8_t>(
        [](const Seat& seat) { return rules::index(seat.position.side_to_move()); });
  }

  std::vector<std::string> fens() {
    std::vector<std::string> fens;
    alone([&] {
      for (const Seat& seat : seats_) fens.push_back(seat.position.to_fen());
    });
    return fens;
  }

 private:
  // One game. Somebody is to move.
  struct Seat {
    explicit Seat(const base::Rng& stream) : rng(stream) {}
    base::Rng rng;
    rules::Position position;
    rules::History past;
    std::vector<rules::Move> moves;  // legal; not empty
  };

  // Calls f() without the GIL, one thread at a time.
  template <class F>
  void alone(F f) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    f();
  }

  // What f(seat) gives of each game.
  template <class T, class F>
  Array<T, -1> of_each(F f) {
    Buffer<T> numbers(size());
    alone([&] {
      for (std::size_t i = 0; i < size(); ++i) numbers.data()[i] = static_cast<T>(f(seats_[i]));
    });
    return std::move(numbers).template as_array<-1>({size()});
  }

  int index_of(const Seat& seat, rules::Move move) const {
    return encoder_.policy_index(move, seat.position.side_to_move());
  }

  void restart(Seat& seat) const {
    seat.position = rules::draw_start(rules_, seat.rng);
    seat.past = {};
    list_moves(seat);
  }

  static void list_moves(Seat& seat) {
    const rules::MoveList moves = seat.position.legal_moves();
    seat.moves.assign(moves.begin(), moves.end());
  }

  // Throws base::InputError where an index is that of no legal move.
  std::vector<rules::Move> moves_of(std::span<const std::int64_t> actions) const {
    std::vector<rules::Move> chosen;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Seat& seat = seats_[i];
      const auto move = std::ranges::find_if(
          seat.moves, [&](rules::Move m) { return index_of(seat, m) == actions[i]; });
      if (move == seat.moves.end()) {
        throw base::InputError("actions[" + std::to_string(i) + "] '" + std::to_string(actions[i]) +
                               "': expected the policy index of a legal move in " +
                               seat.position.to_fen());
      }
      chosen.push_back(*move);
    }
    return chosen;
  }

  // Returns the outcome's index, or -1 where the game goes on.
  std::int8_t play(Seat& seat, rules::Move move) const {
    for (;;) {
      seat.past.add(seat.position);
      seat.position.play(move);
      const auto outcome = seat.position.outcome(table_, seat.past.occurrences(seat.position));
      if (outcome) {
        restart(seat);
        return static_cast<std::int8_t>(rules::index(*outcome));
      }
      if (!seat.position.is_chance()) break;
      move = rules::draw_card(seat.position, seat.rng);
    }
    list_moves(seat);
    return -1;
  }

  rules::RuleSet rules_;
  rules::ScoringTable table_;
  nn::Encoder encoder_;
  std::vector<Seat> seats_;
  std::mutex mutex_;  // who reads or changes them
};

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Batch> batch(m, "Batch", kBatchDoc);
  batch.def(nb::init<int, const RulesArgument&, std::uint64_t, const TableArgument&>(), "games"_a,
            "rules"_a = "chess_sharp", "seed"_a = 1, "table"_a = nb::none());
  batch.def("mask", &Batch::mask, "The legal actions: bool [games, policy size].");
  batch.def("sample", &Batch::sample,
            "One legal action for each game, all equally likely: int64 [games].");
  batch.def("step", &Batch::step, "actions"_a, kStepDoc);
  batch.def("planes", &Batch::planes, "lookahead"_a = kLookahead,
            "What a network takes, as of planes(): float32 [games, P, 8, 8] and [games, G].");
  batch.def_prop_ro("side_to_move", &Batch::side_to_move, nb::rv_policy::move,
                    "0 White, 1 Black: int8 [games].");
  batch.def_prop_ro("fens", &Batch::fens, "The positions as FEN.");
  batch.def("__len__", &Batch::size);
}

}  // namespace python
