// omplTilt SCENE PROBLEM RUNS SEED LIMIT: OMPL's RRTConnect on its ProjectedStateSpace, with a tilt constraint, over FCL, then its path
// simplifier. PROBLEM holds the link, the axis in its frame, the limit of its angle to the vertical in radians, the start, and the goal.
// Prints JSON, run by run: milliseconds of CPU time to plan and to simplify, length, states looked at, and the path.
#include <ompl/base/Constraint.h>
#include <ompl/base/ConstrainedSpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/constraint/ProjectedStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <ctime>

#include "robotScene.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;

// The horizontal part of the axis, whose length is the sine of the tilt. A state satisfies a constraint of OMPL if the length of its
// function is at most the tolerance: with the sine of the limit as tolerance, the set is that of the tilt constraint.
class Tilt : public ob::Constraint {
 public:
  Tilt(RobotScene& scene, int link, const fcl::Vector3d& axis, double within)
      : ob::Constraint(scene.dof, 2, std::sin(within)), scene(scene), link(link), axis(axis), derivative(3, scene.dof) {}

  void function(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::VectorXd> out) const override {
    out = scene.directionAt(q.data(), link, axis, nullptr).head<2>();
  }

  void jacobian(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> out) const override {
    scene.directionAt(q.data(), link, axis, &derivative);
    out = derivative.topRows<2>();
  }

  /** The axis may not point down: its horizontal part is short there, too. */
  bool isUp(const double* q) const { return scene.directionAt(q, link, axis, nullptr).z() > 0; }

 private:
  RobotScene& scene;
  int link;
  fcl::Vector3d axis;
  mutable Eigen::MatrixXd derivative;
};

double cpuMilliseconds() { return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC; }

int main(int argc, char** argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(std::stoul(argv[4]));
  std::ifstream sceneFile(argv[1]), problemFile(argv[2]);
  const int runs = std::stoi(argv[3]);
  const double limit = std::stod(argv[5]);
  RobotScene scene(sceneFile);
  const int link = next<int>(problemFile);
  fcl::Vector3d axis;
  for (int i = 0; i < 3; i++) axis[i] = next<double>(problemFile);
  const double within = next<double>(problemFile);
  Eigen::VectorXd start(scene.dof), goal(scene.dof);
  for (int i = 0; i < scene.dof; i++) start[i] = next<double>(problemFile);
  for (int i = 0; i < scene.dof; i++) goal[i] = next<double>(problemFile);

  auto ambient = std::make_shared<ob::RealVectorStateSpace>(scene.dof);
  ob::RealVectorBounds bounds(scene.dof);
  bounds.low = scene.lower;
  bounds.high = scene.upper;
  ambient->setBounds(bounds);
  auto tilt = std::make_shared<Tilt>(scene, link, axis, within);

  std::printf("[");
  for (int run = 0; run < runs; run++) {
    auto space = std::make_shared<ob::ProjectedStateSpace>(ambient, tilt);
    auto information = std::make_shared<ob::ConstrainedSpaceInformation>(space);
    og::SimpleSetup setup(information);
    long states = 0;
    setup.setStateValidityChecker([&](const ob::State* state) {
      states++;
      const double* q = state->as<ob::ConstrainedStateSpace::StateType>()->data();
      return tilt->isUp(q) && scene.isFree(q);
    });
    ob::ScopedState<> from(space), to(space);
    from->as<ob::ConstrainedStateSpace::StateType>()->copy(start);
    to->as<ob::ConstrainedStateSpace::StateType>()->copy(goal);
    setup.setStartAndGoalStates(from, to);
    setup.setPlanner(std::make_shared<og::RRTConnect>(information));
    setup.setup();
    const double begun = cpuMilliseconds();
    const bool solved = setup.solve(limit) == ob::PlannerStatus::EXACT_SOLUTION;
    const double planned = cpuMilliseconds();
    if (solved) setup.simplifySolution();
    const double simplified = cpuMilliseconds();
    if (solved) setup.getSolutionPath().interpolate();
    std::printf("%s{\"solved\":%s,\"plan\":%.4f,\"simplify\":%.4f,\"length\":%.4f,\"states\":%ld,\"path\":[", run ? "," : "",
                solved ? "true" : "false", planned - begun, simplified - planned, solved ? setup.getSolutionPath().length() : 0.0, states);
    for (size_t i = 0; solved && i < setup.getSolutionPath().getStateCount(); i++) {
      const double* q = setup.getSolutionPath().getState(i)->as<ob::ConstrainedStateSpace::StateType>()->data();
      for (int j = 0; j < scene.dof; j++) std::printf("%s%.17g", j ? "," : i ? ",[" : "[", q[j]);
      std::printf("]");
    }
    std::printf("]}");
  }
  std::printf("]\n");
}
