#include "book/book.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/errors.h"

namespace book {
namespace {

using rules::Color;
using rules::Move;
using rules::Position;

constexpr double kMostPoints = 10;

// Positions of different classes are not one.
int clock_class(const Position& position) {
  return position.halfmove_clock() < kClockCounts ? 0 : position.halfmove_clock();
}

// The better for the side to move of what two moves give.
double better(double a, double b, Color side) {
  return side == Color::kWhite ? std::max(a, b) : std::min(a, b);
}

}  // namespace

Bounds bounds_of(const Finding& finding) {
  const double points = finding.points_white, error = finding.error;
  return {points, std::max(0.0, points - error), std::min(kMostPoints, points + error)};
}

Position image_of(const Position& position) {
  if (!position.is_mirror_symmetric()) return position;
  const Position image = position.mirrored();
  return image.key() < position.key() ? image : position;
}

std::vector<Move> considered_moves(const Position& position) {
  rules::MoveList list;
  position.surviving_moves(list);
  if (list.empty()) position.legal_moves(list);
  return {list.begin(), list.end()};
}

int Book::depth() const {
  return nodes_.empty() ? 0 : std::ranges::max_element(nodes_, {}, &Node::plies)->plies;
}

std::optional<int> Book::find(const Position& image, bool own_clock) const {
  const auto [first, last] = by_key_.equal_range(image.key());
  for (auto at = first; at != last; ++at) {
    const Node& known = node(at->second);
    const bool same_clock = own_clock ? known.position.halfmove_clock() == image.halfmove_clock()
                                      : clock_class(known.position) == clock_class(image);
    if (known.own_clock == own_clock && same_clock && known.position.recurs_as(image))
      return at->second;
  }
  return std::nullopt;
}

std::optional<int> Book::find(const Position& position) const {
  const Position image = image_of(position);
  const std::optional<int> known = find(image, false);
  return known ? known : find(image, true);
}

std::vector<Move> Book::outside(const Node& node, const std::vector<Edge>& edges) {
  std::vector<Position> inside;
  for (const Edge& edge : edges) inside.push_back(image_of(node.position.after(edge.move)));
  std::vector<Move> moves = considered_moves(node.position);
  std::erase_if(moves, [&](Move move) {
    const Position next = image_of(node.position.after(move));
    return std::ranges::any_of(inside,
                               [&](const Position& known) { return known.same_but_number(next); });
  });
  return moves;
}

double Book::cost_of_growth(const Node& node) const {
  if (!node.rest || node.rest->error == 0) return std::numeric_limits<double>::infinity();
  const double lost = std::abs(node.points.value - node.rest->points_white);
  return node.cost + kCostOfMove + lost - kWorthOfDoubt * node.rest->error;
}

std::vector<bool> Book::ancestors(int node_number) const {
  std::vector<bool> found(nodes_.size());
  if (node_number < 0) return found;
  std::vector<int> open{node_number};
  found[static_cast<std::size_t>(node_number)] = true;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    for (const int parent : node(at).parents) {
      if (found[static_cast<std::size_t>(parent)]) continue;
      found[static_cast<std::size_t>(parent)] = true;
      open.push_back(parent);
    }
  }
  return found;
}

std::optional<Step> Book::step_at(int at) const {
  Step step{.at = at, .edge = {{}, size()}, .entering = Node{}, .rest = {}};
  Node& entering = *step.entering;
  const std::vector<bool> before = ancestors(at);
  const auto leads_back = [&](int to) { return before[static_cast<std::size_t>(to)]; };
  if (at < 0) {
    entering.position = image_of(terms_.start);
  } else {
    step.edge.move = node(at).rest->move;
    entering.position = image_of(node(at).position.after(step.edge.move));
    for (const bool own_clock : {false, true}) {
      const std::optional<int> known = find(entering.position, own_clock);
      entering.own_clock = own_clock;
      if (!known) break;
      if (!leads_back(*known)) {
        step.edge.to = *known;
        step.entering.reset();
        return step;
      }
      if (own_clock) return std::nullopt;
    }
  }
  entering.outcome = entering.position.outcome(terms_.table);
  if (entering.outcome) return step;
  for (const Move move : considered_moves(entering.position)) {
    const auto known = find(image_of(entering.position.after(move)), false);
    const bool linked =
        known && std::ranges::find(entering.edges, *known, &Edge::to) != entering.edges.end();
    if (known && !linked && !leads_back(*known)) entering.edges.push_back({move, *known});
  }
  return step;
}

bool Book::fits(const Step& step) const {
  if (step.at < 0) return nodes_.empty();
  const std::vector<bool> before = ancestors(step.at);
  const auto leads_back = [&](int to) { return before[static_cast<std::size_t>(to)]; };
  if (!step.entering) return !leads_back(step.edge.to);
  return !find(step.entering->position, step.entering->own_clock) &&
         std::ranges::none_of(step.entering->edges,
                              [&](const Edge& edge) { return leads_back(edge.to); });
}

