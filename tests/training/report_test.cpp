#include "training/page/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/errors.h"
#include "tests/temporary_folder.h"
#include "training/page/metrics.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

class ReportTest : public ::testing::Test {
 protected:
  std::string page() {
    std::ifstream in(write_report(run), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const TemporaryFolder temporary;
  const fs::path run = temporary.path();
};

TEST_F(ReportTest, OnePageHoldsDataAndLibraryAndAsksNothingOfANetwork) {
  std::ofstream(run / "config.toml") << "# </script><b>\n[run]\n";
  Metrics(run, 1).write({{"generation", 1}, {"loss", 1.625}});
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("\"loss\":1.625"));
  EXPECT_THAT(html, HasSubstr("Chart.js"));
  EXPECT_THAT(html, Not(HasSubstr("/*CHART_LIBRARY*/")));
  EXPECT_THAT(html, Not(HasSubstr("/*RUN_DATA*/")));
  EXPECT_THAT(html, Not(HasSubstr("/*MODULES*/")));
  EXPECT_THAT(html, HasSubstr("class Board {"));
  EXPECT_THAT(html, Not(HasSubstr("import {")));  // a file cannot import others
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));  // data cannot end the script
}

TEST_F(ReportTest, AYoungRunHasAReportToo) {
  std::ofstream(run / "config.toml") << "[run]\n";
  EXPECT_THAT(page(), HasSubstr("\"metrics\":[]"));
}

TEST_F(ReportTest, ShowsStudiesOfARunAndOnTheirOwn) {
  std::ofstream(run / "advantage.json") << R"({"study":"own"})";
  EXPECT_THAT(page(), HasSubstr(R"("studies":{"advantage":{"study":"own"}})"));
  std::ofstream(run / "config.toml") << "[run]\n";
  fs::create_directories(run / "studies");
  std::ofstream(run / "studies" / "scoring.json") << R"({"study":"run"})";
  EXPECT_THAT(page(), HasSubstr(R"("studies":{"scoring":{"study":"run"}})"));
}

TEST_F(ReportTest, ShowsTheAnswersOfAStudyThatItDoesNotKnow) {
  std::ofstream(run / "toy.json") << R"({"study":"toy","answers":[{"question":"Why?"}]})";
  std::ofstream(run / "other.json") << R"({"no":"study"})";
  const std::string html = page();
  EXPECT_THAT(html,
              HasSubstr(R"("studies":{"toy":{"study":"toy","answers":[{"question":"Why?"}]}})"));
  EXPECT_THAT(html, HasSubstr("Object.values(studies)"));
}

TEST_F(ReportTest, RefusesWhatIsNoRun) {
  EXPECT_THAT([&] { write_report(run); },
              ThrowsMessage<base::InputError>(HasSubstr("is no run folder")));
  std::ofstream(run / "config.toml") << "[run]\n";
  std::ofstream(run / "ratings.json") << "{";
  EXPECT_THAT([&] { write_report(run); },
              ThrowsMessage<base::InputError>(HasSubstr("ratings.json: expected JSON")));
}

}  // namespace
}  // namespace training
