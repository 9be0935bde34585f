#include "elbowroom_moveit/prove_and_repair.hpp"

#include <moveit/robot_trajectory/robot_trajectory.hpp>
#include <moveit_msgs/msg/move_it_error_codes.hpp>
#include <moveit_msgs/msg/robot_trajectory.hpp>
#include <pluginlib/class_list_macros.hpp>
#include <rclcpp/logging.hpp>

namespace elbowroom_moveit {

using moveit_msgs::msg::MoveItErrorCodes;

static rclcpp::Logger logger() { return rclcpp::get_logger("elbowroom_moveit"); }

void ProveAndRepair::initialize(const rclcpp::Node::SharedPtr& node, const std::string& parameter_namespace) {
  const std::string name = parameter_namespace.empty() ? "elbowroom_socket" : parameter_namespace + ".elbowroom_socket";
  if (!node->has_parameter(name)) node->declare_parameter<std::string>(name, "/tmp/elbowroom.sock");
  socket_ = node->get_parameter(name).as_string();
}

elbowroom::Repair ProveAndRepair::repair(const JointTrajectory& trajectory) const {
  const std::lock_guard<std::mutex> guard(mutex_);
  try {
    if (!service_) service_ = std::make_unique<elbowroom::Service>(socket_);
    return elbowroom::repair(*service_, textOf(trajectory));
  } catch (...) {
    service_.reset();
    throw;
  }
}

void ProveAndRepair::adapt(const planning_scene::PlanningSceneConstPtr&, const planning_interface::MotionPlanRequest&,
                           planning_interface::MotionPlanResponse& res) const {
  if (!res.trajectory) {
    RCLCPP_ERROR(logger(), "the response has no trajectory");
    res.error_code.val = MoveItErrorCodes::INVALID_MOTION_PLAN;
    return;
  }
  moveit_msgs::msg::RobotTrajectory message;
  res.trajectory->getRobotTrajectoryMsg(message);
  if (!message.multi_dof_joint_trajectory.joint_names.empty()) {
    RCLCPP_ERROR(logger(), "multi-DOF joints are not supported");
    res.error_code.val = MoveItErrorCodes::INVALID_MOTION_PLAN;
    return;
  }
  try {
    const elbowroom::Repair result = repair(message.joint_trajectory);
    RCLCPP_INFO(logger(), "%s: %s", result.status.c_str(), result.reason.c_str());
    if (!result.isProved()) {
      res.error_code.val = MoveItErrorCodes::INVALID_MOTION_PLAN;
      return;
    }
    if (result.status == "repaired") {
      setPoints(message.joint_trajectory, result.response);
      const moveit::core::RobotState reference(res.trajectory->getFirstWayPoint());
      res.trajectory->setRobotTrajectoryMsg(reference, message);
    }
    res.error_code.val = MoveItErrorCodes::SUCCESS;
  } catch (const std::exception& error) {
    RCLCPP_ERROR(logger(), "%s", error.what());
    res.error_code.val = MoveItErrorCodes::FAILURE;
  }
}

}  // namespace elbowroom_moveit

PLUGINLIB_EXPORT_CLASS(elbowroom_moveit::ProveAndRepair, planning_interface::PlanningResponseAdapter)
