// omplReferee SCENE PROBLEM PLANNER RUNS SEED: one of OMPL's planners over FCL, then OMPL's path simplifier. PROBLEM contains the step
// between the states of an edge in rad (0: OMPL's default, 1 % of the extent of the space), the maximum numbers of states checked and of
// seconds, the start, the number of goals, and the goals. Prints JSON, a list with one object per run: the path, its waypoints, the states checked, and
// whether OMPL itself accepts the path. A planner that does not end by itself is ended by the number of states, so that a run is
// reproducible; PRM uses threads, so its runs are not.
#include <ompl/base/goals/GoalStates.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "robotScene.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;
using RealState = ob::RealVectorStateSpace::StateType;

static ob::PlannerPtr createPlanner(const std::string& name, const ob::SpaceInformationPtr& si) {
  if (name == "RRTConnect") return std::make_shared<og::RRTConnect>(si);
  if (name == "RRT*") return std::make_shared<og::RRTstar>(si);
  if (name == "PRM*") return std::make_shared<og::PRMstar>(si);
  if (name == "BIT*") return std::make_shared<og::BITstar>(si);
  if (name == "KPIECE") return std::make_shared<og::KPIECE1>(si);
  if (name == "EST") return std::make_shared<og::EST>(si);
  throw std::runtime_error("unknown planner " + name);
}

static void printPath(const og::PathGeometric& path, int dof) {
  for (size_t i = 0; i < path.getStateCount(); i++) {
    const double* q = path.getState(i)->as<RealState>()->values;
    for (int j = 0; j < dof; j++) std::printf("%s%.17g", j ? "," : i ? ",[" : "[", q[j]);
    std::printf("]");
  }
}

int main(int argc, char** argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(std::stoul(argv[5]));
  std::ifstream sceneFile(argv[1]), problemFile(argv[2]);
  const std::string planner = argv[3];
  const int runs = std::stoi(argv[4]);
  RobotScene scene(sceneFile);
  const double step = next<double>(problemFile);
  const long mostStates = next<long>(problemFile);
  const double mostSeconds = next<double>(problemFile);

  auto space = std::make_shared<ob::RealVectorStateSpace>(scene.dof);
  ob::RealVectorBounds bounds(scene.dof);
  bounds.low = scene.lower;
  bounds.high = scene.upper;
  space->setBounds(bounds);
  space->setup();
  if (step > 0) space->setLongestValidSegmentFraction(step / space->getMaximumExtent());
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (int i = 0; i < scene.dof; i++) start[i] = next<double>(problemFile);
  std::vector<std::vector<double>> goals(next<int>(problemFile), std::vector<double>(scene.dof));
  for (auto& q : goals) {
    for (double& value : q) value = next<double>(problemFile);
  }

  std::printf("[");
  for (int run = 0; run < runs; run++) {
    og::SimpleSetup setup(space);
    std::atomic<long> states{0};
    std::mutex one;  // PRM checks states in two threads
    setup.setStateValidityChecker([&](const ob::State* state) {
      states++;
      const std::lock_guard<std::mutex> guard(one);
      return scene.isFree(state->as<RealState>()->values);
    });
    setup.setStartState(start);
    const auto region = std::make_shared<ob::GoalStates>(setup.getSpaceInformation());
    for (const auto& q : goals) {
      for (int i = 0; i < scene.dof; i++) goal[i] = q[i];
      region->addState(goal);
    }
    setup.setGoal(region);
    setup.setPlanner(createPlanner(planner, setup.getSpaceInformation()));
    const auto begun = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    const ob::PlannerTerminationCondition ends([&] { return states > mostStates || seconds() > mostSeconds; });
    const bool solved = setup.solve(ends) == ob::PlannerStatus::EXACT_SOLUTION;
    if (solved) setup.simplifySolution();
    const double ms = 1000 * seconds();
    const long checked = states;
    std::printf("%s{\"solved\":%s,\"ms\":%.3f,\"states\":%ld,\"accepted\":%s,\"path\":[", run ? "," : "", solved ? "true" : "false", ms,
                checked, solved && setup.getSolutionPath().check() ? "true" : "false");
    if (solved) printPath(setup.getSolutionPath(), scene.dof);
    std::printf("]}");
  }
  std::printf("]\n");
}
