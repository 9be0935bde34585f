// dgdPairs FILE ROUNDS: measures the growth distances of the authors' library dgd (HybridRobotics, Apache 2.0) on pairs
// of bodies, by cutting planes and by trust region Newton, and its Boolean check, cold; by cutting planes also warm, from
// the pose of the same pair before. Prints one JSON object: nanoseconds a query (minimum over the rounds), and the
// results: growth distances, or 0 and 1. Bodies of revolution have their axis along z; those of dgd have it along x.
#include <dgd/dgd.h>
#include <dgd/geometry/geometry_3d.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using Body = std::unique_ptr<dgd::ConvexSet<3>>;
using Pose = dgd::Transformr<3>;

struct Pair {
  const dgd::ConvexSet<3>* a;
  const dgd::ConvexSet<3>* b;
  Pose T_b_a, T_b;
  bool isNext;  // Same pair as the one before, at another pose.
};

static std::vector<Body> bodies;
/** Per body: whether its axis of revolution is x for dgd. */
static std::vector<bool> isTurned;
static std::vector<Pair> pairs;
static int rounds = 5;

template <typename T>
T next(std::istream& in) {
  T value;
  if (!(in >> value)) throw std::runtime_error("the file ends too soon");
  return value;
}

/** Reads vertices and triangles; the adjacency of vertices follows from the triangles, the inner radius from planes. */
static Body readHull(std::istream& in) {
  std::vector<dgd::Vec3r> vertices(next<int>(in));
  for (auto& vertex : vertices) {
    for (int k = 0; k < 3; k++) vertex[k] = next<double>(in);
  }
  const int count = vertices.size(), triangles = next<int>(in);
  std::vector<std::set<int>> neighbors(count);
  double innerRadius = 1e300;
  for (int i = 0; i < triangles; i++) {
    int corner[3];
    for (int& k : corner) k = next<int>(in);
    for (int k = 0; k < 3; k++) {
      neighbors[corner[k]].insert(corner[(k + 1) % 3]);
      neighbors[corner[k]].insert(corner[(k + 2) % 3]);
    }
    const dgd::Vec3r u = vertices[corner[1]] - vertices[corner[0]], v = vertices[corner[2]] - vertices[corner[0]];
    const dgd::Vec3r n = u.cross(v).normalized();
    innerRadius = std::min(innerRadius, std::abs(n.dot(vertices[corner[0]])));
  }
  std::vector<int> graph(2 + count);
  graph[0] = count;
  graph[1] = triangles;
  for (int i = 0; i < count; i++) {
    graph[2 + i] = graph.size() - 2 - count;
    graph.insert(graph.end(), neighbors[i].begin(), neighbors[i].end());
    graph.push_back(-1);
  }
  return std::make_unique<dgd::Mesh>(vertices, graph, innerRadius);
}

static Body readBody(std::istream& in) {
  const auto type = next<std::string>(in);
  if (type == "convex") return readHull(in);
  if (type == "sphere") return std::make_unique<dgd::Sphere>(next<double>(in));
  if (type == "capsule" || type == "cylinder") {
    const double radius = next<double>(in), length = next<double>(in);
    if (type == "capsule") return std::make_unique<dgd::Capsule>(length / 2, radius);
    return std::make_unique<dgd::Cylinder>(length / 2, radius);
  }
  if (type != "box" && type != "ellipsoid") throw std::runtime_error("no body of dgd is a " + type);
  const double x = next<double>(in), y = next<double>(in), z = next<double>(in);
  if (type == "ellipsoid") return std::make_unique<dgd::Ellipsoid>(x, y, z);
  return std::make_unique<dgd::Cuboid>(x / 2, y / 2, z / 2);
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
  const int bodyCount = next<int>(in);
  for (int i = 0; i < bodyCount; i++) {
    bodies.push_back(readBody(in));
    const auto* body = bodies.back().get();
    isTurned.push_back(dynamic_cast<const dgd::Capsule*>(body) || dynamic_cast<const dgd::Cylinder*>(body));
  }
  Pose turn = Pose::Identity();  // Maps x to z.
  turn.block<3, 3>(0, 0) << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  const Pose identity = Pose::Identity();
  int lastA = -1, lastB = -1;
  const int pairCount = next<int>(in);
  for (int i = 0; i < pairCount; i++) {
    const int a = next<int>(in), b = next<int>(in);
    Pose T = Pose::Identity();
    for (int k = 0; k < 12; k++) T(k / 4, k % 4) = next<double>(in);
    const Pose posed = isTurned[a] ? Pose(T * turn) : T;
    pairs.push_back({bodies[a].get(), bodies[b].get(), posed, isTurned[b] ? turn : identity, a == lastA && b == lastB});
    lastA = a;
    lastB = b;
  }
  const dgd::Settings settings;
  dgd::Output<3> out;
  std::printf("{");
  measure("cutting planes", [&](const Pair& p) {
    return dgd::GrowthDistanceCp(p.a, p.T_b_a, p.b, p.T_b, settings, out);
  });
  measure("trust region Newton", [&](const Pair& p) {
    return dgd::GrowthDistanceTrn(p.a, p.T_b_a, p.b, p.T_b, settings, out);
  });
  measure("warm", [&](const Pair& p) {
    return dgd::GrowthDistanceCp(p.a, p.T_b_a, p.b, p.T_b, settings, out, p.isNext);
  });
  measure("Boolean", [&](const Pair& p) -> double {
    return dgd::DetectCollision(p.a, p.T_b_a, p.b, p.T_b, settings, out);
  }, true);
  std::printf("}\n");
}
