// fclStates SCENE STATES ROUNDS: is each configuration free? Prints JSON: nanoseconds a state (least and median over the rounds) and
// the verdicts, one character each.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "robotScene.hpp"

int main(int argc, char** argv) {
  std::ifstream sceneFile(argv[1]), statesFile(argv[2]);
  const int rounds = argc > 3 ? std::stoi(argv[3]) : 5;
  RobotScene scene(sceneFile);
  const int count = next<int>(statesFile);
  std::vector<double> states(count * scene.dof);
  for (double& value : states) value = next<double>(statesFile);

  std::string verdicts(count, '0');
  std::vector<double> times;
  for (int round = 0; round <= rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < count; i++) verdicts[i] = scene.isFree(&states[i * scene.dof]) ? '1' : '0';
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - before;
    if (round > 0) times.push_back(taken.count() / count);
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"least\":%.1f,\"median\":%.1f,\"free\":\"%s\"}\n", times.front(), times[times.size() / 2], verdicts.c_str());
}
