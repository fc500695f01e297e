#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose::test {

/// Whether a call throws an Error whose text holds `text`: EXPECT_THROW alone would take any error for the
/// one that is meant.
template <class Call>
testing::AssertionResult refuses(Call&& call, std::string_view text) {
  try {
    call();
  } catch (const Error& error) {
    if (std::string_view(error.what()).find(text) != std::string_view::npos)
      return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "refused with \"" << error.what() << "\" instead of \"" << text << "\"";
  }
  return testing::AssertionFailure() << "not refused; \"" << text << "\" was due";
}

}  // namespace repose::test
