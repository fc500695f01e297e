// A scene built in code: grains fall into a box. Steps it, reads the positions, and says how high they lie.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

#include <repose/core/error.h>
#include <repose/core/version.h>
#include <repose/solvers/solver.h>

namespace {

repose::Scene make_scene() {
  repose::Scene scene;
  scene.info.seed = 4;
  scene.solver.spacing = 0.02;  // diameter of a grain [m]

  scene.domain.min = {-0.1, -0.1, 0};  // [m]
  scene.domain.max = {0.1, 0.1, 0.4};
  scene.domain.faces.fill(repose::FaceKind::wall);

  repose::Material sand;
  sand.name = "sand";
  sand.friction = 0.5;
  sand.young = 2e6;  // soft grains: quick [Pa]
  scene.materials.push_back(sand);

  repose::Fill block;
  block.name = "block";
  block.material = "sand";
  block.packing = repose::Packing::jittered;  // loose: they are to fall
  block.shape.emplace();                      // a box is the default kind
  block.shape->size = {0.18, 0.18, 0.2};
  block.shape->pose.position = {0, 0, 0.2};
  scene.fills.push_back(block);
  return scene;
}

double mean_height(const repose::Frame& frame) {
  double sum = 0;
  for (const repose::Vec3d& p : frame.position) sum += p.z;
  return sum / static_cast<double>(std::max<std::size_t>(1, frame.particle_count()));
}

}  // namespace

int main() {
  try {
    const repose::Scene scene = make_scene();
    repose::Threads threads;  // all cores; the result does not depend on their number
    const auto solver = repose::make_solver(scene, threads, [](repose::LogLevel, std::string_view text) {
      std::printf("note: %.*s\n", static_cast<int>(text.size()), text.data());
    });

    repose::Frame frame;
    for (int tenth = 0; tenth <= 5; ++tenth) {
      const double until = 0.1 * tenth;  // [s]
      while (until - solver->time() > 1e-9) {
        const repose::StepReport report = solver->step(until - solver->time());
        if (!report.failure.empty()) {
          std::fprintf(stderr, "%s\n", report.failure.c_str());
          return 1;
        }
      }
      solver->fill_frame(frame);
      std::printf("t = %.1f s  %zu grains  mean height %.4f m\n", until, frame.particle_count(),
                  mean_height(frame));
    }
    std::printf("Repose %s\n", std::string(repose::kVersion).c_str());
  } catch (const repose::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
