// adapt SOCKET: reads trajectories from stdin, one per line as "JOINTS POINTS NAME… (SEC NANOSEC POSITION… VELOCITY…)…", calls the response
// adapter with each, and prints {"code", "names", "points"} as one line of JSON for each.
#include <elbowroom_moveit/prove_and_repair.hpp>
#include <iostream>
#include <sstream>

using Response = planning_interface::MotionPlanResponse;

static moveit_msgs::msg::RobotTrajectory read(const std::string& line) {
  std::istringstream in(line);
  moveit_msgs::msg::RobotTrajectory message;
  auto& [names, points] = message.joint_trajectory;
  size_t joints, count;
  in >> joints >> count;
  names.resize(joints);
  points.resize(count);
  for (auto& name : names) in >> name;
  for (auto& point : points) {
    in >> point.time_from_start.sec >> point.time_from_start.nanosec;
    point.positions.resize(joints);
    point.velocities.resize(joints);
    for (double& value : point.positions) in >> value;
    for (double& value : point.velocities) in >> value;
  }
  return message;
}

static void print(const Response& response) {
  moveit_msgs::msg::RobotTrajectory message;
  if (response.trajectory) response.trajectory->getRobotTrajectoryMsg(message);
  std::cout << "{\"code\":" << response.error_code.val << ",\"message\":" << elbowroom_moveit::textOf(message.joint_trajectory) << "}" << std::endl;
}

int main(int, char** argv) {
  elbowroom_moveit::ProveAndRepair adapter;
  const auto node = std::make_shared<rclcpp::Node>();
  node->parameters["ompl.elbowroom_socket"] = argv[1];
  adapter.initialize(node, "ompl");
  for (std::string line; std::getline(std::cin, line);) {
    Response response;
    if (line != "none") {
      response.trajectory = std::make_shared<robot_trajectory::RobotTrajectory>();
      auto message = read(line);
      if (message.joint_trajectory.joint_names.front() == "planar") message.multi_dof_joint_trajectory.joint_names = {"planar"};
      response.trajectory->setRobotTrajectoryMsg({}, message);
    }
    adapter.adapt(nullptr, {}, response);
    print(response);
  }
}
