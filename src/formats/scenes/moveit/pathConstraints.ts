import type { JointDescription, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { cos, PI, sin } from '../../../core/math/trigonometry.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { type ForeignConstraint, within } from './foreignScene.ts';
import {
  frameOfPoint,
  type GoalContext,
  innerAngle,
  orientationOf,
  type RegionShape,
  RIGHT_ANGLE,
  regionShapes,
} from './goalConstraints.ts';
import { isIndependent, type JointValues } from './messageRobot.ts';
import { listOf, messageOf, nameOf, numberOf } from './messageValues.ts';
import { MessageError } from './rosMessage.ts';

/**
 * Reads the path constraints of a motion request. Each converted constraint implies that of the message: tolerances
 * that cannot be represented exactly are narrowed, and a note states this. Visibility constraints, regions that are not
 * convex, and shapes that MoveIt does not accept are refused.
 */
export function readPathConstraints(
  given: unknown,
  robot: RobotDescription | undefined,
  context: GoalContext,
): ForeignConstraint[] {
  const path = ['path_constraints'];
  const message = messageOf(given, 'constraints', path);
  const each = <T>(key: string, read: (one: unknown, at: Path) => T): T[] =>
    listOf(message[key], [...path, key]).map((one, i) => read(one, [...path, key, i]));
  each('visibility_constraints', (_, at) => {
    throw new MessageError(at, 'visibility constraints are not supported', 'Remove them.');
  });
  return [
    ...each('joint_constraints', (one, at) => readJoint(one, at, robot, context.notes)),
    ...each('position_constraints', (one, at) => readPosition(one, at, context)),
    ...each('orientation_constraints', (one, at) => readOrientation(one, at, context)),
  ];
}

/**
 * Returns the constraints without those of joints that are not planned: these keep their values. Throws for such a
 * joint whose value violates its constraint.
 */
export function ofPlannedJoints(
  constraints: readonly ForeignConstraint[],
  fixed: JointValues,
  notes: Set<string>,
): ForeignConstraint[] {
  return constraints.filter((one) => {
    if (one.type !== 'joint' || !Object.hasOwn(fixed, one.joint)) return true;
    const [value, [least, most]] = [fixed[one.joint], one.range];
    if (!(value >= least && value <= most))
      throw new InputError(
        `a path constraint of ${JSON.stringify(one.joint)}, which is not planned, and whose position ${value} ` +
          'violates it',
        `It must be from ${least} to ${most}.`,
      );
    notes.add(`the path constraint of ${JSON.stringify(one.joint)} is left out: the joint is not planned`);
    return false;
  });
}

function readJoint(
  given: unknown,
  at: Path,
  robot: RobotDescription | undefined,
  notes: Set<string>,
): ForeignConstraint {
  const constraint = messageOf(given, 'joint constraint', at);
  const joint = nameOf(constraint.joint_name, [...at, 'joint_name']);
  if (!isIndependent(robot, joint, [...at, 'joint_name']))
    throw new MessageError([...at, 'joint_name'], `${show(joint)}, which follows another joint`, 'Constrain that one.');
  const position = numberOf(constraint.position, [...at, 'position']);
  const [above, below] = ['tolerance_above', 'tolerance_below'].map((key) => {
    const tolerance = numberOf(constraint[key], [...at, key], 0);
    if (tolerance >= 0) return tolerance;
    throw new MessageError([...at, key], `${show(tolerance)}, must not be negative`, '');
  });
  const described = robot?.joints.find((one) => one.name === joint);
  if (described?.type === 'continuous') return turnsWithin(described, position, above, below, at, notes);
  return { type: 'joint', joint, range: [position - below, position + above] };
}

/** MoveIt measures the angle of a continuous joint from the nearest full turn; here, the range is one of its turns. */
function turnsWithin(
  { name }: JointDescription,
  position: number,
  above: number,
  below: number,
  at: Path,
  notes: Set<string>,
): ForeignConstraint {
  if (above >= PI && below >= PI)
    throw new MessageError(at, `tolerances that leave ${JSON.stringify(name)} free`, 'Remove the constraint.');
  notes.add(`the path constraint of the continuous joint ${JSON.stringify(name)} holds for one of its turns`);
  return { type: 'joint', joint: name, range: [position - Math.min(below, PI), position + Math.min(above, PI)] };
}

/** Returns the convex shape of a region whose dimensions are as in shape_msgs/SolidPrimitive. */
function shapeOf({ kind, sizes: [first, second, third] }: RegionShape): ShapeSpec {
  if (kind === 'sphere') return { type: kind, radius: first };
  return kind === 'box' ? { type: kind, size: [first, second, third] } : { type: kind, radius: second, length: first };
}

function readPosition(given: unknown, at: Path, context: GoalContext): ForeignConstraint {
  const constraint = messageOf(given, 'position constraint', at);
  const frame = frameOfPoint(constraint, at, context);
  const place = [...at, 'constraint_region'];
  const [region, ...others] = regionShapes(constraint.constraint_region, place, context.notes);
  if (others.length > 0)
    throw new MessageError(
      [...place, 'primitives'],
      `a region of ${others.length + 1} shapes is not supported for paths`,
      'Give one sphere, box or cylinder: a constraint is one convex region.',
    );
  const pose = within(context.frames.ofGoalHeader(constraint.header, at), region.pose);
  return { type: 'region', frame, shape: shapeOf(region), pose };
}

function readOrientation(given: unknown, at: Path, context: GoalContext): ForeignConstraint {
  const constraint = messageOf(given, 'orientation constraint', at);
  const { link, pose } = context.carrierOf(nameOf(constraint.link_name, [...at, 'link_name']), [...at, 'link_name']);
  const { quat_wxyz, tolerances, isVector } = orientationOf(constraint, at, context);
  const frame = { link, pose: { ...IDENTITY_POSE, quat_wxyz: pose.quat_wxyz } };
  const isTurned = pose.quat_wxyz[0] !== 1;
  return { type: 'orientation', frame, quat_wxyz, within: innerBox(tolerances, isVector, isTurned, context.notes) };
}

/** Relative: part of the tolerances that is left for rounding. */
const ROUNDING = 1e-9;
const HALVINGS = 60;
const NARROWED = 'tolerances of Euler angles are narrowed to those of the components of the rotation vector';

/**
 * Returns bounds on the components of the rotation vector v that imply the tolerances of an orientation constraint.
 * With θ = ‖v‖, s = sin θ / θ <= 1 and k = (1 − cos θ) / θ² <= 1/2, Rodrigues' formula gives for the intrinsic angles
 * a, b, c about x, y, z, if |vᵢ| <= cᵢ:
 *   sin b = R₀₂ = s v_y + k v_x v_z,  |sin b| <= c_y + c_x c_z / 2
 *   tan a = −R₁₂ / R₂₂,               |tan a| <= (c_x + c_y c_z / 2) / (1 − (c_x² + c_y²) / 2)
 *   tan c = −R₀₁ / R₀₀,               |tan c| <= (c_z + c_x c_y / 2) / (1 − (c_y² + c_z²) / 2)
 * The bounds are the tolerances times the greatest factor for which these hold. In other cases they are those of goals.
 */
export function innerBox(
  tolerances: readonly number[],
  isVector: boolean,
  isTurned: boolean,
  notes: Set<string> = new Set(),
): [number, number, number] {
  const [x, y, z] = tolerances;
  if (!isVector && Math.min(x, y, z) < PI) notes.add(NARROWED);
  if (isVector || isTurned || !(Math.max(x, y, z) < RIGHT_ANGLE)) {
    const angle = innerAngle(tolerances, isVector, isTurned, notes);
    if (typeof angle !== 'number') return [...angle];
    const side = angle / Math.sqrt(3); // a cube in the ball of rotation vectors
    return [side, side, side];
  }
  const isInside = (f: number) => {
    const [a, b, c] = [f * x, f * y, f * z];
    const [cosA, cosC] = [1 - (a * a + b * b) / 2, 1 - (b * b + c * c) / 2];
    return (
      cosA > 0 &&
      cosC > 0 &&
      b + (a * c) / 2 <= sin(y) &&
      (a + (b * c) / 2) * cos(x) <= cosA * sin(x) &&
      (c + (a * b) / 2) * cos(z) <= cosC * sin(z)
    );
  };
  let [factor, beyond] = [0, 1];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (factor + beyond) / 2;
    if (isInside(middle)) factor = middle;
    else beyond = middle;
  }
  const kept = factor * (1 - ROUNDING);
  return [kept * x, kept * y, kept * z];
}
