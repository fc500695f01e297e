// Keys of [body] and [joint].

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kMotions[] = {{"static"}, {"dynamic"}, {"keyframed"}, {"moving"}};
constexpr Choice kSurfaces[] = {{"smooth"}, {"particles"}};
constexpr Choice kInterpolations[] = {{"smooth"}, {"linear"}};
constexpr Choice kJoints[] = {{"ball"}, {"hinge"}, {"fixed"}};

using Body = BodyDefinition;

std::function<bool(const Body&)> moves(std::initializer_list<Motion> motions) {
  return [list = std::vector<Motion>(motions)](const Body& body) {
    return std::find(list.begin(), list.end(), body.motion) != list.end();
  };
}

std::vector<Field<Oscillation>> oscillation_fields() {
  using O = Oscillation;
  const std::function<bool(const O&)> given = [](const O& o) { return o.is_given(); };
  constexpr std::string_view kWhere = "an oscillation with an amplitude or a rotation";
  return {
      field(&O::amplitude,
            {.name = "amplitude",
             .unit = "m",
             .doc = "the body is off by amplitude sin(2 pi frequency t + phase), along axes of the world",
             .belongs_to = kWhere},
            given),
      field(&O::rotation,
            {.name = "rotation",
             .unit = "deg",
             .doc = "likewise the angle that it is turned by; its direction is the axis, in the world",
             .belongs_to = kWhere},
            given),
      field(&O::frequency,
            {.name = "frequency",
             .unit = "Hz",
             .range = {.min = 0, .max = 1e6, .above_min = true},
             .doc = "of the oscillation",
             .belongs_to = kWhere,
             .required = true},
            given),
      field(&O::phase,
            {.name = "phase",
             .unit = "deg",
             .doc = "at t = 0; 90 starts at rest, where the displacement is largest",
             .belongs_to = kWhere,
             .scale = kPi / 180},
            given),
      field(&O::pivot,
            {.name = "pivot",
             .unit = "m",
             .doc = "what `rotation` turns about, where it is at t = 0; it goes along with the body",
             .without = "the body's position",
             .belongs_to = kWhere},
            given),
  };
}

void add_motion_fields(std::vector<Field<Body>>& f) {
  const auto keyframed = moves({Motion::keyframed});
  f.push_back(
      field(&Body::motion, {.name = "motion",
                            .choices = kMotions,
                            .doc = "stands still, is pushed by matter and other bodies, follows keyframes, "
                                   "or moves and turns steadily without end"}));
  f.push_back(field_or_file(
      &Body::keyframes, &Body::keyframes_file,
      {.name = "keyframes",
       .doc =
           "where the body is and how it is turned at time t, strictly later from "
           "row to row; what a row leaves out is the body's own position or rotation; angles past 360 turn "
           "on",
       .without = "keyframes_file instead",
       .belongs_to = "motion = \"keyframed\"",
       .most_items = 100000},
      keyframed));
  f.push_back(field(&Body::keyframes_file,
                    {.name = "keyframes_file",
                     .doc = "CSV with a header and columns t,x,y,z,rx,ry,rz [s, m, deg]",
                     .without = "keyframes instead",
                     .belongs_to = "motion = \"keyframed\"",
                     .is_path = true},
                    keyframed));
  f.push_back(field(&Body::interpolation,
                    {.name = "interpolation",
                     .choices = kInterpolations,
                     .doc = "between keyframes",
                     .belongs_to = "motion = \"keyframed\""},
                    keyframed));
  const auto dynamic = moves({Motion::dynamic});
  const auto pushed_or_moving = moves({Motion::dynamic, Motion::moving});
  f.push_back(field(&Body::density,
                    {.name = "density",
                     .unit = "kg/m3",
                     .range = kPositive,
                     .doc = "of a dynamic body: its mass follows from its shape",
                     .without = "mass instead",
                     .belongs_to = "motion = \"dynamic\""},
                    dynamic));
  f.push_back(field(&Body::mass,
                    {.name = "mass",
                     .unit = "kg",
                     .range = kPositive,
                     .doc = "of a dynamic body, spread evenly over its shape",
                     .without = "density instead",
                     .belongs_to = "motion = \"dynamic\""},
                    dynamic));
  f.push_back(field(&Body::velocity,
                    {.name = "velocity",
                     .unit = "m/s",
                     .doc = "of a moving body's pivot, or of a dynamic body's position when it is let go",
                     .belongs_to = "motion = \"dynamic\" or \"moving\""},
                    pushed_or_moving));
  f.push_back(field(&Body::angular_velocity,
                    {.name = "angular_velocity",
                     .unit = "rad/s",
                     .doc = "likewise; its direction is the axis",
                     .belongs_to = "motion = \"dynamic\" or \"moving\""},
                    pushed_or_moving));
  f.push_back(field(&Body::pivot,
                    {.name = "pivot",
                     .unit = "m",
                     .doc = "point that a moving body turns about, where it is at t = 0",
                     .without = "its position",
                     .belongs_to = "motion = \"moving\""},
                    moves({Motion::moving})));
  f.push_back(subtable({.name = "oscillation",
                        .doc = "swings about where the body would be without, as sieves and feeders do"},
                       &Body::oscillation, oscillation_fields()));
}

