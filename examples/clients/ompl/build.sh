#!/bin/sh
# Builds plan from plan.cpp, beside this script or at the path given. Debian: apt-get install g++ libompl-dev
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec g++ -std=c++17 -O2 -Wall -I/usr/include/ompl-1.5 -I/usr/include/eigen3 -I"$here/../../../clients/cpp" "$here/plan.cpp" -o "${1:-$here/plan}" -lompl
