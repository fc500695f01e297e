#pragma once
// A run folder: where each file stands, whose folder it is, and what may be removed.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

struct RunFolder {
  std::filesystem::path root;

  /// The folder's own name, also of its film.
  std::string name() const;

  std::filesystem::path manifest() const { return root / "manifest.json"; }
  std::filesystem::path scene() const { return root / "scene.resolved.toml"; }
  std::filesystem::path stats() const { return root / "stats.csv"; }
  std::filesystem::path bodies() const { return root / "bodies.csv"; }
  std::filesystem::path grains() const { return root / "grains.json"; }
  std::filesystem::path film() const { return root / (name() + ".mp4"); }
  std::filesystem::path checkpoints() const { return root / "checkpoint"; }
  std::filesystem::path particles() const { return root / "particles"; }
  std::filesystem::path images() const { return root / "images"; }
  std::filesystem::path drawn_range() const { return images() / "colors.json"; }
  std::filesystem::path drawn_camera() const { return root / "camera.json"; }
  std::filesystem::path probes() const { return root / "probes"; }
  std::filesystem::path probe_file(std::string_view name) const {
    return probes() / (std::string(name) + ".csv");
  }
  /// What `repose measure` writes.
  std::filesystem::path measures() const { return root / "measure"; }
  std::filesystem::path measure_file(std::string_view name) const {
    return measures() / (std::string(name) + ".csv");
  }
  std::filesystem::path particle_file(int frame, std::string_view format) const;
  /// The list of the VTP files with their times, for ParaView.
  std::filesystem::path particle_sequence() const { return particles() / "particles.pvd"; }
  std::filesystem::path image_file(int frame, std::string_view format = "png") const;
  std::filesystem::path fine() const { return root / "fine"; }
  std::filesystem::path surfaces() const { return root / "surface"; }
  /// Many frames on one picture.
  std::filesystem::path sheet() const { return root / "sheet.png"; }
  /// The state that a solver could not go on from.
  std::filesystem::path failed_file() const { return particles() / "failed.ply"; }
};

/// "particles.0007.ply"
std::string numbered_name(std::string_view stem, int frame, std::string_view format);
/// The numbers of all files "STEM.NNNN.FORMAT" in a folder, in order; none where there is no folder.
std::vector<int> numbered_files(const std::filesystem::path& folder, std::string_view stem,
                                std::string_view format);

bool holds_run(const RunFolder& folder);
/// Throws Error(usage) where the folder is not there to be made or empty, and why.
void require_free(const RunFolder& folder);
/// Throws Error(usage) where a symbolic link stands in place of one of the run's folders: what lies behind it
/// may be another's.
void require_no_links(const RunFolder& folder);
/// Removes what repose wrote and nothing else; folders go where that leaves them empty. Refuses links as
/// above.
void remove_run(const RunFolder& folder);
/// Removes particle files and images of frames after this one.
void remove_frames_after(const RunFolder& folder, int frame);
void remove_images(const RunFolder& folder);
/// Removes what a killed process left half-written.
void remove_temporary_files(const RunFolder& folder);

/// Keeps a second process out of the folder while it lives. Throws Error(usage) where one is in it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Whether a process is at work in the folder; true where that cannot be told.
bool is_locked(const std::filesystem::path& folder);

}  // namespace repose
