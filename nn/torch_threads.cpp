#include "nn/torch_threads.h"

#include <ATen/Parallel.h>

namespace nn {

// The first call of at::get_num_threads() in a thread replaces its number by the one that any
// thread has set last: so it comes before at::set_num_threads().
TorchThreads::TorchThreads(int count) : before_(at::get_num_threads()) {
  at::set_num_threads(count);
}
TorchThreads::~TorchThreads() { at::set_num_threads(before_); }

void use_one_torch_thread() {
  at::get_num_threads();
  at::set_num_threads(1);
}

}  // namespace nn
