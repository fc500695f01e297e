// What must not reach the TOML parser, and syntax errors, which stand alone.

#include "repose/scene/text/screen.h"

#include "scene_text.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace repose {
namespace {

using scene_file::screen_text;

bool is_refused(std::string_view text) { return screen_text(text).problem.has_value(); }

TEST(SceneSyntax, ErrorStandsAlone) {
  EXPECT_EQ(errors_of("[scene]\nfps = 0\nduration = \n"),
            "s.toml:8:12: Error while parsing key-value pair: expected value, saw '\\n'");
  EXPECT_EQ(errors_of("[scene]\nfps = 1\nfps = 2\n").substr(0, 12), "s.toml:8:7: ");
  EXPECT_EQ(errors_of("[scene").substr(0, 12), "s.toml:6:7: ");
}

TEST(SceneScreen, RefusesBrokenUtf8) {
  EXPECT_EQ(errors_of("[scene]\ntitle = \"\xFF\"\n"), "s.toml:7:10: the text is not valid UTF-8");
  EXPECT_EQ(errors_of("# \xC3\n"), "s.toml:6:3: the text is not valid UTF-8");
  for (const char* broken :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x9F\x98"}) {
    EXPECT_TRUE(is_refused(std::string("# ") + broken)) << broken;
    EXPECT_TRUE(is_refused(std::string("a = '") + broken + "'")) << broken;
    EXPECT_TRUE(is_refused(broken)) << broken;
  }
}

TEST(SceneScreen, RefusesOtherScriptsOutsideText) {
  EXPECT_EQ(errors_of("[scene]\nd\xC3\xA9j\xC3\xA0 = 1\n"),
            "s.toml:7:2: a character outside ASCII may stand in text and comments only");
  EXPECT_TRUE(is_refused("\xD2\x88 = 1"));
  EXPECT_TRUE(is_refused("a = '''x''' \xC3\xA9"));
  EXPECT_TRUE(is_refused("a = \"\\\\\" \xC3\xA9"));
  EXPECT_TRUE(is_refused("a = '\\' \xC3\xA9"));
  EXPECT_TRUE(is_refused("# c\n\xC3\xA9"));
  EXPECT_TRUE(is_refused("a = \"\"\"x\"\"\"\" \xC3\xA9"));
  EXPECT_TRUE(is_refused("a = \"x\n\xC3\xA9"));
}

TEST(SceneScreen, TakesOtherScriptsInTextAndComments) {
  EXPECT_EQ(parse_with_needs("[scene]\ntitle = \"d\xC3\xA9j\xC3\xA0 vu\" # na\xC3\xAFve\n").info.title,
            "d\xC3\xA9j\xC3\xA0 vu");
  for (const char* good : {"a = '\xC3\xA9'", "a = \"\\\"\xC3\xA9\"", "a = '''\n\xC3\xA9''\n'''",
                           "a = \"\"\"\"\xC3\xA9\"\"\"\"", "a = \"\"\"\xC3\xA9\"\"\"\"\" # \xE2\x82\xAC",
                           "\xEF\xBB\xBF# a byte order mark", "# \xF0\x9F\x98\x80"})
    EXPECT_FALSE(is_refused(good)) << good;
}

TEST(SceneScreen, HandsOnAsciiOnly) {
  const auto ascii = [](std::string_view text) { return screen_text(text).ascii; };
  EXPECT_EQ(ascii("a = \"\xC3\xA9\xF0\x9F\x98\x80\" # \xC3\xA9"), "a = \"\\u00E9\\U0001F600\" # ?");
  EXPECT_EQ(ascii("a = '\\\xE2\x82\xAC\"'"), "a = \"\\\\\\u20AC\\\"\"");
  EXPECT_EQ(ascii("a = '''\n'\xC3\xA9''''"), "a = \"\"\"\n'\\u00E9'\"\"\"");
  EXPECT_EQ(ascii("a = '\\plain\"'"), "a = '\\plain\"'");
  EXPECT_EQ(ascii("\xEF\xBB\xBF"
                  "a = 1"),
            "a = 1");
  EXPECT_TRUE(is_refused("a = \"\\\xC3\xA9\""));
}

TEST(SceneScreen, TextComesBackAsItWas) {
  const auto title = [](std::string_view toml) {
    return parse_with_needs("[scene]\ntitle = " + std::string(toml) + "\n").info.title;
  };
  EXPECT_EQ(title("'\\d\xC3\xA9\"j\xC3\xA0'"), "\\d\xC3\xA9\"j\xC3\xA0");
  EXPECT_EQ(title("'''\n\xF0\x9F\x98\x80''\n\"''''"), "\xF0\x9F\x98\x80''\n\"'");
  EXPECT_EQ(title("\"\"\"\\\n  \xC3\xA9\"\"\""), "\xC3\xA9");
}

TEST(SceneScreen, PlacesAreThoseOfTheOriginal) {
  EXPECT_EQ(
      errors_of("[render]\ncamera = { \"\xC3\xA9\" = \"\xE2\x82\xAC\xE2\x82\xAC\", fov = 0 }\nsamples = 0\n"),
      "s.toml:7:12: unknown key '\xC3\xA9' in [render.camera]\n"
      "s.toml:7:30: 'fov' must be a number from 1 to 170 [deg], not 0\n"
      "s.toml:8:11: 'samples' must be a whole number from 1 to 65536, not 0");
  EXPECT_EQ(errors_of("[scene]\ntitle = '\xC3\xA9' x\n").substr(0, 13), "s.toml:7:13: ");
}

TEST(SceneScreen, BoundsKeysAndNesting) {
  const auto repeat = [](const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  EXPECT_EQ(errors_of(fmt::format("[{}a]", repeat("a.", 200000))),
            "s.toml:6:33: a key of more than 16 parts");
  EXPECT_TRUE(is_refused(repeat("\"a\" . ", 17) + "a = 1"));
  EXPECT_TRUE(is_refused("x = { " + repeat("a.", 17) + "a = 1 }"));
  EXPECT_EQ(errors_of("x = " + repeat("[", 100000)), "s.toml:6:37: brackets are nested more than 32 deep");
  EXPECT_TRUE(is_refused("x = " + repeat("{ a = ", 33)));
  EXPECT_FALSE(is_refused("x = [" + repeat("[0.1, 0.2, 0.3], ", 1000) + "]"));
  EXPECT_FALSE(is_refused("x = \"" + repeat(".", 100) + repeat("[", 100) + "\""));
  EXPECT_FALSE(is_refused("# " + repeat(".", 100)));
}

TEST(SceneScreen, BoundsTheSize) {
  const std::string text((9U << 20U), ' ');
  EXPECT_EQ(
      errors_of_text(text),
      "s.toml:1:1: the scene is longer than 8 MiB, the most that is read (keep long lists of points in a "
      "file of their own)");
}

}  // namespace
}  // namespace repose
