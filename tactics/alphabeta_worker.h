#pragma once
// One thread of an alpha-beta search, which alphabeta.cpp drives: at the root in
// alphabeta_root.cpp, below it in alphabeta_plies.cpp.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/history.h"
#include "tablebase/tables.h"
#include "tactics/checks.h"
#include "tactics/evaluator.h"
#include "tactics/moves_in_progress.h"
#include "tactics/ordered_moves.h"
#include "tactics/piece_values.h"
#include "tactics/quiet_history.h"
#include "tactics/score.h"
#include "tactics/search_constants.h"
#include "tactics/transposition_table.h"

namespace tactics {

// What the threads of a search share; the histories too, so that they order and reduce moves alike.
struct SearchShared {
  SearchShared(int hash_mib, int threads) : table(hash_mib) {
    if (threads > 1) in_progress = std::make_unique<MovesInProgress>();
  }
  TranspositionTable table;
  Histories histories;
  std::unique_ptr<MovesInProgress> in_progress;  // of several threads
  const tablebase::Tables* tables = nullptr;     // that hold for the search; null: none
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> nodes{0};  // counted in steps
};

class AlphaBetaWorker {
 public:
  struct RootMove {
    rules::Move move;
    int score = -kInfiniteScore, previous = -kInfiniteScore;
    std::vector<rules::Move> line;
  };

  AlphaBetaWorker(const Evaluator& evaluator, SearchShared& shared)
      : evaluator_(evaluator), shared_(shared), plies_(kMaxSearchPly + 8) {}

  // `full_width`: as SearchLimits. REQUIRES: `moves` are legal and there is one.
  void set_root(const rules::Position& root, const rules::ScoringTable& table,
                const rules::History& past, std::span<const rules::Move> moves,
                std::uint64_t node_limit, bool full_width);
  // Called every kNodesPerPoll nodes, by the thread that searches; it may stop the search.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }
  // Searches the root so deep, for the best `lines` moves one after the other; they are sorted.
  // False where it was stopped: then the first move is the best known.
  bool deepen(int depth, int lines);
  // Orders the root's moves as those of any other position: where what captures comes first, the
  // first depth costs far fewer nodes. REQUIRES: set_root() was called, nothing searched since.
  void order_root();

  const std::vector<RootMove>& root_moves() const { return root_moves_; }
  int selective_depth() const { return selective_depth_; }
  // May be asked by any thread.
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::uint64_t tablebase_hits() const { return tablebase_hits_.load(std::memory_order_relaxed); }

 private:
  struct Line {
    std::array<rules::Move, kMaxSearchPly + 8> moves;
    std::size_t size = 0;
  };
  struct Ply {
    Line line;
    std::array<rules::Move, 2> killers{};
    rules::Move excluded;
    std::size_t moved = kPieceTos;  // piece_to of the move made here; kPieceTos: none
    int eval = 0;
    bool in_check = false;
  };
  struct Node {
    const rules::Position& position;
    int alpha, beta, depth, ply;
    bool cut_node;  // expected to fail high
    bool pv() const { return beta - alpha > 1; }
    rules::Move tt_move{};      // the transposition table's
    int eval = 0, tt_eval = 0;  // as it stands, and with what the table knows
    bool in_check = false, improving = false;
  };
  struct Best {
    int score;  // fail-soft
    int alpha;  // what the next move must exceed
    rules::Move move;
  };
  struct Trial {
    rules::Move move;
    int order_score;
    int move_count;  // of moves tried before it
    bool quiet;
  };
  struct Tried {
    rules::MoveList quiets, captures;
  };
  struct Deferred {
    std::uint16_t index;  // in the order of moves
    std::uint16_t number;
  };

