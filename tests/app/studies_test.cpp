#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// One small run that was studied, shared by the tests.
class Studied : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Finished trained =
        run({"train", "--config", SHARPZERO_SOURCE "/configs/tiny.toml", "--run", folder(),
             "--threads", "1", "--device", "cpu", "--set", "learner.hold_out=8"});
    ASSERT_EQ(trained.code, 0) << trained.error;
    advantage_ = new Finished(advantage({"--sims", "2,4", "--checkpoints", "2"}));
    scoring_ = new Finished(
        run({"scoring", "--net", folder(), "--games", "12", "--sims", "4", "--table",
             "impasse_equal=4.9", "--fair", "impasse_equal", "--sweep", "stalemate=0:4:3", "--play",
             "--device", "cpu", "--threads", "2", "--json"}));
  }
  static void TearDownTestSuite() {
    delete scoring_;
    delete advantage_;
    delete folder_;
  }
  static std::string folder() { return *folder_ / "run"; }
  static Finished advantage(const std::vector<std::string>& more) {
    std::vector<std::string> words{"advantage", "--net",  folder(),      "--games",
                                   "12",        "--json", "--device",    "cpu",
                                   "--threads", "2",      "--precision", "fp32"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline Finished* advantage_ = nullptr;
  static inline Finished* scoring_ = nullptr;
};

TEST_F(Studied, AdvantageAnswersInJsonAndInTheRunsFolder) {
  ASSERT_EQ(advantage_->code, 0) << advantage_->error;
  const json answer = json::parse(advantage_->out);
  ASSERT_EQ(answer["sets"].size(), 3U);  // the first checkpoint with 2, the newest with 2 and 4
  EXPECT_EQ(answer["sets"][0]["generation"], 0);
  EXPECT_EQ(answer["sets"][2]["generation"], 3);
  EXPECT_EQ(answer["sets"][2]["simulations"], 4);
  for (const json& set : answer["sets"]) {
    EXPECT_EQ(set["games"], 12);
    EXPECT_LE(set["points_white"]["low"], set["points_white"]["mean"]);
    EXPECT_LE(set["points_white"]["mean"], set["points_white"]["high"]);
    EXPECT_EQ(set["by_seed"].size(), 4U);
    EXPECT_EQ(set["first_moves"].size(), 16U);  // four kinds of piece on four files
    EXPECT_EQ(set["outcomes"].size(), 7U);
    double share = 0;
    for (const json& move : set["first_moves"]) share += move["share"].get<double>();
    EXPECT_NEAR(share, 1, 1e-9);
  }
  EXPECT_EQ(json::parse(read_file(folder() + "/studies/advantage.json")), answer);
}

TEST_F(Studied, ScoringPutsThreeAnswersSideBySide) {
  ASSERT_EQ(scoring_->code, 0) << scoring_->error;
  const json answer = json::parse(scoring_->out);
  ASSERT_EQ(answer["tables"].size(), 2U);
  EXPECT_EQ(answer["tables"][0]["table"], "default");
  EXPECT_EQ(answer["tables"][0]["difference"]["mean"], 0);
  const json& changed = answer["tables"][1];
  EXPECT_EQ(changed["table"], "impasse_equal=4.9");
  for (const char* key : {"network", "search"}) EXPECT_TRUE(changed[key].is_number());
  for (const char* key : {"repriced", "difference", "played"}) {
    EXPECT_TRUE(changed[key]["mean"].is_number()) << key;
  }
  // The same games as `advantage` had: their White's points are the default's.
  const json games = json::parse(advantage_->out)["sets"][2];
  EXPECT_EQ(answer["tables"][0]["repriced"], games["points_white"]);
  EXPECT_EQ(answer["fair"][0]["key"], "impasse_equal");
  EXPECT_EQ(answer["sweeps"][0]["points"].size(), 3U);
}

// Games that are there are not played again, also where they were read from a PGN file.
TEST_F(Studied, FiguresAreComputedAgainFromThePgn) {
  const TemporaryFolder other;
  const std::string pgn = other / "games.pgn", read = other / "read";
  const auto count = [&] {
    const std::string games = run({"games", "--run", read, "--json"}).out;
    return std::count(games.begin(), games.end(), '\n');
  };
  const auto read_in = [&] { return run({"games", "--run", read, "--read", pgn, "--json"}); };
  ASSERT_EQ(run({"games", "--run", folder() + "/studies", "--pgn", pgn}).code, 0);
  const Finished first = read_in();
  ASSERT_EQ(first.code, 0) << first.error;
  const auto games = count();
  EXPECT_GE(games, 36);
  EXPECT_EQ(json::parse(first.out), (json{{"read", games}, {"added", games}}));
  const Finished again = advantage({"--sims", "2,4", "--checkpoints", "2", "--out", read});
  EXPECT_EQ(count(), games);
  const json sets = json::parse(advantage_->out)["sets"], same = json::parse(again.out)["sets"];
  ASSERT_EQ(same.size(), sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const char* key : {"points_white", "by_seed", "outcomes", "plies", "variety", "main_lines",
                            "piece_values"}) {
      ASSERT_TRUE(sets[i].contains(key)) << key;
      EXPECT_EQ(same[i][key], sets[i][key]) << key;
    }
  }
  EXPECT_EQ(json::parse(read_in().out), (json{{"read", games}, {"added", 0}}));
  EXPECT_EQ(count(), games);
  EXPECT_EQ(run({"games", "--run", read, "--read", "/nonexistent.pgn"}).code, 2);
}

