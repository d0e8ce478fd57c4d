#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "../temporary_folder.h"
#include "base/errors.h"
#include "tablebase/build.h"
#include "tablebase/tables.h"

namespace tablebase {
namespace {

namespace fs = std::filesystem;

const auto kTellNobody = [](const SolvedMaterial&) {};
const auto kGoOn = [] { return false; };

// The message of the InputError; empty where there is none.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

class Files : public testing::Test {
 protected:
  Files() {
    Build build(folder_.path(), 2, {}, {});
    EXPECT_TRUE(build.run(1, kTellNobody, kGoOn));
    good_ = base::read_file(folder_ / "KvK.sztb").value();
  }
  std::string refusal_of(const std::string& bytes) const {
    folder_.write("KvK.sztb", bytes);
    return refusal([&] { Tables(folder_.path(), {}, {}); });
  }

  TemporaryFolder folder_;
  std::string good_;
};

TEST_F(Files, AreReadAsTheyWereWritten) {
  EXPECT_EQ(refusal_of(good_), "");
  EXPECT_EQ(Tables(folder_.path(), {}, {}).pieces(), 2);
}

TEST_F(Files, DamagedAnywhereAreRefused) {
  for (std::size_t at = 0; at < good_.size(); ++at) {
    std::string damaged = good_;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    EXPECT_THAT(refusal_of(damaged), testing::HasSubstr("KvK.sztb: ")) << at;
  }
}

TEST_F(Files, CutOrForeignAreRefusedAndNamed) {
  for (const std::size_t size : {0u, 10u, 71u}) {
    EXPECT_THAT(refusal_of(good_.substr(0, size)), testing::HasSubstr("is no file of a tablebase"));
  }
  EXPECT_THAT(refusal_of(good_.substr(0, good_.size() - 1)), testing::HasSubstr("is cut"));
  EXPECT_THAT(refusal_of(good_ + "x"), testing::HasSubstr("is too long"));
  EXPECT_THAT(refusal_of(std::string(1000, 'x')), testing::HasSubstr("is no file of a tablebase"));
  folder_.write("KQvK.sztb", good_);
  EXPECT_THAT(refusal_of(good_), testing::HasSubstr("KQvK.sztb: holds KvK: was it renamed?"));
  fs::remove(folder_ / "KQvK.sztb");
  fs::remove(folder_ / "KvK.sztb");
  fs::create_directory(folder_ / "KvK.sztb");
  EXPECT_THAT(refusal([&] { Tables(folder_.path(), {}, {}); }),
              testing::HasSubstr("is no file of a tablebase"));
  EXPECT_THAT(refusal([&] { Tables(folder_ / "none", {}, {}); }),
              testing::HasSubstr("expected a folder"));
}

TEST_F(Files, HoldUnderEveryTableThatRanksAlike) {
  const auto refused = [&](const std::string& changes, const std::string& set) {
    const auto rules = rules::RuleSet::parse(set);
    return refusal([&] {
      Tables(folder_.path(), rules, rules::ScoringTable::from_changes(changes, rules.table()));
    });
  };
  EXPECT_EQ(refused("impasse_equal=4.9,stalemate=2.2,rook=4.5", "chess_sharp"), "");
  EXPECT_EQ(refused("", "chess_flat"), "");
  EXPECT_THAT(refused("stalemate=3", "chess_sharp"), testing::HasSubstr("build it again"));
  EXPECT_THAT(refused("stalemate=3.5", "chess_sharp"), testing::HasSubstr("build it again"));
  EXPECT_THAT(refused("", "chess_sharp+sprint"), testing::HasSubstr("other rules"));

  const Tables tables(folder_.path(), {}, {});
  EXPECT_TRUE(tables.hold_under(rules::ScoringTable::from_changes("impasse_equal=4.9")));
  EXPECT_FALSE(tables.hold_under(rules::ScoringTable::from_changes("impasse_equal=3")));
}

TEST_F(Files, ThatAreThereAreNotSolvedAgain) {
  int told = 0;
  const auto count = [&](const SolvedMaterial&) { ++told; };
  Build stopped(folder_.path(), 3, {}, {});
  EXPECT_EQ(stopped.plan().missing, 5);
  EXPECT_FALSE(stopped.run(1, count, [&] { return told == 2; }));
  EXPECT_EQ(told, 2);
  Build rest(folder_.path(), 3, {}, {});
  EXPECT_EQ(rest.plan().missing, 3);
  EXPECT_TRUE(rest.run(2, count, kGoOn));
  EXPECT_EQ(told, 5);
  EXPECT_EQ(rest.tables().pieces(), 3);
  EXPECT_EQ(Build(folder_.path(), 3, {}, {}).plan().missing, 0);
}

TEST(CellsOfAMaterial, AreOneForPositionsThatAreTheSame) {
  for (const Material& material : Material::all(4, true)) {
    const Cells cells(material);
    std::uint64_t positions = 0;
    for (std::uint64_t cell = 1; cell < cells.size(); cell += 1009) {
      const auto placement = cells.placement(cell);
      if (!placement) continue;
      ++positions;
      const rules::Position position = cells.position(*placement, 7, {});
      ASSERT_EQ(Material::of(position), material);
      ASSERT_EQ(position.side_to_move(), placement->side);
      ASSERT_EQ(cells.cell_of(position), cell);
      ASSERT_EQ(cells.cell_of(position.mirrored()), cell) << position.to_fen();
    }
    EXPECT_GT(positions, 1000u) << material.name();
  }
}

TEST(OutcomesInOrder, HaveTheGradesOfTheirPoints) {
  EXPECT_THAT(Grades(rules::ScoringTable{}).ranks(), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(Grades(rules::ScoringTable{}).symmetric());
  const Grades chess(rules::kChess.table());
  EXPECT_THAT(chess.ranks(), testing::ElementsAre(0, 1, 1, 1, 1, 1, 2));
  EXPECT_TRUE(chess.symmetric());
  EXPECT_EQ(chess.outcome(1, rules::Outcome::kImpasseEqual), rules::Outcome::kImpasseEqual);
  EXPECT_EQ(chess.outcome(2, rules::Outcome::kImpasseEqual), rules::Outcome::kWhiteWins);
  const Grades odd(rules::ScoringTable::from_changes("white_stalemated=8"));
  EXPECT_THAT(odd.ranks(), testing::ElementsAre(0, 4, 1, 2, 3, 4, 5));
  EXPECT_FALSE(odd.symmetric());
}

TEST(Materials, AreNamedAndCounted) {
  EXPECT_EQ(Material::all(2, true).size(), 1u);
  EXPECT_EQ(Material::all(3, false).size(), 5u);
  EXPECT_EQ(Material::all(4, false).size(), 30u);
  EXPECT_EQ(Material::all(4, true).size(), 55u);
  Material material;
  material.add(rules::Color::kBlack, rules::PieceType::kRook);
  material.add(rules::Color::kBlack, rules::PieceType::kPawn);
  EXPECT_EQ(material.name(), "KvKRP");
  EXPECT_FALSE(material.is_canonical());
  EXPECT_EQ(material.color_flipped().name(), "KRPvK");
  EXPECT_EQ(material.impasse({}), rules::Outcome::kImpasseBlackMore);
}

}  // namespace
}  // namespace tablebase
