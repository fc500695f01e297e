#pragma once
// What the table of a probe holds, by its type, and which columns of stats.csv a check may name. Known here,
// so that a check that names a column which will never be there is refused before anything is simulated.

#include <span>
#include <string_view>
#include <vector>

#include "repose/scene/scene.h"

namespace repose {

/// The columns of probes/NAME.csv, the time first.
std::span<const std::string_view> probe_columns(ProbeKind kind);

/// The columns of stats.csv that are the same for every solver and for every machine.
std::span<const std::string_view> common_stat_columns();

/// Throws Error(bad_scene) where a [check] names a column of stats.csv that is none of these or of the
/// solver's own error measures.
void require_stat_columns(const Scene& scene, std::span<const std::string_view> error_measures);

}  // namespace repose
