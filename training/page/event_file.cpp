#include "training/page/event_file.h"

#include <array>
#include <bit>

namespace training {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
    table[i] = crc;
  }
  return table;
}

template <class Value>
void append_little_endian(std::string& out, Value value) {
  static_assert(std::endian::native == std::endian::little);
  out.append(reinterpret_cast<const char*>(&value), sizeof(Value));
}

std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8U;
}

// Protobuf's wire format: a field is its number and wire type, then its value.
enum WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void append_key(std::string& out, int field, WireType type) {
  append_varint(out, static_cast<std::uint64_t>(field << 3 | type));
}

void append_bytes(std::string& out, int field, std::string_view bytes) {
  append_key(out, field, kBytes);
  append_varint(out, bytes.size());
  out += bytes;
}

// message Event { double wall_time = 1; int64 step = 2; oneof what { string file_version = 3;
// Summary summary = 5; SessionLog session_log = 7; } }
std::string event(double wall_time, std::int64_t step, int field, std::string_view content) {
  std::string out;
  append_key(out, 1, kFixed64);
  append_little_endian(out, wall_time);
  append_key(out, 2, kVarint);
  append_varint(out, static_cast<std::uint64_t>(step));
  append_bytes(out, field, content);
  return out;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = make_crc_table();
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return ~crc;
}

std::string tfrecord(std::string_view data) {
  std::string out;
  append_little_endian(out, static_cast<std::uint64_t>(data.size()));
  append_little_endian(out, masked_crc(out));
  out += data;
  append_little_endian(out, masked_crc(data));
  return out;
}

std::string version_event(double wall_time) { return event(wall_time, 0, 3, "brain.Event:2"); }

std::string restart_event(double wall_time, std::int64_t step) {
  std::string session_log;  // message SessionLog { SessionStatus status = 1; }, START = 1
  append_key(session_log, 1, kVarint);
  append_varint(session_log, 1);
  return event(wall_time, step, 7, session_log);
}

std::string scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars) {
  std::string summary;  // message Summary { repeated Value value = 1; }
  for (const auto& [tag, value] : scalars) {
    std::string entry;  // message Value { string tag = 1; float simple_value = 2; }
    append_bytes(entry, 1, tag);
    append_key(entry, 2, kFixed32);
    append_little_endian(entry, static_cast<float>(value));
    append_bytes(summary, 1, entry);
  }
  return event(wall_time, step, 5, summary);
}

}  // namespace training
