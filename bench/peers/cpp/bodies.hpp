// Convex bodies and poses as the benches write them: words parted by blanks, lengths in metres.
#pragma once
#include <fcl/fcl.h>

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

using Shape = std::variant<fcl::Boxd, fcl::Sphered, fcl::Capsuled, fcl::Cylinderd, fcl::Coned, fcl::Ellipsoidd, fcl::Convexd>;

template <typename T>
T next(std::istream& in) {
  T value;
  if (!(in >> value)) throw std::runtime_error("the file ends too soon");
  return value;
}

/** 12 numbers, row by row: rotation and translation. */
inline fcl::Transform3d readPose(std::istream& in) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 4; column++) T.matrix()(row, column) = next<double>(in);
  }
  return T;
}

inline Shape readShape(std::istream& in) {
  const auto type = next<std::string>(in);
  auto number = [&] { return next<double>(in); };
  if (type == "box") {
    const double x = number(), y = number(), z = number();
    return fcl::Boxd(x, y, z);
  }
  if (type == "ellipsoid") {
    const double a = number(), b = number(), c = number();
    return fcl::Ellipsoidd(a, b, c);
  }
  if (type == "sphere") return fcl::Sphered(number());
  if (type == "convex") {
    auto corners = std::make_shared<std::vector<fcl::Vector3d>>(next<int>(in));
    for (auto& corner : *corners) {
      for (int k = 0; k < 3; k++) corner[k] = number();
    }
    const int triangles = next<int>(in);
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < triangles; i++) {
      faces->push_back(3);
      for (int k = 0; k < 3; k++) faces->push_back(next<int>(in));
    }
    return fcl::Convexd(corners, triangles, faces, false);
  }
  const double radius = number(), length = number();
  if (type == "capsule") return fcl::Capsuled(radius, length);
  if (type == "cylinder") return fcl::Cylinderd(radius, length);
  if (type == "cone") return fcl::Coned(radius, length);
  throw std::runtime_error("unknown body " + type);
}

inline std::shared_ptr<fcl::CollisionGeometryd> geometryOf(const Shape& shape) {
  return std::visit(
      [](const auto& one) -> std::shared_ptr<fcl::CollisionGeometryd> {
        return std::make_shared<std::decay_t<decltype(one)>>(one);
      },
      shape);
}
