#pragma once
// The tables of keys: for each table of the scene file its keys, in the order in which they are written and
// documented. Adding a key to the scene is one member in scene.h and one line here.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repose/geometry/mesh/mesh_cache.h"
#include "repose/scene/keys/field.h"

namespace repose::scene_file {

const std::vector<Field<SceneInfo>>& scene_fields();
const std::vector<Field<Domain>>& domain_fields();
const std::vector<Field<SolverSettings>>& solver_fields();
const std::vector<Field<Material>>& material_fields();
const std::vector<Field<GrainDefinition>>& grain_fields();
const std::vector<Field<ContactPair>>& contact_fields();
const std::vector<Field<Shape>>& shape_fields();
const std::vector<Field<Fill>>& fill_fields();
const std::vector<Field<Emitter>>& emitter_fields();
const std::vector<Field<Sink>>& sink_fields();
const std::vector<Field<Zone>>& zone_fields();
const std::vector<Field<BodyDefinition>>& body_fields();
const std::vector<Field<JointDefinition>>& joint_fields();
const std::vector<Field<ProbeDefinition>>& probe_fields();
const std::vector<Field<CheckDefinition>>& check_fields();
const std::vector<Field<RefineSettings>>& refine_fields();
const std::vector<Field<SurfaceSettings>>& surface_fields();
const std::vector<Field<OutputSettings>>& output_fields();
const std::vector<Field<RenderSettings>>& render_fields();

/// What the reader hands to the checks of a table.
struct ReadContext {
  Report& report;
  const std::string& directory;  ///< that relative paths start from
  MeshCache meshes{};            ///< loaded so far
};

/// One key of the resolved scene.
struct ResolvedKey {
  std::string table;  ///< "material.sand", "solver.dem"
  std::string key;
  std::string text;       ///< as TOML; empty: has no value
  std::string_view unit;  ///< "" for none
  std::string_view without;
  bool is_path = false;
  std::string path() const { return table + "." + key; }
};

/// One key as the reference page tells it.
struct DocumentedKey {
  std::string table;  ///< "material.NAME", "solver.dem"
  KeyInfo info;
  std::string expected;
  std::string fallback;  ///< the default as TOML, or what happens without it
};

/// A table of the scene: what the generic code needs to read, write and describe it.
struct TableSpec {
  std::string_view name;
  bool named;  ///< [material.NAME]: any number of them
  bool later;
  bool required;
  std::string_view doc;
  std::function<void(const Value&, ReadContext&, Scene&)> read;
  std::function<void(const Scene&, std::vector<ResolvedKey>&)> write;
  std::function<void(std::vector<DocumentedKey>&)> document;
};

/// The keys of a shape, which stand in several tables.
std::vector<DocumentedKey> document_shape();

/// All tables, in the order of the contract.
const std::vector<TableSpec>& scene_tables();

}  // namespace repose::scene_file
