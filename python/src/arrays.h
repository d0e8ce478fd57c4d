#pragma once
// Arrays of NumPy that C++ has filled.

#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

#include "python/src/bindings.h"

namespace python {

// -1: a size that is known only when it is made.
template <class T, nb::ssize_t... sizes>
using Array = nb::ndarray<nb::numpy, T, nb::shape<sizes...>>;

// Numbers in the memory of an array to be; all zero at first. May be filled without the GIL.
template <class T>
struct Buffer {
  explicit Buffer(std::size_t size) : numbers(new T[size]()) {}
  std::unique_ptr<T[]> numbers;

  T* data() { return numbers.get(); }

  // Hands the memory over. REQUIRES: the GIL; as many numbers as the shape has.
  template <nb::ssize_t... sizes>
  Array<T, sizes...> as_array(std::initializer_list<std::size_t> shape) && {
    T* const raw = numbers.release();
    const nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array<T, sizes...>(raw, shape, owner);
  }
};

}  // namespace python
