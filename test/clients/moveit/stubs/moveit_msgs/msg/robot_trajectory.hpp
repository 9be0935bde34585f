// Stub: the fields of moveit_msgs/msg/RobotTrajectory.
#pragma once
#include <trajectory_msgs/msg/joint_trajectory.hpp>

namespace moveit_msgs::msg {
struct RobotTrajectory {
  trajectory_msgs::msg::JointTrajectory joint_trajectory;
  trajectory_msgs::msg::MultiDOFJointTrajectory multi_dof_joint_trajectory;
};
}  // namespace moveit_msgs::msg
