#pragma once
// A measured number as it goes into the record of a test (--gtest_output=json:FILE).

#include <cstdio>
#include <string>

namespace repose::test {

/// Four digits that count, however small the number is: an energy of 1e-15 is not 0.
inline std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace repose::test
