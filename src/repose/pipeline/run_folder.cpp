#include "repose/pipeline/run_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/meshes/obj.h"
#include "repose/io/read_file.h"
#include "repose/io/run/checkpoint.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

/// Files that repose numbers by frame, by folder.
struct NumberedGroup {
  const char* folder;
  const char* stem;
  const char* format;
};
constexpr std::array<NumberedGroup, 10> kFrameGroups{{{"particles", "particles", "ply"},
                                                      {"particles", "particles", "csv"},
                                                      {"particles", "particles", "vtp"},
                                                      {"particles", "particles", "vdb"},
                                                      {"images", "image", "png"},
                                                      {"images", "image", "exr"},
                                                      {"fine", "fine", "vdb"},
                                                      {"fine", "fine", "ply"},
                                                      {"surface", "surface", "ply"},
                                                      {"surface", "surface", "vdb"}}};
constexpr std::array<NumberedGroup, 9> kExportGroups{{{"export/ply", "particles", "ply"},
                                                      {"export/csv", "particles", "csv"},
                                                      {"export/vtp", "particles", "vtp"},
                                                      {"export/vdb", "particles", "vdb"},
                                                      {"export/ply", "fine", "ply"},
                                                      {"export/csv", "fine", "csv"},
                                                      {"export/vtp", "fine", "vtp"},
                                                      {"export/vdb", "fine", "vdb"},
                                                      {"export/vtp", "bodies", "vtp"}}};
constexpr std::array<const char*, 4> kExportFolders{"export/ply", "export/csv", "export/vtp", "export/vdb"};
/// Folders that repose makes, inner ones first.
constexpr std::array<const char*, 16> kFolders{"particles",
                                               "fine",
                                               "surface",
                                               "images",
                                               "export/ply/bodies",
                                               "export/csv/bodies",
                                               "export/vtp/bodies",
                                               "export/vdb/bodies",
                                               "export/ply",
                                               "export/csv",
                                               "export/vtp",
                                               "export/vdb",
                                               "export",
                                               "checkpoint",
                                               "probes",
                                               "measure"};
/// Folders of tables, one a probe of the scene.
constexpr std::array<const char*, 2> kTableFolders{"probes", "measure"};

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error)
    throw Error(ExitCode::run_failed,
                fmt::format("cannot remove {}: {}; check who may write to that folder, or choose another one "
                            "with -o",
                            path.string(), error.message()));
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void remove_numbered(const fs::path& folder, std::string_view stem, std::string_view format, int after) {
  for (const int frame : numbered_files(folder, stem, format))
    if (frame > after) remove_file(folder / numbered_name(stem, frame, format));
}

/// Whether repose wrote this mesh of a body: its first line says so.
bool is_exported_body(const fs::path& path) {
  std::error_code error;
  if (path.extension() != ".obj" || !fs::is_regular_file(path, error)) return false;
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && line.starts_with(kObjMark);
}

void remove_exports(const RunFolder& folder) {
  for (const NumberedGroup& group : kExportGroups)
    remove_numbered(folder.root / group.folder, group.stem, group.format, -1);
  for (const char* name : kExportFolders) {
    const fs::path place = folder.root / name;
    for (const char* file : {"particles.pvd", "fine.pvd", "bodies.pvd", "bodies.csv", "grains.json"})
      remove_file(place / file);
    for (const fs::path& path : entries(place / "bodies"))
      if (is_exported_body(path)) remove_file(path);
  }
}

}  // namespace

std::string numbered_name(std::string_view stem, int frame, std::string_view format) {
  return fmt::format("{}.{:04}.{}", stem, frame, format);
}

std::vector<int> numbered_files(const fs::path& folder, std::string_view stem, std::string_view format) {
  std::vector<int> frames;
  for (const fs::path& path : entries(folder)) {
    const std::string name = path.filename().string();
    int frame = -1;
    if (name.size() <= stem.size() + 1) continue;
    std::from_chars(name.data() + stem.size() + 1, name.data() + name.size(), frame);
    if (frame >= 0 && name == numbered_name(stem, frame, format)) frames.push_back(frame);
  }
  std::sort(frames.begin(), frames.end());
  return frames;
}