void Book::enter(Node entering) {
  const int number = size();
  by_key_.emplace(entering.position.key(), number);
  nodes_.push_back(std::move(entering));
}

void Book::add(Step step) {
  if (step.entering) {
    for (const Edge& edge : step.entering->edges) {
      nodes_[static_cast<std::size_t>(edge.to)].parents.push_back(size());
    }
    enter(std::move(*step.entering));
  }
  if (step.at >= 0) {
    Node& at = nodes_[static_cast<std::size_t>(step.at)];
    at.edges.push_back(step.edge);
    at.rest = step.rest;
    nodes_[static_cast<std::size_t>(step.edge.to)].parents.push_back(step.at);
  }
  back_up();
}

std::vector<int> Book::order() const {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(nodes_.size());
  std::vector<std::pair<int, std::size_t>> path{{0, 0}};  // and the edge to follow next
  std::vector<int> ordered;
  states[0] = State::kOpen;
  while (!path.empty()) {
    auto& [at, next] = path.back();
    if (next == node(at).edges.size()) {
      states[static_cast<std::size_t>(at)] = State::kDone;
      ordered.push_back(at);
      path.pop_back();
      continue;
    }
    const int to = node(at).edges[next++].to;
    State& state = states[static_cast<std::size_t>(to)];
    if (state == State::kOpen) return {};
    if (state == State::kDone) continue;
    state = State::kOpen;
    path.emplace_back(to, 0);
  }
  return ordered;
}

Bounds Book::backed_up(const Node& node) const {
  if (node.outcome) {
    const double points = terms_.table.white_points(*node.outcome);
    return {points, points, points};
  }
  const Color side = node.position.side_to_move();
  std::optional<Bounds> best;
  const auto take = [&](const Bounds& bounds) {
    best = !best
               ? bounds
               : Bounds{better(best->value, bounds.value, side),
                        better(best->low, bounds.low, side), better(best->high, bounds.high, side)};
  };
  for (const Edge& edge : node.edges) take(this->node(edge.to).points);
  if (node.rest) take(bounds_of(*node.rest));
  return *best;
}

void Book::back_up() {
  const std::vector<int> ordered = order();
  for (const int number : ordered) {
    Node& node = nodes_[static_cast<std::size_t>(number)];
    node.points = backed_up(node);
    node.cost = std::numeric_limits<double>::infinity();
  }
  nodes_.front().cost = 0;
  for (auto at = ordered.rbegin(); at != ordered.rend(); ++at) {
    const Node& node = this->node(*at);
    for (const Edge& edge : node.edges) {
      Node& next = nodes_[static_cast<std::size_t>(edge.to)];
      const double lost = std::abs(node.points.value - next.points.value);
      const double cost = node.cost + kCostOfMove + lost;
      if (cost >= next.cost) continue;
      next.cost = cost;
      next.from = *at;
      next.plies = node.plies + 1;
    }
  }
}

void Book::check() const {
  const auto require = [](bool holds, int number, const char* what) {
    if (holds) return;
    throw base::InputError("position " + std::to_string(number) + ": " + what);
  };
  require(!nodes_.empty() && nodes_.front().position.same_but_number(image_of(terms_.start)), 0,
          "expected the start of the book");
  for (int i = 0; i < size(); ++i) {
    const Node& at = node(i);
    const std::vector<Move> moves =
        at.outcome ? std::vector<Move>() : considered_moves(at.position);
    const auto considered = [&](Move move) {
      return std::ranges::find(moves, move) != moves.end();
    };
    for (const Edge& edge : at.edges) {
      require(considered(edge.move) && edge.to >= 0 && edge.to < size() &&
                  image_of(at.position.after(edge.move)).recurs_as(node(edge.to).position),
              i, "expected moves of the book that lead to its positions");
    }
    const auto others = at.outcome ? std::vector<Move>() : outside(at, at.edges);
    const bool found = at.rest && std::ranges::find(others, at.rest->move) != others.end();
    require(found || (!at.rest && others.empty()), i,
            "expected a move that the book does not have");
  }
  require(order().size() == nodes_.size(), size(),
          "expected ways from the start, none in a circle");
}

void Book::load(std::vector<Node> nodes) {
  nodes_.clear();
  by_key_.clear();
  for (Node& each : nodes) {
    each.outcome = each.position.outcome(terms_.table);
    enter(std::move(each));
  }
  if (nodes_.empty()) return;  // killed before its start was searched
  check();
  for (int i = 0; i < size(); ++i) {
    for (const Edge& edge : node(i).edges) {
      nodes_[static_cast<std::size_t>(edge.to)].parents.push_back(i);
    }
  }
  back_up();
}

}  // namespace book
