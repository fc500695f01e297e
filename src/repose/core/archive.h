#pragma once
// The state of a run as bytes: what a checkpoint holds and what the state hash is taken over. Each entry has
// a name, so that a reader that meets another layout can say which entry differs. Values are written in
// machine byte order.

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace repose {

class ArchiveWriter {
 public:
  template <class T>
  void put(std::string_view name, const T& value) {
    put_array(name, std::span<const T>(&value, 1));
  }
  void put(std::string_view name, const std::string& text) {
    put_array(name, std::span<const char>(text.data(), text.size()));
  }
  template <class T>
  void put(std::string_view name, const std::vector<T>& values) {
    put_array(name, std::span<const T>(values));
  }
  template <class T>
  void put_array(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(name, sizeof(T), std::as_bytes(values));
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  std::uint64_t hash() const;

 private:
  void put_bytes(std::string_view name, std::size_t item_size, std::span<const std::byte> data);
  std::vector<std::byte> bytes_;
};

/// Reads entries in the order they were written; throws Error(run_failed) naming the entry where names or
/// sizes differ.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  void get(std::string_view name, T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto data = get_bytes(name, sizeof(T));
    expect_size(name, data.size(), sizeof(T));
    std::memcpy(static_cast<void*>(&value), data.data(), sizeof(T));
  }
  void get(std::string_view name, std::string& text) {
    const auto data = get_bytes(name, 1);
    text.assign(reinterpret_cast<const char*>(data.data()), data.size());
  }
  template <class T>
  void get(std::string_view name, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto data = get_bytes(name, sizeof(T));
    values.resize(data.size() / sizeof(T));
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), data.data(), data.size());
  }
  /// Whether the next entry has this name.
  bool next_is(std::string_view name) const;
  bool at_end() const { return position_ == bytes_.size(); }

 private:
  std::span<const std::byte> get_bytes(std::string_view name, std::size_t item_size);
  static void expect_size(std::string_view name, std::size_t got, std::size_t wanted);
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

/// For numbers of a saved state that times, steps and cells are computed from. Throws Error(run_failed) where
/// one is not a number up to 1e15.
void check_saved_numbers(std::span<const double> numbers);
inline void check_saved_numbers(std::initializer_list<double> numbers) {
  check_saved_numbers(std::span(numbers.begin(), numbers.size()));
}

}  // namespace repose
