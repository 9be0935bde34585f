// A session of `elbowroom serve` over a Unix socket, and the few JSON forms that its responses have. Standard library and POSIX only.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace elbowroom {

/// One session of the service: a line per request, a line per response. Threads may share it: requests are sent one at a time.
class Service {
 public:
  explicit Service(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) fail(path + ": the path of a socket must be shorter");
    std::strcpy(address.sun_path, path.c_str());
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) fail(path + ": nobody serves there");
  }
  ~Service() { ::close(socket_); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Returns the response of a method as JSON text; throws std::runtime_error if it is an error, or if the service ends.
  /// `params` are the members of the object, without braces. After a response that did not arrive, every further call throws: the next
  /// response might be that of an earlier request.
  std::string call(const std::string& method, const std::string& params) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!isInStep_) throw std::runtime_error("the session has ended with an earlier request: open another one");
    const std::string id = std::to_string(++messages_);
    if (method.compare(0, 6, "scene.") == 0) sceneVersion_++;
    std::string request = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{" + params + "}}";
    std::replace(request.begin(), request.end(), '\n', ' ');  // a line is one request
    isInStep_ = false;
    send(request + "\n");
    std::string response;
    // Notifications ($/progress) precede the response.
    do response = readLine();
    while (response.find("\"method\":\"$/") != std::string::npos && response.find("\"result\":") == std::string::npos);
    const bool isOwn = response.compare(0, 22 + id.size() + 1, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",") == 0;
    const bool isRefusal = response.compare(0, 27, "{\"jsonrpc\":\"2.0\",\"id\":null,") == 0;  // of a request that cannot be read
    if (!isOwn && !isRefusal) throw std::runtime_error(method + ": the response is that of another request: " + response);
    isInStep_ = true;
    if (isRefusal || response.find("\"error\":") != std::string::npos) throw std::runtime_error(method + ": " + response);
    return response;
  }

  /// Number of requests so far.
  size_t messages() const { return messages_; }
  /// Number of requests of this session so far that may have changed its scene.
  size_t sceneVersion() const { return sceneVersion_; }

 private:
  [[noreturn]] void fail(const std::string& what) {
    ::close(socket_);
    throw std::runtime_error(what);
  }

  void send(const std::string& line) {
    for (size_t sent = 0; sent < line.size();) {
      const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::runtime_error("the service has ended");
      sent += static_cast<size_t>(count);
    }
  }

  std::string readLine() {
    size_t end;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      char piece[65536];
      const ssize_t count = ::recv(socket_, piece, sizeof(piece), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::runtime_error("the service has ended");
      buffer_.append(piece, static_cast<size_t>(count));
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }

  int socket_;
  std::mutex mutex_;
  std::string buffer_;
  /// False while a response is awaited, and from then on if it does not arrive.
  bool isInStep_ = true;
  std::atomic<size_t> messages_{0};
  std::atomic<size_t> sceneVersion_{0};
};

/// Returns a JSON list of numbers.
inline std::string listOf(const double* values, size_t count) {
  std::string text = "[";
  char number[32];
  for (size_t i = 0; i < count; i++) {
    std::snprintf(number, sizeof(number), "%s%.17g", i > 0 ? "," : "", values[i]);
    text += number;
  }
  return text + "]";
}

inline std::string listOf(const std::vector<double>& values) { return listOf(values.data(), values.size()); }

/// Returns a JSON string. Names of joints and objects have no control characters.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// Returns the position of the first element of the list at a position, or of the `]` of an empty one.
inline size_t firstElement(const std::string& json, size_t at) { return json.find_first_not_of(' ', at + 1); }

/// Returns the position of the element after that which ends before `at`, or of the `]` at the end of its list.
inline size_t nextElement(const std::string& json, size_t at) {
  at = json.find_first_not_of(' ', at);
  return at != std::string::npos && json[at] == ',' ? json.find_first_not_of(' ', at + 1) : at;
}

/// Returns the position of the value of the first such key from `from` on; std::string::npos if there is none.
inline size_t findValue(const std::string& json, const std::string& key, size_t from = 0) {
  const size_t at = json.find("\"" + key + "\":", from);
  return at == std::string::npos ? at : json.find_first_not_of(' ', at + key.size() + 3);
}

/// As `findValue`; throws std::runtime_error if there is no such key.
inline size_t valueOf(const std::string& json, const std::string& key, size_t from = 0) {
  const size_t at = findValue(json, key, from);
  if (at == std::string::npos) throw std::runtime_error("the response has no " + key);
  return at;
}

/// Returns the number of a key; `otherwise` if it is null.
inline double numberOf(const std::string& json, const std::string& key, double otherwise) {
  const char* text = json.c_str() + valueOf(json, key);
  return *text == 'n' ? otherwise : std::strtod(text, nullptr);
}

inline bool isTrue(const std::string& json, const std::string& key) { return json[valueOf(json, key)] == 't'; }

/// Returns the text of a key whose value is a string without escapes, up to the first escape if there is one.
inline std::string textOf(const std::string& json, const std::string& key) {
  const size_t at = valueOf(json, key) + 1;
  return json.substr(at, json.find_first_of("\"\\", at) - at);
}

/// Returns the list of numbers at a position; empty if there is no list. `end`: the position after it.
inline std::vector<double> numbersAt(const std::string& json, size_t at, size_t* end = nullptr) {
  std::vector<double> values;
  const char* text = json.c_str() + at;
  if (*text == '[' && text[1] != ']') {
    do {
      char* next;
      values.push_back(std::strtod(text + 1, &next));
      text = next;
    } while (*text == ',');
  }
  if (end != nullptr) *end = static_cast<size_t>(text - json.c_str());
  return values;
}

/// Returns the list of numbers of a key; empty if it is null.
inline std::vector<double> numbersOf(const std::string& json, const std::string& key) {
  return numbersAt(json, valueOf(json, key));
}

/// Returns the list of Booleans of a key; throws std::runtime_error unless there are `count`.
inline std::vector<bool> booleansOf(const std::string& json, const std::string& key, size_t count) {
  std::vector<bool> values;
  size_t at = valueOf(json, key);
  if (json[at] != '[') throw std::runtime_error("the response has no list of " + key);
  const size_t end = json.find(']', at);
  for (at++; at < end; at = std::min(end, json.find(',', at)) + 1) values.push_back(json[at] == 't');
  if (values.size() != count) throw std::runtime_error("the response has " + std::to_string(values.size()) + " of " + key);
  return values;
}

}  // namespace elbowroom
