// Configuration of Coal for coalPairs.cpp, which compiles a few of its sources: what its CMake project would generate.
#pragma once
#define COAL_DLLAPI
#define COAL_LOCAL
#define COAL_VERSION_AT_LEAST(major, minor, patch) 1
