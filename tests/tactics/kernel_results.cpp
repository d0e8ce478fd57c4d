// Prints hashes of what the NNUE's kernels compute of arbitrary inputs, to be compared with another
// processor's: scripts/arm.sh.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tactics/nnue_kernels.h"

namespace {

using namespace tactics;

std::uint64_t hash = 0, state = 1;

std::uint32_t draw() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::uint32_t>(state >> 33);
}
// From -1 to 1.
float fraction() { return static_cast<float>(static_cast<int>(draw() % 2001) - 1000) / 1000; }

template <class Numbers>
void print(const char* name, const Numbers& numbers) {
  for (const auto number : numbers) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof number);
    hash = (hash ^ bits) * 1099511628211u;
  }
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

}  // namespace

int main() {
  constexpr std::size_t kFeatures = 16, kInputs = 2 * kNnueSums;
  alignas(64) static std::array<std::int16_t, kNnueSums * kFeatures> rows;
  alignas(64) static std::array<std::int8_t, kInputs * kNnueHidden> first;
  alignas(64) static std::array<float, kNnueHidden> first_scale, second_bias;
  alignas(64) static std::array<float, kNnueHidden * kNnueHidden> second;
  alignas(64) static std::array<float, kNnueHidden * kNnueOutputs> out;
  alignas(64) static std::array<float, kNnueOutputs> out_bias;
  alignas(64) static std::array<float, kNnueTable * kNnueHidden> table;
  for (auto& x : rows) x = static_cast<std::int16_t>(static_cast<int>(draw() % 301) - 150);
  for (auto& x : first) x = static_cast<std::int8_t>(static_cast<int>(draw() % 255) - 127);
  for (auto& x : first_scale) x = fraction() / 3000;
  for (auto& x : second_bias) x = fraction();
  for (auto& x : second) x = fraction();
  for (auto& x : out) x = 4 * fraction();
  for (auto& x : out_bias) x = fraction();
  for (auto& x : table) x = fraction();
  const NnueLayers layers{first.data(),       first_scale.data(), second.data(),
                          second_bias.data(), out.data(),         out_bias.data()};
  const NnueKernels& kernels = baseline::kNnueKernels;
  for (int round = 0; round < 200; ++round) {
    alignas(64) std::array<std::int16_t, kNnueSums> from, mover, other;
    for (auto& x : from) x = static_cast<std::int16_t>(static_cast<int>(draw() % 401) - 200);
    const std::array<std::uint16_t, 3> come{1, 7, 15}, go{2, 9, 11};
    kernels.change_sums(from.data(), come.data(), come.size(), go.data(), 2, rows.data(),
                        mover.data());
    kernels.change_sums(mover.data(), go.data(), go.size(), come.data(), 1, rows.data(),
                        other.data());
    std::array<float, kNnueTable> told;
    for (auto& x : told) x = fraction();
    alignas(64) std::array<float, kNnueHidden> bias{};
    kernels.add_table(told.data(), table.data(), bias.data());
    std::array<float, kNnueOutputs - 1> shares;
    kernels.outcomes(mover.data(), other.data(), bias.data(), layers, shares.data());
    print("sums", mover);
    print("bias", bias);
    print("outcomes", shares);
  }
  return 0;
}
