#pragma once
// The files of fine grains, by name of their format: fine.NNNN.vdb (fine_vdb.h) and fine.NNNN.ply. Of work
// that is cut into parts each part has its own, fine.NNNN.I-of-N.vdb.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/refine_model.h"
#include "repose/scene/scene.h"

namespace repose {

/// "fine.0007.vdb", or "fine.0007.2-of-8.vdb" where there are parts.
std::string fine_name(int frame, const GuidePart& part, std::string_view format);

/// Writes a file for each of output.fine_formats. Returns their size in bytes.
std::uint64_t write_fine_files(const std::filesystem::path& folder, const OutputSettings& output,
                               const FineGrains& grains, const Frame& guides, const GuidePart& part,
                               Threads& threads);

/// Whether a folder has fine grains of a frame, whole or in all of their parts, as VDB.
bool has_fine_grains(const std::filesystem::path& folder, int frame);
/// Reads them. Throws Error(run_failed) where they are damaged, or parts do not belong together.
FineGrains read_fine_grains(const std::filesystem::path& folder, int frame, Threads& threads);

}  // namespace repose
