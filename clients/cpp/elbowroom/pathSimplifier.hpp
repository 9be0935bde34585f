// Replacement of OMPL's PathSimplifier; included by ../elbowroom.hpp.
#pragma once

namespace elbowroom {

/// Repairs and shortens paths; all that it returns is proved over continuous time. Deterministic.
class PathSimplifier {
 public:
  PathSimplifier(const ob::SpaceInformationPtr& si, Service& service) : si_(si), service_(service), joints_(Problem(service).joints) {}

  /// As OMPL's method: shortens the path, for at most `maxTime` seconds. A path that is not valid is repaired first. Returns false, and
  /// leaves the path as it is, if that fails.
  bool simplify(og::PathGeometric& path, double maxTime) {
    const auto begun = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    if (!repair(path)) return false;
    double offset = 0;
    for (int round = 0, failures = 0; round < kRounds && failures < kFailures && seconds() < maxTime; round++) {
      const double before = path.length();
      shorten(path, offset);
      offset = offset + kShift < 1 ? offset + kShift : offset + kShift - 1;
      failures = path.length() > (1 - kLeastGain) * before ? failures + 1 : 0;
    }
    return true;
  }

  bool simplifyMax(og::PathGeometric& path) { return simplify(path, std::numeric_limits<double>::infinity()); }

  /// Replaces a path that is not proved valid by one that is, changed as little as possible; returns false if that fails.
  bool repair(og::PathGeometric& path) {
    std::vector<std::vector<double>> waypoints;
    for (const ob::State* state : path.getStates()) waypoints.emplace_back(valuesOf(state), valuesOf(state) + si_->getStateDimension());
    const Repair found = elbowroom::repair(service_, pathText(joints_, waypoints));
    reason_ = found.reason;
    if (found.status != "repaired") return found.isProved();
    og::PathGeometric repaired(si_);
    ob::State* state = si_->allocState();
    for (const auto& q : pointLists(found.response, "positions")) {
      std::copy(q.begin(), q.end(), state->as<ob::RealVectorStateSpace::StateType>()->values);
      repaired.append(state);
    }
    si_->freeState(state);
    path = repaired;
    return true;
  }

  /// What the last repair reported.
  const std::string& reason() const { return reason_; }

 private:
  /// Points of a path of which all connections are checked in one round; rounds; rounds without gain after which it ends.
  static constexpr int kPoints = 16;
  static constexpr int kRounds = 12;
  static constexpr int kFailures = 2;
  static constexpr double kLeastGain = 0.002;
  /// Cost of an edge, a share of the length of the path: of equal paths the one with fewer waypoints is chosen.
  static constexpr double kEdgeCost = 1e-9;
  /// Shift of the points from round to round, a share of their distance: the golden ratio.
  static constexpr double kShift = 0.6180339887498949;

  /// Replaces the path by the shortest one over its waypoints and points between them whose edges are proved, with one message.
  void shorten(og::PathGeometric& path, double offset) {
    og::PathGeometric points(si_);
    std::vector<size_t> segments;
    subdivide(path, offset, points, segments);
    const int count = static_cast<int>(points.getStateCount());
    const auto isOneEdge = [&](int i, int j) { return segments[j] <= segments[i] + (segments[i] % 2 == 0 ? 2 : 1); };
    std::vector<Edge> edges;
    for (int i = 0; i < count; i++)
      for (int j = i + 1; j < count; j++)
        if (!isOneEdge(i, j)) edges.push_back({points.getState(i), points.getState(j)});
    const std::vector<bool> valid = checkMotions(service_, si_.get(), edges);
    // Points and edges are in topological order: one pass finds the shortest path.
    std::vector<double> cost(count, std::numeric_limits<double>::infinity());
    std::vector<int> parent(count, -1);
    cost[0] = 0;
    const double edgeCost = kEdgeCost * path.length();
    for (int i = 0, next = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        if (!isOneEdge(i, j) && !valid[next++]) continue;
        const double length = cost[i] + si_->distance(points.getState(i), points.getState(j)) + edgeCost;
        if (length < cost[j]) cost[j] = length, parent[j] = i;
      }
    }
    og::PathGeometric shortest(si_);
    for (int i = count - 1; i >= 0; i = parent[i]) shortest.append(points.getState(i));
    shortest.reverse();
    // Parts of a proved edge differ from it by rounding, so they are proved as well.
    if (shortest.length() < path.length() && isProved(shortest)) path = shortest;
  }

  bool isProved(og::PathGeometric& path) const {
    std::vector<Edge> edges;
    for (size_t k = 1; k < path.getStateCount(); k++) edges.push_back({path.getState(k - 1), path.getState(k)});
    const std::vector<bool> valid = checkMotions(service_, si_.get(), edges);
    return std::find(valid.begin(), valid.end(), false) == valid.end();
  }

  /// Adds points between the waypoints, at most one distance apart. `segments`: twice the index of a waypoint, or the odd number between
  /// those of the ends of its edge.
  void subdivide(const og::PathGeometric& path, double offset, og::PathGeometric& points, std::vector<size_t>& segments) const {
    const double step = path.length() / kPoints;
    const size_t last = path.getStateCount() - 1;
    ob::State* state = si_->allocState();
    double along = offset * step;
    for (size_t k = 0; k < last; k++) {
      points.append(path.getState(k));
      segments.push_back(2 * k);
      const double length = si_->distance(path.getState(k), path.getState(k + 1));
      for (; step > 0 && along < length; along += step) {
        if (!(along > 0)) continue;
        si_->getStateSpace()->interpolate(path.getState(k), path.getState(k + 1), along / length, state);
        points.append(state);
        segments.push_back(2 * k + 1);
      }
      along -= length;
    }
    points.append(path.getState(last));
    segments.push_back(2 * last);
    si_->freeState(state);
  }

  ob::SpaceInformationPtr si_;
  Service& service_;
  std::vector<std::string> joints_;
  std::string reason_;
};

}  // namespace elbowroom
