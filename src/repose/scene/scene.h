#pragma once
// What a scene is: plain structs, one a table of the scene file. Values are SI; angles are in radians here
// and in degrees in files. An optional that is empty was not given: the solver decides, and says what it
// took.
//
// The tables of keys (keys/tables.h) say how each member is called in the file, its unit, range, default and
// meaning; reading, checking, the resolved scene and the reference page all go by them.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repose/geometry/shape.h"
#include "repose/math/vec.h"

namespace repose {

using Color = Vec3f;  ///< linear RGB, 0 to 1

enum class FaceKind { wall, open, periodic };
enum class SolverKind { dem, sph, flip, snow };
enum class MaterialKind { granular, fluid, snow };
enum class Packing { settled, jittered, lattice };
enum class Motion {
  fixed,
  dynamic,
  keyframed,
  moving
};  ///< "static", "dynamic", "keyframed", "moving" in files
enum class BodySurface { smooth, particles };
enum class Interpolation { smooth, linear };
enum class GrainMass { union_of_spheres, sum_of_spheres };
enum class NormalLaw { hertz, hertz_viscoelastic, linear, general };
enum class TangentialLaw { viscous, coulomb, coulomb_viscous, spring, mindlin };
enum class Integrator { verlet, euler, rkf45 };
enum class YieldLaw { coulomb, paper, paper_strict };  ///< the last: Zhu 2005 with eq. 2.3
enum class JointKind { ball, hinge, fixed };
enum class ProbeKind { flow, force, region, pile, slope };
enum class PileAxis { radius, x, y };

struct SceneInfo {
  int version = 1;
  std::string title;
  double duration = 1;  ///< [s]
  double fps = 24;      ///< [1/s]
  Vec3d gravity{0, 0, -9.81};
  Vec3d wind{0, 0, 0};  ///< [m/s]
  std::uint64_t seed = 1;
  double settle = 0;  ///< [s]
};

/// The box that matter lives in. Faces in the order x-, x+, y-, y+, z-, z+.
struct Domain {
  bool given = false;
  Vec3d min{-1, -1, 0}, max{1, 1, 2};  ///< [m]
  std::array<FaceKind, 6> faces{FaceKind::open, FaceKind::open, FaceKind::open,
                                FaceKind::open, FaceKind::wall, FaceKind::open};
  std::array<double, 6> friction{0.5, 0.5, 0.5, 0.5, 0.5, 0.5};  ///< infinity: no slip
};
inline constexpr std::array<const char*, 6> kFaceNames{"x-", "x+", "y-", "y+", "z-", "z+"};

struct DemSettings {
  Integrator integrator = Integrator::verlet;
  double dt = 0;  ///< 0: automatic [s]
  NormalLaw normal = NormalLaw::hertz;
  std::optional<double> alpha, beta;        ///< Bell 2005, eq. 7
  std::optional<double> stiffness;          ///< k_r [N/m^beta]
  std::optional<double> damping;            ///< k_d
  std::optional<double> contact_time;       ///< [s]
  std::optional<double> restitution_speed;  ///< [m/s]
  bool attraction = false;
  std::optional<TangentialLaw> tangential;  ///< none: eq. 19 of Bell 2005, or 18 under rkf45
  std::optional<double> k_t, damping_t;
  double tolerance = 1e-5;  ///< of rkf45, share of the smallest radius
  double skin = 0.7;        ///< share of the smallest radius
  double cfl = 0.1;         ///< share of the smallest radius that a grain may move in a step
};
struct SphSettings {
  int iterations = 0;
  double max_density_error = 0.01;
  YieldLaw yield = YieldLaw::coulomb;
  bool sleep = false;
  std::optional<double> sleep_speed;  ///< [m/s]; none: 0.02 sqrt(g spacing)
  double viscosity = 0.01, wet_viscosity = 0.3;
  double cfl = 0.4, dt = 0;
};
struct FlipSettings {
  std::optional<double> blend;  ///< 1 is FLIP, 0 is PIC; none: 0.95, of sand 0.5
  YieldLaw yield = YieldLaw::coulomb;
  double tolerance = 1e-6;
  double cfl = 2, dt = 0;
};
struct SnowSettings {
  YieldLaw yield = YieldLaw::coulomb;
  double tolerance = 1e-4;
  double cfl = 1, dt = 0;
};
struct SolverSettings {
  SolverKind type = SolverKind::dem;
  double spacing = 0.01;  ///< mean distance of simulated particles [m]
  DemSettings dem;
  SphSettings sph;
  FlipSettings flip;
  SnowSettings snow;
};

/// A share of the mass in grains of one size.
struct SizeClass {
  double diameter;  ///< in units of solver.spacing [-]
  double share;     ///< of the mass [-]
};

struct Material {
  std::string name;
  std::string preset;
  MaterialKind kind = MaterialKind::granular;
  double density = 1600;                 ///< bulk at rest [kg/m3]
  double grain_density = 2600;           ///< [kg/m3]
  std::optional<double> friction_angle;  ///< [rad]
  std::optional<double> friction;        ///< [-]
  std::optional<double> rolling_friction;
  double restitution = 0.4;
  std::optional<double> young;  ///< none: the softest that keeps overlaps small [Pa]
  double poisson = 0.3;
  double cohesion = 0;         ///< [Pa]
  double wetness = 0;          ///< 0..1
  double wet_cohesion = 1000;  ///< what wetness makes of cohesion where that is less [Pa]
  double viscosity = 0;        ///< [Pa s]
  std::string grain = "tetrahedron";
  std::vector<SizeClass> sizes{{1, 1}};
  Color color{0.62F, 0.45F, 0.27F};
  std::optional<double> clarity;  ///< light keeps `color` of itself over this way; none: opaque [m]
  // snow, Takahashi 2014
  double durability = 1, b_0 = 1, k_b = 0, k_q = 0, p_0 = 0, mu_0 = 0.5, k_f = 0, c_0 = 0, k_c = 0;
  double density_max = 650;  ///< of snow whose structure is all broken [kg/m3]
};

struct GrainDefinition {
  std::string name;
  std::vector<std::array<double, 4>> spheres;  ///< x y z r in units of the bounding radius, as written
  std::string file;
  GrainMass mass = GrainMass::union_of_spheres;
};

struct ContactPair {
  std::string name;
  std::array<std::string, 2> between;
  std::optional<double> friction, restitution, cohesion;
};

/// The grains of a fill's file. All but the positions are empty, or as many.
struct FillRows {
  std::vector<Vec3d> position;          ///< [m]
  std::vector<Vec3d> velocity;          ///< [m/s]
  std::vector<Vec3d> angular_velocity;  ///< [rad/s]
  std::vector<Quatd> orientation;       ///< unit
  std::vector<double> diameter;         ///< bounding diameter [m]
};

struct Fill {
  std::string name;
  std::string material;
  std::optional<Shape> shape;
  std::vector<Vec3d> points;
  std::string file;
  FillRows rows;  ///< what `file` holds
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
  double velocity_spread = 0;           ///< standard deviation by component [m/s]
  std::optional<Vec3d> grain_rotation;  ///< none: random [deg, XYZ]
  Packing packing = Packing::settled;
  std::optional<double> wetness;
  bool fixed = false;
};

struct Emitter {
  std::string name;
  std::string material;
  Shape shape;
  double rate = 1;  ///< [kg/s]
  Vec3d velocity{0, 0, 0};
  double start = 0;
  std::optional<double> stop;
  double fade = 0;  ///< time before stop in which the rate goes down to zero [s]
};

struct Sink {
  std::string name;
  Shape shape;
  double start = 0;
  std::optional<double> stop;
};

struct Zone {
  std::string name;
  Shape shape;
  double wetness_rate = 0;  ///< [1/s]
  double drag = 0;          ///< [1/s]
  Vec3d wind{0, 0, 0};
  double start = 0;
  std::optional<double> stop;
};

struct Keyframe {
  double t = 0;
  Vec3d position{0, 0, 0};
  Vec3d rotation{0, 0, 0};  ///< [deg, XYZ]; past 360 turns on
};

/// A body swings about where it would be without: by amplitude sin(2 pi frequency t + phase), and likewise by
/// an angle.
struct Oscillation {
  Vec3d amplitude{0, 0, 0};    ///< in the world [m]
  Vec3d rotation{0, 0, 0};     ///< largest angle, about its own direction in the world [deg]
  double frequency = 0;        ///< 0: none [Hz]
  double phase = 0;            ///< [rad]
  std::optional<Vec3d> pivot;  ///< what it turns about, where that is at t = 0; none: the body's position [m]

