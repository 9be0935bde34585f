// VAMP for the robot of the suite mbm-panda. Built with the headers of a checkout, see bench/README.md.
#include <vamp/robots/panda.hh>

#include "vampPlan.hpp"

int main(int, char** argv) { return runVamp<vamp::robots::Panda>(1.0f, argv); }
