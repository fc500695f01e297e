#pragma once
// A scene from a file, and back.
//
//     text ─► screen ─► toml++ ─► tree of values (+ --set) ─► tables of keys ─► Scene ─► resolved text,
//     hashes
//             text/               text/                       keys/                      reference page
//
// One list of tables and keys (keys/tables.h) drives it all: what is read, what is wrong and how that is
// said, what the resolved scene holds, what the reference page says. A key has a name, a unit, a range, a
// meaning and a place in a struct of scene.h, and nothing about it stands anywhere else. What spans several
// keys or tables is in keys/checks.h.
//
// Errors are told all at once, `file:line:col: message`, in the order of the file; only a syntax error stands
// alone, since nothing is known beyond it. Keys, values and tables of later versions are known, checked and
// documented, and refused: a scene never silently gets less than it asks for.
//
// Small files that a scene names (grain shapes, keyframes, grains of a fill) are read with it, so that
// `Scene` is all that anyone needs. Paths in a Scene are resolved against the scene's folder.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repose/scene/grain_shapes.h"
#include "repose/scene/presets.h"
#include "repose/scene/scene.h"

namespace repose {

/// Throws Error(usage) where the file is missing or cannot be read, Error(bad_scene) with all that is wrong
/// in it. `overrides` are "key.path=value" with a TOML value, as `--set` takes them.
Scene load_scene(const std::string& path, std::span<const std::string> overrides = {});

/// The same from text: `path` is for messages, relative paths start from `directory`.
Scene parse_scene(std::string_view text, const std::string& path, const std::string& directory,
                  std::span<const std::string> overrides = {});

/// Every key with the value used, as a scene file that runs as it is and resolves to itself. Paths are
/// absolute, so that it may be kept in any folder. Keys that are not available yet are left out.
std::string resolved_scene_text(const Scene& scene);

/// Over all keys and the contents of the files that the scene names, but not over their paths: the same scene
/// has the same hash wherever it lies.
std::uint64_t scene_hash(const Scene& scene);
/// The same without what a resumed run may change: scene.duration, [output], [render].
std::uint64_t physics_hash(const Scene& scene);
/// The keys of physics_hash in which two scenes differ, such as "material.sand.friction"; for a file whose
/// content differs the key that names it.
std::vector<std::string> changed_physics_keys(const Scene& before, const Scene& after);

/// The reference page of the scene format.
std::string scene_reference_markdown();

/// "dem", "sph", "flip" or "snow".
std::string_view solver_name(SolverKind kind);
/// "box", "sphere", ... as scene files call it.
std::string_view shape_name(ShapeKind kind);
/// "static", "keyframed", ... likewise.
std::string_view motion_name(Motion motion);

}  // namespace repose