  int search_root(int alpha, int beta, int depth, std::size_t begin);
  int search_root_move(rules::Move move, int alpha, int beta, int depth, std::size_t number);
  std::optional<int> settled_at_root(const rules::Position& next) const;
  void aspire(int depth, std::size_t begin);
  int search(const rules::Position& position, int alpha, int beta, int depth, int ply, bool cut);
  int search_moves(const Node& node, const std::optional<TranspositionTable::Entry>& tt_entry);
  static int improved_eval(const Node& node,
                           const std::optional<TranspositionTable::Entry>& tt_entry);
  bool leads(const Node& node);
  std::optional<int> search_listed(const Node& node,
                                   const std::optional<TranspositionTable::Entry>& tt_entry,
                                   bool led, Best& best, Tried& tried);
  std::optional<int> search_trial(const Node& node, const Trial& trial,
                                  const std::optional<TranspositionTable::Entry>& tt_entry,
                                  Best& best, Tried& tried);
  std::uint64_t progress_key(const Node& node, rules::Move move);
  int quiesce(const rules::Position& position, int alpha, int beta, int ply, bool first);
  std::optional<int> prune(const Node& node);
  std::optional<int> null_move(const Node& node);
  static int late_reduction(int depth, int moves);
  bool skip_quiet(const Node& node, rules::Move move, int tried, bool late, int history,
                  std::optional<Checks>& checks) const;
  int extension_of(const Node& node, rules::Move move,
                   const std::optional<TranspositionTable::Entry>& tt_entry,
                   std::optional<int>& cutoff);
  int reduction_of(const Node& node, int tried, int score, bool quiet) const;
  HistoryEntry& capture_history(const rules::Position& position, rules::Move move);
  void order_moves(const Node& node, const rules::MoveList& moves, OrderedMoves& out);
  void reward(const Node& node, const Best& best, const Tried& tried);
  int try_move(const Node& node, rules::Move move, const rules::Position& next, int alpha,
               int depth, int reduction, bool first);
  bool improves(const Node& node, rules::Move move, int score, Best& best);
  void quiesce_moves(const Node& node, const rules::MoveList& moves, Best& best);
  std::optional<int> settled_by(const TranspositionTable::Entry& tt_entry, const Node& node) const;
  // Sends for the table's entry, too: what is done before it is looked up hides the memory's
  // latency.
  rules::Position after(const rules::Position& position, rules::Move move) const;
  void enter(const rules::Position& position, rules::Move move, const rules::Position& next,
             int ply);
  void leave();
  void extend_line(int ply, rules::Move move);
  bool count_node();
  std::optional<int> end_of(const rules::Position& position, int ply) const;
  int end_score(const rules::Position& position, rules::Outcome outcome, int ply) const;
  std::optional<int> known_score(const rules::Position& position, int ply);
  int without_moves(const rules::Position& position, int ply) const;
  int evaluate(const rules::Position& position) { return score_of(evaluator_.value_stm(position)); }
  static bool attacked(const rules::Position& position) {
    const rules::Color mover = position.side_to_move();
    return position.in_check(mover) && position.pieces_may_move(~mover);
  }
  std::uint64_t key_of(const rules::Position& position) const;
  void store(const Node& node, int score, rules::Move best);
  static int to_table(int score, int ply) {
    return score > kDecidedScore ? score + ply : score < -kDecidedScore ? score - ply : score;
  }
  static int from_table(int score, int ply) {
    return score > kDecidedScore ? score - ply : score < -kDecidedScore ? score + ply : score;
  }

  Evaluator evaluator_;
  SearchShared& shared_;
  std::vector<Ply> plies_;  // [ply + 4]: the root has four before it
  Ply& at(int ply) { return plies_[static_cast<std::size_t>(ply + 4)]; }

  rules::Position root_;
  rules::ScoringTable table_;
  PieceValues values_{};
  rules::History past_;
  bool repetition_ = false, ends_early_ = false, full_width_ = false;
  std::vector<RootMove> root_moves_;
  int root_depth_ = 0, selective_depth_ = 0;
  std::atomic<std::uint64_t> nodes_{0};           // written by this thread alone
  std::atomic<std::uint64_t> tablebase_hits_{0};  // as nodes_
  std::uint64_t node_limit_ = 0;
  std::function<void()> poll_;
};

}  // namespace tactics
