// fclPairs FILE Boolean|distance ROUNDS: asks FCL about pairs of bodies, by libccd's GJK and by its own. Prints one JSON object:
// nanoseconds a query (least and median over the rounds), and the answers: 0 or 1, or metres.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "bodies.hpp"

struct Pair {
  const Shape* a;
  const Shape* b;
  fcl::Transform3d T_b_a;
};

static std::vector<Shape> shapes;
static std::vector<Pair> pairs;
static int rounds = 5;

template <typename Ask>
void measure(const char* name, Ask ask, bool last = false) {
  std::vector<double> times;
  std::vector<double> answers(pairs.size());
  for (int round = 0; round <= rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (size_t i = 0; i < pairs.size(); i++) answers[i] = ask(pairs[i]);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - before;
    if (round > 0 || taken.count() > 5e7) times.push_back(taken.count() / pairs.size());
    if (taken.count() > 5e7) break;  // slow enough to measure at once
  }
  std::sort(times.begin(), times.end());
  std::printf("\"%s\":{\"least\":%.2f,\"median\":%.2f,\"answers\":[", name, times.front(), times[times.size() / 2]);
  for (size_t i = 0; i < answers.size(); i++) std::printf("%s%.9g", i ? "," : "", answers[i]);
  std::printf("]}%s", last ? "" : ",");
}

template <typename Solver>
double collides(const Solver& solver, const Pair& pair) {
  const fcl::Transform3d identity = fcl::Transform3d::Identity();
  return std::visit(
      [&](const auto& a, const auto& b) -> double { return solver.shapeIntersect(a, pair.T_b_a, b, identity, nullptr); },
      *pair.a, *pair.b);
}

template <typename Solver>
double distance(const Solver& solver, const Pair& pair) {
  const fcl::Transform3d identity = fcl::Transform3d::Identity();
  double least = 0;
  fcl::Vector3d onA, onB;  // its closed forms insist on them
  std::visit([&](const auto& a, const auto& b) { solver.shapeDistance(a, pair.T_b_a, b, identity, &least, &onA, &onB); },
             *pair.a, *pair.b);
  return least;
}

int main(int argc, char** argv) {
  std::ifstream in(argv[1]);
  const bool isBoolean = std::string(argv[2]) == "Boolean";
  if (argc > 3) rounds = std::stoi(argv[3]);
  const int shapeCount = next<int>(in);
  for (int i = 0; i < shapeCount; i++) shapes.push_back(readShape(in));
  const int pairCount = next<int>(in);
  for (int i = 0; i < pairCount; i++) {
    const int a = next<int>(in), b = next<int>(in);
    pairs.push_back({&shapes[a], &shapes[b], readPose(in)});
  }
  const fcl::detail::GJKSolver_libccdd ccd;
  const fcl::detail::GJKSolver_indepd own;
  auto ask = [&](const auto& solver) {
    return [&](const Pair& pair) { return isBoolean ? collides(solver, pair) : distance(solver, pair); };
  };
  std::printf("{");
  measure("libccd", ask(ccd));
  measure("own GJK", ask(own), true);
  std::printf("}\n");
}
