// A TCP server of the line protocol: many clients, one thread, nothing that a client does stops it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "tools/aieml/serve/protocol.h"

namespace tessera::serve {

class Error : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  uint16_t port = 0;                  // 0: one that is free
  std::string port_file;              // gets the port number, removed at the end; empty: none
  ProtocolOptions protocol;
};

class Server {
 public:
  // Listens; throws Error if that cannot be.
  Server(Target* target, const ServerOptions& options, Protocol::Message message);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const { return port_; }
  size_t clients() const { return clients_.size(); }
  // Serves what there is to serve, waits at most so long for it; false: there was nothing.
  bool Step(int milliseconds);

  static constexpr size_t kMostClients = 16;
  static constexpr size_t kMostLine = 65536;
  static constexpr size_t kMostOutput = 1 << 20;  // that a client has not read

 private:
  struct Client {
    int socket = -1;
    std::string in, out;
  };
  void Accept();
  bool Receive(uint32_t number, Client& client);  // false: the client is to go
  bool Send(Client& client);
  void Drop(uint32_t number, const std::string& why);
  void Pass();  // the time since the last call

  ServerOptions options_;
  Protocol::Message message_;
  Protocol protocol_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::pair<uint64_t, uint64_t> written_;  // the port file: its inode and device; 0, 0: none
  uint32_t next_ = 1;
  std::map<uint32_t, Client> clients_;
  std::chrono::steady_clock::time_point passed_;  // up to when simulated time has followed
};

}  // namespace tessera::serve
