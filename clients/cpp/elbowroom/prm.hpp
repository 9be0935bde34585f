// OMPL's PRM with candidate edges in batches; included by ../elbowroom.hpp.
#pragma once

namespace elbowroom {

/// OMPL's PRM (PRM* if `star`), which checks the candidate edges of each new milestone with one message. Planners that need one edge at
/// a time (RRT-Connect, RRT*) gain nothing from prefetching.
class PRM : public og::PRM {
 public:
  PRM(const ob::SpaceInformationPtr& si, const MotionValidator& motions, bool star = false) : og::PRM(si, star), motions_(motions) {}

  void setup() override {
    og::PRM::setup();
    if (!isSetup() || isBatched_) return;
    isBatched_ = true;
    const ConnectionStrategy strategy = connectionStrategy_;
    connectionStrategy_ = [this, strategy](const Vertex milestone) -> const std::vector<Vertex>& {
      const std::vector<Vertex>& neighbors = strategy(milestone);
      std::vector<elbowroom::Edge> edges;  // og::PRM has an Edge of its own
      for (const Vertex neighbor : neighbors) edges.push_back({stateProperty_[neighbor], stateProperty_[milestone]});
      motions_.prefetch(edges);
      return neighbors;
    };
  }

 private:
  const MotionValidator& motions_;
  bool isBatched_ = false;
};

}  // namespace elbowroom
