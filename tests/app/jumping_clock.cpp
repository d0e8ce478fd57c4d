// Loaded before the C library: the system's clock jumps by a day forward and back, every 20 ms. The
// monotonic clock, which counts what a run has worked, is left alone.

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

namespace {

constexpr time_t kDay = 86400;

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

time_t jump() {
  static auto* const clock = real<int(clockid_t, timespec*)>("clock_gettime");
  timespec now{};
  clock(CLOCK_MONOTONIC, &now);
  return now.tv_nsec / 20'000'000 % 2 == 0 ? kDay : -kDay;
}

}  // namespace

extern "C" int clock_gettime(clockid_t id, timespec* out) noexcept {
  static auto* const clock = real<int(clockid_t, timespec*)>("clock_gettime");
  const int code = clock(id, out);
  if (id == CLOCK_REALTIME && code == 0) out->tv_sec += jump();
  return code;
}

extern "C" time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

extern "C" int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
