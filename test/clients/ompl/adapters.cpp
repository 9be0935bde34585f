// adapters SOCKET: exercises clients/cpp/elbowroom.hpp against a service, and prints what it found as JSON, for the test beside it.
#include <elbowroom.hpp>

#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <iostream>

namespace ob = ompl::base;
namespace og = ompl::geometric;

static std::string listOf(const std::vector<bool>& values) {
  std::string text = "[";
  for (const bool value : values) text += (text.size() > 1 ? "," : "") + std::string(value ? "true" : "false");
  return text + "]";
}

static std::string listOf(const ob::SpaceInformation* si, const std::vector<ob::State*>& states) {
  std::string text = "[";
  for (const ob::State* state : states) text += (text.size() > 1 ? "," : "") + elbowroom::listOf(si, state);
  return text + "]";
}

int main(int, char** argv) try {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(7);
  elbowroom::Service service(argv[1]);
  const elbowroom::Problem problem(service);
  const size_t dof = problem.joints.size();
  const auto space = std::make_shared<ob::RealVectorStateSpace>(dof);
  ob::RealVectorBounds bounds(dof);
  bounds.low = problem.lower;
  bounds.high = problem.upper;
  space->setBounds(bounds);
  const auto si = std::make_shared<ob::SpaceInformation>(space);
  const auto states = std::make_shared<elbowroom::StateValidityChecker>(si, service);
  const auto motions = std::make_shared<elbowroom::MotionValidator>(si, service);
  si->setStateValidityChecker(states);
  si->setMotionValidator(motions);
  si->setup();
  std::cout << "{";

  // Random edges about the start: one by one, in a batch, and from the cache in both directions.
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (size_t i = 0; i < dof; i++) start[i] = problem.start[i], goal[i] = problem.goals[0][i];
  const auto sampler = space->allocStateSampler();
  std::vector<ob::State*> samples;
  for (int i = 0; i < 40; i++) {
    samples.push_back(si->allocState());
    sampler->sampleUniformNear(samples.back(), start.get(), 0.8);
  }
  std::vector<elbowroom::Edge> edges;
  for (size_t i = 1; i < samples.size(); i++) edges.push_back({samples[i - 1], samples[i]});
  std::vector<bool> single, again, back, one;
  for (const auto& [from, to] : edges) single.push_back(motions->checkMotion(from, to));
  size_t messages = service.messages();
  motions->prefetch(edges);
  const size_t batch = service.messages() - messages;
  messages = service.messages();
  for (const auto& [from, to] : edges) again.push_back(motions->checkMotion(from, to));
  for (const auto& [from, to] : edges) back.push_back(motions->checkMotion(to, from));
  const size_t cached = service.messages() - messages;
  for (const ob::State* state : samples) one.push_back(si->isValid(state));
  std::cout << "\"samples\":" << listOf(si.get(), samples) << ",\"single\":" << listOf(single) << ",\"again\":" << listOf(again)
            << ",\"back\":" << listOf(back) << ",\"messages\":[" << batch << "," << cached << "],\"states\":" << listOf(one)
            << ",\"manyStates\":" << listOf(states->areValid({samples.begin(), samples.end()}));

  // A change of the scene makes cached verdicts void.
  service.call("scene.add", "\"body\":{\"name\":\"added_for_the_test\",\"type\":\"box\",\"size\":[9,9,9]}");
  std::vector<bool> blocked;
  for (const auto& [from, to] : edges) blocked.push_back(motions->checkMotion(from, to));
  service.call("scene.reset", "");
  std::vector<bool> reset;
  for (const auto& [from, to] : edges) reset.push_back(motions->checkMotion(from, to));
  std::cout << ",\"blocked\":" << listOf(blocked) << ",\"reset\":" << listOf(reset);

  // The straight line to the goal collides: repaired, then shortened.
  elbowroom::PathSimplifier simplifier(si, service);
  og::PathGeometric line(si, start.get(), goal.get());
  const bool repaired = simplifier.repair(line);
  std::cout << ",\"repaired\":" << (repaired ? "true" : "false") << ",\"repairedPath\":" << listOf(si.get(), line.getStates());
  og::PathGeometric shorter(line);
  const bool shortened = simplifier.simplifyMax(shorter);
  std::cout << ",\"shortened\":" << (shortened ? "true" : "false") << ",\"shorterPath\":" << listOf(si.get(), shorter.getStates());
  // An end that is kept is not valid: no repair, and the path remains.
  ob::ScopedState<ob::RealVectorStateSpace> outside(space);
  outside = start;
  outside[0] = 99;
  og::PathGeometric hopeless(si, start.get(), outside.get());
  const bool failed = !simplifier.simplifyMax(hopeless) && hopeless.getStateCount() == 2;
  std::cout << ",\"hopeless\":" << (failed ? "true" : "false");

  // A roadmap whose edges were checked at few states only.
  const auto coarse = std::make_shared<ob::SpaceInformation>(space);
  coarse->setStateValidityChecker(std::make_shared<elbowroom::StateValidityChecker>(coarse, service));
  coarse->setStateValidityCheckingResolution(0.2);
  coarse->setup();
  og::PRM roadmap(coarse);
  const auto definition = std::make_shared<ob::ProblemDefinition>(coarse);
  definition->setStartAndGoalStates(start, goal);
  roadmap.setProblemDefinition(definition);
  roadmap.setup();
  int rounds = 0;
  roadmap.constructRoadmap(ob::PlannerTerminationCondition([&] { return rounds++ > 40; }));
  ob::PlannerData data(coarse);
  roadmap.getPlannerData(data);
  const auto check = elbowroom::checkPlannerData(service, data);
  std::cout << ",\"roadmap\":{\"vertices\":[";
  for (unsigned int v = 0; v < data.numVertices(); v++)
    std::cout << (v ? "," : "") << elbowroom::listOf(si.get(), data.getVertex(v).getState());
  std::cout << "],\"edges\":[";
  bool first = true;
  for (unsigned int v = 0; v < data.numVertices(); v++) {
    std::vector<unsigned int> targets;
    data.getEdges(v, targets);
    for (const unsigned int w : targets) {
      std::cout << (first ? "" : ",") << "[" << v << "," << w << "]";
      first = false;
    }
  }
  std::cout << "],\"unproved\":[";
  for (size_t i = 0; i < check.edges.size(); i++)
    std::cout << (i ? "," : "") << "[" << check.edges[i].first << "," << check.edges[i].second << "]";
  std::cout << "],\"invalid\":" << check.vertices.size() << "}";

  // A roadmap with candidate edges in batches has the same edges as one without, with fewer messages.
  std::cout << ",\"batched\":[";
  for (const bool batched : {false, true}) {
    const auto counted = std::make_shared<elbowroom::MotionValidator>(si, service);
    si->setMotionValidator(counted);
    std::shared_ptr<og::PRM> prm;
    if (batched) prm = std::make_shared<elbowroom::PRM>(si, *counted);
    else prm = std::make_shared<og::PRM>(si);
    const auto query = std::make_shared<ob::ProblemDefinition>(si);
    query->setStartAndGoalStates(start, goal);
    prm->setProblemDefinition(query);
    prm->setup();
    messages = service.messages();
    prm->growRoadmap(ob::PlannerTerminationCondition([&] { return prm->milestoneCount() >= 30; }));
    ob::PlannerData roadmapData(si);
    prm->getPlannerData(roadmapData);
    std::cout << (batched ? "," : "") << "{\"messages\":" << service.messages() - messages << ",\"motions\":" << counted->getCheckedMotionCount()
              << ",\"unproved\":" << elbowroom::checkPlannerData(service, roadmapData).edges.size() << "}";
  }
  std::cout << "]}\n";
  for (ob::State* state : samples) si->freeState(state);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
