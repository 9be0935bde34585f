// Response adapter of MoveIt 2 (Jazzy and later). Compiled and tested against stubs of the message types; NOT TESTED ON A ROBOT, nor
// with MoveIt itself.
#pragma once

#include <memory>
#include <moveit/planning_interface/planning_response_adapter.hpp>
#include <mutex>

#include "joint_trajectory.hpp"

namespace elbowroom_moveit {

/// Proves the trajectory of a response over continuous time in the scene of `elbowroom serve`, and replaces it by a repaired one if it is
/// not valid. A trajectory that is neither proved nor repaired is refused with INVALID_MOTION_PLAN; FAILURE if the service does not
/// respond. The service must serve the same scene: the planning scene is not sent to it. Place it after time parameterization.
class ProveAndRepair : public planning_interface::PlanningResponseAdapter {
 public:
  /// Parameter `NAMESPACE.elbowroom_socket`: path of the Unix socket of the service.
  void initialize(const rclcpp::Node::SharedPtr& node, const std::string& parameter_namespace) override;
  std::string getDescription() const override { return "elbowroom: prove and repair"; }
  void adapt(const planning_scene::PlanningSceneConstPtr& planning_scene, const planning_interface::MotionPlanRequest& req,
             planning_interface::MotionPlanResponse& res) const override;

 private:
  /// Returns the result of the service, with a new connection if there is none.
  elbowroom::Repair repair(const JointTrajectory& trajectory) const;

  std::string socket_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<elbowroom::Service> service_;
};

}  // namespace elbowroom_moveit
