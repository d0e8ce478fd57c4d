// Everything in tests/data/public_rules.json and public_rulesets.json: data made by an independent
// implementation.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rules/history.h"
#include "rules/notation.h"
#include "rules/perft.h"

namespace rules {
namespace {

using nlohmann::json;

const json& data(const char* file) {
  static std::map<std::string, json> files;
  json& parsed = files[file];
  if (parsed.is_null()) {
    std::ifstream in(std::string(SHARPZERO_TEST_DATA) + "/" + file);
    in >> parsed;
  }
  return parsed;
}

struct Row {
  json fields;
  RuleSet rules;
};

// The rows of that kind of both files.
std::vector<Row> rows(const char* kind) {
  std::vector<Row> out;
  const json& plain = data("public_rules.json");
  if (plain.contains(kind)) {
    for (const json& row : plain[kind]) out.push_back({row, RuleSet{}});
  }
  for (const auto& [set, kinds] : data("public_rulesets.json")["sets"].items()) {
    if (!kinds.contains(kind)) continue;
    for (const json& row : kinds[kind]) {
      out.push_back({row, RuleSet::parse(row["set"].get<std::string>())});
    }
  }
  return out;
}

std::string fen_of(const Row& row) { return row.fields["fen"]; }

std::string outcome_name(const Position& position, int occurrences = 1) {
  const auto outcome = position.outcome(position.rule_set().table(), occurrences);
  return outcome ? std::string(name(*outcome)) : "ongoing";
}

TEST(ReferenceData, IsAllRead) {
  EXPECT_EQ(rows("perft").size(), 45U);
  EXPECT_EQ(rows("outcomes").size(), 124U);
  EXPECT_EQ(rows("moves").size(), 56U);
  EXPECT_EQ(rows("bad_fens").size(), 29U);
  EXPECT_EQ(rows("bad").size(), 50U);
  EXPECT_EQ(rows("after").size(), 66U);
  EXPECT_EQ(rows("games").size(), 40U);
  EXPECT_EQ(rows("start").size(), 24U);
}

TEST(ReferenceData, Start) {
  for (const Row& row : rows("start")) {
    const int number = row.fields.value("number", 518);
    EXPECT_EQ(Position::start(row.rules, number).to_fen(), fen_of(row));
  }
}

TEST(ReferenceData, Perft) {
  for (const Row& row : rows("perft")) {
    const auto position = Position::from_fen(fen_of(row), row.rules);
    const int depth = row.fields["depth"];
    EXPECT_EQ(perft(position, depth), row.fields["perft"]) << row.fields;
    EXPECT_EQ(perft(position, depth, {.ends = true}), row.fields["perft_rules"]) << row.fields;
    if (row.fields["perft"] > 1000000) continue;
    EXPECT_EQ(perft(position, depth, {.bulk = false}), row.fields["perft"]) << row.fields;
    EXPECT_EQ(perft(position, depth, {.ends = true, .bulk = false}), row.fields["perft_rules"])
        << row.fields;
  }
}

TEST(ReferenceData, Outcomes) {
  for (const Row& row : rows("outcomes")) {
    const ScoringTable table = row.rules.table();
    const auto position = Position::from_fen(fen_of(row), row.rules);
    EXPECT_EQ(outcome_name(position), row.fields["outcome"]) << row.fields;
    const char* key = row.fields.contains("white_score") ? "white_score" : "points_white";
    const auto outcome = position.outcome(table);
    const json points = outcome ? json(table.white_points(*outcome)) : json();
    EXPECT_EQ(points, row.fields[key]) << row.fields;
  }
}

TEST(ReferenceData, Moves) {
  for (const Row& row : rows("moves")) {
    const auto position = Position::from_fen(fen_of(row), row.rules);
    std::vector<std::pair<std::string, std::string>> moves;
    for (const Move move : position.legal_moves()) {
      moves.emplace_back(to_uci(move), to_san(position, move));
    }
    std::sort(moves.begin(), moves.end());
    std::vector<std::string> uci, san;
    for (const auto& [u, s] : moves) {
      uci.push_back(u);
      san.push_back(s);
    }
    EXPECT_EQ(json(uci), row.fields["uci"]) << fen_of(row);
    if (row.fields.contains("san")) {
      EXPECT_EQ(json(san), row.fields["san"]) << fen_of(row);
    }
  }
}

TEST(ReferenceData, After) {
  for (const Row& row : rows("after")) {
    const auto position = Position::from_fen(fen_of(row), row.rules);
    const Move move = parse_uci(position, row.fields["uci"].get<std::string>());
    EXPECT_EQ(position.after(move).to_fen(), row.fields["after"]) << row.fields;
  }
}

TEST(ReferenceData, Games) {
  for (const Row& row : rows("games")) {
    const json& game = row.fields;
    auto position = Position::from_fen(game["start_fen"].get<std::string>(), row.rules);
    std::map<std::size_t, std::string> checkpoints;
    for (const json& point : game["checkpoints"]) checkpoints[point[0]] = point[1];
    History history;
    for (std::size_t ply = 0; ply < game["uci"].size(); ++ply) {
      ASSERT_EQ(outcome_name(position, history.occurrences(position)), "ongoing") << ply << game;
      const Move move = parse_uci(position, game["uci"][ply].get<std::string>());
      const std::string san = to_san(position, move);
      if (game.contains("san")) {
        ASSERT_EQ(san, game["san"][ply]);
      }
      ASSERT_EQ(parse_san(position, san), move);
      history.add(position);
      position.play(move);
      const auto point = checkpoints.find(ply + 1);
      if (point != checkpoints.end()) {
        ASSERT_EQ(position.to_fen(), point->second);
      }
    }
    EXPECT_EQ(position.to_fen(), game["final_fen"]);
    EXPECT_EQ(outcome_name(position, history.occurrences(position)), game["outcome"]);
  }
}

// \xNN in the data stands for a byte.
std::string with_bytes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\\x") == 0) {
      out += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

TEST(ReferenceData, BadFensAreRefusedOnOneShortLine) {
  std::vector<Row> bad = rows("bad_fens");
  for (const Row& row : rows("bad")) bad.push_back(row);
  for (const Row& row : bad) {
    try {
      Position::from_fen(with_bytes(fen_of(row)), row.rules);
      ADD_FAILURE() << "accepted " << row.fields;
    } catch (const RulesError& error) {
      const std::string message = error.what();
      EXPECT_THAT(message, testing::StartsWith("FEN "));
      EXPECT_THAT(message, testing::HasSubstr(": expected "));
      EXPECT_LT(message.size(), 200U) << message;
      EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
        return c >= 0x20 && c < 0x7f;
      })) << message;
    }
  }
}

}  // namespace
}  // namespace rules
