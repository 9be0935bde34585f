// Stub: constants of moveit_msgs/msg/MoveItErrorCodes that the adapter uses.
#pragma once
#include <cstdint>

namespace moveit_msgs::msg {
struct MoveItErrorCodes {
  static constexpr int32_t SUCCESS = 1;
  static constexpr int32_t FAILURE = 99999;
  static constexpr int32_t INVALID_MOTION_PLAN = -2;
  int32_t val = 0;
};
}  // namespace moveit_msgs::msg
