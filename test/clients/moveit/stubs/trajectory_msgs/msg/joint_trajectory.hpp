// Stub: the fields of trajectory_msgs/msg/JointTrajectory (ROS 2 common_interfaces).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace builtin_interfaces::msg {
struct Duration {
  int32_t sec = 0;
  uint32_t nanosec = 0;
};
}  // namespace builtin_interfaces::msg

namespace trajectory_msgs::msg {
struct JointTrajectoryPoint {
  std::vector<double> positions, velocities, accelerations, effort;
  builtin_interfaces::msg::Duration time_from_start;
};
struct JointTrajectory {
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
};
struct MultiDOFJointTrajectory {
  std::vector<std::string> joint_names;
};
}  // namespace trajectory_msgs::msg
