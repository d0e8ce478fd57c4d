#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "base/errors.h"
#include "nn/device_use.h"
#include "nn/forward_pass.h"

namespace nn {
namespace {

// What all inferences on one device know of its faults.
struct DeviceState {
  std::atomic<int> most_rows = std::numeric_limits<int>::max();  // of a batch
  std::atomic<unsigned> failures = 0;
};

DeviceState& state_of(const std::string& device) {
  static std::mutex mutex;
  static std::map<std::string, DeviceState> states;
  const std::lock_guard lock(mutex);
  return states[device];
}

void copy_rows(const Batch& from, int first, int count, Batch& to) {
  const auto row = static_cast<std::size_t>(first), end = row + static_cast<std::size_t>(count);
  const std::uint32_t begin = from.policy_begin[row];
  to.clear();
  to.positions.assign(from.positions.begin() + first, from.positions.begin() + first + count);
  to.policy_indices.assign(from.policy_indices.begin() + begin,
                           from.policy_indices.begin() + from.policy_begin[end]);
  for (std::size_t i = row + 1; i <= end; ++i) {
    to.policy_begin.push_back(from.policy_begin[i] - begin);
  }
}

void copy_rows(const Outputs& from, const Batch& batch, int first, Outputs& to) {
  const auto logit = batch.policy_begin[static_cast<std::size_t>(first)];
  std::ranges::copy(from.policy_logits, to.policy_logits.begin() + logit);
  std::ranges::copy(from.outcomes, to.outcomes.begin() + first);
  std::ranges::copy(from.moves_left, to.moves_left.begin() + first);
}

class CarefulForwardPass final : public ForwardPass {
 public:
  CarefulForwardPass(std::unique_ptr<ForwardPass> inner, std::string device, int max_batch)
      : inner_(std::move(inner)),
        device_(std::move(device)),
        max_batch_(max_batch),
        state_(state_of(device_)) {}

  bool is_on_device() const override { return inner_->is_on_device(); }
  void start(const Batch& batch, std::size_t flight) override { start_part(batch, flight, 0); }
  void finish(const Batch& batch, std::size_t flight, Outputs& outputs) override {
    Flight& own = flights_[flight];
    if (own.count == batch.size()) return finish_sent(batch, flight, outputs);
    while (true) {
      own.outputs.fit(own.part);
      finish_sent(own.part, flight, own.outputs);
      copy_rows(own.outputs, batch, own.first, outputs);
      if (own.first + own.count == batch.size()) return;
      start_part(batch, flight, own.first + own.count);
    }
  }

 private:
  // What was sent of a batch: rows [first, first + count).
  struct Flight {
    int first = 0, count = 0;
    std::string failure;  // why it could not be started; empty: it was
    Batch part;           // of a batch that is sent in parts
    Outputs outputs;
  };

  // Starts as many rows from `first` on as the device has memory for.
  void start_part(const Batch& batch, std::size_t flight, int first) {
    Flight& own = flights_[flight];
    own.first = first;
    own.failure.clear();
    while (true) {
      own.count = std::min(batch.size() - first, state_.most_rows.load());
      if (own.count < batch.size()) copy_rows(batch, first, own.count, own.part);
      try {
        inner_->start(own.count < batch.size() ? own.part : batch, flight);
        return;
      } catch (const DeviceMemoryError& error) {
        send_less(own.count, error.what());
      } catch (const DeviceHungError&) {
        throw;
      } catch (const std::exception& error) {
        own.failure = error.what();
        return;
      }
    }
  }

  // Halves the rows of batches on the device, unless another thread has.
  void send_less(int rows, const std::string& why) {
    const int less = padded_rows(rows, max_batch_) / 2;
    if (less == 0 || padded_rows(less, max_batch_) == padded_rows(rows, max_batch_)) {
      throw base::EnvironmentError("device " + device_ + ": no memory for a batch of " +
                                   std::to_string(rows) +
                                   " positions; fewer selfplay.games, or a smaller network");
    }
    int most = state_.most_rows;
    if (most <= less || !state_.most_rows.compare_exchange_strong(most, less)) return;
    spdlog::warn("{}: batches of {} positions from now on, instead of {}", base::one_line(why),
                 less, rows);
  }

  // Waits for what was sent; a failure is tried once more.
  void finish_sent(const Batch& sent, std::size_t flight, Outputs& outputs) {
    std::string failure = flights_[flight].failure;
    if (failure.empty()) {
      try {
        inner_->finish(sent, flight, outputs);
        return;
      } catch (const DeviceHungError&) {
        throw;
      } catch (const std::exception& error) {
        failure = error.what();
      }
    }
    failure = base::one_line(base::first_line(failure));
    if (const unsigned failures = ++state_.failures; std::has_single_bit(failures)) {
      spdlog::warn("device {}: a batch failed, which is tried again ({} until now): {}", device_,
                   failures, failure);
    }
    try {
      inner_->start(sent, flight);
      inner_->finish(sent, flight, outputs);
    } catch (const DeviceHungError&) {
      throw;
    } catch (const std::exception&) {
      throw base::EnvironmentError("device " + device_ + ": a batch failed twice: " + failure);
    }
  }

  std::unique_ptr<ForwardPass> inner_;
  const std::string device_;
  const int max_batch_;
  DeviceState& state_;
  std::array<Flight, kFlights> flights_;
};

}  // namespace

std::unique_ptr<ForwardPass> careful_forward_pass(std::unique_ptr<ForwardPass> inner,
                                                  const std::string& device, int max_batch) {
  return std::make_unique<CarefulForwardPass>(std::move(inner), device, max_batch);
}

}  // namespace nn
