#include "repose/scene/probe_columns.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/scene/keys/key_info.h"

namespace repose {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 6> kFlow{"t", "rate", "mass", "count", "mass_in", "mass_out"};
constexpr std::array<Name, 8> kForce{"t", "fx", "fy", "fz", "tx", "ty", "tz", "peak"};
constexpr std::array<Name, 16> kRegion{"t",
                                       "count",
                                       "mass",
                                       "solid_fraction",
                                       "vx",
                                       "vy",
                                       "vz",
                                       "temperature",
                                       "coordination",
                                       "pressure",
                                       "sxx",
                                       "syy",
                                       "szz",
                                       "sxy",
                                       "syz",
                                       "szx"};
constexpr std::array<Name, 6> kPile{"t", "count", "angle", "height", "foot", "front"};
constexpr std::array<Name, 6> kSlope{"t", "count", "angle", "direction", "height", "roughness"};
constexpr std::array<Name, 14> kStats{"dt", "steps",   "particles", "mass",      "px",     "py",      "pz",
                                      "t",  "kinetic", "potential", "max_speed", "asleep", "escaped", "left"};

}  // namespace

std::span<const Name> probe_columns(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::flow:
      return kFlow;
    case ProbeKind::force:
      return kForce;
    case ProbeKind::region:
      return kRegion;
    case ProbeKind::pile:
      return kPile;
    case ProbeKind::slope:
      break;
  }
  return kSlope;
}

std::span<const Name> common_stat_columns() { return kStats; }

void require_stat_columns(const Scene& scene, std::span<const Name> error_measures) {
  std::vector<Name> known(kStats.begin(), kStats.end());
  known.insert(known.end(), error_measures.begin(), error_measures.end());
  std::string text;
  for (const CheckDefinition& check : scene.checks) {
    if (check.stat.empty() || std::find(known.begin(), known.end(), check.stat) != known.end()) continue;
    text += fmt::format("{}{}there is no column {} in stats.csv{}", text.empty() ? "" : "\n",
                        scene.where("check." + check.name + ".stat"), scene_file::in_quotes(check.stat),
                        scene_file::suggestion(check.stat, known));
  }
  if (!text.empty()) throw Error(ExitCode::bad_scene, text);
}

}  // namespace repose
