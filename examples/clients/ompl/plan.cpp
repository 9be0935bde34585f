// plan SOCKET [SEED]: OMPL's RRTConnect plans from the start to a goal of the scene that `elbowroom serve` serves, which checks every
// state and motion; the path is shortened by proved shortcuts. Prints the path as CSV, which `elbowroom check SCENE PATH.csv` judges.
#include "elbowroom.hpp"

#include <ompl/base/goals/GoalStates.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <iostream>

namespace ob = ompl::base;
namespace og = ompl::geometric;

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("usage: plan SOCKET [SEED]");
  ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
  ompl::RNG::setSeed(argc > 2 ? std::stoul(argv[2]) : 1);
  elbowroom::Service service(argv[1]);
  const elbowroom::Problem problem(service);
  const size_t dof = problem.joints.size();
  if (problem.start.size() != dof) throw std::runtime_error("the scene has no start");
  if (problem.goals.empty()) throw std::runtime_error(problem.reason);

  auto space = std::make_shared<ob::RealVectorStateSpace>(dof);
  ob::RealVectorBounds bounds(dof);
  bounds.low = problem.lower;
  bounds.high = problem.upper;
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  const auto& si = setup.getSpaceInformation();
  setup.setStateValidityChecker(std::make_shared<elbowroom::StateValidityChecker>(si, service));
  const auto motions = std::make_shared<elbowroom::MotionValidator>(si, service);
  si->setMotionValidator(motions);
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (size_t i = 0; i < dof; i++) start[i] = problem.start[i];
  setup.setStartState(start);
  const auto goals = std::make_shared<ob::GoalStates>(si);
  for (const auto& q : problem.goals) {
    for (size_t i = 0; i < dof; i++) goal[i] = q[i];
    if (si->isValid(goal.get())) goals->addState(goal);
  }
  if (!goals->hasStates()) throw std::runtime_error("every goal state is in collision or out of limits");
  setup.setGoal(goals);
  auto planner = std::make_shared<og::RRTConnect>(si);
  planner->setRange(0.8);
  setup.setPlanner(planner);

  if (setup.solve(60.0) != ob::PlannerStatus::EXACT_SOLUTION) {
    std::cerr << "no path found\n";
    return 1;
  }
  og::PathGeometric& path = setup.getSolutionPath();
  elbowroom::PathSimplifier(si, service).simplify(path, 60.0);
  std::cerr << path.getStateCount() << " states, " << motions->getValidMotionCount() << " motions proved free, "
            << motions->getInvalidMotionCount() << " not\n";
  for (size_t i = 0; i < dof; i++) std::cout << (i > 0 ? "," : "") << problem.joints[i];
  std::cout << "\n";
  for (const ob::State* state : path.getStates()) {
    const std::string values = elbowroom::listOf(si.get(), state);
    std::cout << values.substr(1, values.size() - 2) << "\n";
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
