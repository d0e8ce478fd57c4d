#include "training/learner/learner_team.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/errors.h"

namespace training {
namespace {

using namespace std::chrono_literals;

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

TEST(LearnerTeam, WaitsLongerForTheLeadersWordThanToMeet) {
  static constexpr auto kPatience = 3s;
  const int port = free_port();
  auto heard = std::async(std::launch::async, [port] {
    return meet({1, 2, "127.0.0.1", port}, kPatience)->share("");
  });
  std::unique_ptr<Team> leader;
  try {
    leader = meet({0, 2, "127.0.0.1", port}, kPatience);
  } catch (const base::InputError& error) {  // built without gloo
    EXPECT_THROW(heard.get(), base::InputError);
    GTEST_SKIP() << error.what();
  }
  std::this_thread::sleep_for(kPatience + 1s);  // it plays
  leader->share("go on");
  EXPECT_EQ(heard.get(), "go on");
}

}  // namespace
}  // namespace training
