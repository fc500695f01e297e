// Keys of what matter is, where it starts, comes from and goes: [material], [grain], [contact], [fill],
// [emitter], [sink], [zone].

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kMaterialKinds[] = {{"granular"}, {"fluid"}, {"snow"}};
constexpr Choice kGrainMasses[] = {{"union"}, {"sum"}};
constexpr Choice kPackings[] = {{"settled"}, {"jittered"}, {"lattice"}};

constexpr std::string_view kSnowOnly = "kind = \"snow\"";

bool is_snow(const Material& material) { return material.kind == MaterialKind::snow; }

std::vector<Field<Material>> make_material_fields() {
  std::vector<Field<Material>> fields = {
      field(&Material::preset, {.name = "preset",
                                .doc = "a material to start from; `repose materials` lists them. "
                                       "Keys written here win over the preset's",
                                .without = "none"}),
      field(&Material::kind, {.name = "kind", .choices = kMaterialKinds, .doc = "what it is"}),
      field(&Material::density, {.name = "density",
                                 .unit = "kg/m3",
                                 .range = kPositive,
                                 .doc = "of the bulk at rest, pores included"}),
      field(
          &Material::grain_density,
          {.name = "grain_density", .unit = "kg/m3", .range = kPositive, .doc = "of the grains themselves"}),
      field(&Material::friction_angle, {.name = "friction_angle",
                                        .unit = "deg",
                                        .range = {.min = 0, .max = 89},
                                        .doc = "the slope at which the material stands; dem finds the "
                                               "friction of its grains from measured heaps",
                                        .without = "from friction",
                                        .scale = radians(1.0)}),
      field(&Material::friction, {.name = "friction",
                                  .range = kNotNegative,
                                  .doc = "coefficient between grains",
                                  .without = "from friction_angle, else 0.5"}),
      field(&Material::rolling_friction, {.name = "rolling_friction",
                                          .range = kNotNegative,
                                          .doc = "resistance to rolling, as a coefficient",
                                          .without = "from friction_angle, else none"}),
      field(&Material::restitution, {.name = "restitution",
                                     .range = kZeroToOne,
                                     .doc = "speed after a collision over the speed before"}),
      field(&Material::young, {.name = "young",
                               .unit = "Pa",
                               .range = kPositive,
                               .doc = "Young's modulus of the grains",
                               .without = "chosen by the solver: the softest that keeps overlaps small"}),
      field(&Material::poisson,
            {.name = "poisson", .range = {.min = 0, .max = 0.5}, .doc = "Poisson's ratio of the grains"}),
      field(&Material::cohesion, {.name = "cohesion",
                                  .unit = "Pa",
                                  .range = kNotNegative,
                                  .doc = "shear strength "
                                         "without pressure"}),
      field(&Material::wetness,
            {.name = "wetness", .range = kZeroToOne, .doc = "0 dry, 1 all pores full of water"}),
      field(
          &Material::wet_cohesion,
          {.name = "wet_cohesion",
           .unit = "Pa",
           .range = kNotNegative,
           .doc = "of wet sand under sph: from a wetness of 0.3 on cohesion is at least this, below that at "
                  "least its share"}),
      field(&Material::viscosity, {.name = "viscosity",
                                   .unit = "Pa s",
                                   .range = kNotNegative,
                                   .doc = "of a fluid; up to 0.01 it flows as without any"}),
      field(&Material::grain,
            {.name = "grain",
             .doc = "shape of the grains: sphere, tetrahedron, octahedron, cube, popcorn, rice or the "
                    "name of a [grain.NAME]"}),
      field(&Material::sizes, {.name = "sizes",
                               .range = kPositive,
                               .doc = "size classes: [diameter / spacing, share of the mass]; "
                                      "shares are taken relative to their sum",
                               .most_items = 64}),
      field(&Material::color, {.name = "color", .range = kZeroToOne, .doc = "linear red, green, blue"}),
      field(&Material::clarity, {.name = "clarity",
                                 .unit = "m",
                                 .range = kPositive,
                                 .doc = "of a liquid whose surface is drawn: on a way this long through it "
                                        "light keeps the share that color says",
                                 .without = "it is not looked through"}),
  };
  const auto snow = [&](double Material::*member, KeyInfo info) {
    info.belongs_to = kSnowOnly;
    fields.push_back(field(member, info, std::function<bool(const Material&)>(is_snow)));
  };
  snow(&Material::durability, {.name = "durability",
                               .range = kZeroToOne,
                               .doc = "d_0: share of the snow's structure "
                                      "that is whole at first (Takahashi 2014)"});
  snow(&Material::b_0,
       {.name = "b_0", .range = kZeroToOne, .doc = "how far a solid's push is passed on at first"});
  snow(&Material::k_b, {.name = "k_b", .range = kNotNegative, .doc = "change of that with damage"});
  snow(&Material::k_q, {.name = "k_q", .unit = "1/Pa", .range = kNotNegative, .doc = "damage by pressure"});
  snow(&Material::p_0, {.name = "p_0",
                        .unit = "Pa",
                        .range = kNotNegative,
                        .doc = "pressure below which nothing "
                               "breaks"});
  snow(&Material::mu_0,
       {.name = "mu_0", .range = kNotNegative, .doc = "friction coefficient at no pressure"});
  snow(&Material::k_f, {.name = "k_f",
                        .unit = "1/Pa",
                        .range = kNotNegative,
                        .doc = "change of friction with "
                               "pressure"});
  snow(&Material::c_0, {.name = "c_0", .unit = "Pa", .range = kNotNegative, .doc = "cohesion of whole snow"});
  snow(&Material::k_c,
       {.name = "k_c", .unit = "Pa", .range = kNotNegative, .doc = "gain of cohesion with damage"});
  snow(&Material::density_max, {.name = "density_max",
                                .unit = "kg/m3",
                                .range = kPositive,
                                .doc = "of snow whose structure is all broken"});
  return fields;
}

