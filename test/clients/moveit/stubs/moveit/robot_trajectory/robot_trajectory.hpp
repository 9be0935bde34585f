// Stub: the methods of robot_trajectory::RobotTrajectory that the adapter uses; it holds the message.
#pragma once
#include <memory>
#include <moveit_msgs/msg/robot_trajectory.hpp>

namespace moveit::core {
struct RobotState {};
}  // namespace moveit::core

namespace robot_trajectory {
class RobotTrajectory {
 public:
  void getRobotTrajectoryMsg(moveit_msgs::msg::RobotTrajectory& message, const std::vector<std::string>& = {}) const { message = message_; }
  RobotTrajectory& setRobotTrajectoryMsg(const moveit::core::RobotState&, const moveit_msgs::msg::RobotTrajectory& message) {
    message_ = message;
    return *this;
  }
  const moveit::core::RobotState& getFirstWayPoint() const { return state_; }

 private:
  moveit::core::RobotState state_;
  moveit_msgs::msg::RobotTrajectory message_;
};
using RobotTrajectoryPtr = std::shared_ptr<RobotTrajectory>;
}  // namespace robot_trajectory
