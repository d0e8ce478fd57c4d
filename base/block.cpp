#include "base/block.h"

#include <zstd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/hash.h"

namespace base {
namespace {

// What stands before the compressed bytes; numbers are little-endian.
struct Header {
  std::array<char, 4> magic;  // and version
  std::uint32_t length;       // of the payload
  std::uint64_t sum;          // FNV-1a of the length and the compressed bytes
};
static_assert(std::endian::native == std::endian::little);
constexpr std::array<char, 4> kMagic{'S', '#', 'G', 1};
constexpr std::size_t kHeaderBytes = 16;
static_assert(sizeof(Header) == kHeaderBytes);
constexpr int kCompressionLevel = 3;

std::string_view chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t checksum(std::uint32_t length, std::span<const std::byte> bytes) {
  return fnv1a(chars(bytes), fnv1a(chars(std::as_bytes(std::span(&length, 1)))));
}

void require_size(std::size_t size, std::size_t most) {
  if (size <= most) return;
  throw InputError("its length is " + std::to_string(size) + ", expected at most " +
                   std::to_string(most));
}

}  // namespace

std::vector<std::byte> pack(std::span<const std::byte> payload) {
  require_size(payload.size(), kMaxPayload);
  std::vector<std::byte> block(kHeaderBytes + ZSTD_compressBound(payload.size()));
  const std::size_t size = ZSTD_compress(block.data() + kHeaderBytes, block.size() - kHeaderBytes,
                                         payload.data(), payload.size(), kCompressionLevel);
  block.resize(kHeaderBytes + size);
  const auto length = static_cast<std::uint32_t>(payload.size());
  const Header header{kMagic, length, checksum(length, std::span(block).subspan(kHeaderBytes))};
  std::memcpy(block.data(), &header, kHeaderBytes);
  return block;
}

std::vector<std::byte> unpack(std::span<const std::byte> block, std::size_t most) {
  if (block.size() < kHeaderBytes) throw InputError("the block is shorter than its header");
  Header header;
  std::memcpy(&header, block.data(), kHeaderBytes);
  if (header.magic != kMagic) {
    throw InputError("not a block of version " + std::to_string(kMagic[3]));
  }
  const std::uint32_t length = header.length;
  const auto compressed = block.subspan(kHeaderBytes);
  if (header.sum != checksum(length, compressed)) throw InputError("its checksum does not fit");
  require_size(length, most);
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != length) {
    throw InputError("it does not decompress to its length");
  }
  std::vector<std::byte> payload(length);
  const std::size_t size =
      ZSTD_decompress(payload.data(), length, compressed.data(), compressed.size());
  if (ZSTD_isError(size) != 0 || size != length) throw InputError("it does not decompress");
  return payload;
}

}  // namespace base
