#pragma once
// What the writers of VDB files share. Only sources that write grids include it: OpenVDB compiles slowly.

#include <functional>
#include <string>
#include <string_view>

#include <openvdb/openvdb.h>

#include "repose/exec/threads.h"

namespace repose {

/// The grids as the bytes of a file, compressed with Blosc. The same grids give the same bytes.
std::string vdb_file_bytes(const openvdb::GridCPtrVec& grids);

/// Runs `make` with OpenVDB set up and held to these threads. Throws Error(run_failed) where it fails; `what`
/// was to be made.
std::string vdb_in_arena(Threads& threads, std::string_view what, const std::function<std::string()>& make);

}  // namespace repose