void add_contact_fields(std::vector<Field<Body>>& f) {
  f.push_back(field(
      &Body::friction,
      {.name = "friction",
       .range = {.min = 0, .infinite = true},
       .doc = "coefficient against matter, and by the geometric mean of both against bodies; inf: no slip"}));
  f.push_back(
      field(&Body::surface_velocity,
            {.name = "surface_velocity",
             .unit = "m/s",
             .doc = "a belt: the surface runs with this velocity while the body stands; in the body's "
                    "frame, of which each place has what lies along the surface",
             .belongs_to = "motion = \"static\", \"keyframed\" or \"moving\""},
            moves({Motion::fixed, Motion::keyframed, Motion::moving})));
  f.push_back(field(
      &Body::restitution,
      {.name = "restitution", .range = kZeroToOne, .doc = "speed after a collision over the speed before"}));
  f.push_back(field(
      &Body::young,
      {.name = "young", .unit = "Pa", .range = kPositive, .doc = "Young's modulus", .without = "rigid"}));
  f.push_back(
      field(&Body::poisson, {.name = "poisson", .range = {.min = 0, .max = 0.5}, .doc = "Poisson's ratio"}));
  f.push_back(field(
      &Body::surface,
      {.name = "surface", .choices = kSurfaces, .doc = "the shape itself, or particles that cover it"}));
  f.push_back(
      field(&Body::particle_radius, {.name = "particle_radius",
                                     .unit = "m",
                                     .range = kPositive,
                                     .doc = "of those particles; at most half of solver.spacing under sph",
                                     .without = "a quarter of solver.spacing, half of it under sph"}));
  f.push_back(
      field(&Body::roughness, {.name = "roughness",
                               .range = kZeroToOne,
                               .doc = "a second layer of smaller particles, as a share of the radius"}));
}

void add_copy_and_look_fields(std::vector<Field<Body>>& f) {
  f.push_back(field(&Body::release,
                    {.name = "release",
                     .unit = "s",
                     .range = kNotNegative,
                     .doc = "held until then",
                     .without = "free from the start, or from t = 0 if it has a velocity",
                     .belongs_to = "motion = \"dynamic\""},
                    moves({Motion::dynamic})));
  f.push_back(field(&Body::remove, {.name = "remove",
                                    .unit = "s",
                                    .range = kNotNegative,
                                    .doc = "gone from then on",
                                    .without = "stays"}));
  f.push_back(
      field(&Body::copies, {.name = "copies",
                            .range = {.min = 1, .max = 10000},
                            .doc = "how many along x, y and z; copies are called NAME.0, NAME.1, ..., "
                                   "x first, then y, then z"}));
  f.push_back(
      field(&Body::step, {.name = "step", .unit = "m", .doc = "distance of the copies along x, y and z"}));
  f.push_back(field(&Body::jitter, {.name = "jitter",
                                    .unit = "m",
                                    .range = kNotNegative,
                                    .doc = "random shift of each copy, at most this along each axis"}));
  f.push_back(field(&Body::positions, {.name = "positions",
                                       .unit = "m",
                                       .doc = "where the copies stand, instead of copies and step",
                                       .without = "from copies",
                                       .most_items = 20000}));
  f.push_back(field(&Body::color, {.name = "color", .range = kZeroToOne, .doc = "linear red, green, blue"}));
  f.push_back(field(&Body::opacity, {.name = "opacity",
                                     .range = kZeroToOne,
                                     .doc = "1 is solid; less lets pictures show what lies behind"}));
  f.push_back(field(&Body::visible, {.name = "visible", .doc = "shown in pictures"}));
}

}  // namespace

const std::vector<Field<BodyDefinition>>& body_fields() {
  static const std::vector<Field<BodyDefinition>> fields = [] {
    std::vector<Field<Body>> f;
    lift_all(shape_fields(), &Body::shape, f);
    f.push_back(lift<Body>(field(&Shape::invert, {.name = "invert",
                                                  .doc = "the solid is everything outside the shape: "
                                                         "matter is inside"}),
                           &Body::shape));
    f.push_back(lift<Body>(
        field(&Shape::thickness,
              {.name = "thickness",
               .unit = "m",
               .range = kNotNegative,
               .doc = "> 0: a shell of this thickness around the shape's surface; "
                      "a lathe's shell stays open where its profile is open, a mesh's where the mesh is"}),
        &Body::shape));
    add_motion_fields(f);
    add_contact_fields(f);
    add_copy_and_look_fields(f);
    return f;
  }();
  return fields;
}

const std::vector<Field<JointDefinition>>& joint_fields() {
  static const std::vector<Field<JointDefinition>> fields = {
      field(&JointDefinition::bodies, {.name = "bodies",
                                       .doc = "the two bodies that are joined; a copy by its own name, "
                                              "\"world\" for a fixed point in space",
                                       .required = true}),
      field(&JointDefinition::type,
            {.name = "type",
             .choices = kJoints,
             .doc = "what it leaves free: all turning, turning about the axis, or nothing",
             .required = true}),
      field(&JointDefinition::position,
            {.name = "position", .unit = "m", .doc = "where it stands at first", .required = true}),
      field(&JointDefinition::axis,
            {.name = "axis", .doc = "of a hinge, as it stands at first", .belongs_to = "type = \"hinge\""},
            std::function<bool(const JointDefinition&)>(
                [](const JointDefinition& joint) { return joint.type == JointKind::hinge; })),
      field(&JointDefinition::release, {.name = "release",
                                        .unit = "s",
                                        .range = kNotNegative,
                                        .doc = "when it lets go",
                                        .without = "never"}),
  };
  return fields;
}

}  // namespace repose::scene_file
