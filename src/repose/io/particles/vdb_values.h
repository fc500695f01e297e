#pragma once
// Columns of particles as OpenVDB's points ask for them. Only sources that write points include it.

#include <cstddef>
#include <type_traits>
#include <utility>

#include <openvdb/openvdb.h>

namespace repose {

/// Values as OpenVDB asks for them, converted one at a time.
template <class T, class Get>
class VdbValues {
 public:
  using ValueType = T;
  using value_type = T;
  using PosType = T;
  VdbValues(std::size_t count, Get get) : count_(count), get_(std::move(get)) {}
  std::size_t size() const { return count_; }
  template <class Any>
  void get(Any& value, std::size_t i) const {
    value = Any(get_(i));
  }
  template <class Any>
  void get(Any& value, std::size_t i, openvdb::Index) const {
    value = Any(get_(i));
  }
  void getPos(std::size_t i, openvdb::Vec3d& position) const {
    if constexpr (std::is_same_v<T, openvdb::Vec3d>) position = get_(i);
  }

 private:
  std::size_t count_;
  Get get_;
};

template <class T, class Get>
VdbValues<T, Get> vdb_values(std::size_t count, Get get) {
  return {count, std::move(get)};
}

}  // namespace repose
