#pragma once
// Whole files into memory, and whether they are there.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace repose {

/// Throw Error(usage) where the file is missing or may not be read, Error(run_failed) where reading fails.
std::vector<std::byte> read_bytes(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);

/// Whether something is there; false as well where one may not look.
bool file_exists(const std::filesystem::path& path);

}  // namespace repose
