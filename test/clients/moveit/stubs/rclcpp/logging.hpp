// Stub: messages go to stderr.
#pragma once
#include <cstdio>
namespace rclcpp {
struct Logger {};
inline Logger get_logger(const char*) { return {}; }
}  // namespace rclcpp
#define RCLCPP_INFO(logger, ...) ((void)(logger), std::fprintf(stderr, __VA_ARGS__), std::fputc('\n', stderr))
#define RCLCPP_ERROR RCLCPP_INFO
