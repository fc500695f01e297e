#include "repose/exec/background.h"

#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace repose {

struct Background::Job {
  std::thread thread;
  std::exception_ptr failure;
};

Background::Background() = default;

Background::~Background() {
  if (job_ && job_->thread.joinable()) job_->thread.join();
}

void Background::start(const std::function<void()>& work) {
  wait();
  job_ = std::make_unique<Job>();
  Job* job = job_.get();
  try {
    job->thread = std::thread([job, work] {
      try {
        work();
      } catch (...) {
        job->failure = std::current_exception();
      }
    });
  } catch (const std::system_error&) {
    work();
  }
}

void Background::wait() {
  if (!job_) return;
  if (job_->thread.joinable()) job_->thread.join();
  const std::unique_ptr<Job> done = std::move(job_);
  if (done->failure) std::rethrow_exception(done->failure);
}

}  // namespace repose
