#pragma once
// Working memory that threads take, use and put back, so that it is made once and stays in their caches.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace repose {

template <class T>
class Spares {
 public:
  /// Goes back to its Spares at the end.
  class Loan {
   public:
    Loan(Spares& owner, std::unique_ptr<T> item) : owner_(owner), item_(std::move(item)) {}
    ~Loan() {
      const std::lock_guard lock(owner_.mutex_);
      owner_.items_.push_back(std::move(item_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    T& operator*() const { return *item_; }
    T* operator->() const { return item_.get(); }

   private:
    Spares& owner_;
    std::unique_ptr<T> item_;
  };

  /// One that nobody uses now: what is in it is left over from anyone.
  Loan take() {
    std::unique_ptr<T> item;
    {
      const std::lock_guard lock(mutex_);
      if (!items_.empty()) {
        item = std::move(items_.back());
        items_.pop_back();
      }
    }
    if (!item) item.reset(new T);  // not zeroed
    return Loan(*this, std::move(item));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> items_;
};

}  // namespace repose
