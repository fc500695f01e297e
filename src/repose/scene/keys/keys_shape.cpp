// Keys of a shape, which stand in the table of whatever has the shape.

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kShapes[] = {{"box"},   {"sphere"}, {"cylinder"}, {"cone"},        {"capsule"},
                              {"torus"}, {"plane"},  {"lathe"},    {"heightfield"}, {"mesh"}};

std::function<bool(const Shape&)> only(std::initializer_list<ShapeKind> kinds) {
  return [list = std::vector<ShapeKind>(kinds)](const Shape& shape) {
    return std::find(list.begin(), list.end(), shape.kind) != list.end();
  };
}

Field<Shape> position_field() {
  KeyInfo info{
      .name = "position",
      .unit = "m",
      .doc =
          "where the shape's own origin stands: the middle of a box, "
          "sphere, cylinder, cone, capsule or torus; a point of a plane; r = 0, z = 0 of a lathe; the "
          "middle of a heightfield, at height 0; the origin of a mesh's file"};
  Field<Shape> f{info, Codec<Vec3d>::expected(info), {}, {}, {}, {}};
  f.read = [](const Value& value, const KeyInfo& key, Report& report, Shape& shape) {
    return Codec<Vec3d>::read(value, key, report, shape.pose.position);
  };
  f.write = [](const Shape& shape, const KeyInfo& key) -> std::optional<std::string> {
    return Codec<Vec3d>::write(shape.pose.position, key);
  };
  return f;
}

Field<Shape> rotation_field() {
  KeyInfo info{
      .name = "rotation", .unit = "deg", .doc = "turns about the fixed axes: first x, then y, then z"};
  Field<Shape> f{info, Codec<Vec3d>::expected(info), {}, {}, {}, {}};
  f.read = [](const Value& value, const KeyInfo& key, Report& report, Shape& shape) {
    if (!Codec<Vec3d>::read(value, key, report, shape.rotation_degrees)) return false;
    shape.pose.rotation = rotation_from_degrees(shape.rotation_degrees);
    return true;
  };
  f.write = [](const Shape& shape, const KeyInfo& key) -> std::optional<std::string> {
    return Codec<Vec3d>::write(shape.rotation_degrees, key);
  };
  return f;
}

std::vector<Field<Shape>> make_shape_fields() {
  using enum ShapeKind;
  return {
      field(&Shape::kind,
            {.name = "shape", .choices = kShapes, .doc = "which solid this is", .required = true}),
      field(&Shape::size,
            {.name = "size",
             .unit = "m",
             .range = kPositive,
             .doc = "edge lengths along x, y and z",
             .belongs_to = "shape = \"box\"",
             .required = true},
            only({box})),
      field(
          &Shape::radius,
          {.name = "radius",
           .unit = "m",
           .range = kPositive,
           .doc = "of the sphere, cylinder or capsule; of the cone at its bottom; of the torus' middle line",
           .belongs_to = "shape = \"sphere\", \"cylinder\", \"cone\", \"capsule\" or \"torus\"",
           .required = true},
          only({sphere, cylinder, cone, capsule, torus})),
      field(&Shape::radius_top,
            {.name = "radius_top",
             .unit = "m",
             .range = kNotNegative,
             .doc = "of the cone at its top",
             .belongs_to = "shape = \"cone\""},
            only({cone})),
      field(&Shape::tube,
            {.name = "tube",
             .unit = "m",
             .range = kPositive,
             .doc = "radius of the torus' tube",
             .belongs_to = "shape = \"torus\"",
             .required = true},
            only({torus})),
      field(&Shape::height,
            {.name = "height",
             .unit = "m",
             .range = kPositive,
             .doc = "along z, the middle at the origin; of a capsule: between the centres of its caps",
             .belongs_to = "shape = \"cylinder\", \"cone\" or \"capsule\"",
             .required = true},
            only({cylinder, cone, capsule})),
      field(&Shape::profile,
            {.name = "profile",
             .unit = "m",
             .doc = "points (r, z) of the lathe, turned about z; open ends are closed towards r = 0",
             .belongs_to = "shape = \"lathe\"",
             .required = true,
             .most_items = 100000},
            only({lathe})),
      field(&Shape::file,
            {.name = "file",
             .doc = "the mesh (OBJ, PLY, STL, glTF, FBX) or the grid of heights (text, ESRI ASCII grid)",
             .belongs_to = "shape = \"heightfield\" or \"mesh\"",
             .required = true,
             .is_path = true},
            only({heightfield, mesh})),
      field(&Shape::extent,
            {.name = "extent",
             .unit = "m",
             .range = kPositive,
             .doc = "of the heights along x and y, from the first point to the last",
             .without = "from the cellsize in the file",
             .belongs_to = "shape = \"heightfield\""},
            only({heightfield})),
      field(&Shape::height_scale,
            {.name = "height_scale",
             .unit = "m",
             .range = kPositive,
             .doc = "what a height of 1 in the file is",
             .belongs_to = "shape = \"heightfield\""},
            only({heightfield})),
      field(&Shape::base,
            {.name = "base",
             .unit = "m",
             .range = kPositive,
             .doc = "how far the solid goes on below its lowest point",
             .without = "a tenth of the longer side",
             .belongs_to = "shape = \"heightfield\""},
            only({heightfield})),
      position_field(),
      rotation_field(),
      field(&Shape::scale,
            {.name = "scale", .range = kPositive, .doc = "enlarges the shape about its origin"}),
  };
}

}  // namespace

const std::vector<Field<Shape>>& shape_fields() {
  static const std::vector<Field<Shape>> fields = [] {
    auto made = make_shape_fields();
    for (Field<Shape>& f : made) f.info.of_shape = true;
    return made;
  }();
  return fields;
}

}  // namespace repose::scene_file
