// dgdPlanar FILE ROUNDS: measures planar growth distances and Boolean checks of the authors' library dgd
// (HybridRobotics, Apache 2.0) on pairs of polygons, cold. Prints one JSON object: nanoseconds a query (minimum over the
// rounds), and the results: growth distances, or 0 and 1.
#include <dgd/dgd.h>
#include <dgd/geometry/geometry_2d.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

using Pose = dgd::Transformr<2>;

struct Pair {
  const dgd::ConvexSet<2>* a;
  const dgd::ConvexSet<2>* b;
  Pose T_b_a;
};

static std::vector<std::unique_ptr<dgd::ConvexSet<2>>> bodies;
static std::vector<Pair> pairs;
static int rounds = 5;

template <typename T>
T next(std::istream& in) {
  T value;
  if (!(in >> value)) throw std::runtime_error("the file ends too soon");
  return value;
}

/** Reads a polygon, counterclockwise about the origin; the inner radius follows from its edges. */
static void readPolygon(std::istream& in) {
  std::vector<dgd::Vec2r> vertices(next<int>(in));
  for (auto& vertex : vertices) {
    for (int k = 0; k < 2; k++) vertex[k] = next<double>(in);
  }
  double innerRadius = 1e300;
  for (size_t i = 0; i < vertices.size(); i++) {
    const dgd::Vec2r p = vertices[i], e = vertices[(i + 1) % vertices.size()] - p;
    innerRadius = std::min(innerRadius, (p[0] * e[1] - p[1] * e[0]) / e.norm());
  }
  bodies.push_back(std::make_unique<dgd::Polygon>(vertices, innerRadius));
}

template <typename Query>
static void measure(const char* name, Query query, bool last = false) {
  double least = 1e300;
  std::vector<double> results(pairs.size());
  for (int round = 0; round <= rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (size_t i = 0; i < pairs.size(); i++) results[i] = query(pairs[i]);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - before;
    if (round > 0) least = std::min(least, taken.count() / pairs.size());
  }
  std::printf("\"%s\":{\"least\":%.2f,\"results\":[", name, least);
  for (size_t i = 0; i < results.size(); i++) std::printf("%s%.17g", i ? "," : "", results[i]);
  std::printf("]}%s", last ? "" : ",");
}

int main(int argc, char** argv) {
  std::ifstream in(argv[1]);
  if (argc > 2) rounds = std::stoi(argv[2]);
  const int pairCount = next<int>(in);
  for (int i = 0; i < pairCount; i++) {
    readPolygon(in);
    readPolygon(in);
    Pose T = Pose::Identity();
    const double cosine = next<double>(in), sine = next<double>(in);
    T(0, 0) = T(1, 1) = cosine;
    T(1, 0) = sine;
    T(0, 1) = -sine;
    for (int k = 0; k < 2; k++) T(k, 2) = next<double>(in);
    pairs.push_back({bodies[2 * i].get(), bodies[2 * i + 1].get(), T});
  }
  const Pose identity = Pose::Identity();
  const dgd::Settings settings;
  dgd::Output<2> out;
  std::printf("{");
  measure("cutting planes", [&](const Pair& p) {
    return dgd::GrowthDistanceCp(p.a, p.T_b_a, p.b, identity, settings, out);
  });
  measure("trust region Newton", [&](const Pair& p) {
    return dgd::GrowthDistanceTrn(p.a, p.T_b_a, p.b, identity, settings, out);
  });
  measure("Boolean", [&](const Pair& p) -> double {
    return dgd::DetectCollision(p.a, p.T_b_a, p.b, identity, settings, out);
  }, true);
  std::printf("}\n");
}
