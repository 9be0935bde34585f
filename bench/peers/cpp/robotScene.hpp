// A robot among obstacles as the benches write it: joint table, parts, pairs that may not touch. Kinematics of our own, collisions by
// FCL: a dynamic AABB tree over the obstacles, asked part by part; the robot's own pairs one by one, boxes first.
#pragma once
#include <cmath>

#include "bodies.hpp"

struct Joint {
  int link, parent, variable;
  bool slides;
  double factor, offset;
  fcl::Transform3d T_parent_joint;
  fcl::Vector3d axis;
};

struct Part {
  int link;
  fcl::Transform3d T_link_part;
  std::unique_ptr<fcl::CollisionObjectd> object;
};

class RobotScene {
 public:
  int dof;
  std::vector<double> lower, upper;

  explicit RobotScene(std::istream& in) {
    dof = next<int>(in);
    for (int i = 0; i < dof; i++) {
      lower.push_back(next<double>(in));
      upper.push_back(next<double>(in));
    }
    poses.resize(next<int>(in));
    poses[0] = readPose(in);
    const int jointCount = next<int>(in);
    for (int i = 0; i < jointCount; i++) {
      Joint joint;
      joint.link = next<int>(in);
      joint.parent = next<int>(in);
      joint.variable = next<int>(in);
      joint.slides = next<int>(in) == 1;
      joint.factor = next<double>(in);
      joint.offset = next<double>(in);
      joint.T_parent_joint = readPose(in);
      for (int k = 0; k < 3; k++) joint.axis[k] = next<double>(in);
      joints.push_back(joint);
    }
    const int moving = next<int>(in);
    for (int i = 0; i < moving; i++) {
      const int link = next<int>(in);
      const auto T = readPose(in);
      parts.push_back({link, T, std::make_unique<fcl::CollisionObjectd>(geometryOf(readShape(in)))});
      parts.back().object->setUserData(reinterpret_cast<void*>(intptr_t(i)));
    }
    const int standing = next<int>(in);
    for (int i = 0; i < standing; i++) {
      const auto T = readPose(in);
      obstacles.push_back(std::make_unique<fcl::CollisionObjectd>(geometryOf(readShape(in)), T));
      obstacles.back()->setUserData(reinterpret_cast<void*>(intptr_t(i)));
      obstacles.back()->computeAABB();
      tree.registerObject(obstacles.back().get());
    }
    tree.setup();
    forbidden.assign(moving * standing, 0);
    const int pairs = next<int>(in);
    for (int i = 0; i < pairs; i++) {
      const int a = next<int>(in), b = next<int>(in);
      if (b < moving) own.push_back({a, b});
      else forbidden[a * standing + b - moving] = 1;
    }
    request.num_max_contacts = 1;
    request.enable_contact = false;
    request.gjk_solver_type = fcl::GST_LIBCCD;
  }

  bool isFree(const double* q) {
    pose(q);
    for (asked = 0; asked < int(parts.size()); asked++) {
      hit = false;
      tree.collide(parts[asked].object.get(), this, &RobotScene::near);
      if (hit) return false;
    }
    for (const auto& [a, b] : own) {
      fcl::CollisionObjectd* one = parts[a].object.get();
      fcl::CollisionObjectd* other = parts[b].object.get();
      if (one->getAABB().overlap(other->getAABB()) && collide(one, other)) return false;
    }
    return true;
  }

  void moveObstacle(int index, const fcl::Transform3d& T) {
    fcl::CollisionObjectd* obstacle = obstacles[index].get();
    obstacle->setTransform(T);
    obstacle->computeAABB();
    tree.update(obstacle);
  }

  // Direction in the world of a vector of a link; its derivatives with respect to q, 3 x dof, if `derivative` is given.
  fcl::Vector3d directionAt(const double* q, int link, const fcl::Vector3d& vector, Eigen::MatrixXd* derivative) {
    poseLinks(q);
    const fcl::Vector3d direction = poses[link].linear() * vector;
    if (derivative == nullptr) return direction;
    derivative->setZero();
    for (int at = link, j = int(joints.size()) - 1; j >= 0; j--) { // parents come before children
      const Joint& joint = joints[j];
      if (joint.link != at) continue;
      at = joint.parent;
      if (joint.slides) continue;
      const fcl::Vector3d turned = poses[joint.link].linear() * joint.axis;
      derivative->col(joint.variable) += joint.factor * turned.cross(direction);
    }
    return direction;
  }

 private:
  std::vector<fcl::Transform3d> poses;
  std::vector<Joint> joints;
  std::vector<Part> parts;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> obstacles;
  std::vector<std::pair<int, int>> own;
  std::vector<char> forbidden;
  fcl::DynamicAABBTreeCollisionManagerd tree;
  fcl::CollisionRequestd request;
  int asked = 0;
  bool hit = false;

  void poseLinks(const double* q) {
    for (const Joint& joint : joints) {
      const double value = joint.factor * q[joint.variable] + joint.offset;
      fcl::Transform3d& T = poses[joint.link];
      T = poses[joint.parent] * joint.T_parent_joint;
      if (joint.slides) T.translate(joint.axis * value);
      else T.rotate(fcl::AngleAxisd(value, joint.axis));
    }
  }

  void pose(const double* q) {
    poseLinks(q);
    for (Part& part : parts) {
      part.object->setTransform(poses[part.link] * part.T_link_part);
      part.object->computeAABB();
    }
  }

  bool collide(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b) {
    fcl::CollisionResultd result;
    return fcl::collide(a, b, request, result) > 0;
  }

  /** Which of the two is the obstacle is FCL's choice. */
  static bool near(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
    auto& scene = *static_cast<RobotScene*>(data);
    fcl::CollisionObjectd* part = scene.parts[scene.asked].object.get();
    fcl::CollisionObjectd* obstacle = a == part ? b : a;
    const auto index = reinterpret_cast<intptr_t>(obstacle->getUserData());
    if (!scene.forbidden[scene.asked * scene.obstacles.size() + index]) return false;
    scene.hit = scene.collide(part, obstacle);
    return scene.hit;
  }
};
