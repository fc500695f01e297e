#include "repose/core/archive.h"

#include <cmath>
#include <functional>

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
  for (const auto& read :
       std::vector<std::function<void(ArchiveReader&)>>{[&](ArchiveReader& in) { in.get("mass", time); },
                                                        [&](ArchiveReader& in) { in.get("time", narrow); }}) {
    ArchiveReader in(out.bytes());
    EXPECT_THROW(read(in), Error);
  }
  ArchiveReader cut(out.bytes().first(out.bytes().size() - 1));
  EXPECT_THROW(cut.get("time", time), Error);
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
