#include "repose/core/archive.h"

#include <cmath>

#include "repose/core/error.h"
#include "repose/core/hash.h"

namespace repose {
namespace {

/// What stands before each entry's name and data.
struct EntryHead {
  std::uint32_t name_size;
  std::uint32_t item_size;
  std::uint64_t data_size;
};

[[noreturn]] void fail(std::string_view name, const char* what) {
  throw Error(ExitCode::run_failed, "the saved state does not fit this version of repose: entry '" +
                                        std::string(name) + "' " + what +
                                        "; start the run anew with --force");
}

}  // namespace

void ArchiveWriter::put_bytes(std::string_view name, std::size_t item_size, std::span<const std::byte> data) {
  const EntryHead head{static_cast<std::uint32_t>(name.size()), static_cast<std::uint32_t>(item_size),
                       data.size()};
  const std::size_t start = bytes_.size();
  bytes_.resize(start + sizeof(head) + name.size() + data.size());
  std::memcpy(bytes_.data() + start, &head, sizeof(head));
  std::memcpy(bytes_.data() + start + sizeof(head), name.data(), name.size());
  if (!data.empty())
    std::memcpy(bytes_.data() + start + sizeof(head) + name.size(), data.data(), data.size());
}

std::uint64_t ArchiveWriter::hash() const { return hash_bytes(bytes_); }

std::span<const std::byte> ArchiveReader::get_bytes(std::string_view name, std::size_t item_size) {
  EntryHead head{};
  if (bytes_.size() - position_ < sizeof(head)) fail(name, "is missing");
  std::memcpy(&head, bytes_.data() + position_, sizeof(head));
  const std::size_t rest = bytes_.size() - position_ - sizeof(head);
  if (head.name_size > rest || head.data_size > rest - head.name_size) fail(name, "is cut short");
  const std::string_view found(reinterpret_cast<const char*>(bytes_.data()) + position_ + sizeof(head),
                               head.name_size);
  if (found != name) fail(name, "was expected where another stands");
  if (head.item_size != item_size || head.data_size % item_size != 0) fail(name, "has another type");
  const auto data = bytes_.subspan(position_ + sizeof(head) + head.name_size, head.data_size);
  position_ += sizeof(head) + head.name_size + head.data_size;
  return data;
}

bool ArchiveReader::next_is(std::string_view name) const {
  EntryHead head{};
  if (bytes_.size() - position_ < sizeof(head)) return false;
  std::memcpy(&head, bytes_.data() + position_, sizeof(head));
  if (head.name_size > bytes_.size() - position_ - sizeof(head)) return false;
  return name == std::string_view(reinterpret_cast<const char*>(bytes_.data()) + position_ + sizeof(head),
                                  head.name_size);
}

void check_saved_numbers(std::span<const double> numbers) {
  constexpr double largest = 1e15;
  for (const double number : numbers)
    if (!(std::abs(number) <= largest))
      throw Error(ExitCode::run_failed,
                  "the saved state has a number beyond 1e15, or none where one belongs: it "
                  "is damaged; start the run anew with --force");
}

void ArchiveReader::expect_size(std::string_view name, std::size_t got, std::size_t wanted) {
  if (got != wanted) fail(name, "has another length");
}

}  // namespace repose
