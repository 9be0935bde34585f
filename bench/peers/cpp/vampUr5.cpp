// VAMP for the robot of the suite mbm-ur5. Built with the headers of a checkout, see bench/README.md.
#include <vamp/robots/ur5.hh>

#include "vampPlan.hpp"

int main(int, char** argv) { return runVamp<vamp::robots::UR5>(1.5f, argv); }