TEST_F(Studied, CalibrationTakesGamesThatWerePlayedButNotLearnedFrom) {
  const TemporaryFolder other;
  const std::string games = other / "games", out = other / "study";
  ASSERT_EQ(run({"selfplay", "--net", folder(), "--config", SHARPZERO_SOURCE "/configs/tiny.toml",
                 "--games", "6", "--out", games, "--device", "cpu", "--threads", "1"})
                .code,
            0);
  const auto positions = [&](const std::string& played, const std::string& count) {
    const Finished finished = run({"calibration", "--net", folder(), "--played", played, "--games",
                                   count, "--out", out, "--device", "cpu", "--json"});
    EXPECT_EQ(finished.code, 0) << finished.error;
    const json answer = json::parse(finished.out);
    EXPECT_EQ(answer["played"], played);
    return std::pair(answer["games"].get<int>(), answer["positions"].get<int>());
  };
  const auto all = positions(games, "400"), newest = positions(games, "4");
  EXPECT_EQ(all.first, 6);
  EXPECT_EQ(newest.first, 4);
  EXPECT_LT(newest.second, all.second);
  // Of the run itself only what was held out.
  const std::string text = run({"games", "--run", folder(), "--json"}).out;
  const auto unseen = positions(folder(), "1000000").first;
  EXPECT_GT(unseen, 0);
  EXPECT_LT(unseen, std::count(text.begin(), text.end(), '\n') / 2);
}

