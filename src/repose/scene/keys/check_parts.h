#pragma once
// Small pieces that the checks of several tables share.

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {

/// Where the value of a key stands, or the table's header where the key is not written.
Place place_in(const Value& table, std::string_view key);

/// Reports unless exactly one of the keys is written. `header` is the table as messages call it.
void need_exactly_one(const Value& table, ReadContext& context, std::initializer_list<std::string_view> keys,
                      const std::string& header);

/// Makes a path of the scene absolute against its folder and reads the file; what `read` throws is reported.
void read_named_file(const Value& table, ReadContext& context, std::string_view key, std::string& path,
                     const std::function<void(const std::string&)>& read);

/// Checks the numbers of a shape against each other; resolves its file and loads it. `can_be_shell` says
/// whether the table has a key 'thickness', to which a message about an open mesh may point.
void check_shape(const Value& table, ReadContext& context, Shape& shape, bool can_be_shell = false);

}  // namespace repose::scene_file
