#pragma once
// A 64-bit fingerprint of bytes, for state and scene hashes: FNV-1a over 8-byte words with a final mix. It
// tells runs apart; it is no cryptographic hash.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace repose {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t start = 0xcbf29ce484222325U);

/// 16 lower-case hexadecimal digits.
std::string to_hex(std::uint64_t value);

}  // namespace repose
