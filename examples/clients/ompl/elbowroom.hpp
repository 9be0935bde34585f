// OMPL asks `elbowroom serve`: a StateValidityChecker and a MotionValidator over a Unix socket. Motions are proved free over their whole
// time, not at samples. Needs OMPL and POSIX sockets; requests are written and answers read by hand, for they are few and their form is fixed.
#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace elbowroom {

namespace ob = ompl::base;

/// One session of the service: a line out, a line back. One thread at a time.
class Service {
 public:
  explicit Service(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error(path + ": the path of a socket must be shorter");
    std::strcpy(address.sun_path, path.c_str());
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error(path + ": nobody serves there");
  }
  ~Service() { ::close(socket_); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// The answer to a method, as JSON text; throws where the service could not answer.
  std::string call(const std::string& method, const std::string& params) {
    std::string line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params + "}}\n";
    for (size_t sent = 0; sent < line.size();) {
      const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) throw std::runtime_error("the service has gone");
      sent += static_cast<size_t>(count);
    }
    std::string answer = readLine();
    if (answer.find("\"error\":") != std::string::npos) throw std::runtime_error(method + ": " + answer);
    return answer;
  }

 private:
  std::string readLine() {
    size_t end;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      char piece[65536];
      const ssize_t count = ::recv(socket_, piece, sizeof(piece), 0);
      if (count <= 0) throw std::runtime_error("the service has gone");
      buffer_.append(piece, static_cast<size_t>(count));
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }

  int socket_;
  std::string buffer_;
};

/// A JSON list of the values of a state.
inline std::string listOf(const double* values, size_t count) {
  std::string text = "[";
  char number[32];
  for (size_t i = 0; i < count; i++) {
    std::snprintf(number, sizeof(number), "%s%.17g", i > 0 ? "," : "", values[i]);
    text += number;
  }
  return text + "]";
}

/// Where the value of a key begins, from `from` on.
inline size_t valueOf(const std::string& json, const std::string& key, size_t from = 0) {
  const size_t at = json.find("\"" + key + "\":", from);
  if (at == std::string::npos) throw std::runtime_error("the answer has no " + key);
  return at + key.size() + 3;
}

/// The number of a key; `otherwise` where it is null.
inline double numberOf(const std::string& json, const std::string& key, double otherwise) {
  const char* text = json.c_str() + valueOf(json, key);
  return *text == 'n' ? otherwise : std::strtod(text, nullptr);
}

inline bool isTrue(const std::string& json, const std::string& key) { return json[valueOf(json, key)] == 't'; }

/// The list of numbers that begins at a position; empty if there is no list.
inline std::vector<double> numbersAt(const std::string& json, size_t at) {
  std::vector<double> values;
  const char* text = json.c_str() + at;
  if (*text != '[' || text[1] == ']') return values;
  do {
    char* end;
    values.push_back(std::strtod(text + 1, &end));
    text = end;
  } while (*text == ',');
  return values;
}

/// The list of numbers of a key; empty where it is null.
inline std::vector<double> numbersOf(const std::string& json, const std::string& key) {
  return numbersAt(json, valueOf(json, key));
}

/// What the service says of the robot and the scene.
struct Problem {
  std::vector<std::string> joints;
  std::vector<double> lower, upper, start;
  /// Joint goals of the scene, and the collision-free states of its pose goals; `reason` if there is none.
  std::vector<std::vector<double>> goals;
  std::string reason = "the scene has no goal";

  explicit Problem(Service& service) {
    const std::string about = service.call("describe", "");
    const size_t end = about.find("],\"links\"");
    for (size_t at = about.find("{\"name\":", valueOf(about, "joints")); at < end; at = about.find("{\"name\":", at + 1)) {
      const std::string joint = about.substr(at, about.find('}', at) - at + 1);
      const size_t name = valueOf(joint, "name") + 1;
      joints.push_back(joint.substr(name, joint.find('"', name) - name));
      lower.push_back(numberOf(joint, "lower", -3.141592653589793)); // a joint without limits: one turn
      upper.push_back(numberOf(joint, "upper", 3.141592653589793));
    }
    start = numbersOf(about, "start");
    readGoals(service, about);
  }

 private:
  /// Each goal is {"q":[…]}, or {"link":…,"pose":{…},"tolerance":{…}}: parameters of `ik`.
  void readGoals(Service& service, const std::string& about) {
    for (size_t at = valueOf(about, "goals") + 1; about[at] == '{' || about[at] == ',';) {
      if (about[at] == ',') at++;
      const bool isState = about.compare(at, 5, "{\"q\":") == 0;
      const size_t end = about.find(isState ? "}" : "}}", at) + (isState ? 0 : 1);
      if (isState) {
        goals.push_back(numbersAt(about, at + 5));
      } else {
        const std::string found =
            service.call("ik", about.substr(at + 1, end - at - 1) + ",\"collision_free\":true,\"most\":8");
        size_t list = valueOf(found, "solutions") + 1;
        if (found[list] == ']') reason = found;
        for (; found[list] == '['; list = found.find(']', list) + (found[found.find(']', list) + 1] == ',' ? 2 : 1))
          goals.push_back(numbersAt(found, list));
      }
      at = end + 1;
    }
  }
};

/// The values of a state of a RealVectorStateSpace as the service reads them.
inline std::string valuesOf(const ob::SpaceInformation* si, const ob::State* state) {
  return listOf(state->as<ob::RealVectorStateSpace::StateType>()->values, si->getStateDimension());
}

class StateValidityChecker : public ob::StateValidityChecker {
 public:
  StateValidityChecker(const ob::SpaceInformationPtr& si, Service& service)
      : ob::StateValidityChecker(si), service_(service) {
    specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::EXACT;
  }

  bool isValid(const ob::State* state) const override {
    return isTrue(service_.call("validate", "\"q\":" + valuesOf(si_, state)), "valid");
  }

  /// Metres; below zero the depth of the deepest collision.
  double clearance(const ob::State* state) const override {
    const std::string answer = service_.call("clearance", "\"q\":" + valuesOf(si_, state));
    return numberOf(answer, "distance", std::numeric_limits<double>::infinity());
  }

 private:
  Service& service_;
};

class MotionValidator : public ob::MotionValidator {
 public:
  MotionValidator(const ob::SpaceInformationPtr& si, Service& service) : ob::MotionValidator(si), service_(service) {}

  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    return count(isTrue(service_.call("validate_motion", ends(from, to)), "valid"));
  }

  /// Also sets the last state of the motion that is certified collision-free, and its time from 0 to 1.
  bool checkMotion(const ob::State* from, const ob::State* to, std::pair<ob::State*, double>& lastValid) const override {
    const std::string answer = service_.call("validate_motion", ends(from, to) + ",\"details\":true");
    if (count(isTrue(answer, "valid"))) return true;
    const bool hasContact = answer.find("\"contact\":") != std::string::npos;
    lastValid.second = hasContact ? numberOf(answer, "free_until", 0) : 0; // without a contact, an end is out of limits
    if (lastValid.first != nullptr) si_->getStateSpace()->interpolate(from, to, lastValid.second, lastValid.first);
    return false;
  }

 private:
  std::string ends(const ob::State* from, const ob::State* to) const {
    return "\"from\":" + valuesOf(si_, from) + ",\"to\":" + valuesOf(si_, to);
  }
  bool count(bool valid) const {
    (valid ? valid_ : invalid_)++;
    return valid;
  }

  Service& service_;
};

}  // namespace elbowroom
