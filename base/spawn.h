#pragma once
// Child processes.

#include <sys/types.h>

#include <string>
#include <vector>

namespace base {

// What a child's streams are: descriptors of this process; -1: /dev/null.
struct ChildStreams {
  int input = -1;
  int output = -1;
  int error = -1;
};

// Starts a program, which is looked for in PATH where its name has no slash, in a process group of
// its own, with no signal blocked or ignored. Returns an error number, 0 where `pid` is the child.
// REQUIRES: a word.
int spawn(std::vector<std::string> words, const ChildStreams& streams, pid_t& pid);

}  // namespace base
