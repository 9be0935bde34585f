// coalPairs FILE ROUNDS TOLERANCE: measures the distances of Coal, the library of the authors of GJK++ (BSD), on pairs of
// bodies, cold: by GJK, and with Polyak and Nesterov momentum. Prints one JSON object: nanoseconds a query (minimum over
// the rounds), and the distances.
#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using Body = std::unique_ptr<coal::ShapeBase>;

struct Pair {
  const coal::ShapeBase* a;
  const coal::ShapeBase* b;
  coal::Transform3s T_b_a;
};

static std::vector<Body> bodies;
static std::vector<Pair> pairs;
static int rounds = 5;

template <typename T>
T next(std::istream& in) {
  T value;
  if (!(in >> value)) throw std::runtime_error("the file ends too soon");
  return value;
}

static Body readHull(std::istream& in) {
  auto points = std::make_shared<std::vector<coal::Vec3s>>(next<int>(in));
  for (auto& point : *points) {
    for (int k = 0; k < 3; k++) point[k] = next<double>(in);
  }
  auto triangles = std::make_shared<std::vector<coal::Triangle>>(next<int>(in));
  for (auto& triangle : *triangles) {
    for (int k = 0; k < 3; k++) triangle[k] = next<int>(in);
  }
  const unsigned pointCount = points->size(), triangleCount = triangles->size();
  return std::make_unique<coal::Convex<coal::Triangle>>(points, pointCount, triangles, triangleCount);
}

static Body readBody(std::istream& in) {
  const auto type = next<std::string>(in);
  if (type == "convex") return readHull(in);
  const double x = next<double>(in);
  if (type == "sphere") return std::make_unique<coal::Sphere>(x);
  const double y = next<double>(in);
  if (type == "capsule") return std::make_unique<coal::Capsule>(x, y);
  if (type == "cylinder") return std::make_unique<coal::Cylinder>(x, y);
  if (type == "cone") return std::make_unique<coal::Cone>(x, y);
  const double z = next<double>(in);
  if (type == "box") return std::make_unique<coal::Box>(x, y, z);
  if (type == "ellipsoid") return std::make_unique<coal::Ellipsoid>(x, y, z);
  throw std::runtime_error("no body of Coal is a " + type);
}

static void measure(const char* name, coal::GJKVariant variant, double tolerance, bool last = false) {
  coal::GJKSolver solver;
  solver.gjk_variant = variant;
  solver.gjk_tolerance = tolerance;
  const coal::Transform3s identity;
  coal::Vec3s pointA, pointB, normal;
  double least = 1e300;
  std::vector<double> results(pairs.size());
  for (int round = 0; round <= rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (size_t i = 0; i < pairs.size(); i++) {
      const Pair& p = pairs[i];
      results[i] = solver.shapeDistance(*p.a, p.T_b_a, *p.b, identity, false, pointA, pointB, normal);
    }
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
  const double tolerance = argc > 3 ? std::stod(argv[3]) : 1e-6;
  const int bodyCount = next<int>(in);
  for (int i = 0; i < bodyCount; i++) bodies.push_back(readBody(in));
  const int pairCount = next<int>(in);
  for (int i = 0; i < pairCount; i++) {
    const int a = next<int>(in), b = next<int>(in);
    coal::Matrix3s R;
    coal::Vec3s t;
    for (int k = 0; k < 12; k++) (k % 4 < 3 ? R(k / 4, k % 4) : t[k / 4]) = next<double>(in);
    pairs.push_back({bodies[a].get(), bodies[b].get(), coal::Transform3s(R, t)});
  }
  std::printf("{");
  measure("GJK", coal::GJKVariant::DefaultGJK, tolerance);
  measure("Polyak", coal::GJKVariant::PolyakAcceleration, tolerance);
  measure("Nesterov", coal::GJKVariant::NesterovAcceleration, tolerance, true);
  std::printf("}\n");
}
