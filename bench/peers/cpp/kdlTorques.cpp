// Inverse dynamics of a chain by Orocos KDL: ChainIdSolver_RNE.
//
//   kdlTorques FILE ROUNDS
//
// FILE: the number of joints and of states; gravity in the root (3); for each joint: 1 if it slides, pose of the joint
// frame in the parent (rows of the rotation, origin), axis, mass, center of mass, inertia about it (xx yy zz xy xz yz);
// for each state: q, v, a. Prints JSON: the least nanoseconds of a state over the rounds, and the torques of all states.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::ifstream in(argv[1]);
  const int rounds = std::atoi(argv[2]);
  auto number = [&in] { double x; in >> x; return x; };
  const int joints = static_cast<int>(number()), states = static_cast<int>(number());
  auto vector = [&] { double x = number(), y = number(), z = number(); return KDL::Vector(x, y, z); };
  const KDL::Vector gravity = vector();
  KDL::Chain chain;
  for (int j = 0; j < joints; j++) {
    const bool slides = number() == 1;
    double r[9];
    for (double& x : r) x = number();
    const KDL::Rotation turn(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
    const KDL::Frame pose(turn, vector());
    const KDL::Vector axis = vector();
    const double mass = number();
    const KDL::Vector center = vector();
    double i[6];
    for (double& x : i) x = number();
    const KDL::RigidBodyInertia inertia(mass, center, KDL::RotationalInertia(i[0], i[1], i[2], i[3], i[4], i[5]));
    const auto type = slides ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    chain.addSegment(KDL::Segment(KDL::Joint(pose.p, pose.M * axis, type), pose, inertia));
  }
  struct State { KDL::JntArray q, v, a; };
  std::vector<State> all;
  for (int n = 0; n < states; n++) {
    State state{KDL::JntArray(joints), KDL::JntArray(joints), KDL::JntArray(joints)};
    for (KDL::JntArray* row : {&state.q, &state.v, &state.a})
      for (int j = 0; j < joints; j++) (*row)(j) = number();
    all.push_back(state);
  }
  if (!in) return 2;
  KDL::ChainIdSolver_RNE solver(chain, gravity);
  const KDL::Wrenches wrenches(joints, KDL::Wrench::Zero());
  KDL::JntArray torques(joints);
  double least = 1e300;
  for (int round = 0; round < rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (const State& state : all) solver.CartToJnt(state.q, state.v, state.a, wrenches, torques);
    const double elapsed = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - before).count();
    if (elapsed / states < least) least = elapsed / states;
  }
  std::printf("{\"ns\":%.17g,\"torques\":[", least);
  for (int n = 0; n < states; n++) {
    solver.CartToJnt(all[n].q, all[n].v, all[n].a, wrenches, torques);
    for (int j = 0; j < joints; j++) std::printf("%s%.17g", n + j > 0 ? "," : "", torques(j));
  }
  std::printf("]}\n");
  return 0;
}