/// A fill's rotation turns its shape, and grains keep their random orientations: turned alike they would pack
/// otherwise. A fill of points or of a file has no shape to turn, only its grains.
Field<Fill> fill_rotation_field() {
  KeyInfo info{.name = "rotation",
               .unit = "deg",
               .doc =
                   "turns the shape, not the grains in it (grain_rotation); without a shape, each grain: "
                   "about x, then y, then z",
               .without = "shape not turned, grains turned at random"};
  Field<Fill> f = field(&Fill::grain_rotation, info);
  f.read = [](const Value& value, const KeyInfo& key, Report& report, Fill& fill) {
    Vec3d rotation(0);
    if (!Codec<Vec3d>::read(value, key, report, rotation)) return false;
    if (fill.shape) {
      fill.shape->rotation_degrees = rotation;
      fill.shape->pose.rotation = rotation_from_degrees(rotation);
    } else {
      fill.grain_rotation = rotation;
    }
    return true;
  };
  f.write = [](const Fill& fill, const KeyInfo& key) -> std::optional<std::string> {
    if (fill.shape) return Codec<Vec3d>::write(fill.shape->rotation_degrees, key);
    if (fill.grain_rotation) return Codec<Vec3d>::write(*fill.grain_rotation, key);
    return std::nullopt;
  };
  return f;
}

Field<Fill> grain_rotation_field() {
  Field<Fill> f = field(&Fill::grain_rotation, {.name = "grain_rotation",
                                                .unit = "deg",
                                                .doc = "turns every grain alike, about x, then y, then z",
                                                .without = "grains turned at random"});
  // Without a shape the key rotation says it already.
  f.write = [write = f.write](const Fill& fill, const KeyInfo& key) {
    return fill.shape ? write(fill, key) : std::nullopt;
  };
  return f;
}

std::vector<Field<Fill>> make_fill_fields() {
  std::vector<Field<Fill>> fields = {
      field(&Fill::material, {.name = "material", .doc = "name of a [material.NAME]", .required = true}),
  };
  for (const Field<Shape>& shape_field : shape_fields()) {
    if (shape_field.info.name == "rotation")
      fields.push_back(fill_rotation_field());
    else if (shape_field.info.name != "file")
      fields.push_back(lift<Fill>(shape_field, &Fill::shape));
    if (shape_field.info.name == "shape") {
      fields.back().info.required = false;
      fields.back().info.without = "points or file instead";
    }
  }
  const auto add = [&](Field<Fill> f) { fields.push_back(std::move(f)); };
  add(field(&Fill::points, {.name = "points",
                            .unit = "m",
                            .doc = "centres of single grains, taken as they are",
                            .without = "shape or file instead"}));
  add(field(&Fill::file,
            {.name = "file",
             .doc = "PLY or CSV with a row a grain: columns x y z and any of vx vy vz wx wy wz qw qx "
                    "qy qz d (diameter) or radius, taken as they are; with shape = \"mesh\" the mesh to fill",
             .without = "shape or points instead",
             .is_path = true}));
  add(grain_rotation_field());
  add(field(&Fill::velocity, {.name = "velocity", .unit = "m/s", .doc = "at first"}));
  add(field(&Fill::angular_velocity,
            {.name = "angular_velocity", .unit = "rad/s", .doc = "of each grain at first"}));
  add(field(&Fill::velocity_spread,
            {.name = "velocity_spread",
             .unit = "m/s",
             .range = kNotNegative,
             .doc = "standard deviation of a random velocity that is added, by component"}));
  add(field(&Fill::packing,
            {.name = "packing",
             .choices = kPackings,
             .doc = "how a shape is filled: as a settled bed of the material's density, or loosely, on a "
                    "jittered lattice or on a lattice",
             .belongs_to = "a fill with a 'shape'"},
            std::function<bool(const Fill&)>([](const Fill& fill) { return fill.shape.has_value(); })));
  add(field(
      &Fill::wetness,
      {.name = "wetness", .range = kZeroToOne, .doc = "at first, under sph", .without = "the material's"}));
  add(field(&Fill::fixed,
            {.name = "fixed", .doc = "grains are held where they are, whatever pushes: a rough base"}));
  return fields;
}

