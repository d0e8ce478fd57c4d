#include "training/settings/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"

namespace training {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Sample {
  int blocks = 6;
  std::int64_t seed = 1;
  float rate = 0.002f;
  double share = 0.1;
  bool on = true;
  std::string mode = "puct";
  std::string note = "a \"b\"";

  template <class Visitor>
  void visit(Visitor&& v) {
    v("blocks", blocks, 1, 80, "residual blocks");
    v("seed", seed, 0, std::int64_t{1} << 53, "of all randomness");
    v("rate", rate, 0.0f, 0.99999f, "learning rate");
    v("share", share, 0.0, 1.0, "a share");
    v("on", on, "a switch");
    v("mode", mode, {"puct", "gumbel"}, "a choice");
    v("note", note, "any text");
  }
};

class Options : public ::testing::Test {
 protected:
  Options() { sample.visit(OptionGatherer("net", options)); }

  // The message that reading this text throws, empty where it is accepted.
  std::string error_of(const std::string& toml) {
    try {
      read_options(toml, "f.toml", options);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  }

  Sample sample;
  std::vector<Option> options;
};

TEST_F(Options, ReadsEveryKind) {
  read_options(
      "[net]\nblocks = 80\nseed = 9007199254740992\nrate = 0.99999\nshare = 1\n"
      "on = false\nmode = \"gumbel\"\nnote = \"x\"",
      "f.toml", options);
  EXPECT_EQ(sample.blocks, 80);
  EXPECT_EQ(sample.seed, std::int64_t{1} << 53);
  EXPECT_EQ(sample.rate, 0.99999f);
  EXPECT_EQ(sample.share, 1.0);
  EXPECT_FALSE(sample.on);
  EXPECT_EQ(sample.mode, "gumbel");
  EXPECT_EQ(sample.note, "x");
}

TEST_F(Options, PrintedTextReadsBackToTheSameValues) {
  for (const bool with_help : {false, true}) {
    sample = {17, 123456789012345, 0.1f, 1.0 / 3.0, false, "gumbel", "tab\t\"quoted\" \\ ü"};
    const std::string text = print_options(options, with_help);
    sample = {};
    read_options(text, "printed", options);
    EXPECT_EQ(sample.seed, 123456789012345);
    EXPECT_EQ(sample.rate, 0.1f);
    EXPECT_EQ(sample.share, 1.0 / 3.0);
    EXPECT_EQ(sample.note, "tab\t\"quoted\" \\ ü");
    EXPECT_EQ(print_options(options, with_help), text);
  }
}

TEST_F(Options, HelpNamesMeaningAndRange) {
  EXPECT_THAT(print_options(options, true),
              HasSubstr("# residual blocks; a whole number from 1 to 80\nblocks = 6\n"));
}

TEST_F(Options, RefusalsNameFileLineKeyValueAndRange) {
  EXPECT_EQ(error_of("[net]\n\nblocks = 81"),
            "f.toml:3: net.blocks = 81: expected a whole number from 1 to 80");
  EXPECT_EQ(error_of("[net]\nblocks = 3.5"),
            "f.toml:2: net.blocks = 3.5: expected a whole number from 1 to 80");
  EXPECT_EQ(error_of("[net]\nshare = nan"),
            "f.toml:2: net.share = nan: expected a number from 0 to 1");
  EXPECT_EQ(error_of("[net]\nrate = 1"),
            "f.toml:2: net.rate = 1: expected a number from 0 to 0.99999");
  EXPECT_EQ(error_of("[net]\non = 1"), "f.toml:2: net.on = 1: expected true or false");
  EXPECT_EQ(error_of("[net]\nmode = \"alpha\""),
            "f.toml:2: net.mode = 'alpha': expected one of puct gumbel");
  EXPECT_EQ(error_of("[net]\nblokcs = 3"),
            "f.toml:2: unknown key net.blokcs (nearest: net.blocks)");
  EXPECT_EQ(error_of("[nett]\nblocks = 3"),
            "f.toml:2: unknown key nett.blocks (nearest: net.blocks)");
  EXPECT_THAT(error_of("blocks = 3"), HasSubstr("f.toml:1: key blocks stands outside a [section]"));
  EXPECT_THAT(error_of("[net]\nblocks = = 3"), HasSubstr("f.toml:2: "));
  EXPECT_THAT(error_of("[net]\nblocks = 3\nblocks = 4"), HasSubstr("f.toml:3: "));
}

TEST_F(Options, AssignmentsOfTheCommandLineAreCheckedLikewise) {
  set_option("net.blocks=12", options);
  set_option("net.mode=gumbel", options);
  set_option("net.note=a = b", options);
  EXPECT_EQ(sample.blocks, 12);
  EXPECT_EQ(sample.mode, "gumbel");
  EXPECT_EQ(sample.note, "a = b");
  const auto refusal = [&](const std::string& assignment) { set_option(assignment, options); };
  EXPECT_THAT([&] { refusal("net.blocks=0"); },
              ThrowsMessage<base::InputError>(
                  "--set net.blocks=0: net.blocks = 0: expected a whole number from 1 to 80"));
  EXPECT_THAT([&] { refusal("net.blocks"); },
              ThrowsMessage<base::InputError>(HasSubstr("expected section.key=value")));
  EXPECT_THAT([&] { refusal("net.blocks=3\nx=4"); },
              ThrowsMessage<base::InputError>(HasSubstr("expected one value")));
  EXPECT_THAT([&] { refusal("net.block=3"); },
              ThrowsMessage<base::InputError>(HasSubstr("nearest: net.blocks")));
}

}  // namespace
}  // namespace training
