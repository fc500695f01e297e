#include "repose/pipeline/run/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text.h"

namespace repose {
namespace {

// Measured with the examples on one core of the machine of solvers/run_cost.cpp.
constexpr double kProgramBytes = 50e6;         ///< of the command itself
constexpr double kPictureBytes = 24e6;         ///< of what draws, without any scene
constexpr double kBytesPerPixel = 120;         ///< of an image and its layers
constexpr double kDrawnElementBytes = 100;     ///< of a ball in a picture
constexpr double kSecondsPerSample = 0.28e-6;  ///< of one path, with its bounces
constexpr double kSurfaceSeconds = 4.5e-6;     ///< by particle, of a surface that is drawn
constexpr double kTileSeconds = 1;             ///< to pack a tile of one material
constexpr double kSettleSeconds = 0.4e-3;      ///< by element, to come to rest

// Of fine grains: with their files in the making, drawn with facets, and in a VDB file.
constexpr double kFineBytes = 64, kDrawnFineBytes = 112, kFineFileBytes = 16;
constexpr double kFineSeconds = 1e-7;  ///< by grain and step: 0.35e-7 in a bed, 2e-7 all along a lathe

double fine_grains(const Scene& scene, double guides) {
  return scene.refine.given ? guides * scene.refine.ratio : 0;
}

/// How much faster several threads are than one.
double speed_up(int threads) { return 1 + 0.75 * (threads - 1); }

double packing_seconds(const Scene& scene, const SolverPlan& plan) {
  if (scene.solver.type != SolverKind::dem) return 0;
  std::set<std::string> materials;
  double elements = 0;
  for (std::size_t f = 0; f < scene.fills.size() && f < plan.fills.size(); ++f) {
    if (!scene.fills[f].shape || scene.fills[f].packing != Packing::settled) continue;
    materials.insert(scene.fills[f].material);
    elements += plan.fills[f].particles * plan.elements / std::max(1.0, plan.particles());
  }
  return kTileSeconds * static_cast<double>(materials.size()) + kSettleSeconds * elements;
}

}  // namespace

RunEstimate estimate_run(const Scene& scene, const SolverPlan& plan, bool render, int threads, double speed) {
  const double pixels = static_cast<double>(scene.render.size[0]) * scene.render.size[1];
  RunEstimate out;
  out.memory_bytes = kProgramBytes + plan.memory_bytes;
  out.memory_bytes += kFineBytes * fine_grains(scene, plan.particles());
  if (render)
    out.memory_bytes += kPictureBytes + kBytesPerPixel * pixels + kDrawnElementBytes * plan.elements +
                        kDrawnFineBytes * fine_grains(scene, plan.particles());
  out.disk_bytes = estimated_disk_bytes(scene, plan, render);
  const double rate = speed * speed_up(threads);
  out.set_up_seconds = packing_seconds(scene, plan) / rate;
  out.step_seconds = plan.seconds / rate;
  const int written = scene.frame_count() / scene.output.every + 1;
  const auto images = static_cast<double>(written);
  if (render) out.picture_seconds = kSecondsPerSample * pixels * scene.render.samples * images / rate;
  if (scene.surface.given) out.picture_seconds += kSurfaceSeconds * plan.mean_elements * images / rate;
  const double steps = scene.info.duration / scene.refine.step;
  out.picture_seconds += kFineSeconds * steps * fine_grains(scene, plan.particles()) / rate;
  return out;
}

double estimated_disk_bytes(const Scene& scene, const SolverPlan& plan, bool render) {
  const double pixels = static_cast<double>(scene.render.size[0]) * scene.render.size[1];
  const int frames = scene.frame_count() / scene.output.every + 1;
  constexpr double kCsvToPly = 2.5, kImageBytesByPixel = 2, kFramesByCheckpoint = 3;  // rough
  constexpr double kVtpToPly = 1.15, kVdbToPly = 0.9;
  double frame_bytes = render ? kImageBytesByPixel * pixels : 0;
  for (const std::string& format : scene.output.formats)
    frame_bytes += plan.frame_bytes * (format == "csv"   ? kCsvToPly
                                       : format == "vtp" ? kVtpToPly
                                       : format == "vdb" ? kVdbToPly
                                                         : 1);
  const double fine = fine_grains(scene, plan.particles());
  for (const std::string& format : scene.output.fine_formats)
    frame_bytes += fine * (format == "vdb" ? kFineFileBytes : 1.75 * kFineFileBytes);
  // Two checkpoints, with 28 bytes a fine grain.
  return frames * frame_bytes + 2 * (kFramesByCheckpoint * plan.frame_bytes + 28 * fine);
}

std::optional<SceneWarning> memory_warning(const Scene& scene, double needed, double had) {
  if (!(needed > had)) return std::nullopt;
  return SceneWarning{"memory", scene.where("solver.spacing"),
                      fmt::format("the run takes about {} of memory, and this machine has {}: raise "
                                  "solver.spacing to {:.2g} m or more",
                                  format_bytes(needed), format_bytes(had),
                                  1.005 * scene.solver.spacing * std::cbrt(needed / had))};
}

void require_particles(const Scene& scene, double particles) {
  if (particles >= 1 || !scene.emitters.empty()) return;
  const std::string where = scene.fills.empty() ? scene.where("solver")
                                                : scene.where("fill." + scene.fills.front().name + ".shape");
  throw Error(
      ExitCode::bad_scene,
      where + (scene.fills.empty()
                   ? "there is nothing to simulate: the scene has no [fill.NAME] and no [emitter.NAME]"
                   : "there is nothing to simulate: no fill makes a particle. A fill needs room in the "
                     "domain, outside of bodies, for at least one of solver.spacing"));
}

}  // namespace repose
