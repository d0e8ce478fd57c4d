#include "training/page/event_file.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace training {
namespace {

TEST(EventFile, CrcMatchesTheVectorsOfRfc3720) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(crc32c(rising), 0x46dd794eU);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
}

TEST(EventFile, RecordFramesLengthAndData) {
  // The bytes that TensorFlow's own writer makes of "abc".
  const std::string record = tfrecord("abc");
  ASSERT_EQ(record.size(), 8U + 4 + 3 + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\x03\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(record.substr(12, 3), "abc");
}

TEST(EventFile, ScalarEventIsTheProtobufOfItsFields) {
  const std::array<Scalar, 1> scalars{{{"loss", 0.5}}};
  const std::string expected(
      "\x09\0\0\0\0\0\0\xf8\x3f"  // wall_time = 1.5
      "\x10\xac\x02"              // step = 300
      "\x2a\x0d\x0a\x0b"          // summary of 13 bytes: a value of 11
      "\x0a\x04loss\x15\0\0\0\x3f",
      27);  // tag, simple_value = 0.5
  EXPECT_EQ(scalars_event(1.5, 300, scalars), expected);
}

}  // namespace
}  // namespace training
