// Files of the tree that are made from the tables of keys. With REPOSE_UPDATE=1 in the environment the test
// writes them.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "scene_text.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/scene/keys/tables.h"

namespace repose {
namespace {

void expect_file(const std::string& path, const std::string& text) {
  if (std::getenv("REPOSE_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream in(path, std::ios::binary);
  const std::string found{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(found == text) << path << " is not up to date: run this test with REPOSE_UPDATE=1";
}

/// Words for the fuzzer: names of tables and keys, and what keys may be.
std::string fuzz_dictionary() {
  std::set<std::string> words{"[",   "]",    "{ ",   " }",  " = ",     "inf",
                              "nan", "true", "\\\"", "'''", "default", "z-"};
  for (const auto& spec : scene_file::scene_tables()) {
    words.insert(fmt::format("[{}{}\\x0a", spec.name, spec.named ? ".a]" : "]"));
    std::vector<scene_file::DocumentedKey> keys;
    spec.document(keys);
    for (const auto& key : keys) {
      words.insert(std::string(key.info.name) + " = ");
      for (const auto& choice : key.info.choices) words.insert(fmt::format("\\\"{}\\\"", choice.name));
    }
  }
  for (const MaterialPreset& preset : material_presets())
    words.insert(fmt::format("\\\"{}\\\"", preset.name));
  std::string text = "# Made from the tables of keys by tests/unit/scene/reference_test.cpp.\n";
  for (const std::string& word : words) text += fmt::format("\"{}\"\n", word);
  return text;
}

TEST(SceneReference, PageIsUpToDate) {
  expect_file(REPOSE_SOURCE_DIR "/docs/scene-reference.md", scene_reference_markdown());
}

TEST(SceneReference, FuzzDictionaryIsUpToDate) {
  expect_file(REPOSE_SOURCE_DIR "/tests/fuzz/scene_fuzz.dict", fuzz_dictionary());
}

}  // namespace
}  // namespace repose
