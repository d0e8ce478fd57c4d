#pragma once
// The event files that TensorBoard reads: a TFRecord stream of protobuf messages, both written by
// hand. Formats: tensorflow/core/lib/io/record_writer.h and tensorflow/core/util/event.proto.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace training {

// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

// A record as TFRecord frames it: length, masked CRC of the length, data, masked CRC of the data.
std::string tfrecord(std::string_view data);

using Scalar = std::pair<std::string, double>;  // tag, value

// Serialized `Event` messages. `wall_time` in seconds since 1970.
std::string version_event(double wall_time);
// Tells TensorBoard to forget what earlier files say of steps from `step` on.
std::string restart_event(double wall_time, std::int64_t step);
std::string scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars);

}  // namespace training
