#pragma once

#include <string>
#include <utility>

#include "repose/core/error.h"
#include "repose/scene/scene.h"

namespace repose {

/// What make() returns. An error that comes out of it gets the place of this key in front ("file:line:col:
/// "), since geometry and the like know no scene files.
template <class Make>
decltype(auto) at_place(const Scene& scene, const std::string& key, Make&& make) {
  try {
    return std::forward<Make>(make)();
  } catch (const Error& error) {
    throw Error(error.code(), scene.where(key) + error.what());
  }
}

}  // namespace repose
