#include "repose/io/particles/grains.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

namespace repose {

using Json = nlohmann::ordered_json;

namespace {

/// Spheres lie about the centre of mass in units of the bounding radius: a little more than 2 is as far as
/// any of them can be.
bool is_part(const ShapeSphere& sphere) {
  constexpr double farthest = 2.5;
  return sphere.center.length() <= farthest && sphere.radius > 0 && sphere.radius <= farthest;
}

}  // namespace

void write_grains(const std::filesystem::path& path, std::span<const GrainShape> shapes) {
  Json grains = Json::array();
  for (const GrainShape& shape : shapes) {
    Json spheres = Json::array();
    for (const ShapeSphere& s : shape.spheres)
      spheres.push_back({s.center.x, s.center.y, s.center.z, s.radius});
    grains.push_back({{"name", shape.name}, {"spheres", std::move(spheres)}});
  }
  write_file(path, Json{{"schema", 1}, {"grains", std::move(grains)}}.dump(1, ' ', false,
                                                                           Json::error_handler_t::replace) +
                       "\n");
}

std::vector<GrainShape> read_grains(const std::filesystem::path& path) {
  std::vector<GrainShape> shapes;
  try {
    const Json json = Json::parse(read_text(path));
    for (const Json& grain : json.at("grains")) {
      GrainShape shape{grain.at("name").get<std::string>(), {}};
      for (const Json& s : grain.at("spheres")) {
        shape.spheres.push_back(
            {{s.at(0).get<double>(), s.at(1).get<double>(), s.at(2).get<double>()}, s.at(3).get<double>()});
        if (!is_part(shape.spheres.back()))
          throw Error(ExitCode::run_failed,
                      fmt::format("{}: is damaged: sphere {} of grain '{}' is not within 2.5 bounding radii",
                                  path.string(), shape.spheres.size() - 1, shape.name));
      }
      if (shape.spheres.empty())
        throw Error(ExitCode::run_failed,
                    fmt::format("{}: is damaged: grain '{}' has no spheres", path.string(), shape.name));
      shapes.push_back(std::move(shape));
    }
  } catch (const Json::exception& error) {
    throw Error(ExitCode::run_failed, fmt::format("{}: is damaged: {}", path.string(), error.what()));
  }
  return shapes;
}

}  // namespace repose
