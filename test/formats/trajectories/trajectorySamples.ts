import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';

const limits = {
  lower: [-3, -3],
  upper: [3, 3],
  velocity: [1, 2],
  acceleration: [4, 8],
  jerk: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
};
const corners = [
  [0, 0.1],
  [0.5, -0.25],
  [0.5, 0],
];
const about = { robot: 'two-link', scene: 'corner', planner: 'rrt-connect', seed: 7, edges: 'sampled' };

/** Two joints, one corner; the second segment moves one joint and never cruises. */
export const motion: Trajectory = { ...timeParameterize(corners, ['shoulder', 'wrist'], limits), ...about };

/** The same waypoints without time. */
export const path: Trajectory = {
  jointNames: ['shoulder', 'wrist'],
  points: corners.map((positions) => ({ positions })),
  ...about,
};
