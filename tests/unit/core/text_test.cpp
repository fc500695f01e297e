#include "repose/core/text.h"

#include <array>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Text, NearestWordFindsLikelySlips) {
  constexpr std::array<std::string_view, 4> known{"friction", "restitution", "density", "young"};
  EXPECT_EQ(nearest_word("frction", known), "friction");
  EXPECT_EQ(nearest_word("densiyt", known), "density");
  EXPECT_EQ(nearest_word("viscosity", known), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'x'), known), "");
}

TEST(Text, ControlCharactersAreShown) {
  EXPECT_EQ(printable_text("plain, \ttab\nand line"), "plain, \ttab\nand line");
  EXPECT_EQ(printable_text("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(printable_text(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable_text("Gr\xc3\xbc\xc3\x9f"
                           "e \xe2\x82\xac \xf0\x9f\x8f\x94"),
            "Gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x8f\x94");
  EXPECT_EQ(printable_text("\xc2\x9b"
                           "31m\xc2\xa0"),
            "\\xc2\\x9b31m\xc2\xa0")
      << "a control sequence of one character";
  EXPECT_EQ(printable_text("\x9b"
                           "31m \xc3"),
            "\\x9b31m \\xc3")
      << "no UTF-8";
}

TEST(Text, QuantitiesReadWell) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(3.25 * 1024 * 1024), "3.2 MiB");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(27427), "27,427");
  EXPECT_EQ(format_count(2.5e6), "2.50 M");
  EXPECT_EQ(format_seconds(0.25), "250 ms");
  EXPECT_EQ(format_seconds(12.34), "12.3 s");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(7830), "2 h 11 min");
  EXPECT_EQ(format_seconds(3 * 86400.0), "3 days");
  EXPECT_EQ(format_seconds(1e9), "32 years");
  EXPECT_EQ(format_seconds(1e15), "3.2e+07 years");
  EXPECT_EQ(format_bytes(3.25 * 1152921504606846976.0), "3.2 EiB");
  EXPECT_EQ(format_bytes(1e30), "8.67e+11 EiB");
  EXPECT_EQ(format_count(1e27), "1e+27");
}

}  // namespace
}  // namespace repose
