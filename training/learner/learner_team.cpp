#include "training/learner/learner_team.h"

#include "base/errors.h"

#ifdef SHARPZERO_GLOO
#define USE_C10D_GLOO
#include <torch/torch.h>

#include <chrono>
#include <cstring>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>
#endif

namespace training {

#ifdef SHARPZERO_GLOO
namespace {

// A link that is cut without a word is noticed after this time, a learner that dies at once.
constexpr std::chrono::hours kLongestCall(24);

// Runs f and waits for the work that it starts.
template <class F>
void finish(F f) {
  try {
    f()->wait();
  } catch (const std::exception& error) {
    throw base::EnvironmentError("another learner has gone: " + base::first_line(error.what()));
  }
}

class GlooTeam final : public Team {
 public:
  GlooTeam(const TeamPlace& place, std::chrono::milliseconds patience)
      : rank_(place.rank), size_(place.size) {
    try {
      c10d::TCPStoreOptions options;
      options.port = static_cast<std::uint16_t>(place.port);
      options.isServer = rank_ == 0;
      options.numWorkers = static_cast<std::size_t>(size_);
      options.timeout = patience;
      store_ = c10::make_intrusive<c10d::TCPStore>(place.address, options);
      auto how = c10d::ProcessGroupGloo::Options::create(kLongestCall);
      const char* const interface = std::getenv("GLOO_SOCKET_IFNAME");
      how->devices.push_back(interface ? c10d::ProcessGroupGloo::createDeviceForInterface(interface)
                                       : c10d::ProcessGroupGloo::createDefaultDevice());
      group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, rank_, size_, how);
    } catch (const std::exception& error) {
      throw base::EnvironmentError("the learners do not meet at " + place.address + ":" +
                                   std::to_string(place.port) + ": " +
                                   base::first_line(error.what()));
    }
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(std::span<float> values) override {
    std::vector<torch::Tensor> tensors{
        torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())})};
    finish([&] { return group_->allreduce(tensors); });
  }

  std::string share(const std::string& bytes) override {
    std::vector<torch::Tensor> length{
        torch::full({1}, static_cast<std::int64_t>(bytes.size()), torch::kInt64)};
    finish([&] { return group_->broadcast(length); });
    std::string shared = bytes;
    shared.resize(static_cast<std::size_t>(length[0].item<std::int64_t>()));
    std::vector<torch::Tensor> content{
        torch::from_blob(shared.data(), {static_cast<std::int64_t>(shared.size())}, torch::kUInt8)};
    if (!shared.empty()) finish([&] { return group_->broadcast(content); });
    return shared;
  }

  void require_equal(std::uint64_t checksum) override {
    std::vector<torch::Tensor> own{
        torch::full({1}, static_cast<std::int64_t>(checksum), torch::kInt64)};
    std::vector<std::vector<torch::Tensor>> all(1);
    for (int i = 0; i < size_; ++i) all[0].push_back(torch::zeros({1}, torch::kInt64));
    finish([&] { return group_->allgather(all, own); });
    for (int i = 0; i < size_; ++i) {
      if (all[0][static_cast<std::size_t>(i)].item<std::int64_t>() == own[0].item<std::int64_t>())
        continue;
      throw base::EnvironmentError("the weights of learners " + std::to_string(rank_) + " and " +
                                   std::to_string(i) + " differ");
    }
  }

 private:
  int rank_, size_;
  c10::intrusive_ptr<c10d::TCPStore> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<Team> meet(const TeamPlace& place, std::chrono::milliseconds patience) {
  return std::make_unique<GlooTeam>(place, patience);
}

#else

std::unique_ptr<Team> meet(const TeamPlace&, std::chrono::milliseconds) {
  throw base::InputError(
      "WORLD_SIZE: this program was built without gloo, so that it learns alone; it needs "
      "Debian's LibTorch and libgloo-dev");
}

#endif

}  // namespace training
