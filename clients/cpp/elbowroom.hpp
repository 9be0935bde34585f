// OMPL with `elbowroom serve`: state validity, motions that are proved over continuous time and checked in batches, path simplification
// by proved shortcuts, and a check of planner data. States are those of a RealVectorStateSpace in the order of the joints of the service.
// Compiled and tested with OMPL 1.5; uses only interfaces that OMPL 2 has unchanged. Documentation: docs/ompl.md.
#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/PlannerData.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/prm/PRM.h>

#include <chrono>
#include <limits>
#include <unordered_map>
#include <utility>

#include "elbowroom/problem.hpp"

namespace elbowroom {

namespace ob = ompl::base;
namespace og = ompl::geometric;

/// An edge: a straight motion between two states.
using Edge = std::pair<const ob::State*, const ob::State*>;

/// Motions of one request; the service bounds the size of a message.
constexpr size_t kMotionsPerRequest = 2000;

/// Returns the values of a state.
inline const double* valuesOf(const ob::State* state) { return state->as<ob::RealVectorStateSpace::StateType>()->values; }

inline std::string listOf(const ob::SpaceInformation* si, const ob::State* state) {
  return listOf(valuesOf(state), si->getStateDimension());
}

/// Returns for each edge whether it is proved valid, with one message for every `kMotionsPerRequest`.
inline std::vector<bool> checkMotions(Service& service, const ob::SpaceInformation* si, const std::vector<Edge>& edges) {
  std::vector<bool> valid;
  for (size_t first = 0; first < edges.size(); first += kMotionsPerRequest) {
    const size_t last = std::min(edges.size(), first + kMotionsPerRequest);
    std::string motions;
    for (size_t i = first; i < last; i++)
      motions += (i > first ? ",[" : "[") + listOf(si, edges[i].first) + "," + listOf(si, edges[i].second) + "]";
    const auto part = booleansOf(service.call("validate_motion", "\"motions\":[" + motions + "]"), "valid", last - first);
    valid.insert(valid.end(), part.begin(), part.end());
  }
  return valid;
}

class StateValidityChecker : public ob::StateValidityChecker {
 public:
  StateValidityChecker(const ob::SpaceInformationPtr& si, Service& service) : ob::StateValidityChecker(si), service_(service) {
    specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::EXACT;
  }

  bool isValid(const ob::State* state) const override {
    return isTrue(service_.call("validate", "\"q\":" + listOf(si_, state)), "valid");
  }

  /// Checks many states with one message.
  std::vector<bool> areValid(const std::vector<const ob::State*>& states) const {
    if (states.empty()) return {};
    std::string list;
    for (const ob::State* state : states) list += (list.empty() ? "" : ",") + listOf(si_, state);
    return booleansOf(service_.call("validate", "\"states\":[" + list + "]"), "valid", states.size());
  }

  /// Metres; below zero the depth of the deepest collision.
  double clearance(const ob::State* state) const override {
    const std::string response = service_.call("clearance", "\"q\":" + listOf(si_, state));
    return numberOf(response, "distance", std::numeric_limits<double>::infinity());
  }

 private:
  Service& service_;
};

/// Proves motions over their whole time, not at samples. Verdicts of prefetched edges are kept, for both directions, until the scene of
/// the session changes. Threads may share it, as OMPL requires.
class MotionValidator : public ob::MotionValidator {
 public:
  MotionValidator(const ob::SpaceInformationPtr& si, Service& service) : ob::MotionValidator(si), service_(service) {}

  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    bool valid;
    if (!findVerdict({from, to}, valid))
      valid = isTrue(service_.call("validate_motion", "\"from\":" + listOf(si_, from) + ",\"to\":" + listOf(si_, to)), "valid");
    return count(valid);
  }

  /// Also sets the last state of the motion that is proved collision-free, and its time from 0 to 1.
  bool checkMotion(const ob::State* from, const ob::State* to, std::pair<ob::State*, double>& lastValid) const override {
    const std::string ends = "\"from\":" + listOf(si_, from) + ",\"to\":" + listOf(si_, to);
    const std::string response = service_.call("validate_motion", ends + ",\"details\":true");
    if (count(isTrue(response, "valid"))) return true;
    const bool hasContact = findValue(response, "contact") != std::string::npos;
    lastValid.second = hasContact ? numberOf(response, "free_until", 0) : 0;  // without a contact, an end is out of limits
    if (lastValid.first != nullptr) si_->getStateSpace()->interpolate(from, to, lastValid.second, lastValid.first);
    return false;
  }

  /// Checks candidate edges with one message and keeps their verdicts for `checkMotion`; edges that are known are left out.
  void prefetch(const std::vector<Edge>& edges) const {
    std::vector<Edge> unknown;
    bool known;
    for (const Edge& edge : edges)
      if (!findVerdict(edge, known)) unknown.push_back(edge);
    const size_t version = service_.sceneVersion();
    const std::vector<bool> valid = checkMotions(service_, si_, unknown);
    const std::lock_guard<std::mutex> guard(mutex_);
    if (version != version_) return;
    if (verdicts_.size() + unknown.size() > kMostVerdicts) verdicts_.clear();
    for (size_t i = 0; i < unknown.size(); i++) verdicts_[keyOf(unknown[i])] = valid[i];
  }

 private:
  static constexpr size_t kMostVerdicts = 200000;

  bool count(bool valid) const {
    (valid ? valid_ : invalid_)++;
    return valid;
  }

  bool findVerdict(const Edge& edge, bool& valid) const {
    const std::lock_guard<std::mutex> guard(mutex_);
    const size_t version = service_.sceneVersion();  // once: another thread may change the scene
    if (version_ != version) verdicts_.clear();
    version_ = version;
    const auto found = verdicts_.find(keyOf(edge));
    if (found == verdicts_.end()) return false;
    valid = found->second;
    return true;
  }

  /// The bytes of both states, in an order that does not depend on the direction: the same states are passed through.
  std::string keyOf(const Edge& edge) const {
    const size_t size = si_->getStateDimension() * sizeof(double);
    std::string a(reinterpret_cast<const char*>(valuesOf(edge.first)), size);
    std::string b(reinterpret_cast<const char*>(valuesOf(edge.second)), size);
    return a < b ? a + b : b + a;
  }

  Service& service_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, bool> verdicts_;
  mutable size_t version_ = 0;
};

}  // namespace elbowroom

#include "elbowroom/pathSimplifier.hpp"
#include "elbowroom/plannerData.hpp"
#include "elbowroom/prm.hpp"
