#include "app/protocols/uci_go.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "base/errors.h"
#include "base/text.h"
#include "rules/error.h"
#include "rules/notation.h"

namespace app {
namespace {

// Reads the words one after the other; each keyword takes what belongs to it.
class GoReader {
 public:
  GoReader(const std::vector<std::string>& words, const rules::Position& position)
      : word_(words.begin() + 1), end_(words.end()), position_(position) {
    const bool white = position.side_to_move() == rules::Color::kWhite;
    const auto none = [](double) {};
    const auto left = [this](double ms) { mine_ms_ = ms; };
    const auto left_to_other = [this](double ms) { others_ms_ = ms; };
    const auto increment = [this](double ms) { clock_.increment_ms = ms; };
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // milliseconds
    // A chess program that says 0, or more than can be searched, waits for a move all the same.
    number("nodes", 0, kMost, [this](double n) {
      constexpr double kMostNodes = std::numeric_limits<std::int32_t>::max();
      limits_.nodes = static_cast<std::uint64_t>(std::clamp(n, 1.0, kMostNodes));
    });
    number("depth", 0, kMost,
           [this](double n) { limits_.depth = static_cast<int>(std::clamp(n, 1.0, 10000.0)); });
    number("movetime", 0, kLongest,
           [this](double ms) { limits_.move_time_ms = std::max(1.0, ms); });
    number(white ? "wtime" : "btime", -kLongest, kLongest, left);
    number(white ? "btime" : "wtime", -kLongest, kLongest, left_to_other);
    number(white ? "winc" : "binc", 0, kLongest, increment);
    number(white ? "binc" : "winc", 0, kLongest, none);
    number("movestogo", 0, 10000, [this](double n) { clock_.moves_to_go = static_cast<int>(n); });
    readers_["infinite"] = [this] { limits_.infinite = true; };
    readers_["ponder"] = [this] { limits_.ponder = true; };
    readers_["searchmoves"] = [this] { read_moves(); };
  }

  GoCommand read() {
    bool complete = true;
    while (word_ != end_) {
      const auto reader = readers_.find(*word_++);
      try {
        if (reader == readers_.end()) {
          throw base::InputError("go: unknown word " + rules::quoted(*(word_ - 1)));
        }
        reader->second();
      } catch (const base::InputError& error) {
        complete = false;
        leave_out(error.what());
      }
    }
    // Told the other's clock alone, it takes its own to be alike.
    if (const auto left = mine_ms_ ? mine_ms_ : others_ms_) {
      clock_.left_ms = std::max(1.0, *left);
      limits_.clock = clock_;
    }
    const bool ends = limits_.nodes > 0 || limits_.depth > 0 || limits_.move_time_ms ||
                      limits_.clock || limits_.infinite;
    if (!complete && !ends) limits_.nodes = 1;
    return {limits_, error_};
  }

 private:
  void number(const std::string& key, std::int64_t low, std::int64_t high,
              std::function<void(double)> set) {
    readers_[key] = [=, this] {
      if (word_ == end_ || readers_.contains(*word_)) {
        throw base::InputError("go " + key + ": expected a number");
      }
      const std::string& text = *word_++;
      const auto any = base::parse_number<double>(text);
      if (any && *any >= static_cast<double>(high)) return set(static_cast<double>(high));
      if (any && *any < static_cast<double>(low)) {
        set(static_cast<double>(low));
        if (low < 0) return;  // else it is told
      }
      set(static_cast<double>(base::whole_number("go " + key, text, low, high)));
    };
  }

  void read_moves() {
    std::string illegal;
    for (; word_ != end_ && !readers_.contains(*word_); ++word_) {
      try {
        limits_.search_moves.push_back(rules::parse_uci(position_, *word_));
      } catch (const rules::RulesError&) {
        illegal += " " + rules::quoted(*word_);
      }
    }
    if (!illegal.empty()) leave_out("go searchmoves: expected legal moves, not" + illegal);
  }

  void leave_out(const std::string& what) { error_ += (error_.empty() ? "" : "; ") + what; }

  std::vector<std::string>::const_iterator word_, end_;
  const rules::Position& position_;
  std::map<std::string, std::function<void()>> readers_;
  tactics::SearchLimits limits_;
  tactics::Clock clock_;
  std::optional<double> mine_ms_, others_ms_;  // left on the clocks
  std::string error_;
};

}  // namespace

GoCommand read_go(const std::vector<std::string>& words, const rules::Position& position) {
  return GoReader(words, position).read();
}

}  // namespace app
