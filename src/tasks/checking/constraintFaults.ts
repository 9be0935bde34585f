import type { Motion } from '../../core/collision/motions/motion.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { type RobotModel, unitOf } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import {
  constraintLabel,
  isRateConstraint,
  isStopConstraint,
  type PathConstraint,
  requireValidConstraint,
  type StopConstraint,
} from '../../core/scene/constraints.ts';
import type { MotionScene, Scene } from '../../core/scene/scene.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import type { RateScene } from '../timing/speedLimits.ts';
import { rateExcessOf } from './rateLimits.ts';
import { curveMotions } from './worldMotions.ts';

/** Unit of what a constraint limits. */
export type ConstraintUnit = 'rad' | 'm' | 'm/s' | 'rad/s' | 'kg m/s' | 'W' | 's';

/** A constraint that a motion violates, or is not proved to satisfy. */
export interface ConstraintFault {
  /** Distinguishes faults. */
  readonly kind: 'constraint';
  /** Name of the constraint. */
  readonly label: string;
  /** By how much; at most 0 if it is only not proved. */
  readonly value: number;
  /** Unit of the value. */
  readonly unit: string;
  /** Seconds; waypoints for a path. */
  readonly time: number;
}

const NOT_OF_STOPS = 'Check the whole motion (`check`, `createTrajectoryChecker`), or remove it from `safety`.';

type ConstraintCheck = (
  curve: TrajectoryCurve,
  motions: readonly Motion[],
  trajectory: Trajectory,
  from?: number,
) => ConstraintFault | undefined;

/**
 * Creates the check of the constraints of a scene along whole motions. The check returns the first violation of each
 * constraint. Speed limits do not apply to paths without times. Throws `InputError` for invalid constraints, and for
 * limits of stops, which concern more than constraints: `createTrajectoryChecker` checks them.
 */
export function createConstraintCheck(
  robot: RobotModel,
  scene: MotionScene & Pick<Scene, 'attached'>,
): (trajectory: Trajectory) => ConstraintFault[] {
  const check = createStartedConstraintCheck(robot, scene);
  return (trajectory) => check(trajectory); // without a time: `map` would pass an index
}

/**
 * As `createConstraintCheck`. The check takes the time, within the motion, from which rates are checked.
 * @param interrupt ends the search for a violated limit of a rate, which then counts as violated unless it is proved
 * @param set the constraints of the scene on states; undefined if there are none
 */
export function createStartedConstraintCheck(
  robot: RobotModel,
  scene: RateScene,
  interrupt?: Interrupt,
  set = ConstraintSet.ofScene(robot, scene),
): (trajectory: Trajectory, from?: number) => ConstraintFault[] {
  const checks = (scene.constraints ?? []).map((one) => {
    if (!isStopConstraint(one))
      return { isOfStates: !isRateConstraint(one), check: checkOf(robot, one, scene, interrupt) };
    throw new InputError(`the scene limits ${one.type}, which is not a condition on single states`, NOT_OF_STOPS);
  });
  if (checks.length === 0) return () => [];
  return (trajectory, from) => {
    const curve = new TrajectoryCurve(trajectory);
    const motions = curveMotions(curve);
    const areKept = motions.every((motion) => set?.violation(motion) === undefined);
    return checks.flatMap(({ isOfStates, check }) =>
      isOfStates && areKept ? [] : (check(curve, motions, trajectory, from) ?? []),
    );
  };
}

function checkOf(
  robot: RobotModel,
  given: Exclude<PathConstraint, StopConstraint>,
  scene: RateScene,
  interrupt?: Interrupt,
): ConstraintCheck {
  requireValidConstraint(given);
  const fault = { kind: 'constraint', label: constraintLabel(given), unit: unitOfConstraint(given, robot) } as const;
  if (isRateConstraint(given)) {
    const excessOf = rateExcessOf(robot, given, scene, interrupt);
    return (curve, _, trajectory, from) => {
      if (!isTimed(trajectory)) return undefined;
      if (isOpenAtSetPoints(given, trajectory)) return { ...fault, value: 0, time: curve.start };
      const worst = excessOf(curve, from);
      return worst && { ...fault, value: worst.value - given.most, time: worst.time };
    };
  }
  return (_, motions) => {
    const set = new ConstraintSet(robot, [given], scene.tcp);
    for (const motion of motions) {
      const found = set.violation(motion);
      if (found) return { ...fault, value: found.excess, time: found.time };
    }
    return undefined;
  };
}

/**
 * Returns true for limits of power and set points: they state no accelerations, and without them power is that against
 * gravity and friction alone.
 */
export const isOpenAtSetPoints = ({ type }: PathConstraint, { setPoints }: Pick<Trajectory, 'setPoints'>): boolean =>
  type === 'power' && setPoints === true;

/** Units of the values that constraints limit, by type; those of joints depend on the joint. */
const UNITS = {
  region: 'm',
  speed: 'm/s',
  momentum: 'kg m/s',
  power: 'W',
  stopping_time: 's',
  stopping_distance: 'm',
  tilt: 'rad',
  orientation: 'rad',
} as const;

/** Returns the unit of the values that a constraint limits. */
export function unitOfConstraint(given: PathConstraint, { variables }: RobotModel): ConstraintUnit {
  if (given.type !== 'joint' && given.type !== 'joint_speed') return UNITS[given.type];
  const joint = variables.find(({ name }) => name === given.joint);
  const unit = unitOf(joint ?? { type: 'revolute' });
  return given.type === 'joint_speed' ? `${unit}/s` : unit;
}
