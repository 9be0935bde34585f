/*
 * Records in the memory of the kernel: offsets and sizes in bytes. Addresses and indices are 32-bit integers, lengths
 * single-precision numbers unless noted. Rotations are stored row by row.
 */

/** Bytes of four lanes. */
export const LANES = 16;

/** Header at address 0: addresses and ends of the tables, and the mask of the lanes that are surely in collision. */
export const header = {
  joints: 0,
  jointsEnd: 4,
  clusters: 8,
  clustersEnd: 12,
  obstacles: 16,
  obstaclesEnd: 20,
  groups: 24,
  groupsEnd: 28,
  open: 32,
  collided: 36,
  SIZE: 48,
} as const;

/** Pose of a link in lanes: three rows of rotation and position, 12 vectors. */
export const POSE_SIZE = 12 * LANES;

/** Box in lanes: 9 vectors of rotation (columns are the axes of the box), 3 of the centre, 3 of world half extents. */
export const box = { axes: 0, center: 9 * LANES, extents: 12 * LANES, SIZE: 15 * LANES } as const;

/** Moving joint: addresses of poses and values, then the constants of `RobotState`. Factor and offset are doubles. */
export const joint = {
  parent: 0,
  child: 4,
  values: 8,
  slides: 12,
  factor: 16,
  offset: 24,
  constants: 32,
  position: 32 + 4 * 27,
  axis: 32 + 4 * 30,
  SIZE: 32 + 4 * 33 + 4,
} as const;

/** Parts of one link: the link's pose, its box in the frame of the link, and its parts. */
export const cluster = {
  pose: 0,
  box: 4,
  parts: 8,
  partsEnd: 12,
  isPlaced: 16,
  center: 20,
  half: 32,
  margin: 44,
  SIZE: 48,
} as const;

/** Convex part: its pose in the frame of the link, its box there, an inner sphere, and its row of pair indices. */
export const part = {
  pose: 0,
  box: 4,
  pairs: 8,
  rotation: 12,
  center: 48,
  half: 60,
  margin: 72,
  sphere: 76,
  radius: 88,
  SIZE: 96,
} as const;

/**
 * Convex part of an obstacle: axes of its box in the world (axis after axis), centre, half extents for the tests along
 * axes of boxes, half extents of the box along the world's axes, half extents of the solid box and what a sphere must
 * reach into it to be in collision surely (Infinity: never).
 */
export const obstacle = {
  axes: 0,
  center: 36,
  half: 48,
  extents: 60,
  solid: 72,
  depth: 84,
  SIZE: 96,
} as const;

/** Pairs of parts of two clusters. */
export const group = { a: 0, b: 4, pairs: 8, pairsEnd: 12, SIZE: 16 } as const;

/** Self-collision pair: its two parts, its index in the collision model. */
export const selfPair = { a: 0, b: 4, index: 8, SIZE: 12 } as const;

/**
 * Entry of the list of open pairs: index of the pair, mask of the lanes in which it is open, and mask of those in which
 * it is surely in collision.
 */
export const open = { pair: 0, lanes: 4, collided: 8, SIZE: 12 } as const;

/** Mask of all lanes. */
export const ALL_LANES = 15;

/** Result of the kernel if a lane, or all lanes, are surely in collision. */
export const IN_COLLISION = -1;
