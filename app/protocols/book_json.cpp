#include "app/protocols/book_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "book/ways.h"
#include "rules/notation.h"

namespace app {
namespace {

using book::Book;
using book::Bounds;
using book::Node;
using nlohmann::ordered_json;

double rounded(double points) { return std::round(1000 * points) / 1000; }

ordered_json bounds_json(const Bounds& bounds) {
  return {{"value", rounded(bounds.value)},
          {"low", rounded(bounds.low)},
          {"high", rounded(bounds.high)}};
}

ordered_json move_json(const Node& node, rules::Move move, const Bounds& bounds, double share) {
  ordered_json json{{"uci", rules::to_uci(move)}, {"san", rules::to_san(node.position, move)}};
  json.update(bounds_json(bounds));
  json["lost"] = rounded(std::abs(node.points.value - bounds.value));
  json["share"] = rounded(share);
  return json;
}

ordered_json moves_json(const Book& book, const Node& node, std::span<const double> shares) {
  const auto lost = [&](std::size_t i) {
    return std::abs(node.points.value - book.node(node.edges[i].to).points.value);
  };
  std::vector<std::size_t> order(node.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, lost);
  ordered_json moves = ordered_json::array();
  for (const std::size_t i : order) {
    const book::Edge& edge = node.edges[i];
    const Node& next = book.node(edge.to);
    ordered_json move = move_json(node, edge.move, next.points, shares[i]);
    move["to"] = edge.to;
    move["mirrored"] = !node.position.after(edge.move).recurs_as(next.position);
    moves.push_back(std::move(move));
  }
  return moves;
}

ordered_json node_json(const Book& book, int number) {
  const Node& node = book.node(number);
  ordered_json json = bounds_json(node.points);
  json["fen"] = node.position.to_fen();
  json["over"] = node.outcome.has_value();
  ordered_json line = ordered_json::array(), outcomes = ordered_json::array();
  rules::Position position = node.position;
  for (const rules::Move move : book::main_line(book, position, number)) {
    line.push_back(rules::to_san(position, move));
    position.play(move);
  }
  for (const float share : book::outcomes(book, number)) {
    outcomes.push_back(rounded(static_cast<double>(share)));
  }
  json["line"] = std::move(line);
  json["outcomes"] = std::move(outcomes);
  json["moves"] = ordered_json::array();
  json["others"] = nullptr;
  if (node.outcome) return json;
  const std::vector<double> shares = book::shares(book, node, book::kShownTemperature);
  json["within"] = {book::moves_within(book, node, 0.05), book::moves_within(book, node, 0.1)};
  json["moves"] = moves_json(book, node, shares);
  if (node.rest) {
    json["others"] = move_json(node, node.rest->move, book::bounds_of(*node.rest), shares.back());
    std::set<std::uint64_t> others;  // images once
    for (const rules::Move move : Book::outside(node, node.edges)) {
      others.insert(book::image_of(node.position.after(move)).key());
    }
    json["others"]["count"] = others.size();
  }
  return json;
}

void add_positions(const Book& book, int number, int plies, ordered_json& json) {
  const std::string name = std::to_string(number);
  if (!json.contains(name)) json[name] = node_json(book, number);
  if (plies == 0) return;
  for (const book::Edge& edge : book.node(number).edges)
    add_positions(book, edge.to, plies - 1, json);
}

}  // namespace

ordered_json book_json(const Book& book) {
  const book::Terms& terms = book.terms();
  const Bounds& bounds = book.node(0).points;
  const rules::RuleSet rules = terms.start.rule_set();
  ordered_json json{{"positions", book.size()}, {"depth", book.depth()}};
  json.update(bounds_json(bounds));
  json["rules"] = rules.name();
  json["table"] = terms.table.to_changes(rules.table());
  json["start_fen"] = terms.start.to_fen();
  json["nodes"] = terms.nodes;
  json["searcher"] = terms.searcher;
  json["mirrored"] = !terms.start.recurs_as(book.node(0).position);
  json["text"] = fmt::format(
      "{}: {} positions, the deepest {} plies from the start, each by searches of {} nodes. Under "
      "best play of both sides White expects {:.2f} of ten points, bounds [{:.2f}, {:.2f}].",
      rules.name(), book.size(), book.depth(), terms.nodes, bounds.value, bounds.low, bounds.high);
  return json;
}

ordered_json book_positions_json(const Book& book, int number, int plies) {
  ordered_json json = ordered_json::object();
  add_positions(book, number, plies, json);
  return json;
}

ordered_json book_positions_json(const Book& book) {
  ordered_json json = ordered_json::object();
  for (int i = 0; i < book.size(); ++i) json[std::to_string(i)] = node_json(book, i);
  return json;
}

}  // namespace app
