#include "book/ways.h"

#include <algorithm>
#include <cmath>

#include "tactics/search_report.h"

namespace book {
namespace {

using rules::Move;
using rules::Position;

constexpr double kEvenGame = 5;

double lost(const Node& node, double points) { return std::abs(node.points.value - points); }

void follow(const Book& book, Way& way, const Edge& edge) {
  way.moves.push_back(as_played(way.end, book.node(way.at), edge.move));
  way.end.play(way.moves.back());
  way.at = edge.to;
}

}  // namespace

Move as_played(const Position& played, const Node& node, Move move) {
  return played.recurs_as(node.position) ? move : rules::mirrored(move);
}

Way way_to(const Book& book, int number) {
  std::vector<int> numbers;
  for (int at = number; at > 0; at = book.node(at).from) numbers.push_back(at);
  Way way{{}, book.terms().start, 0};
  for (auto to = numbers.rbegin(); to != numbers.rend(); ++to) {
    follow(book, way, *std::ranges::find(book.node(way.at).edges, *to, &Edge::to));
  }
  return way;
}

std::optional<std::size_t> best_edge(const Book& book, const Node& node) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < node.edges.size(); ++i) {
    if (book.node(node.edges[i].to).points.value == node.points.value && !best) best = i;
  }
  return best;
}

std::vector<Move> main_line(const Book& book, const Position& played, int number) {
  Way way{{}, played, number};
  while (const auto best = best_edge(book, book.node(way.at))) {
    follow(book, way, book.node(way.at).edges[*best]);
  }
  const Node& last = book.node(way.at);
  if (last.rest) way.moves.push_back(as_played(way.end, last, last.rest->move));
  return way.moves;
}

rules::Outcomes outcomes(const Book& book, int number) {
  int at = number;
  while (const auto best = best_edge(book, book.node(at))) at = book.node(at).edges[*best].to;
  const Node& last = book.node(at);
  return last.outcome ? rules::certain(*last.outcome) : last.rest->outcomes;
}

std::vector<double> shares(const Book& book, const Node& node, double temperature) {
  std::vector<double> weights;
  double sum = 0;
  const auto add = [&](double points) {
    weights.push_back(std::exp(-lost(node, points) / temperature));
    sum += weights.back();
  };
  for (const Edge& edge : node.edges) add(book.node(edge.to).points.value);
  node.rest ? add(node.rest->points_white) : weights.push_back(0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

int moves_within(const Book& book, const Node& node, double points) {
  const auto near = [&](double worth) { return lost(node, worth) <= points; };
  const auto inside = std::ranges::count_if(
      node.edges, [&](const Edge& edge) { return near(book.node(edge.to).points.value); });
  return static_cast<int>(inside) + (node.rest && near(node.rest->points_white) ? 1 : 0);
}

std::vector<int> ends(const Book& book) {
  std::vector<int> found;
  for (int i = 0; i < book.size(); ++i) {
    if (!book.node(i).outcome && book.node(i).edges.empty()) found.push_back(i);
  }
  std::ranges::stable_sort(found, {}, [&](int i) { return book.node(i).cost; });
  return found;
}

std::vector<int> balanced_ends(const Book& book, double most) {
  std::vector<int> found = ends(book);
  std::erase_if(found,
                [&](int i) { return std::abs(book.node(i).points.value - kEvenGame) > most; });
  return found;
}

Way draw_way_out(const Book& book, double temperature, base::Rng& rng) {
  Way way{{}, book.terms().start, 0};
  while (!book.node(way.at).outcome) {
    const Node& node = book.node(way.at);
    const std::size_t drawn = tactics::sample_by_weight(shares(book, node, temperature), 1, rng);
    if (drawn == node.edges.size()) {
      way.moves.push_back(as_played(way.end, node, node.rest->move));
      way.end.play(way.moves.back());
      break;
    }
    follow(book, way, node.edges[drawn]);
  }
  return way;
}

}  // namespace book
