// Stub: parameters of a node, all of them strings.
#pragma once
#include <map>
#include <memory>
#include <string>

namespace rclcpp {
struct Parameter {
  std::string value;
  const std::string& as_string() const { return value; }
};
class Node {
 public:
  using SharedPtr = std::shared_ptr<Node>;
  bool has_parameter(const std::string& name) const { return parameters.count(name) > 0; }
  template <typename T>
  T declare_parameter(const std::string& name, const T& value) {
    return parameters[name] = value;
  }
  Parameter get_parameter(const std::string& name) const { return {parameters.at(name)}; }
  std::map<std::string, std::string> parameters;
};
}  // namespace rclcpp
