import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { PathConstraint, RateConstraint } from '../scene/constraints.ts';
import type { FrameConstraint } from './frameConstraint.ts';
import { orientation } from './orientation.ts';
import { region } from './region.ts';
import { tilt } from './tilt.ts';

/** A constraint on the pose of a frame, as stated in a scene. */
export type StatedFrameConstraint = Exclude<PathConstraint, RateConstraint | { type: 'joint' }>;

type Functions = {
  readonly [K in StatedFrameConstraint['type']]: (
    given: Extract<StatedFrameConstraint, { type: K }>,
    robot: RobotModel,
    frame: LinkFrame,
  ) => FrameConstraint;
};

/** The functions of constraints on the pose of a frame, by type. */
export const frameFunctions: Functions = {
  tilt,
  orientation: (given, _, frame) => orientation(given, frame),
  region: (given, _, frame) => region(given, frame),
};

/** Creates the function of a constraint on the pose of a frame. */
export function createFrameConstraint(
  given: StatedFrameConstraint,
  robot: RobotModel,
  frame: LinkFrame,
): FrameConstraint {
  const create = frameFunctions[given.type] as (
    given: StatedFrameConstraint,
    robot: RobotModel,
    frame: LinkFrame,
  ) => FrameConstraint;
  return create(given, robot, frame);
}
