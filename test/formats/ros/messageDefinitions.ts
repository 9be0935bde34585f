/**
 * Fields of ROS 2 messages: field → type, as in the .msg and .action files of builtin_interfaces, std_msgs,
 * geometry_msgs, shape_msgs, sensor_msgs, trajectory_msgs (common_interfaces, Jazzy), control_msgs (4.x), moveit_msgs
 * (2.x) and object_recognition_msgs. Messages that no test needs have no table; a field of theirs must be absent.
 */
const definitions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Duration: { sec: 'int32', nanosec: 'uint32' },
  Time: { sec: 'int32', nanosec: 'uint32' },
  Header: { stamp: 'Time', frame_id: 'string' },
  Point: { x: 'float64', y: 'float64', z: 'float64' },
  Vector3: { x: 'float64', y: 'float64', z: 'float64' },
  Quaternion: { x: 'float64', y: 'float64', z: 'float64', w: 'float64' },
  Pose: { position: 'Point', orientation: 'Quaternion' },
  Polygon: { points: 'Point32[]' },
  SolidPrimitive: { type: 'uint8', dimensions: 'float64[]', polygon: 'Polygon' },
  JointState: {
    header: 'Header',
    name: 'string[]',
    position: 'float64[]',
    velocity: 'float64[]',
    effort: 'float64[]',
  },
  JointTrajectory: { header: 'Header', joint_names: 'string[]', points: 'JointTrajectoryPoint[]' },
  JointTrajectoryPoint: {
    positions: 'float64[]',
    velocities: 'float64[]',
    accelerations: 'float64[]',
    effort: 'float64[]',
    time_from_start: 'Duration',
  },
  MultiDOFJointTrajectory: { header: 'Header', joint_names: 'string[]', points: 'MultiDOFJointTrajectoryPoint[]' },
  JointTolerance: { name: 'string', position: 'float64', velocity: 'float64', acceleration: 'float64' },
  JointComponentTolerance: {
    joint_name: 'string',
    component: 'uint16',
    position: 'float64',
    velocity: 'float64',
    acceleration: 'float64',
  },
  FollowJointTrajectoryGoal: {
    trajectory: 'JointTrajectory',
    multi_dof_trajectory: 'MultiDOFJointTrajectory',
    path_tolerance: 'JointTolerance[]',
    component_path_tolerance: 'JointComponentTolerance[]',
    goal_tolerance: 'JointTolerance[]',
    component_goal_tolerance: 'JointComponentTolerance[]',
    goal_time_tolerance: 'Duration',
  },
  RobotTrajectory: { joint_trajectory: 'JointTrajectory', multi_dof_joint_trajectory: 'MultiDOFJointTrajectory' },
  ObjectType: { key: 'string', db: 'string' },
  CollisionObject: {
    header: 'Header',
    pose: 'Pose',
    id: 'string',
    type: 'ObjectType',
    primitives: 'SolidPrimitive[]',
    primitive_poses: 'Pose[]',
    meshes: 'Mesh[]',
    mesh_poses: 'Pose[]',
    planes: 'Plane[]',
    plane_poses: 'Pose[]',
    subframe_names: 'string[]',
    subframe_poses: 'Pose[]',
    operation: 'byte',
  },
  PlanningSceneWorld: { collision_objects: 'CollisionObject[]', octomap: 'OctomapWithPose' },
  RobotState: {
    joint_state: 'JointState',
    multi_dof_joint_state: 'MultiDOFJointState',
    attached_collision_objects: 'AttachedCollisionObject[]',
    is_diff: 'bool',
  },
  AllowedCollisionEntry: { enabled: 'bool[]' },
  AllowedCollisionMatrix: {
    entry_names: 'string[]',
    entry_values: 'AllowedCollisionEntry[]',
    default_entry_names: 'string[]',
    default_entry_values: 'bool[]',
  },
  LinkPadding: { link_name: 'string', padding: 'float64' },
  LinkScale: { link_name: 'string', scale: 'float64' },
  PlanningScene: {
    name: 'string',
    robot_state: 'RobotState',
    robot_model_name: 'string',
    fixed_frame_transforms: 'TransformStamped[]',
    allowed_collision_matrix: 'AllowedCollisionMatrix',
    link_padding: 'LinkPadding[]',
    link_scale: 'LinkScale[]',
    object_colors: 'ObjectColor[]',
    world: 'PlanningSceneWorld',
    is_diff: 'bool',
  },
  JointConstraint: {
    joint_name: 'string',
    position: 'float64',
    tolerance_above: 'float64',
    tolerance_below: 'float64',
    weight: 'float64',
  },
  Constraints: {
    name: 'string',
    joint_constraints: 'JointConstraint[]',
    position_constraints: 'PositionConstraint[]',
    orientation_constraints: 'OrientationConstraint[]',
    visibility_constraints: 'VisibilityConstraint[]',
  },
  MotionPlanRequest: {
    workspace_parameters: 'WorkspaceParameters',
    start_state: 'RobotState',
    goal_constraints: 'Constraints[]',
    path_constraints: 'Constraints',
    trajectory_constraints: 'TrajectoryConstraints',
    reference_trajectories: 'GenericTrajectory[]',
    pipeline_id: 'string',
    planner_id: 'string',
    group_name: 'string',
    num_planning_attempts: 'int32',
    allowed_planning_time: 'float64',
    max_velocity_scaling_factor: 'float64',
    max_acceleration_scaling_factor: 'float64',
    cartesian_speed_limited_link: 'string',
    max_cartesian_speed: 'float64',
  },
};

const integers: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint8: [0, 255],
  byte: [0, 255],
};

const isPrimitive = (type: string) => ['string', 'bool', 'float64', ...Object.keys(integers)].includes(type);

/** Lists the parts of a value that do not match a type; missing fields have their defaults. */
export function misfits(type: string, value: unknown, place: string): string[] {
  const wrong = [`${place}: ${JSON.stringify(value)} is no ${type}`];
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return wrong;
    return value.flatMap((item, i) => misfits(type.slice(0, -2), item, `${place}[${i}]`));
  }
  if (type === 'string') return typeof value === 'string' ? [] : wrong;
  if (type === 'bool') return typeof value === 'boolean' ? [] : wrong;
  if (type === 'float64') return typeof value === 'number' ? [] : wrong;
  if (integers[type] !== undefined) {
    const [least, most] = integers[type];
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? [] : wrong;
  }
  if (definitions[type] === undefined) return [`${place}: ${type} has no table`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  return Object.entries(value).flatMap(([field, inner]) => {
    const fieldType = definitions[type][field];
    return fieldType === undefined
      ? [`${place}.${field}: no such field`]
      : misfits(fieldType, inner, `${place}.${field}`);
  });
}

/** Returns a message with every field: lists of what has no table are empty, all else has a value. */
export function filledMessage(type: string): unknown {
  if (type.endsWith('[]')) {
    const item = type.slice(0, -2);
    return definitions[item] !== undefined || isPrimitive(item) ? [filledMessage(item)] : [];
  }
  if (type === 'string') return 'text';
  if (type === 'bool') return false;
  if (type === 'float64') return 0.5;
  if (integers[type] !== undefined) return 1;
  return Object.fromEntries(
    Object.entries(definitions[type] ?? {}).map(([field, inner]) => [field, filledMessage(inner)]),
  );
}
