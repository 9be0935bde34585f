// Stub: the interface of planning_interface::PlanningResponseAdapter of MoveIt 2 (Jazzy), and what it refers to.
#pragma once
#include <memory>
#include <moveit/robot_trajectory/robot_trajectory.hpp>
#include <moveit_msgs/msg/move_it_error_codes.hpp>
#include <rclcpp/node.hpp>
#include <string>

namespace planning_scene {
class PlanningScene;
using PlanningSceneConstPtr = std::shared_ptr<const PlanningScene>;
}  // namespace planning_scene

namespace planning_interface {
struct MotionPlanRequest {};
struct MotionPlanResponse {
  robot_trajectory::RobotTrajectoryPtr trajectory;
  moveit_msgs::msg::MoveItErrorCodes error_code;
};
class PlanningResponseAdapter {
 public:
  virtual ~PlanningResponseAdapter() = default;
  virtual void initialize(const rclcpp::Node::SharedPtr&, const std::string&) {}
  virtual std::string getDescription() const = 0;
  virtual void adapt(const planning_scene::PlanningSceneConstPtr&, const MotionPlanRequest&, MotionPlanResponse&) const = 0;
};
}  // namespace planning_interface
