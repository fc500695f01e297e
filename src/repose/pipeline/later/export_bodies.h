#pragma once
// The bodies of a run for other programs, beside its exported particles:
//
//     bodies/NAME.obj       the mesh of each body in its own coordinates, once; copies share it
//     bodies.csv            where each stands and how it moves, one row a frame and body
//     bodies.NNNN.vtp, bodies.pvd    with format "vtp": the meshes where they stand

#include <filesystem>
#include <string>
#include <vector>

#include "repose/geometry/triangle_mesh.h"
#include "repose/io/particles/vtp.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// "NAME.obj" without what file systems or other programs stumble over.
std::string body_file_name(const std::string& body);

class BodyExport {
 public:
  /// Writes the meshes.
  BodyExport(const Scene& scene, std::filesystem::path folder, std::string format, bool y_up);
  /// A frame, turned already where y is up.
  void add(const Frame& frame);
  /// Writes bodies.csv and the list of frames.
  void finish() const;

 private:
  struct Part {
    std::string name;
    std::size_t mesh;  ///< which of meshes_
  };

  std::filesystem::path folder_;
  std::string format_;
  std::vector<TriangleMesh> meshes_;
  std::vector<Part> parts_;
  std::string rows_;
  std::vector<PvdEntry> sequence_;
};

}  // namespace repose
