#include "repose/io/meshes/obj.h"

#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "repose/io/atomic_file.h"

namespace repose {
namespace {

/// A name ends at a blank in OBJ files, and at control characters in all others.
std::string one_word(std::string_view name) {
  std::string word(name);
  for (char& c : word)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') c = '_';
  return word;
}

}  // namespace

void write_obj(const std::filesystem::path& path, std::string_view name, const TriangleMesh& mesh) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} {}\no {}\n", kObjMark, one_word(name), one_word(name));
  for (const Vec3f& p : mesh.positions) fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
  for (const Vec3f& n : mesh.normals) fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
  for (const std::array<std::uint32_t, 3>& t : mesh.triangles) {
    if (mesh.normals.empty())
      fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    else
      fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  write_file(path, std::string_view(text.data(), text.size()));
}

}  // namespace repose
