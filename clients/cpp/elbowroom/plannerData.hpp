// Check of the vertices and edges that a planner has found; included by ../elbowroom.hpp.
#pragma once

namespace elbowroom {

/// Vertices that are not valid, and edges that are not proved valid, by index.
struct PlannerDataCheck {
  std::vector<unsigned int> vertices;
  std::vector<std::pair<unsigned int, unsigned int>> edges;
  bool isProved() const { return vertices.empty() && edges.empty(); }
};

/// Checks every vertex and every edge of planner data, in batches. An edge that is stored in both directions is checked once and
/// reported in both.
inline PlannerDataCheck checkPlannerData(Service& service, const ob::PlannerData& data) {
  const ob::SpaceInformation* si = data.getSpaceInformation().get();
  std::vector<Edge> motions;
  std::vector<std::pair<unsigned int, unsigned int>> ends;
  for (unsigned int v = 0; v < data.numVertices(); v++) {
    motions.push_back({data.getVertex(v).getState(), data.getVertex(v).getState()});  // a motion at rest: the state
    ends.push_back({v, v});
  }
  std::vector<unsigned int> targets;
  for (unsigned int v = 0; v < data.numVertices(); v++) {
    targets.clear();
    data.getEdges(v, targets);
    for (const unsigned int w : targets) {
      if (w < v && data.edgeExists(w, v)) continue;
      motions.push_back({data.getVertex(v).getState(), data.getVertex(w).getState()});
      ends.push_back({v, w});
    }
  }
  PlannerDataCheck found;
  const std::vector<bool> valid = checkMotions(service, si, motions);
  for (size_t i = 0; i < motions.size(); i++) {
    if (valid[i]) continue;
    const auto [v, w] = ends[i];
    if (v == w) {
      found.vertices.push_back(v);
      continue;
    }
    found.edges.push_back({v, w});
    if (data.edgeExists(w, v)) found.edges.push_back({w, v});
  }
  return found;
}

}  // namespace elbowroom