  bool is_given() const { return frequency > 0 || amplitude != Vec3d(0) || rotation != Vec3d(0); }
};

struct BodyDefinition {
  std::string name;
  std::string family;  ///< of a copy: the table that it came from (scene/copies.h); not a key
  Shape shape;         ///< in the body's frame; shape.pose is where the body stands at first
  Motion motion = Motion::fixed;
  std::optional<double> density, mass;
  Vec3d velocity{0, 0, 0}, angular_velocity{0, 0, 0};
  std::optional<Vec3d> pivot;
  double friction = 0.5, restitution = 0.4;
  std::optional<double> young;  ///< none: rigid [Pa]
  double poisson = 0.3;
  BodySurface surface = BodySurface::smooth;
  std::optional<double> particle_radius;
  double roughness = 0;
  std::optional<double> release, remove;
  std::vector<Keyframe> keyframes;
  std::string keyframes_file;
  Interpolation interpolation = Interpolation::smooth;
  Oscillation oscillation;
  Vec3d surface_velocity{0, 0, 0};  ///< of its surface against its material, in the body's frame [m/s]
  std::array<int, 3> copies{1, 1, 1};
  Vec3d step{0, 0, 0};
  double jitter = 0;
  std::vector<Vec3d> positions;
  Color color{0.55F, 0.56F, 0.58F};
  double opacity = 1;
  bool visible = true;
};

/// Name of the world itself where a joint names its bodies.
inline constexpr const char* kWorldName = "world";

struct JointDefinition {
  std::string name;
  std::array<std::string, 2> bodies;
  JointKind type = JointKind::ball;
  Vec3d position{0, 0, 0}, axis{0, 0, 1};
  std::optional<double> release;
};

/// One name or several, as a key takes them.
struct NameList {
  std::vector<std::string> items;
  bool empty() const { return items.empty(); }
};

struct ProbeDefinition {
  std::string name;
  ProbeKind type = ProbeKind::region;
  std::optional<Shape> shape;
  NameList body;                      ///< bodies, or faces of the domain: "domain.z-"
  PileAxis along = PileAxis::radius;  ///< pile: what the profile is taken over
  double interval = 0;                ///< between rows; 0: every step [s]
  double start = 0;                   ///< [s]
  std::optional<double> stop;         ///< [s]
};

struct CheckDefinition {
  std::string name;
  std::string probe, stat, column;
  std::optional<double> at;                   ///< [s]; neither: the last row
  std::optional<std::array<double, 2>> over;  ///< [s]
  std::optional<double> min, max;
};

/// How fine grains follow the particles: physics/upsampling.h.
enum class RefineMethod { ihmsen2013, alduan2009, takahashi2014 };
struct RefineSettings {
  bool given = false;
  RefineMethod method = RefineMethod::ihmsen2013;
  int ratio = 100;                  ///< fine grains for each particle
  double step = 0.01;               ///< [s]
  double drag = 0;                  ///< of the air [1/s]
  std::optional<double> radius;     ///< of a fine grain [m]
  std::optional<double> influence;  ///< radius within which particles lead a grain [m]
  bool density_limit = true;        ///< grains move on from where there is no room for more
  bool spread = true;               ///< grains in flight part as the particles around them do
  bool color_by_guide = false;      ///< grains of one particle have one shade
};
/// What a surface is the zero of: Zhu 2005, chapter 4, or the sum of balls (Blinn 1982).
enum class SurfaceMethod { average, blobbies };
struct SurfaceSettings {
  bool given = false;
  SurfaceMethod method = SurfaceMethod::average;
  std::optional<double> spacing, radius;
  int smoothing = 1;  ///< rounds
  bool fine = false;  ///< around the fine grains
  std::vector<std::string> formats{"ply"};
};
struct OutputSettings {
  int every = 1;  ///< write each n-th frame
  std::vector<std::string> formats{"ply"};
  std::vector<std::string> fine_formats{"vdb"};
  std::vector<std::string> fine_channels{"velocity"};
  std::string up = "z";
};

struct CameraKey {
  double t = 0;
  Vec3d position{0, 0, 0}, target{0, 0, 0};
};
struct RenderSettings {
  bool enabled = true;
  std::array<int, 2> size{1280, 720};
  int samples = 16;  ///< a pixel
  int bounces = 2;
  bool denoise = true;
  std::optional<Vec3d> camera_position, camera_target;  ///< none: framed automatically
  double camera_fov = 35;                               ///< vertical [deg]
  std::vector<CameraKey> camera_keys;
  std::string color_by = "material";
  std::optional<std::array<double, 2>> range;
  bool legend = true;
  std::vector<std::string> formats{"png"};  ///< of pictures
  std::optional<std::array<double, 4>> clip;
  Vec3d sun{-0.5, -0.6, 0.8};                                 ///< direction towards it
  double sun_strength = 3, sky_strength = 1, sun_size = 2.5;  ///< size: angular diameter [deg]
  Color sky_color{0.55F, 0.70F, 0.95F};
  bool ground = true;
  Color ground_color{0.42F, 0.41F, 0.40F};
  bool walls = false;             ///< draw those of the domain, as glass
  double exposure = 0;            ///< [stops]
  double color_variation = 0.25;  ///< by grain [-]
  double motion_blur = 0;         ///< shutter, share of the frame interval
  double sparkle = 0;             ///< brightness of glints of snow [-]
  std::string palette = "blue to yellow";
};

struct Scene {
  std::string path;       ///< as it was opened, for messages
  std::string directory;  ///< that relative paths start from
  SceneInfo info;
  Domain domain;
  SolverSettings solver;
  std::vector<Material> materials;  ///< all tables in the order of the file: results depend on it
  std::vector<GrainDefinition> grains;
  std::vector<ContactPair> contacts;
  std::vector<Fill> fills;
  std::vector<Emitter> emitters;
  std::vector<Sink> sinks;
  std::vector<Zone> zones;
  std::vector<BodyDefinition> bodies;
  std::vector<JointDefinition> joints;
  std::vector<ProbeDefinition> probes;
  std::vector<CheckDefinition> checks;
  RefineSettings refine;
  SurfaceSettings surface;
  OutputSettings output;
  RenderSettings render;
  std::map<std::string, std::string> places;  ///< "file:line:col" by key, such as "material.sand.friction"

  /// Where a table or key stands, as messages begin: "file:line:col: "; that of what holds it where it is not
  /// written; "" where nothing is known.
  std::string where(std::string key) const;

  /// Frames after frame 0: round(duration * fps), at least one.
  int frame_count() const;
};

}  // namespace repose
