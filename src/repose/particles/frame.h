#pragma once
// A frame: what a solver hands on, and all that refine, surface, render and io ever see of it. Plain data:
// particle channels with one row a particle, rows sorted by id, and the bodies as they stand. Frame 0 is the
// initial state.

#include <cstdint>
#include <string>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

/// A channel of one number a particle that only some solvers have: "density", "pressure", "wetness",
/// "asleep", ...
struct ScalarChannel {
  std::string name;
  std::vector<float> values;
};

/// What the particles of a frame are.
enum class ParticleKind : std::uint8_t {
  grains,    ///< rigid grains, each with a shape and an orientation (dem)
  granular,  ///< samples of granular matter as a continuum (sph)
  fluid      ///< samples of what a grid moves as a fluid; they lie evenly up to its surface (flip)
};

struct BodyRow {
  std::string name;
  Pose pose;
  Vec3d velocity{0, 0, 0};          ///< of the body's origin [m/s]
  Vec3d angular_velocity{0, 0, 0};  ///< [rad/s]
  Vec3d force{0, 0, 0};             ///< of the matter on the body, mean over the frame interval [N]
  Vec3d torque{0, 0, 0};            ///< likewise, about the body's origin [N m]
  bool present = true;              ///< false before it is released or after it was removed
};

struct Frame {
  int index = 0;
  double time = 0;  ///< [s]
  ParticleKind kind = ParticleKind::granular;

  std::vector<std::uint32_t> id;
  std::vector<Vec3d> position;         ///< [m]
  std::vector<Vec3f> velocity;         ///< [m/s]
  std::vector<float> radius;           ///< bounding radius of a grain, half the spacing of a particle [m]
  std::vector<std::uint8_t> material;  ///< index into the scene's materials

  // of grains only, else empty
  std::vector<Quatf> orientation;
  std::vector<Vec3f> angular_velocity;  ///< [rad/s]
  std::vector<std::uint16_t> shape;     ///< index into the run's grain shapes

  std::vector<ScalarChannel> scalars;
  std::vector<BodyRow> bodies;  ///< the scene's bodies first, then the domain's faces

  std::size_t particle_count() const { return id.size(); }
};

/// One sphere of a grain shape, in units of the grain's bounding radius.
struct ShapeSphere {
  Vec3d center;
  double radius;
};

/// A grain shape as frames refer to it: spheres about the centre of mass.
struct GrainShape {
  std::string name;
  std::vector<ShapeSphere> spheres;
};

}  // namespace repose
