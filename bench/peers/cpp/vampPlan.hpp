// vampUr5|vampPanda PROBLEMS ROUNDS: VAMP's RRT-Connect, with its own range for the robot, and its path simplification, with
// default settings, on boxes and cylinders.
// PROBLEMS holds the number of problems, and for each the start, the goal, the boxes (centre, rotation w x y z, half extents)
// and the cylinders (two ends, radius). Prints JSON, problem by problem: milliseconds of CPU time to plan and to simplify,
// least of all rounds, those of the first round with its environment, and the length of the path.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <vamp/collision/factory.hh>
#include <vamp/planning/rrtc.hh>
#include <vamp/planning/simplify.hh>
#include <vamp/random/halton.hh>

static double next(std::ifstream& in) {
  double x = 0;
  in >> x;
  return x;
}

static double cpuMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
}

// `range`: greatest length of an edge, rad: ROBOT_RRT_RANGES of VAMP's constants.py.
template <typename Robot>
int runVamp(float range, char** argv) {
  constexpr std::size_t rake = vamp::FloatVectorWidth;
  using Configuration = typename Robot::Configuration;
  using Planner = vamp::planning::RRTC<Robot, rake, Robot::resolution>;
  std::ifstream in(argv[1]);
  const int rounds = std::stoi(argv[2]);
  const int problems = static_cast<int>(next(in));

  const auto state = [&] {
    std::array<float, Robot::dimension> q;
    for (float& value : q) value = next(in);
    return Configuration(q);
  };
  std::printf("[");
  vamp::planning::RRTCSettings settings;
  settings.range = range;
  for (int p = 0; p < problems; p++) {
    const Configuration start = state(), goal = state();
    vamp::collision::Environment<float> given;
    const auto vector = [&] {
      const float x = next(in), y = next(in), z = next(in);
      return Eigen::Vector3f(x, y, z);
    };
    const int boxes = static_cast<int>(next(in));
    for (int i = 0; i < boxes; i++) {
      const Eigen::Vector3f center = vector();
      const float w = next(in);
      const Eigen::Vector3f v = vector();
      const Eigen::Vector3f half = vector();
      const Eigen::Matrix3f R = Eigen::Quaternionf(w, v.x(), v.y(), v.z()).toRotationMatrix();
      given.cuboids.emplace_back(center.x(), center.y(), center.z(), R(0, 0), R(1, 0), R(2, 0), R(0, 1), R(1, 1), R(2, 1),
                                 R(0, 2), R(1, 2), R(2, 2), half.x(), half.y(), half.z());
    }
    const int cylinders = static_cast<int>(next(in));
    for (int i = 0; i < cylinders; i++) {
      const Eigen::Vector3f one = vector(), two = vector();
      given.cylinders.emplace_back(vamp::collision::factory::cylinder::endpoints::eigen(one, two, next(in)));
    }
    const double read = cpuMilliseconds();
    given.sort();
    const vamp::collision::Environment<vamp::FloatVector<rake>> environment(given);

    double plan = std::numeric_limits<double>::infinity(), simplify = plan, first = 0, length = 0;
    bool solved = false;
    for (int round = 0; round < rounds; round++) {
      auto random = std::make_shared<vamp::rng::Halton<Robot>>();
      const double begun = cpuMilliseconds();
      const auto found = Planner::solve(start, goal, environment, settings, random);
      const double planned = cpuMilliseconds();
      solved = found.path.size() >= 2;
      if (!solved) break;
      const auto shorter = vamp::planning::simplify<Robot, rake, Robot::resolution>(
          found.path, environment, vamp::planning::SimplifySettings(), random);
      plan = std::min(plan, planned - begun);
      const double simplified = cpuMilliseconds();
      simplify = std::min(simplify, simplified - planned);
      if (round == 0) first = simplified - read;
      length = shorter.path.cost();
    }
    if (solved) std::printf("%s{\"plan\":%.6f,\"simplify\":%.6f,\"first\":%.6f,\"length\":%.6f}", p ? "," : "", plan, simplify, first, length);
    else std::printf("%snull", p ? "," : "");
  }
  std::printf("]\n");
  return 0;
}
