#include "repose/core/archive.h"

#include <cmath>
#include <limits>

#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

TEST(Archive, ReturnsWhatWasPut) {
  ArchiveWriter out;
  out.put("time", 0.125);
  out.put("name", std::string("sand"));
  out.put("ids", std::vector<int>{3, 1, 2});
  out.put("none", std::vector<double>{});
  ArchiveReader in(out.bytes());
  double time = 0;
  std::string name;
  std::vector<int> ids;
  std::vector<double> none{1};
  in.get("time", time);
  in.get("name", name);
  in.get("ids", ids);
  in.get("none", none);
  EXPECT_EQ(time, 0.125);
  EXPECT_EQ(name, "sand");
  EXPECT_EQ(ids, (std::vector<int>{3, 1, 2}));
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(in.at_end());
}

TEST(Archive, NamesTheEntryThatDoesNotFit) {
  ArchiveWriter out;
  out.put("time", 0.125);
  double time = 0;
  float narrow = 0;
  const auto read = [&](std::size_t size, const char* name, auto& value) {
    ArchiveReader in(out.bytes().first(size));
    in.get(name, value);
  };
  const std::size_t whole = out.bytes().size();
  EXPECT_TRUE(test::refuses([&] { read(whole, "mass", time); }, "'mass' was expected where another stands"));
  EXPECT_TRUE(test::refuses([&] { read(whole, "time", narrow); }, "'time' has another type"));
  EXPECT_TRUE(test::refuses([&] { read(whole - 1, "time", time); }, "'time' is cut short"));
  EXPECT_TRUE(test::refuses([&] { read(0, "time", time); }, "'time' is missing"));
}

TEST(Archive, RefusesNumbersThatNoStateHas) {
  EXPECT_NO_THROW(check_saved_numbers({0.0, -1e15, 1e15}));
  for (const double bad : {2e15, -std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_TRUE(test::refuses([&] { check_saved_numbers({0.0, bad}); }, "a number beyond 1e15")) << bad;
}

TEST(Archive, HashTellsStatesApart) {
  ArchiveWriter a, b, c;
  a.put("x", 1.0);
  b.put("x", 1.0);
  c.put("x", std::nextafter(1.0, 2.0));
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_NE(a.hash(), c.hash());
}

}  // namespace
}  // namespace repose
