#pragma once
// Bytes as they are kept: compressed, with their length and a checksum.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace base {

// No payload is longer: the header has no room for more.
inline constexpr std::size_t kMaxPayload = std::numeric_limits<std::uint32_t>::max();

// Throws InputError where the payload is longer than kMaxPayload.
std::vector<std::byte> pack(std::span<const std::byte> payload);
// Total: what pack() was given, or InputError saying what is wrong, or that it is longer than
// `most`. Nothing is allocated before its size was checked.
std::vector<std::byte> unpack(std::span<const std::byte> block, std::size_t most = kMaxPayload);

}  // namespace base
