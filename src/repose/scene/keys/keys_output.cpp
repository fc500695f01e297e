// Keys of what happens to frames: [refine], [surface], [output], [render].

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {
namespace {

constexpr Choice kRefineMethods[] = {{"ihmsen2013"}, {"alduan2009"}, {"takahashi2014"}};
constexpr Choice kFormats[] = {{"ply"}, {"csv"}, {"vtp"}, {"vdb"}};
constexpr Choice kSurfaceMethods[] = {{"average"}, {"blobbies"}};
constexpr Choice kSurfaceFormats[] = {{"ply"}, {"vdb"}};
constexpr Choice kFineFormats[] = {{"vdb"}, {"ply"}};
constexpr Choice kFineChannels[] = {{"velocity"}, {"material"}};
constexpr Choice kImageFormats[] = {{"png"}, {"exr"}};
constexpr Choice kUpAxes[] = {{"z"}, {"y"}};
constexpr Choice kColorBy[] = {{"material"}, {"speed"},   {"vx"},     {"vy"},        {"vz"},
                               {"spin"},     {"height"},  {"radius"}, {"id"},        {"pressure"},
                               {"density"},  {"wetness"}, {"asleep"}, {"durability"}};
constexpr Choice kPalettes[] = {{"blue to yellow"}, {"white to red"}};

std::vector<Field<RenderSettings>> camera_fields() {
  using R = RenderSettings;
  return {
      field(&R::camera_position,
            {.name = "position", .unit = "m", .doc = "of the eye", .without = "framed automatically"}),
      field(&R::camera_target,
            {.name = "target", .unit = "m", .doc = "what it looks at", .without = "framed automatically"}),
      field(&R::camera_fov,
            {.name = "fov", .unit = "deg", .range = {.min = 1, .max = 170}, .doc = "vertical angle of view"}),
      field(&R::camera_keys, {.name = "keyframes",
                              .doc = "where the eye and its target are at time t",
                              .without = "the camera stands still"}),
  };
}

}  // namespace

const std::vector<Field<RefineSettings>>& refine_fields() {
  using R = RefineSettings;
  static const std::vector<Field<R>> fields = {
      field(&R::method, {.name = "method",
                         .choices = kRefineMethods,
                         .doc = "how fine grains follow the particles: Ihmsen 2013, Alduan 2009 or Takahashi "
                                "2014"}),
      field(&R::ratio,
            {.name = "ratio", .range = {.min = 1, .max = 1e6}, .doc = "fine grains for each particle"}),
      field(&R::step, {.name = "step",
                       .unit = "s",
                       .range = kPositive,
                       .doc = "longest time step of the fine grains; a frame is cut into equal steps"}),
      field(&R::radius, {.name = "radius",
                         .unit = "m",
                         .range = kPositive,
                         .doc = "of a fine grain",
                         .without = "such that the fine grains of a particle have its volume"}),
      field(&R::influence, {.name = "influence",
                            .unit = "m",
                            .range = kPositive,
                            .doc = "radius within which particles lead a fine grain",
                            .without = "three radii of a particle, two for alduan2009"}),
      field(&R::density_limit, {.name = "density_limit",
                                .doc = "moves grains on from where there is no room for more, so that they "
                                       "do not pile up in thin sheets or at the edges of heaps"}),
      field(&R::spread, {.name = "spread",
                         .doc = "grains of particles in flight part as the particles around them do, so that "
                                "they do not fly as balls"}),
      field(&R::color_by_guide,
            {.name = "color_by_guide", .doc = "the fine grains of one particle share its shade"}),
      field(&R::drag, {.name = "drag", .unit = "1/s", .range = kNotNegative, .doc = "of the air"}),
  };
  return fields;
}

const std::vector<Field<SurfaceSettings>>& surface_fields() {
  using S = SurfaceSettings;
  static const std::vector<Field<S>> fields = {
      field(&S::method, {.name = "method",
                         .choices = kSurfaceMethods,
                         .doc = "by the mean of the particles near a place (Zhu 2005, chapter 4), or, for "
                                "comparison, by the sum of their kernels, which shows each of them"}),
      field(&S::fine,
            {.name = "fine",
             .doc = "around the fine grains (docs/refine.md), in place of the particles; spacing and "
                    "radius go by theirs"}),
      field(&S::spacing, {.name = "spacing",
                          .unit = "m",
                          .range = kPositive,
                          .doc = "of the grid",
                          .without = "half of solver.spacing, three quarters of it under flip"}),
      field(&S::radius, {.name = "radius",
                         .unit = "m",
                         .range = kPositive,
                         .doc = "that a particle has in the surface",
                         .without = "from solver.spacing"}),
      field(&S::smoothing, {.name = "smoothing",
                            .range = {.min = 0, .max = 100},
                            .doc = "rounds of smoothing, which only widen the surface; under flip each is "
                                   "five, which take off bumps too"}),
      field(&S::formats, {.name = "formats",
                          .choices = kSurfaceFormats,
                          .doc = "ply: a mesh; vdb: a level set. Both with velocity and colour",
                          .most_items = 2}),
  };
  return fields;
}

const std::vector<Field<OutputSettings>>& output_fields() {
  using O = OutputSettings;
  static const std::vector<Field<O>> fields = {
      field(&O::every, {.name = "every", .range = {.min = 1, .max = 1e6}, .doc = "write each n-th frame"}),
      field(&O::formats, {.name = "formats",
                          .choices = kFormats,
                          .doc = "of particle files; later stages read \"ply\"",
                          .most_items = 4}),
      field(&O::fine_formats, {.name = "fine_formats",
                               .choices = kFineFormats,
                               .doc = "of fine grains; later stages read \"vdb\"",
                               .most_items = 4}),
      field(&O::fine_channels, {.name = "fine_channels",
                                .choices = kFineChannels,
                                .doc = "what files of fine grains hold beside position and id",
                                .most_items = 8}),
      field(&O::up, {.name = "up",
                     .choices = kUpAxes,
                     .doc = "axis that points up in csv, vtp and vdb files and in surfaces; ply files of "
                            "particles, which later stages read, keep z (repose export --up y turns them)"}),
  };
  return fields;
}

const std::vector<Field<RenderSettings>>& render_fields() {
  using R = RenderSettings;
  static const std::vector<Field<R>> fields = {
      field(&R::enabled, {.name = "enabled", .doc = "make pictures and a film"}),
      field(&R::size, {.name = "size",
                       .unit = "pixel",
                       .range = {.min = 2, .max = 16384},
                       .doc = "width and height of pictures; even numbers, since films need them"}),
      field(&R::samples, {.name = "samples", .range = {.min = 1, .max = 65536}, .doc = "rays a pixel"}),
      field(&R::bounces,
            {.name = "bounces", .range = {.min = 0, .max = 64}, .doc = "of light between surfaces"}),
      field(&R::denoise, {.name = "denoise", .doc = "smooth the noise of few samples"}),
      field(&R::sun, {.name = "sun", .doc = "direction towards the sun"}),
      field(&R::sun_strength, {.name = "sun_strength", .range = kNotNegative, .doc = "0: no sun"}),
      field(&R::sun_size, {.name = "sun_size",
                           .unit = "deg",
                           .range = {.min = 0, .max = 90},
                           .doc = "diameter; larger is softer shadows"}),
      field(&R::sky_strength,
            {.name = "sky_strength", .range = kNotNegative, .doc = "0: no light from the sky"}),
      field(&R::sky_color, {.name = "sky_color", .range = kZeroToOne, .doc = "linear red, green, blue"}),
      field(&R::ground, {.name = "ground", .doc = "show a ground plane below the scene"}),
      field(&R::ground_color,
            {.name = "ground_color", .range = kZeroToOne, .doc = "linear red, green, blue"}),
      field(&R::walls, {.name = "walls", .doc = "show the walls of the domain, as glass"}),
      field(&R::exposure, {.name = "exposure",
                           .unit = "stops",
                           .range = {.min = -20, .max = 20},
                           .doc = "one more is twice as bright"}),
      field(&R::color_variation, {.name = "color_variation",
                                  .range = kZeroToOne,
                                  .doc = "how much the brightness of grains differs"}),
      field(&R::color_by,
            {.name = "color_by", .choices = kColorBy, .doc = "what the colour of grains shows"}),
      field(&R::palette, {.name = "palette",
                          .choices = kPalettes,
                          .doc = "colours of small and large values that color_by shows"}),
      field(&R::sparkle, {.name = "sparkle",
                          .range = {.min = 0, .max = 100},
                          .doc = "how bright facets of fine grains of snow glint in the sun; 0: not at all"}),
      field(&R::range, {.name = "range",
                        .doc = "least and largest value that color_by shows",
                        .without = "repose render: from all frames; run: from the scene"}),
      field(&R::legend,
            {.name = "legend", .doc = "draw a bar of the colours with numbers where color_by shows a value"}),
      field(&R::formats,
            {.name = "formats",
             .choices = kImageFormats,
             .doc =
                 "of pictures: \"png\" as seen on a screen, which films are made of; \"exr\" linear, without "
                 "legend, for compositing",
             .most_items = 2}),
      field(&R::clip, {.name = "clip",
                       .doc = "plane [nx, ny, nz, d]: what lies on its far side is left out",
                       .without = "nothing is left out"}),
      field(&R::motion_blur, {.name = "motion_blur",
                              .range = kZeroToOne,
                              .doc = "how long the shutter is open, as a share of a frame"}),
      subtable({.name = "camera",
                .doc = "where pictures are taken from; without it the scene is framed automatically"},
               camera_fields()),
  };
  return fields;
}

}  // namespace repose::scene_file