template <class S>
void add_times(std::vector<Field<S>>& fields) {
  fields.push_back(
      field(&S::start, {.name = "start", .unit = "s", .range = kNotNegative, .doc = "when it begins"}));
  fields.push_back(
      field(&S::stop,
            {.name = "stop", .unit = "s", .range = kNotNegative, .doc = "when it ends", .without = "never"}));
}

}  // namespace

const std::vector<Field<Material>>& material_fields() {
  static const std::vector<Field<Material>> fields = make_material_fields();
  return fields;
}

const std::vector<Field<GrainDefinition>>& grain_fields() {
  static const std::vector<Field<GrainDefinition>> fields = {
      field_or_file(&GrainDefinition::spheres, &GrainDefinition::file,
                    {.name = "spheres",
                     .doc = "rows [x, y, z, r] in any unit, about any point: the grain is scaled to the "
                            "bounding diameter that solver.spacing and sizes ask for",
                     .without = "file instead",
                     .most_items = 1000}),
      field(&GrainDefinition::file,
            {.name = "file",
             .doc = "text with a line x y z r for each sphere, divided by commas or spaces, "
                    "in any unit; lines that stand twice count once",
             .without = "spheres instead",
             .is_path = true}),
      field(
          &GrainDefinition::mass,
          {.name = "mass",
           .choices = kGrainMasses,
           .doc = "mass and inertia of the union of the spheres, or of their sum (overlaps counted twice)"}),
  };
  return fields;
}

const std::vector<Field<ContactPair>>& contact_fields() {
  static const std::vector<Field<ContactPair>> fields = {
      field(&ContactPair::between,
            {.name = "between", .doc = "materials or bodies that these numbers are for", .required = true}),
      field(&ContactPair::friction, {.name = "friction",
                                     .range = {.min = 0, .infinite = true},
                                     .doc = "coefficient; inf: no slip",
                                     .without = "the mixing rule"}),
      field(&ContactPair::restitution, {.name = "restitution",
                                        .range = kZeroToOne,
                                        .doc = "speed after a collision over the speed before",
                                        .without = "the mixing rule"}),
      field(&ContactPair::cohesion, {.name = "cohesion",
                                     .unit = "Pa",
                                     .range = kNotNegative,
                                     .doc = "shear strength without pressure",
                                     .without = "the mixing rule",
                                     .later = true}),
  };
  return fields;
}

const std::vector<Field<Fill>>& fill_fields() {
  static const std::vector<Field<Fill>> fields = make_fill_fields();
  return fields;
}

const std::vector<Field<Emitter>>& emitter_fields() {
  static const std::vector<Field<Emitter>> fields = [] {
    std::vector<Field<Emitter>> f = {
        field(&Emitter::material, {.name = "material", .doc = "name of a [material.NAME]", .required = true}),
    };
    lift_all(shape_fields(), &Emitter::shape, f);
    f.push_back(field(&Emitter::rate, {.name = "rate",
                                       .unit = "kg/s",
                                       .range = kPositive,
                                       .doc = "mass emitted a "
                                              "second",
                                       .required = true}));
    f.push_back(field(&Emitter::velocity, {.name = "velocity", .unit = "m/s", .doc = "of what is emitted"}));
    add_times(f);
    f.push_back(field(&Emitter::fade, {.name = "fade",
                                       .unit = "s",
                                       .range = kNotNegative,
                                       .doc = "time before 'stop' in which the rate goes down to zero"}));
    return f;
  }();
  return fields;
}

const std::vector<Field<Sink>>& sink_fields() {
  static const std::vector<Field<Sink>> fields = [] {
    std::vector<Field<Sink>> f;
    lift_all(shape_fields(), &Sink::shape, f);
    add_times(f);
    return f;
  }();
  return fields;
}

const std::vector<Field<Zone>>& zone_fields() {
  static const std::vector<Field<Zone>> fields = [] {
    std::vector<Field<Zone>> f;
    lift_all(shape_fields(), &Zone::shape, f);
    f.push_back(field(
        &Zone::wetness_rate,
        {.name = "wetness_rate", .unit = "1/s", .doc = "change of wetness inside, up to 1 or down to 0"}));
    f.push_back(
        field(&Zone::drag,
              {.name = "drag",
               .unit = "1/s",
               .range = kNotNegative,
               .doc = "pull towards the velocity of the air: what differs from it decays as exp(-drag t)"}));
    f.push_back(field(&Zone::wind, {.name = "wind", .unit = "m/s", .doc = "velocity of the air inside"}));
    add_times(f);
    return f;
  }();
  return fields;
}

}  // namespace repose::scene_file
