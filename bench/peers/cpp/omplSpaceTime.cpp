// omplSpaceTime SCENE PROBLEM RUNS SEED: OMPL's ST-RRT* over FCL among obstacles that move. PROBLEM holds the step between states of an
// edge (rad, and s), the time limit, start, goal and velocity limits of the joints, then the moving obstacle parts: index, pose in the
// object, count and times of the object's poses, which are interpolated. The distance of two states is the least time between them.
// Prints JSON, run by run: milliseconds of CPU until the first path, states checked, the path as rows of time and joints.
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/STRRTstar.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "robotScene.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;

static double cpuMilliseconds() { return 1000.0 * std::clock() / CLOCKS_PER_SEC; }

struct MovingPart {
  int obstacle;
  fcl::Transform3d T_object_part;
  std::vector<double> times;
  std::vector<fcl::Vector3d> positions;
  std::vector<fcl::Quaterniond> turns;

  fcl::Transform3d at(double t) const {
    const size_t next = std::upper_bound(times.begin(), times.end(), t) - times.begin();
    const size_t i = next == 0 ? 0 : next - 1, j = std::min(next, times.size() - 1);
    const double share = i == j ? 0 : std::clamp((t - times[i]) / (times[j] - times[i]), 0.0, 1.0);
    fcl::Transform3d T = fcl::Transform3d::Identity();
    T.linear() = turns[i].slerp(share, turns[j]).toRotationMatrix();
    T.translation() = positions[i] + share * (positions[j] - positions[i]);
    return T * T_object_part;
  }
};

/** Joints, with the least time between two states as their distance. */
class TimedJoints : public ob::RealVectorStateSpace {
 public:
  TimedJoints(int dof, std::vector<double> speeds) : ob::RealVectorStateSpace(dof), speeds(std::move(speeds)) {}
  double distance(const ob::State* a, const ob::State* b) const override {
    const double *p = a->as<StateType>()->values, *q = b->as<StateType>()->values;
    double least = 0;
    for (size_t j = 0; j < speeds.size(); j++) least = std::max(least, std::abs(p[j] - q[j]) / speeds[j]);
    return least;
  }

 private:
  const std::vector<double> speeds;
};

static const double* jointsOf(const ob::State* state) {
  return state->as<ob::CompoundState>()->as<ob::RealVectorStateSpace::StateType>(0)->values;
}
static double timeOf(const ob::State* state) {
  return state->as<ob::CompoundState>()->as<ob::TimeStateSpace::StateType>(1)->position;
}

/** Motions forward in time, within the velocity limits, whose states are valid a step apart. */
class SampledMotions : public ob::MotionValidator {
 public:
  SampledMotions(const ob::SpaceInformationPtr& si, int dof, double step) : ob::MotionValidator(si), dof(dof), step(step) {}
  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    const auto* space = si_->getStateSpace()->as<ob::SpaceTimeStateSpace>();
    const double duration = timeOf(to) - timeOf(from);
    if (!(duration > 0 && space->distanceSpace(from, to) <= duration * (1 + 1e-9)) || !si_->isValid(to)) return false;
    double travel = duration;
    for (int j = 0; j < dof; j++) travel = std::max(travel, std::abs(jointsOf(to)[j] - jointsOf(from)[j]));
    const int count = int(std::ceil(travel / step));
    ob::State* state = si_->allocState();
    bool valid = true;
    for (int k = 1; valid && k < count; k++) {
      space->interpolate(from, to, double(k) / count, state);
      valid = si_->isValid(state);
    }
    si_->freeState(state);
    return valid;
  }
  bool checkMotion(const ob::State*, const ob::State*, std::pair<ob::State*, double>&) const override {
    throw std::logic_error("not used by ST-RRT*");
  }

 private:
  const int dof;
  const double step;
};

int main(int argc, char** argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(std::stoul(argv[4]));
  std::ifstream sceneFile(argv[1]), in(argv[2]);
  const int runs = std::stoi(argv[3]);
  RobotScene scene(sceneFile);
  const int dof = scene.dof;
  const double step = next<double>(in), limit = next<double>(in);
  std::vector<double> from(dof), to(dof), speeds(dof);
  for (auto* list : {&from, &to, &speeds})
    for (double& value : *list) value = next<double>(in);
  std::vector<MovingPart> moving(next<int>(in));
  for (MovingPart& part : moving) {
    part.obstacle = next<int>(in);
    part.T_object_part = readPose(in);
    part.times.resize(next<int>(in));
    for (double& time : part.times) {
      time = next<double>(in);
      const fcl::Transform3d T = readPose(in);
      part.positions.push_back(T.translation());
      part.turns.emplace_back(T.linear());
    }
  }

  for (int j = 0; j < dof; j++) { // the scene gives at most half a turn either way
    scene.lower[j] = std::min({scene.lower[j], from[j], to[j]});
    scene.upper[j] = std::max({scene.upper[j], from[j], to[j]});
  }
  auto joints = std::make_shared<TimedJoints>(dof, speeds);
  ob::RealVectorBounds bounds(dof);
  bounds.low = scene.lower;
  bounds.high = scene.upper;
  joints->setBounds(bounds);
  auto space = std::make_shared<ob::SpaceTimeStateSpace>(joints, 1.0);

  std::printf("[");
  for (int run = 0; run < runs; run++) {
    auto si = std::make_shared<ob::SpaceInformation>(space);
    long states = 0;
    si->setStateValidityChecker([&](const ob::State* state) {
      states++;
      if (!(timeOf(state) >= 0)) return false;
      for (const MovingPart& part : moving) scene.moveObstacle(part.obstacle, part.at(timeOf(state)));
      return scene.isFree(jointsOf(state));
    });
    si->setMotionValidator(std::make_shared<SampledMotions>(si, dof, step));
    og::SimpleSetup setup(si);
    ob::ScopedState<> start(space), goal(space);
    for (int j = 0; j < dof; j++) {
      start[j] = from[j];
      goal[j] = to[j];
    }
    start[dof] = 0;
    setup.setStartAndGoalStates(start, goal);
    auto planner = std::make_shared<og::STRRTstar>(si);
    planner->setRange(0.5);
    setup.setPlanner(planner);
    const double before = cpuMilliseconds();
    // ST-RRT* improves its path until the time limit: the first one ends it.
    bool found = false;
    double first = 0;
    setup.getProblemDefinition()->setIntermediateSolutionCallback(
        [&](const ob::Planner*, const std::vector<const ob::State*>&, const ob::Cost) {
          if (!found) first = cpuMilliseconds() - before;
          found = true;
        });
    const ob::PlannerTerminationCondition isFound([&] { return found; });
    const bool solved = setup.solve(ob::plannerOrTerminationCondition(isFound, ob::timedPlannerTerminationCondition(limit))) ==
                        ob::PlannerStatus::EXACT_SOLUTION;
    const double plan = solved ? first : cpuMilliseconds() - before;
    std::printf("%s{\"solved\":%s,\"plan\":%.4f,\"states\":%ld,\"path\":[", run ? "," : "", solved ? "true" : "false", plan, states);
    for (size_t i = 0; solved && i < setup.getSolutionPath().getStateCount(); i++) {
      const ob::State* state = setup.getSolutionPath().getState(i);
      std::printf("%s[%.17g", i ? "," : "", timeOf(state));
      for (int j = 0; j < dof; j++) std::printf(",%.17g", jointsOf(state)[j]);
      std::printf("]");
    }
    std::printf("]}");
  }
  std::printf("]\n");
}