std::string RunFolder::name() const {
  std::error_code error;
  const fs::path whole = fs::absolute(root, error).lexically_normal();
  const std::string last = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return last.empty() ? "run" : last;
}

fs::path RunFolder::particle_file(int frame, std::string_view format) const {
  return particles() / numbered_name("particles", frame, format);
}

fs::path RunFolder::image_file(int frame, std::string_view format) const {
  return images() / numbered_name("image", frame, format);
}

bool holds_run(const RunFolder& folder) { return file_exists(folder.manifest()); }

void require_free(const RunFolder& folder) {
  const std::string name = folder.root.string();
  std::error_code error;
  if (!file_exists(folder.root)) return;
  if (!fs::is_directory(folder.root, error))
    throw Error(ExitCode::usage, fmt::format("{} is a file: choose another folder with -o", name));
  if (holds_run(folder))
    throw Error(ExitCode::usage,
                fmt::format("{} holds a run already: go on with it by --resume, replace it by --force, or "
                            "choose another folder with -o",
                            name));
  for (const fs::path& path : entries(folder.root)) {
    const std::string entry = path.filename().string();
    if (entry.starts_with('.') || entry == "lost+found") continue;
    throw Error(ExitCode::usage, fmt::format("{} is not empty and holds no run (there is '{}' in it): choose "
                                             "another folder with -o",
                                             name, entry));
  }
}

void remove_temporary_files(const RunFolder& folder) {
  std::vector<fs::path> folders{folder.root};
  for (const char* name : kFolders) folders.push_back(folder.root / name);
  for (const fs::path& place : folders) sweep_temporary_files(place);
}

void require_no_links(const RunFolder& folder) {
  for (const char* name : kFolders) {
    std::error_code error;
    if (fs::is_symlink(folder.root / name, error))
      throw Error(ExitCode::usage,
                  fmt::format("{} is a symbolic link, and --force removes nothing behind links: remove the "
                              "link, or choose another folder with -o",
                              (folder.root / name).string()));
  }
}

void remove_run(const RunFolder& folder) {
  require_no_links(folder);
  remove_temporary_files(folder);
  remove_frames_after(folder, -1);
  remove_exports(folder);
  for (const fs::path& path : CheckpointStore::files(folder.checkpoints())) remove_file(path);
  for (const char* name : kTableFolders)
    for (const fs::path& path : entries(folder.root / name))
      if (path.extension() == ".csv") remove_file(path);
  for (const fs::path& path :
       {folder.failed_file(), folder.stats(), folder.bodies(), folder.grains(), folder.film(), folder.scene(),
        folder.particle_sequence(), folder.sheet(), folder.drawn_range(), folder.drawn_camera()})
    remove_file(path);
  for (const char* name : kFolders) {
    std::error_code not_empty;
    if (fs::is_directory(folder.root / name, not_empty)) fs::remove(folder.root / name, not_empty);
  }
  // The manifest goes last: until then the folder is known as a run, and removing can be done again.
  remove_file(folder.manifest());
}

void remove_frames_after(const RunFolder& folder, int frame) {
  for (const NumberedGroup& group : kFrameGroups)
    remove_numbered(folder.root / group.folder, group.stem, group.format, frame);
}

void remove_images(const RunFolder& folder) {
  for (const char* format : {"png", "exr"}) remove_numbered(folder.images(), "image", format, -1);
  remove_file(folder.drawn_range());
  remove_file(folder.drawn_camera());
}

FolderLock::FolderLock(const fs::path& folder) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A file system without locks is no reason not to run.
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw Error(ExitCode::usage,
              fmt::format("another repose is at work in {}: wait for it, stop it, or choose another folder "
                          "with -o",
                          folder.string()));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool is_locked(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return !free;
}

}  // namespace repose
