// See server.h.
#include "tools/aieml/serve/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "tb/files/output.h"

namespace tessera::serve {
namespace {

// Which regular file has this name, no link followed; 0, 0 if none has.
std::pair<uint64_t, uint64_t> FileAt(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  return {found.st_ino, found.st_dev};
}

}  // namespace

Server::Server(Target* target, const ServerOptions& options, Protocol::Message message)
    : options_(options), message_(message), protocol_(target, options.protocol, message) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  if (inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1) {
    throw Error(
        fmt::format("the address is \"{}\": legal is one of IPv4, as 127.0.0.1", options.address));
  }
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  (void)setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || bind(listener_, raw, size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, raw, &size) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) close(listener_);
    throw Error(fmt::format("cannot listen at {}:{}: {}", options.address, options.port, why));
  }
  port_ = ntohs(address.sin_port);
  if (options.port_file.empty()) return;
  try {
    // The digits alone: drivers hand the whole line to getaddrinfo.
    WriteOutput(options.port_file, fmt::format("{}", port_));
    written_ = FileAt(options.port_file);
  } catch (...) {
    close(listener_);
    throw;
  }
}

Server::~Server() {
  for (const auto& [number, client] : clients_) close(client.socket);
  close(listener_);
  // A file that another one has put there, or that a symbolic link leads to, is not ours to remove.
  if (written_.first != 0 && FileAt(options_.port_file) == written_) {
    unlink(options_.port_file.c_str());
  }
}

void Server::Accept() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    if (clients_.size() >= kMostClients) {
      message_(fmt::format("a client is refused: {} are served at a time", kMostClients));
      close(socket);
      continue;
    }
    const int on = 1;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    clients_[next_++].socket = socket;
  }
}

bool Server::Receive(uint32_t number, Client& client) {
  char buffer[16384];
  const ssize_t got = recv(client.socket, buffer, sizeof buffer, 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  client.in.append(buffer, static_cast<size_t>(got));
  size_t at = 0;
  while (at < client.in.size()) {
    const size_t end = client.in.find('\n', at);
    if (std::min(end, client.in.size()) - at > kMostLine) {
      message_(fmt::format("client {}: a line of more than {} bytes", number, kMostLine));
      return false;
    }
    if (end == std::string::npos) break;
    client.out += protocol_.Answer(number, std::string_view(client.in).substr(at, end - at));
    at = end + 1;
  }
  client.in.erase(0, at);
  if (client.out.empty()) {
    // No answer will acknowledge these lines, and clients send nothing more before that.
    const int on = 1;
    (void)setsockopt(client.socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
  }
  return true;
}

bool Server::Send(Client& client) {
  while (!client.out.empty()) {
    const ssize_t sent = send(client.socket, client.out.data(), client.out.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return false;
      break;
    }
    client.out.erase(0, static_cast<size_t>(sent));
  }
  return client.out.size() <= kMostOutput;
}

void Server::Drop(uint32_t number, const std::string& why) {
  message_(fmt::format("client {} {}", number, why));
  close(clients_[number].socket);
  clients_.erase(number);
  protocol_.Gone(number);
}

void Server::Pass() {
  const auto now = std::chrono::steady_clock::now();
  const auto gone = std::chrono::duration_cast<std::chrono::microseconds>(now - passed_);
  if (!clients_.empty() && options_.protocol.cycles_a_microsecond != 0) {
    protocol_.Pass(static_cast<uint64_t>(gone.count()));
  }
  passed_ += gone;
}

bool Server::Step(int milliseconds) {
  std::vector<pollfd> polls{{listener_, POLLIN, 0}};
  std::vector<uint32_t> numbers{0};
  for (const auto& [number, client] : clients_) {
    // A client that does not read its answers is not listened to.
    const short events = client.out.empty() ? POLLIN : POLLOUT;
    polls.push_back({client.socket, events, 0});
    numbers.push_back(number);
  }
  // Simulated time goes on between the lines, in short turns as long as something moves.
  const bool busy = !clients_.empty() && !protocol_.Still();
  const int ready = poll(polls.data(), polls.size(), busy ? 0 : milliseconds);
  Pass();
  if (ready <= 0) return false;
  for (size_t n = 1; n < polls.size(); ++n) {
    if (polls[n].revents == 0) continue;
    Client& client = clients_[numbers[n]];
    bool stays = true;
    if ((polls[n].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && client.out.empty()) {
      stays = Receive(numbers[n], client);
    } else if ((polls[n].revents & (POLLHUP | POLLERR)) != 0) {
      stays = false;
    }
    stays = Send(client) && stays;
    if (!stays) Drop(numbers[n], "has gone");
  }
  if (polls[0].revents != 0) Accept();
  return true;
}

}  // namespace tessera::serve
