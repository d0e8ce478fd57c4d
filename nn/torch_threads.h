#pragma once
// The calling thread's number of LibTorch threads (LibTorch's setting holds per thread). Includes
// no LibTorch.

namespace nn {

// Sets it to one.
void use_one_torch_thread();

// Sets it; the destructor restores it.
class TorchThreads {
 public:
  explicit TorchThreads(int count);
  ~TorchThreads();
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_;
};

}  // namespace nn
