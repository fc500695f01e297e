#include "repose/scene/presets.h"

#include <cmath>
#include <vector>

#include "repose/scene/grain_slopes.h"

namespace repose {
namespace {

/// A preset knows its own name, so that a scene that starts from it resolves with it.
MaterialPreset preset(std::string_view name, std::string_view description, Material values,
                      std::string_view source) {
  values.preset = name;
  return {name, description, std::move(values), source};
}

/// The friction [-] with which grains of this shape stand at the preset's slope under dem, so that it is one
/// material under every solver. Measured heaps say it, to three digits: friction of the grains' mineral would
/// make them stand steeper, since compounds of spheres interlock more than grains of sand do.
double friction_at_slope(const Material& m) {
  return std::round(1000 * friction_for_slope(m.grain, *m.friction_angle).value().friction) / 1000;
}

MaterialPreset dry_sand() {
  Material m;
  m.density = 1600;
  m.grain_density = 2650;
  m.friction_angle = radians(33.0);
  m.restitution = 0.4;
  m.grain = "tetrahedron";
  m.friction = friction_at_slope(m);
  m.color = {0.62F, 0.45F, 0.27F};
  return preset(
      "dry sand", "quartz sand, loose to medium", m,
      "Grains: quartz, specific gravity 2.65. Bulk density and angle: Terzaghi, Peck and Mesri 1996, Soil "
      "Mechanics in Engineering Practice, typical dry uniform sand (1430 to 1750 kg/m3; 27 to 35 deg from "
      "loose round to dense angular). Friction: of heaps of these grains that stand at the angle. "
      "Restitution: a value usual in DEM studies, not measured for this preset.");
}

MaterialPreset wet_sand() {
  Material m = dry_sand().values;
  m.density = 1750;
  m.cohesion = 1000;
  m.wetness = 0.3;
  m.color = {0.36F, 0.25F, 0.15F};
  return preset(
      "wet sand", "sand for castles: pores partly full of water", m,
      "Mitarai and Nori 2006, Wet granular materials, Advances in Physics 55: cohesion of liquid bridges of "
      "the order of 1 kPa for grains of 0.1 to 1 mm, nearly constant over a wide range of water "
      "content. Density: dry sand with three tenths of its pores full of water, rounded. The rest as dry "
      "sand.");
}

MaterialPreset gravel() {
  Material m;
  m.density = 1550;
  m.grain_density = 2650;
  m.friction_angle = radians(38.0);
  m.restitution = 0.4;
  m.grain = "octahedron";
  m.friction = friction_at_slope(m);
  m.color = {0.40F, 0.38F, 0.36F};
  return preset(
      "gravel", "crushed stone", m,
      "Typical handbook ranges (Terzaghi, Peck and Mesri 1996; Holtz and Kovacs 1981, An Introduction to "
      "Geotechnical Engineering): 34 to 45 deg for gravel, rock at 2650 kg/m3. Bulk density: of one size, "
      "loose, within the 1200 to 1750 kg/m3 that are usual for aggregate; mixed sizes lie denser. Friction: "
      "of heaps of these grains that stand at the angle. Restitution: usual in DEM studies of stone.");
}

MaterialPreset soil() {
  Material m;
  m.density = 1300;
  m.grain_density = 2650;
  m.friction_angle = radians(32.0);
  m.restitution = 0.2;
  m.grain = "tetrahedron";
  m.friction = friction_at_slope(m);
  m.color = {0.19F, 0.12F, 0.075F};
  return preset(
      "soil", "loose dry topsoil", m,
      "Bulk density of loose loam about 1.1 to 1.4 g/cm3 (USDA Natural Resources Conservation Service, Soil "
      "Quality Indicators: Bulk Density). Angle: typical handbook range of 28 to 34 deg for silty sand and "
      "loam. Taken without cohesion; set 'cohesion' for moist or clayey soil. Friction: of heaps of these "
      "grains that stand at the angle. Restitution: a value usual in DEM studies.");
}

MaterialPreset rice() {
  Material m;
  m.density = 800;
  m.grain_density = 1450;
  m.friction_angle = radians(32.0);
  m.restitution = 0.5;
  m.grain = "rice";
  m.friction = friction_at_slope(m);
  m.color = {0.82F, 0.78F, 0.66F};
  return preset(
      "rice", "milled long-grain rice, uncooked", m,
      "Typical ranges for milled rice (Mohsenin 1986, Physical Properties of Plant and Animal Materials): "
      "kernels 1400 to 1470 kg/m3, bulk 750 to 850 kg/m3, angle of repose 30 to 38 deg, of which "
      "grains of this shape reach 32. Friction: of heaps of these grains that stand at the angle. "
      "Restitution: usual in DEM studies of cereals.");
}

MaterialPreset popcorn() {
  Material m;
  m.density = 27;
  m.grain_density = 50;
  m.friction_angle = radians(37.0);
  m.restitution = 0.3;
  m.grain = "popcorn";
  m.friction = friction_at_slope(m);
  m.color = {0.88F, 0.80F, 0.55F};
  return preset(
      "popcorn", "popped, without butter", m,
      "Bulk density from the usual popping volume of 35 to 45 cm3/g. Flake density from it with a loose "
      "packing of 0.55. Angle and restitution are estimates. Friction: of heaps of these grains that stand "
      "at the angle.");
}

MaterialPreset fresh_snow() {
  Material m;
  m.kind = MaterialKind::snow;
  m.density = 100;
  m.grain_density = 917;
  m.friction_angle = radians(50.0);
  m.friction = 0.5;
  m.restitution = 0.05;
  m.grain = "popcorn";
  m.durability = 1;
  m.c_0 = 10;
  m.k_c = 1e4;
  m.color = {0.88F, 0.91F, 0.95F};
  return preset(
      "fresh snow", "fallen recently, not yet settled", m,
      "Ice: 917 kg/m3. Density: Paterson 1994, The Physics of Glaciers, table 2.1 (new snow 50 to 70, damp "
      "new snow 100 to 200 kg/m3); classes as in Fierz et al. 2009, The International Classification for "
      "Seasonal Snow on the Ground. Slope: University of Utah, table of natural slopes of snow (fluffy snow, "
      "48 "
      "to 53 degrees). Cohesion: so little that a slope of 1 m lies at that angle, and enough for the wall "
      "of a "
      "footprint; its gain with damage makes a ball pressed at 30 kPa some 400 Pa firm: estimates. Strength: "
      "docs/snow.md.");
}

MaterialPreset settled_snow() {
  Material m = fresh_snow().values;
  m.density = 200;
  m.friction_angle = radians(45.0);
  m.c_0 = 1000;
  m.color = {0.87F, 0.90F, 0.94F};
  return preset(
      "settled snow", "some days old, bonded", m,
      "Density: Paterson 1994, table 2.1 (settled snow 200 to 300 kg/m3). Cohesion: 14.5 kPa (rho / "
      "917)^1.73, "
      "shear frames on layers of precipitation particles (Jamieson and Johnston 2001, Annals of Glaciology "
      "32, "
      "as recalled). Slope: between fluffy and coarse granular snow of the table named for fresh snow.");
}

MaterialPreset wet_snow() {
  Material m = fresh_snow().values;
  m.density = 300;
  m.friction_angle = radians(45.0);
  m.c_0 = 2000;
  m.k_c = 2e4;
  m.color = {0.82F, 0.86F, 0.91F};
  return preset(
      "wet snow", "near 0 degrees Celsius, packs into balls", m,
      "Density: the middle of 200 to 400 kg/m3, what melting does to new snow. Cohesion: that of dry snow of "
      "this density, and twice its gain with damage: estimates, since water between grains packs and bonds "
      "them at once.");
}

MaterialPreset coarse_snow() {
  Material m = fresh_snow().values;
  m.density = 350;
  m.friction_angle = radians(39.0);
  m.c_0 = 0;
  m.color = {0.84F, 0.88F, 0.92F};
  return preset(
      "coarse snow", "granular, grains of 4 to 5 mm, without bonds", m,
      "Density: Paterson 1994, table 2.1 (firn from 400 kg/m3, depth hoar 100 to 300), an estimate between. "
      "Slope: University of Utah, table of natural slopes of snow (coarse granular, 37 to 41 degrees).");
}

MaterialPreset packed_snow() {
  Material m = fresh_snow().values;
  m.density = 400;
  m.friction_angle = radians(40.0);
  m.friction = 0.6;
  m.c_0 = 3500;
  m.color = {0.84F, 0.88F, 0.93F};
  return preset(
      "packed snow", "packed by wind or by feet", m,
      "Density: Paterson 1994, The Physics of Glaciers, table 2.1 (wind-packed snow 350 to 400 kg/m3); "
      "classes as in Fierz et al. 2009. Cohesion: by the formula named for settled snow. Its structure "
      "counts "
      "as whole at this density, and breaks further above it.");
}

MaterialPreset water() {
  Material m;
  m.kind = MaterialKind::fluid;
  m.density = 998.2;
  m.grain_density = 998.2;
  m.friction_angle = 0;
  m.friction = 0;
  m.restitution = 0;
  m.viscosity = 1.002e-3;
  m.grain = "sphere";
  m.color = {0.10F, 0.28F, 0.36F};
  m.clarity = 0.6;
  return preset("water", "at 20 degrees Celsius", m,
                "CRC Handbook of Chemistry and Physics: 998.2 kg/m3 and 1.002 mPa s at 20 degrees Celsius.");
}

}  // namespace

std::span<const MaterialPreset> material_presets() {
  static const std::vector<MaterialPreset> presets = {
      dry_sand(),   wet_sand(),     gravel(),   soil(),        rice(),        popcorn(),
      fresh_snow(), settled_snow(), wet_snow(), coarse_snow(), packed_snow(), water()};
  return presets;
}

const MaterialPreset* find_material_preset(std::string_view name) {
  for (const MaterialPreset& known : material_presets())
    if (known.name == name) return &known;
  return nullptr;
}

}  // namespace repose
