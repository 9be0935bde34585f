import type { RobotState } from '../../kinematics/forwardKinematics.ts';
import type { Joint } from '../../kinematics/robotModel.ts';
import type { JointChains } from '../bounds/jointChains.ts';
import type { RobotPart } from '../model/modelParts.ts';

/** A joint that moves the two parts of a pair relative to each other. */
export interface PairJoint {
  readonly joint: Joint;
  readonly isPrismatic: boolean;
  /** Greatest distance of a point of A from the axis over all values of the joint between, metres; 1 if prismatic. */
  readonly reach: number;
  /** Range of its values that is divided into cells: a full turn, or the travel. */
  readonly start: number;
  readonly size: number;
}

/** The two parts of a self-collision pair, and the joints between them, that of A first. */
export interface PairGeometry {
  readonly a: RobotPart;
  readonly b: RobotPart;
  readonly joints: readonly PairJoint[];
}

/** Greatest travel of a prismatic joint, metres; also excludes slides without limits. */
const MAX_TRAVEL = 100;
const FULL_TURN = 2 * Math.PI;
/** Number of joints of a pair with a table. */
const MAX_JOINTS = 2;

/** Returns the geometry of a pair, or undefined if more joints move it, or one value moves two of them. */
export function pairGeometryOf(
  chains: JointChains,
  pair: number,
  { a, b }: Pick<PairGeometry, 'a' | 'b'>,
  { model }: RobotState,
  maxJoints = MAX_JOINTS,
): PairGeometry | undefined {
  const count = chains.lengthOfPair[pair];
  if (count < 1 || count > maxJoints || !isBounded(a) || !isBounded(b)) return undefined;
  const first = chains.start[chains.chainOfPair[pair]];
  const joints: PairJoint[] = [];
  for (let entry = first; entry < first + count; entry++) {
    const joint = model.joints[chains.joint[entry]];
    const isPrismatic = joint.type === 'prismatic';
    const { lower, upper } = model.variables[joint.variable].limits;
    const ends = [joint.multiplier * lower + joint.offset, joint.multiplier * upper + joint.offset];
    const start = isPrismatic ? Math.min(...ends) : 0;
    const size = isPrismatic ? Math.max(...ends) - start : FULL_TURN;
    if (!(size > 0 && size <= MAX_TRAVEL) || !(chains.maxAxisDistance[entry] < Number.POSITIVE_INFINITY))
      return undefined;
    joints.push({ joint, isPrismatic, reach: chains.maxAxisDistance[entry], start, size });
  }
  if (new Set(joints.map(({ joint }) => joint.variable)).size < count) return undefined;
  return joints.every(({ joint }) => joint.multiplier !== 0) ? { a, b, joints } : undefined;
}

/** Shapes that are functions of the user, and half-spaces, have no tables. */
const isBounded = ({ shape }: RobotPart): boolean =>
  shape.type !== 'support' && shape.extent < Number.POSITIVE_INFINITY && shape.outerRadius < Number.POSITIVE_INFINITY;
