// The line protocol and its server, with clients that behave and clients that do not.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "tb/files/output.h"
#include "tests/aieml/on_rtl.h"
#include "tests/cli/temp_folder.h"
#include "tools/aieml/serve/array_target.h"
#include "tools/aieml/serve/server.h"

namespace tessera::serve {
namespace {

constexpr uint64_t kBase = 0x20000000000;

class ProtocolTest : public ::testing::Test {
 protected:
  ProtocolTest()
      : array(aieml::Here({})),
        target(&array),
        protocol(&target, {kBase, 500, 0, 1000, 64},
                 [this](const std::string& m) { said.push_back(m); }) {}
  std::string Ask(const std::string& line, uint32_t client = 1) {
    return protocol.Answer(client, line);
  }
  aieml::Array array;
  ArrayTarget target;
  std::vector<std::string> said;
  Protocol protocol;
};

TEST_F(ProtocolTest, LinesOfTheDriver) {
  EXPECT_EQ(Ask("W 0X000002000001D000 0X0000ABCD"), "");
  EXPECT_EQ(Ask("R 0X000002000001D000"), "0x0000abcd\n");
  EXPECT_EQ(Ask("R 0X000002000001D000").size(), 11u);
  EXPECT_TRUE(said.empty());
}

// Time runs with reads that poll. Other accesses take the few cycles that they need.
TEST_F(ProtocolTest, TimeRunsWithReadsThatPoll) {
  const auto took = [&](const std::string& line, uint32_t client = 1) {
    const uint64_t before = array.cycles();
    Ask(line, client);
    return array.cycles() - before;
  };
  const std::string a = "R 0X000002000001D000", b = "R 0X000002000001D004";
  const uint64_t few = aieml::OnRtl() ? 16 : 8;  // cycles of an access
  EXPECT_LT(took("W 0X000002000001D000 0X0000ABCD"), few);
  EXPECT_LT(took("W 0X000002000001D000 0X0000ABCD"), few);
  EXPECT_LT(took("writeblock 0x2000001D000 1 2 3 4"), 4 * few);
  EXPECT_LT(took("readblock 0x2000001D000 4"), 4 * few);
  EXPECT_LT(took("readblock 0x2000001D000 4"), 4 * few);
  EXPECT_LT(took(a), few);
  EXPECT_LT(took(b), few);
  EXPECT_GE(took(a), 490u);  // 500 cycles after the read before
  EXPECT_LT(took(b), few);   // as long ago: a pair of registers is read in one go
  EXPECT_GE(took(a), 490u);
  EXPECT_LT(took(a, 2), few);  // another client
  EXPECT_LT(took("W 0X000002000001D000 0X00000001"), few);
  EXPECT_LT(took(a), few);  // the first read after a write
}

// As the driver waits for cycles: both halves of the timer, again and again.
TEST_F(ProtocolTest, AProgramWaitsForCycles) {
  const auto time = [&] {
    const uint64_t low = std::stoul(Ask("R 0X00000200002140F8"), nullptr, 16);
    return low | std::stoul(Ask("R 0X00000200002140FC"), nullptr, 16) << 32;
  };
  const uint64_t end = time() + 100'000;
  int reads = 0;
  for (; time() < end && reads < 1000; ++reads) continue;
  EXPECT_GE(time(), end);
  EXPECT_LE(reads, 200);
}

TEST_F(ProtocolTest, TheNpiSpaceIsRemembered) {
  EXPECT_EQ(Ask("W 0X00000000F70A0208 0X00000005"), "");
  EXPECT_EQ(Ask("R 0X00000000F70A0208"), "0x00000005\n");
  EXPECT_TRUE(said.empty());
}

TEST_F(ProtocolTest, AddressesOutsideAndBadLinesAreAnsweredAndTold) {
  for (const char* line : {"R 0X0000020040000000", "R 0X0000000000000000", "R", "R zz", "R 1 2",
                           "R 0XFFFFFFFFFFFFFFFF", "R 0X1FFFFFFFFFFFFFFFF"}) {
    EXPECT_EQ(Ask(line), "0x00000000\n") << line;
  }
  EXPECT_EQ(said.size(), 7u);
  for (const char* line : {"W 1", "W 1 2 3", "W 0X0000020040000000 0X00000000", "W x y",
                           "W 0X20000000000 0X100000000"}) {
    EXPECT_EQ(Ask(line), "") << line;
  }
  EXPECT_EQ(said.size(), 12u);
  EXPECT_EQ(Ask(""), "");
  EXPECT_EQ(Ask("what is this").substr(0, 27), "error: \"what\" is no command");
}

TEST_F(ProtocolTest, OneClientAtATimeWrites) {
  EXPECT_EQ(Ask("writeblock 0x2000001D000 1 2 3", 1), "ok\n");
  EXPECT_EQ(Ask("W 0X000002000001D000 0X00000009", 2), "");
  EXPECT_EQ(said.size(), 1u);
  EXPECT_EQ(Ask("writeblock 0x2000001D000 9", 2).substr(0, 32), "error: client 1 has write access");
  EXPECT_EQ(Ask("readblock 0x2000001D000 3", 2), "0x00000001 0x00000002 0x00000003\n");
  protocol.Gone(1);
  EXPECT_EQ(Ask("writeblock 0x2000001D000 9", 2), "ok\n");
  EXPECT_EQ(Ask("run 5", 1).substr(0, 6), "error:");
}

// Memory of the host is no register: a client fills it while another one writes registers.
TEST_F(ProtocolTest, EveryClientWritesHostMemory) {
  EXPECT_EQ(Ask("W 0X000002000001D000 0X00000009", 1), "");
  EXPECT_EQ(Ask("memadd 4096 16", 2), "ok\n");
  EXPECT_EQ(Ask("memwrite 4096 1 2", 2), "ok\n");
  EXPECT_EQ(Ask("memwrite 4100 3", 3), "ok\n");
  EXPECT_EQ(Ask("memread 4096 2", 1), "0x00000001 0x00000003\n");
  EXPECT_EQ(Ask("W 0X000002000001D000 0X0000000A", 2), "");  // still dropped
  EXPECT_EQ(Ask("R 0X000002000001D000", 2), "0x00000009\n");
}

// Memory alone gives no write access.
TEST_F(ProtocolTest, HostMemoryTakesNoWriteAccess) {
  EXPECT_EQ(Ask("memadd 4096 16", 2), "ok\n");
  EXPECT_EQ(Ask("writeblock 0x2000001D000 1", 1), "ok\n");
}

TEST_F(ProtocolTest, ACommandWithWrongWordsIsToldItsForm) {
  EXPECT_EQ(Ask("hello you"), "error: hello takes no words\n");
  EXPECT_EQ(Ask("cycles 1"), "error: cycles takes no words\n");
  const std::string unknown = Ask("fly 1");
  EXPECT_EQ(unknown.substr(0, 30), "error: \"fly\" is no command: le");
}

TEST_F(ProtocolTest, TheSuperset) {
  EXPECT_EQ(Ask("hello"), "tessera serve 1\n");
  EXPECT_EQ(Ask("memadd 4096 16"), "ok\n");
  EXPECT_EQ(Ask("memadd 4100 16").substr(0, 6), "error:");
  EXPECT_EQ(Ask("memadd 4100 0").substr(0, 6), "error:");
  EXPECT_EQ(Ask("memwrite 4096 1 2 3 0x4"), "ok\n");
  EXPECT_EQ(Ask("memwrite 4096 1 2 3 4 5").substr(0, 6), "error:");
  EXPECT_EQ(Ask("memread 4096 4"), "0x00000001 0x00000002 0x00000003 0x00000004\n");
  EXPECT_EQ(Ask("memread 0 4").substr(0, 6), "error:");
  EXPECT_EQ(Ask("memread 4096 65").substr(0, 6), "error:");
  EXPECT_EQ(Ask("memread 4096 0").substr(0, 6), "error:");
  EXPECT_EQ(Ask("run 100"), "ok\n");
  EXPECT_EQ(Ask("run 1001").substr(0, 6), "error:");
  EXPECT_EQ(Ask("wait 10"), "timeout\n");
  EXPECT_EQ(Ask("cycles"), fmt::format("{}\n", array.cycles()));
  EXPECT_EQ(Ask("trace on"), "ok\n");
  Ask("readblock 0x2000001D000 1");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("DMA_BD0_0"), std::string::npos);
  EXPECT_EQ(Ask("trace off"), "ok\n");
  Ask("readblock 0x2000001D000 1");
  EXPECT_EQ(said.size(), 1u);
  EXPECT_EQ(Ask("trace maybe").substr(0, 6), "error:");
}

TEST_F(ProtocolTest, WordsThatWereWrittenAreCounted) {
  EXPECT_EQ(Ask("memadd 4096 8"), "ok\n");
  EXPECT_EQ(Ask("memwrite 4100 1 2"), "error: there is no memory at 0x1008; 1 word is written\n");
  EXPECT_EQ(Ask("memwrite 4096 1 2 3"),
            "error: there is no memory at 0x1008; 2 words are written\n");
}

// A task with a token: what an interrupt is.
TEST_F(ProtocolTest, WaitTellsOfTokens) {
  EXPECT_EQ(Ask("memadd 4096 16"), "ok\n");
  EXPECT_EQ(Ask("writeblock 0x2000001D000 4 4096 0 0 0 0 0 0x2000000"), "ok\n");
  EXPECT_EQ(Ask("writeblock 0x2000001D214 0x80000000"), "ok\n");
  EXPECT_EQ(Ask("wait 100"), "token 0 0 MM2S 0\n");
}

class ServerTest : public ::testing::Test {
 protected:
  ServerTest()
      : array(aieml::Here({})),
        target(&array),
        file((std::filesystem::temp_directory_path() / fmt::format("aieml-{}", getpid()) / "port")
                 .string()),
        server(&target, Options(), [this](const std::string& m) { said.push_back(m); }) {}
  ~ServerTest() override { std::filesystem::remove_all(std::filesystem::path(file).parent_path()); }
  ServerOptions Options() const {
    ServerOptions options;
    options.port_file = file;
    options.protocol.base = kBase;
    return options;
  }
  int Connect() {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    Step();
    return client;
  }
  void Step(int times = 5) {
    for (int n = 0; n < times; ++n) server.Step(5);
  }
  std::string Ask(int client, const std::string& text) {
    EXPECT_EQ(send(client, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
    Step();
    char buffer[4096];
    const ssize_t got = recv(client, buffer, sizeof buffer, MSG_DONTWAIT);
    return got > 0 ? std::string(buffer, static_cast<size_t>(got)) : std::string();
  }
  aieml::Array array;
  ArrayTarget target;
  std::string file;
  std::vector<std::string> said;
  Server server;
};

TEST_F(ServerTest, ThePortFileLeadsToIt) {
  std::ifstream in(file);
  uint32_t port = 0;
  in >> port;
  EXPECT_EQ(port, server.port());
  const int client = Connect();
  EXPECT_EQ(Ask(client, "W 0X000002000001D000 0X00000012\nR 0X000002000001D000\n"), "0x00000012\n");
  close(client);
  Step();
  EXPECT_EQ(server.clients(), 0u);
}

TEST_F(ServerTest, HalfLinesWaitForTheirEnd) {
  const int client = Connect();
  EXPECT_EQ(Ask(client, "hel"), "");
  EXPECT_EQ(Ask(client, "lo\ncyc"), "tessera serve 1\n");
  EXPECT_EQ(Ask(client, "les\n"), fmt::format("{}\n", array.cycles()));
  close(client);
}

TEST_F(ServerTest, AClientThatVanishesGivesUpItsWrites) {
  const int first = Connect(), second = Connect();
  EXPECT_EQ(Ask(first, "writeblock 0x2000001D000 1\n"), "ok\n");
  EXPECT_EQ(Ask(second, "writeblock 0x2000001D000 2\n").substr(0, 5), "error");
  const linger hard{1, 0};  // a reset, not a farewell
  setsockopt(first, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(first);
  Step();
  EXPECT_EQ(Ask(second, "writeblock 0x2000001D000 2\n"), "ok\n");
  close(second);
}

TEST_F(ServerTest, ALineWithoutEndIsDropped) {
  const int bad = Connect(), good = Connect();
  const std::string flood(200000, 'x');
  size_t sent = 0;
  for (int n = 0; n < 200 && server.clients() == 2; ++n) {
    const ssize_t got =
        send(bad, flood.data(), std::min<size_t>(flood.size(), 8192), MSG_NOSIGNAL | MSG_DONTWAIT);
    sent += got > 0 ? static_cast<size_t>(got) : 0;
    Step(1);
  }
  EXPECT_GT(sent, Server::kMostLine);
  EXPECT_EQ(server.clients(), 1u);
  EXPECT_EQ(Ask(good, "hello\n"), "tessera serve 1\n");
  close(bad);
  close(good);
}

// A line that is too long is not obeyed, wherever its end comes to lie.
TEST_F(ServerTest, ALongLineWithItsEndIsDropped) {
  for (const size_t bytes : {Server::kMostLine + 2, 5 * Server::kMostLine}) {
    const int bad = Connect();
    std::string line = "memadd 0x1000";
    line += std::string(bytes - line.size() - 3, ' ') + "64\n";
    const size_t most = 65536;
    for (size_t at = 0; at < line.size() && server.clients() == 1;) {
      const ssize_t got = send(bad, line.data() + at, std::min(most, line.size() - at),
                               MSG_NOSIGNAL | MSG_DONTWAIT);
      if (got > 0) at += static_cast<size_t>(got);
      Step(1);
    }
    Step();
    EXPECT_EQ(server.clients(), 0u) << bytes;
    uint32_t word = 0;
    EXPECT_FALSE(array.host().Read(0x1000, &word)) << bytes;
    close(bad);
  }
}

TEST_F(ServerTest, ALineOfTheMostBytesIsObeyed) {
  const int good = Connect();
  std::string line = "memadd 0x1000";
  line += std::string(Server::kMostLine - line.size() - 2, ' ') + "64\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t got = send(good, line.data() + at, line.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (got > 0) at += static_cast<size_t>(got);
    Step(1);
  }
  Step(20);
  uint32_t word = 0;
  EXPECT_TRUE(array.host().Read(0x1000, &word));
  close(good);
}

TEST_F(ServerTest, AClientThatNeverReadsIsNotServed) {
  const int bad = Connect(), good = Connect();
  std::string asks;
  for (int n = 0; n < 1000; ++n) asks += "cycles\n";
  for (int n = 0; n < 300; ++n) {
    (void)send(bad, asks.data(), asks.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    Step(1);
  }
  EXPECT_EQ(Ask(good, "hello\n"), "tessera serve 1\n");
  close(bad);
  close(good);
  Step();
  EXPECT_EQ(server.clients(), 0u);
}

TEST_F(ServerTest, TooManyClientsAreRefused) {
  std::vector<int> clients;
  for (size_t n = 0; n < Server::kMostClients + 3; ++n) clients.push_back(Connect());
  EXPECT_EQ(server.clients(), Server::kMostClients);
  EXPECT_EQ(Ask(clients[0], "hello\n"), "tessera serve 1\n");
  for (const int client : clients) close(client);
}

TEST_F(ServerTest, RandomBytesNeverStopIt) {
  uint32_t random = 1;
  for (int n = 0; n < 50; ++n) {
    const int client = Connect();
    std::string bytes;
    for (int k = 0; k < 2000; ++k) {
      random = random * 1664525 + 1013904223;
      bytes += "RW 0Xx12\n\r\xff wait9"[random >> 24 & 15];
    }
    Ask(client, bytes);
    close(client);
  }
  Step();
  const int client = Connect();
  EXPECT_EQ(Ask(client, "hello\n"), "tessera serve 1\n");
  close(client);
}

// A masked write is a read and a write. Clients that send them one by one, and leave TCP as it is,
// do not wait for an acknowledgement.
TEST_F(ServerTest, AReadBehindAWriteDoesNotWait) {
  constexpr int kPairs = 50;
  const int client = Connect();
  std::atomic<bool> done = false;
  std::thread program([&] {
    const std::string write = "W 0X000002000001D000 0X00000012\n", read = "R 0X000002000001D000\n";
    char answer[11];
    for (int n = 0; n < kPairs; ++n) {
      EXPECT_EQ(send(client, write.data(), write.size(), 0), static_cast<ssize_t>(write.size()));
      EXPECT_EQ(send(client, read.data(), read.size(), 0), static_cast<ssize_t>(read.size()));
      EXPECT_EQ(recv(client, answer, sizeof answer, MSG_WAITALL), 11);
    }
    done = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  while (!done) server.Step(5);
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
  program.join();
  EXPECT_LT(gone.count(), 1.0);  // an acknowledgement that is held back takes 40 ms
  close(client);
}

// A second of processor time serves 40,000 accesses of a driver, of four columns, with a channel of
// each at work; every fourth is a read that is waited for.
TEST(ServerSpeed, FortyThousandAccessesASecond) {
  constexpr int kAccesses = 40000;
  aieml::ArrayOptions shape;
  shape.columns = 4;
  aieml::Array array(shape);
  ArrayTarget target(&array);
  ServerOptions options;
  options.port_file =
      (std::filesystem::temp_directory_path() / fmt::format("aieml-speed-{}", getpid())).string();
  options.protocol.base = kBase;
  Server server(&target, options, [](const std::string& m) { ADD_FAILURE() << m; });
  const auto line = [](uint32_t column, uint32_t offset, std::optional<uint32_t> value) {
    const uint64_t at = kBase + (uint64_t{column} << 25) + 0x100000 + offset;
    return value ? fmt::format("W 0X{:016X} 0X{:08X}\n", at, *value)
                 : fmt::format("R 0X{:016X}\n", at);
  };
  const int client = socket(AF_INET, SOCK_STREAM, 0);  // open until the server has stopped
  std::atomic<bool> done = false;
  int wrong = 0;
  std::thread program([&] {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    wrong += connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
    const auto say = [&](const std::string& text) {
      wrong +=
          send(client, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size());
    };
    for (uint32_t column = 0; column < shape.columns; ++column) {  // it sends for ever
      constexpr uint32_t kOn = 1u << 31;
      for (const auto& [offset, value] : {std::pair{0xa0000u, 4096u},
                                          {0xa0004u, 0x20000u},
                                          {0xa001cu, kOn},
                                          {0xb0100u, kOn},
                                          {0xb0000u, kOn},
                                          {0xa0020u, 4096u},
                                          {0xa0024u, 0x28000u},
                                          {0xa003cu, kOn},
                                          {0xa0604u, 1u | 255u << 16},
                                          {0xa0634u, 255u << 16}})
        say(line(column, offset, value));
    }
    for (uint32_t n = 0; n < kAccesses; n += 4) {
      for (uint32_t k = 0; k < 3; ++k) say(line(k, 4 * n, n + k));
      say(line(3, 4 * n, std::nullopt));
      char answer[11];
      wrong += recv(client, answer, sizeof answer, MSG_WAITALL) != 11;
    }
    done = true;
  });
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  while (!done) server.Step(5);
  const double seconds = now() - begin;
  program.join();
  close(client);
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
  EXPECT_EQ(wrong, 0);
#ifdef NDEBUG
  EXPECT_LT(seconds, 1.0);
#endif
}

// While no line comes, time runs on its own, for those who are connected.
TEST_F(ServerTest, TimeRunsOnItsOwn) {
  ServerOptions options;
  options.protocol.base = kBase;
  options.protocol.cycles_a_microsecond = 1000;
  Server alone(&target, options, [](const std::string&) {});
  for (int n = 0; n < 5; ++n) alone.Step(2);
  EXPECT_EQ(array.cycles(), 0u);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(alone.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < 10; ++n) alone.Step(2);
  const std::chrono::duration<double, std::micro> gone = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(array.cycles(), 5000u);
  EXPECT_LE(static_cast<double>(array.cycles()), 1000 * gone.count());
  close(client);
}

TEST(ServerErrors, ListeningElsewhereIsAsked) {
  aieml::Array array{aieml::ArrayOptions{}};
  ArrayTarget target(&array);
  ServerOptions options;
  options.address = "nowhere";
  EXPECT_THROW(Server(&target, options, [](const std::string&) {}), Error);
  options.address = "127.0.0.1";
  options.port_file = "/proc/nowhere/port";
  EXPECT_THROW(Server(&target, options, [](const std::string&) {}), OutputError);
  options.port_file = "/dev/full";
  EXPECT_THROW(Server(&target, options, [](const std::string&) {}), std::invalid_argument);
}

class ServerPortFile : public ::testing::Test {
 protected:
  // A server with this port file; `during` is called while it is there.
  void Serve(const std::string& name, const std::function<void(const Server&)>& during) {
    aieml::Array array{aieml::ArrayOptions{}};
    ArrayTarget target(&array);
    ServerOptions options;
    options.port_file = folder / name;
    const Server server(&target, options, [](const std::string&) {});
    during(server);
  }
  uint32_t Port(const std::string& name) const {
    uint32_t port = 0;
    std::ifstream(folder / name) >> port;
    return port;
  }
  const TempFolder folder;
};

TEST_F(ServerPortFile, HoldsTheDigitsAlone) {
  Serve("port", [&](const Server& server) {
    std::ifstream file(folder / "port", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(bytes, std::to_string(server.port()));
  });
}

TEST_F(ServerPortFile, TheFileOfTheServerIsRemoved) {
  Serve("port", [&](const Server& server) { EXPECT_EQ(Port("port"), server.port()); });
  EXPECT_FALSE(std::filesystem::exists(folder / "port"));
}

TEST_F(ServerPortFile, ALinkAndTheFileItLeadsToStay) {
  std::filesystem::create_symlink("there", folder / "link");
  uint32_t served = 0;
  Serve("link", [&](const Server& server) {
    served = server.port();
    EXPECT_EQ(Port("there"), served);
  });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(Port("there"), served);
}

TEST_F(ServerPortFile, AFileOfAnotherServerStays) {
  uint32_t later = 0;
  aieml::Array array{aieml::ArrayOptions{}};
  ArrayTarget target(&array);
  std::optional<Server> other;
  Serve("port", [&](const Server&) {
    ServerOptions options;
    options.port_file = folder / "port";
    other.emplace(&target, options, [](const std::string&) {});
    later = other->port();
  });
  EXPECT_EQ(Port("port"), later);
  other.reset();
  EXPECT_FALSE(std::filesystem::exists(folder / "port"));
}

TEST_F(ServerPortFile, ALinkPutInItsPlaceStays) {
  Serve("port", [&](const Server&) {
    std::ofstream(folder / "other") << "mine\n";
    std::filesystem::remove(folder / "port");
    std::filesystem::create_symlink("other", folder / "port");
  });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "port"));
  EXPECT_TRUE(std::filesystem::exists(folder / "other"));
}

}  // namespace
}  // namespace tessera::serve
