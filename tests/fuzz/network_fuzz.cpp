// Any bytes as a network's file: refused, or weights as many as its header says.
#include "nn/checkpoint.h"
#include "tests/fuzz/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::file_of(data, size);
  try {
    const nn::NetworkFile network = nn::load_network(path);
    for (const auto& [name, array] : network.weights) {
      std::int64_t count = 1;
      for (const std::int64_t dimension : array.shape) count *= dimension;
      fuzz::check(count == static_cast<std::int64_t>(array.values.size()), "shape and size agree");
      fuzz::check(array.values.size() * sizeof(float) <= size, "no array is larger than the file");
    }
  } catch (const nn::CheckpointError&) {
  }
  return 0;
}
