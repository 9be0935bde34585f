import type { JointDescription, RobotDescription } from '../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../src/core/scene/scene.ts';

/** Of the ball. */
export const RADIUS = 0.1;
/** Of the bar. */
export const THICK = 0.04;

/** A slide of 1 m either way. */
export const slide = (
  name: string,
  parent: string,
  child: string,
  axis: JointDescription['axis'],
): JointDescription => ({
  name,
  type: 'prismatic',
  parent,
  child,
  origin: IDENTITY_POSE,
  axis,
  lower: -1,
  upper: 1,
  velocity: 1,
});
const part = (shape: RobotDescription['links'][number]['collisions'][number]['shape']) => ({
  shape,
  pose: IDENTITY_POSE,
  triangles: 0,
  source: 0,
});
/** A ball that slides anywhere in a square; `fence`: a bar of its own across the middle. */
export const slider = (fence = false): RobotDescription => ({
  name: 'slider',
  root: 'base',
  links: [
    { name: 'base', collisions: [] },
    { name: 'fence', collisions: fence ? [part({ type: 'box', size: [THICK, 3, 1] })] : [] },
    { name: 'carriage', collisions: [] },
    { name: 'ball', collisions: [part({ type: 'sphere', radius: RADIUS })] },
  ],
  joints: [
    { ...slide('standing', 'base', 'fence', [0, 0, 1]), type: 'fixed' },
    slide('x', 'base', 'carriage', [1, 0, 0]),
    slide('y', 'carriage', 'ball', [0, 1, 0]),
  ],
  allowed: [],
  states: {},
  groups: {},
  warnings: [],
});
