#pragma once
// Runs a function with the widest vectors that this processor has, whatever the program was compiled for: the
// compiler makes one version of it for each kind of processor, and the first call picks one.
//
// The versions give the same bits: the compiler may reorder nothing (no -ffast-math) and join no product with
// a sum (-ffp-contract=off), so a loop over lanes computes each lane alike, however many fit a register.
// What runs so must be inlined whole: plain loops over arrays, no calls into other files.

/// Before a loop: its turns do not depend on each other, so that the compiler need not prove it.
#if defined(__clang__)
#define REPOSE_INDEPENDENT_TURNS _Pragma("clang loop vectorize(assume_safety)")
#else
#define REPOSE_INDEPENDENT_TURNS _Pragma("GCC ivdep")
#endif

namespace repose {

// A program compiled for this machine alone needs no choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX512VL__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)

#if defined(__clang__)
#define REPOSE_AVX512 "avx512f,avx512vl,avx512dq"
#else
#define REPOSE_AVX512 "avx512f,avx512vl,avx512dq,prefer-vector-width=256"
#endif

namespace widest {

template <class F>
__attribute__((target(REPOSE_AVX512), flatten)) void avx512(const F& f) {
  f();
}
template <class F>
__attribute__((target("avx2"), flatten)) void avx2(const F& f) {
  f();
}

}  // namespace widest

template <class F>
void run_widest(const F& f) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    widest::avx512(f);
  else if (__builtin_cpu_supports("avx2"))
    widest::avx2(f);
  else
    f();
}

#else

template <class F>
void run_widest(const F& f) {
  f();
}

#endif

}  // namespace repose
