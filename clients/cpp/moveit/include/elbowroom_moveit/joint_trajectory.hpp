// trajectory_msgs/msg/JointTrajectory to and from the JSON of the service.
#pragma once

#include <cmath>
#include <elbowroom/problem.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

namespace elbowroom_moveit {

using trajectory_msgs::msg::JointTrajectory;
using trajectory_msgs::msg::JointTrajectoryPoint;

/// Returns the message as JSON with the keys of the message, which the service reads. Empty lists are left out.
inline std::string textOf(const JointTrajectory& trajectory) {
  std::string text = "{\"joint_names\":[";
  for (const std::string& name : trajectory.joint_names) text += (text.back() == '[' ? "" : ",") + elbowroom::quoted(name);
  text += "],\"points\":[";
  for (const JointTrajectoryPoint& point : trajectory.points) {
    text += (text.back() == '[' ? "{\"positions\":" : ",{\"positions\":") + elbowroom::listOf(point.positions);
    if (!point.velocities.empty()) text += ",\"velocities\":" + elbowroom::listOf(point.velocities);
    if (!point.accelerations.empty()) text += ",\"accelerations\":" + elbowroom::listOf(point.accelerations);
    text += ",\"time_from_start\":{\"sec\":" + std::to_string(point.time_from_start.sec) +
            ",\"nanosec\":" + std::to_string(point.time_from_start.nanosec) + "}}";
  }
  return text + "]}";
}

/// Returns the list of numbers of a key of an object; empty if there is no such key.
inline std::vector<double> listOf(const std::string& object, const std::string& key) {
  const size_t at = elbowroom::findValue(object, key);
  return at == std::string::npos ? std::vector<double>() : elbowroom::numbersAt(object, at);
}

/// Replaces the points of a message by those of the trajectory of a response, which are objects without objects inside, and the order of its joints.
inline void setPoints(JointTrajectory& trajectory, const std::string& response) {
  const size_t start = elbowroom::valueOf(response, "trajectory");
  const size_t names = elbowroom::valueOf(response, "joint_names", start);
  trajectory.joint_names.clear();
  for (size_t at = elbowroom::firstElement(response, names); response[at] == '"';) {
    const size_t end = response.find('"', at + 1);
    trajectory.joint_names.push_back(response.substr(at + 1, end - at - 1));
    at = elbowroom::nextElement(response, end + 1);
  }
  trajectory.points.clear();
  const size_t points = elbowroom::valueOf(response, "points", start);
  for (size_t at = elbowroom::firstElement(response, points); response[at] == '{';) {
    const size_t end = response.find('}', at);
    const std::string object = response.substr(at, end - at);
    JointTrajectoryPoint point;
    point.positions = listOf(object, "positions");
    point.velocities = listOf(object, "velocities");
    point.accelerations = listOf(object, "accelerations");
    const long long nanoseconds = std::llround(1e9 * elbowroom::numberOf(object, "time_from_start", 0));
    point.time_from_start.sec = static_cast<int32_t>(nanoseconds / 1000000000);
    point.time_from_start.nanosec = static_cast<uint32_t>(nanoseconds % 1000000000);
    trajectory.points.push_back(point);
    at = elbowroom::nextElement(response, end + 1);
  }
}

}  // namespace elbowroom_moveit
