// Robot, start and goals of the scene of a service.
#pragma once

#include "service.hpp"

namespace elbowroom {

/// The planned joints and the ends of the scene, as `describe` returns them.
struct Problem {
  std::vector<std::string> joints;
  std::vector<double> lower, upper, start;
  /// Joint goals of the scene, and collision-free states of its pose goals; `reason` if there is none.
  std::vector<std::vector<double>> goals;
  std::string reason = "the scene has no goal";

  explicit Problem(Service& service) {
    const std::string about = service.call("describe", "");
    const size_t end = about.find("],\"links\"");
    for (size_t at = about.find("{\"name\":", valueOf(about, "joints")); at < end; at = about.find("{\"name\":", at + 1)) {
      const std::string joint = about.substr(at, about.find('}', at) - at + 1);
      joints.push_back(textOf(joint, "name"));
      lower.push_back(numberOf(joint, "lower", -3.141592653589793));  // a joint without limits: one turn
      upper.push_back(numberOf(joint, "upper", 3.141592653589793));
    }
    start = numbersOf(about, "start");
    readGoals(service, about);
  }

 private:
  /// Each goal is {"q":[…]}, or {"link":…,"pose":{…},"tolerance":{…}}: parameters of `ik`.
  void readGoals(Service& service, const std::string& about) {
    for (size_t at = firstElement(about, valueOf(about, "goals")); about[at] == '{';) {
      const bool isState = about.compare(at, 5, "{\"q\":") == 0;
      const size_t end = about.find(isState ? "}" : "}}", at) + (isState ? 0 : 1);
      if (isState) goals.push_back(numbersAt(about, at + 5));
      else addSolutions(service.call("ik", about.substr(at + 1, end - at - 1) + ",\"collision_free\":true,\"most\":8"));
      at = nextElement(about, end + 1);
    }
  }

  void addSolutions(const std::string& found) {
    size_t at = firstElement(found, valueOf(found, "solutions"));
    if (found[at] == ']') reason = found;
    while (found[at] == '[') {
      goals.push_back(numbersAt(found, at, &at));
      at = nextElement(found, at + 1);
    }
  }
};

/// A path of straight lines in the JSON format: joint names, and points with positions alone.
inline std::string pathText(const std::vector<std::string>& joints, const std::vector<std::vector<double>>& waypoints) {
  std::string text = "{\"joint_names\":[";
  for (size_t i = 0; i < joints.size(); i++) text += (i > 0 ? "," : "") + quoted(joints[i]);
  text += "],\"points\":[";
  for (size_t i = 0; i < waypoints.size(); i++) text += (i > 0 ? ",{\"positions\":" : "{\"positions\":") + listOf(waypoints[i]) + "}";
  return text + "]}";
}

/// Returns the lists of a key of every point of the trajectory of a response, in order; empty if there is no trajectory.
inline std::vector<std::vector<double>> pointLists(const std::string& response, const std::string& key) {
  std::vector<std::vector<double>> lists;
  const size_t trajectory = findValue(response, "trajectory");
  if (trajectory == std::string::npos) return lists;
  for (size_t at = findValue(response, key, trajectory); at != std::string::npos; at = findValue(response, key, at))
    lists.push_back(numbersAt(response, at));
  return lists;
}

/// Result of the method `repair`. `good`: the given trajectory is proved; `repaired`: another one, proved; `failed`: none is found.
struct Repair {
  std::string status, reason;
  /// Number of pairs of links and objects that are not checked.
  int unchecked;
  /// The whole response.
  std::string response;
  bool isProved() const { return status == "good" || status == "repaired"; }
};

/// Repairs a trajectory in the JSON format. `options`: more parameters, beginning with a comma.
inline Repair repair(Service& service, const std::string& trajectory, const std::string& options = "") {
  const std::string response = service.call("repair", "\"trajectory\":" + trajectory + ",\"any_start\":true" + options);
  return {textOf(response, "status"), textOf(response, "reason"), int(numberOf(response, "pairs", 0)), response};
}

}  // namespace elbowroom