TEST_F(Studied, CtrlCSavesAndTheSameCommandGoesOn) {
  const TemporaryFolder other;
  const std::string out = other / "study";
  const std::vector<std::string> words{"advantage", "--net",  folder(),      "--games",
                                       "40",        "--sims", "4",           "--out",
                                       out,         "--json", "--precision", "fp32"};
  const auto kept = [&] {
    const std::string games = run({"games", "--run", out, "--json"}).out;
    return std::count(games.begin(), games.end(), '\n');
  };
  {
    Running stopped(words);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while ((!fs::exists(out + "/games.db") || kept() < 5) &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    stopped.signal(SIGINT);
    EXPECT_EQ(json::parse(stopped.wait_line("{", std::chrono::seconds(60)))["stopped"], true);
    EXPECT_EQ(stopped.wait(), 130);
  }
  EXPECT_GE(kept(), 5);
  EXPECT_LT(kept(), 40);
  EXPECT_FALSE(fs::exists(out + "/advantage.json"));
  const Finished whole = run(words);
  ASSERT_EQ(whole.code, 0) << whole.error;
  EXPECT_EQ(kept(), 40);
  EXPECT_EQ(json::parse(whole.out)["sets"][0]["games"], 40);
  EXPECT_TRUE(fs::exists(out + "/report.html"));  // of the study alone
}

TEST_F(Studied, BadInputStopsBeforeAnythingIsPlayed) {
  const auto studies = [] {
    return fs::exists("studies") ? std::distance(fs::directory_iterator("studies"), {}) : 0;
  };
  const auto before = studies();
  {
    SideBySide checks;
    const auto refused = [&](const std::vector<std::string>& words, const std::string& what) {
      checks.add([=] {
        const Finished finished = run(words);
        EXPECT_EQ(finished.code, 2);
        EXPECT_THAT(finished.error, HasSubstr(what));
      });
    };
    refused({"scoring", "--fair", "stalmate"}, "stalmate");
    for (const char* sweep : {"stalemate=1:2", "stalemate=1:2:nan", "stalemate=1:2:2.5",
                              "stalemate=nan:2:3", "stalemate=1:2:1"}) {
      refused({"scoring", "--sweep", sweep}, "KEY=a:b:n");
    }
    refused({"scoring", "--table", "rook=many"}, "rook");
    refused({"advantage", "--sims", "0"}, "--sims");
    refused({"advantage", "--net", folder() + "/checkpoints/000003", "--checkpoints", "2"},
            "expected a run folder, not ");
    refused({"advantage", "--net", "/nonexistent"}, "/nonexistent");
    refused({"advantage", "--net", folder(), "--precision", "int4", "--device", "cpu"},
            "--precision int4: expected on cpu one of auto fp32");
    refused({"calibration", "--played", "/nonexistent"}, "/nonexistent");
    refused({"calibration", "--played", folder(), "--sims", "8"}, "--sims");
  }
  EXPECT_EQ(studies(), before);
}

// What the page says about itself once a browser has run it.
json looked_at(const std::string& page, int width) {
  static const std::string kFirst =
      "<head><script>const faults = [];"
      "addEventListener('error', e => faults.push(String(e.message)));"
      "for (const level of ['error', 'warn']) {"
      "  console[level] = (...words) => faults.push(words.join(' ')); }</script>";
  static const std::string kLast = R"(<script>
addEventListener('load', () => setTimeout(() => {
  const drawn = canvas => canvas.getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height).data.some(x => x !== 0);
  const plots = [...document.querySelectorAll('figure')].map(figure => ({
    title: figure.querySelector('figcaption').firstChild.textContent,
    drawn: drawn(figure.querySelector('canvas'))}));
  const squares = 'abcdefgh'.split('').flatMap(f => [1, 2, 3, 4, 5, 6, 7, 8].map(r => f + r));
  const board = () => Object.fromEntries(squares.map(square =>
    [square, document.querySelector('[data-square=' + square + ']').ariaLabel.split(', ')[1]]));
  const pieces = {P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king'};
  const expected = fen => {
    const at = Object.fromEntries(squares.map(square => [square, 'empty']));
    fen.split(/[[ ]/)[0].split('/').forEach((row, r) => {
      let file = 0;
      for (const sign of row) {
        if (/\d/.test(sign)) { file += +sign; continue; }
        at['abcdefgh'[file++] + (8 - r)] = (sign < 'a' ? 'white ' : 'black ') + pieces[sign.toUpperCase()];
      }
    });
    return at;
  };
  const run = JSON.parse(document.getElementById('data').textContent);
  const viewer = document.querySelector('.viewer');
  const key = name => viewer.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
  key('Home');
  let steps = 0;
  for (const fen of run.games[0].fens) {
    if (JSON.stringify(board()) !== JSON.stringify(expected(fen))) faults.push('board at ply ' + steps);
    key('ArrowRight');
    ++steps;
  }
  document.querySelector('.viewer .bar button:last-child').click();
  if (document.querySelector('.cell').dataset.square !== 'h1') faults.push('the board is not turned');
  const tables = [...document.querySelectorAll('caption')].map(c => c.firstChild.textContent);
  const verdict = {faults, plots, tables, steps, plies: run.games[0].moves.length,
    wide: document.documentElement.scrollWidth - innerWidth};
  const made = document.createElement('pre');
  made.id = 'verdict';
  made.textContent = JSON.stringify(verdict);
  document.body.append(made);
}, 200));
</script></body>)";
  std::string html = read_file(page);
  html.replace(html.find("<head>"), 6, kFirst);
  html.replace(html.rfind("</body>"), 7, kLast);
  const TemporaryFolder folder;
  const std::string file = folder.write("page.html", html);
  const Finished browser = run_program(
      {"chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
       "--user-data-dir=" + file + ".d", "--window-size=" + std::to_string(width) + ",1000",
       "--virtual-time-budget=5000", "--dump-dom", "file://" + file});
  const std::string begin = "<pre id=\"verdict\">";
  const auto at = browser.out.find(begin);
  if (at == std::string::npos) return {{"faults", {"no verdict: " + browser.error}}};
  const auto end = browser.out.find("</pre>", at);
  return json::parse(browser.out.substr(at + begin.size(), end - at - begin.size()));
}

TEST_F(Studied, ThePageWorksInABrowserAtAnyWidth) {
  if (run_program({"chromium", "--version"}).code != 0) GTEST_SKIP() << "no chromium here";
  ASSERT_EQ(run({"report", "--run", folder()}).code, 0);
  for (const int width : {1200, 390}) {
    const json page = looked_at(folder() + "/report.html", width);
    ASSERT_THAT(page["faults"], IsEmpty()) << page["faults"];
    EXPECT_EQ(page["steps"].get<int>(), page["plies"].get<int>() + 1);
    EXPECT_LE(page["wide"].get<int>(), 0) << "the page scrolls sideways at " << width;
    std::vector<std::string> plots;
    for (const json& plot : page["plots"]) {
      plots.push_back(plot["title"]);
      EXPECT_TRUE(plot["drawn"].get<bool>()) << plots.back();
    }
    for (const char* title :
         {"White’s points by simulations", "White’s points by training",
          "When king and queen are placed", "White’s points by stalemate", "Policy loss",
          "How games end", "Length of games", "Games", "Evaluations"}) {
      EXPECT_THAT(plots, ::testing::Contains(title));
    }
    for (const char* title : {"First moves", "Where White places", "What one piece more is worth",
                              "White’s points of ten under other tables"}) {
      EXPECT_THAT(page["tables"], ::testing::Contains(title));
    }
  }
}

}  // namespace
}  // namespace app
