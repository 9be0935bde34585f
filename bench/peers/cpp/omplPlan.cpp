// omplPlan SCENE PROBLEM RUNS SEED: OMPL's RRTConnect over FCL, then its path simplifier. PROBLEM holds the step between states of an
// edge, the start, and the goal. Prints JSON, run by run: milliseconds of CPU time to plan and to simplify, length, states looked at, and
// the path.
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <ctime>

#include "robotScene.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;

static double cpuMilliseconds() { return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC; }

int main(int argc, char** argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(std::stoul(argv[4]));
  std::ifstream sceneFile(argv[1]), problemFile(argv[2]);
  const int runs = std::stoi(argv[3]);
  RobotScene scene(sceneFile);
  const double step = next<double>(problemFile);

  auto space = std::make_shared<ob::RealVectorStateSpace>(scene.dof);
  ob::RealVectorBounds bounds(scene.dof);
  bounds.low = scene.lower;
  bounds.high = scene.upper;
  space->setBounds(bounds);
  space->setup();
  space->setLongestValidSegmentFraction(step / space->getMaximumExtent());
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (int i = 0; i < scene.dof; i++) start[i] = next<double>(problemFile);
  for (int i = 0; i < scene.dof; i++) goal[i] = next<double>(problemFile);

  std::printf("[");
  for (int run = 0; run < runs; run++) {
    og::SimpleSetup setup(space);
    long states = 0;
    setup.setStateValidityChecker([&](const ob::State* state) {
      states++;
      return scene.isFree(state->as<ob::RealVectorStateSpace::StateType>()->values);
    });
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
    const double begun = cpuMilliseconds();
    const bool solved = setup.solve(5.0) == ob::PlannerStatus::EXACT_SOLUTION;
    const double planned = cpuMilliseconds();
    if (solved) setup.simplifySolution();
    const double simplified = cpuMilliseconds();
    std::printf("%s{\"solved\":%s,\"plan\":%.4f,\"simplify\":%.4f,\"length\":%.4f,\"states\":%ld,\"path\":[", run ? "," : "",
                solved ? "true" : "false", planned - begun, simplified - planned,
                solved ? setup.getSolutionPath().length() : 0.0, states);
    for (size_t i = 0; solved && i < setup.getSolutionPath().getStateCount(); i++) {
      const double* q = setup.getSolutionPath().getState(i)->as<ob::RealVectorStateSpace::StateType>()->values;
      for (int j = 0; j < scene.dof; j++) std::printf("%s%.17g", j ? "," : i ? ",[" : "[", q[j]);
      std::printf("]");
    }
    std::printf("]}");
  }
  std::printf("]\n");
}
