import type { JointDescription, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { cos, PI, sin } from '../../../core/math/trigonometry.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
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
import type { Field } from './messageValues.ts';

/**
 * Reads the path constraints of a motion request. Each converted constraint implies that of the message: tolerances
 * that cannot be represented exactly are narrowed, and a note states this. Visibility constraints, regions that are not
 * convex, and shapes that MoveIt does not accept are refused.
 */
export function readPathConstraints(
  given: Field,
  robot: RobotDescription | undefined,
  context: GoalContext,
): ForeignConstraint[] {
  const of = (kind: string) => given.message('constraints').at(`${kind}_constraints`).list();
  for (const one of of('visibility')) throw one.error('visibility constraints are not supported', 'Remove them.');
  return [
    ...of('joint').map((one) => readJoint(one, robot, context.notes)),
    ...of('position').map((one) => readPosition(one, context)),
    ...of('orientation').map((one) => readOrientation(one, context)),
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

function readJoint(constraint: Field, robot: RobotDescription | undefined, notes: Set<string>): ForeignConstraint {
  const named = constraint.message('joint constraint').at('joint_name');
  const joint = named.name();
  if (!isIndependent(robot, named)) throw named.wrong('which follows another joint', 'Constrain that one.');
  const position = constraint.at('position').number();
  const [above, below] = ['tolerance_above', 'tolerance_below'].map((key) => constraint.at(key).nonNegative());
  const described = robot?.joints.find((one) => one.name === joint);
  if (described?.type === 'continuous') return turnsWithin(described, position, above, below, constraint, notes);
  return { type: 'joint', joint, range: [position - below, position + above] };
}

/** MoveIt measures the angle of a continuous joint from the nearest full turn; here, the range is one of its turns. */
function turnsWithin(
  { name }: JointDescription,
  position: number,
  above: number,
  below: number,
  constraint: Field,
  notes: Set<string>,
): ForeignConstraint {
  if (above >= PI && below >= PI)
    throw constraint.error(`tolerances that leave ${JSON.stringify(name)} free`, 'Remove the constraint.');
  notes.add(`the path constraint of the continuous joint ${JSON.stringify(name)} holds for one of its turns`);
  return { type: 'joint', joint: name, range: [position - Math.min(below, PI), position + Math.min(above, PI)] };
}

/** Returns the convex shape of a region whose dimensions are as in shape_msgs/SolidPrimitive. */
function shapeOf({ kind, sizes: [first, second, third] }: RegionShape): ShapeSpec {
  if (kind === 'sphere') return { type: kind, radius: first };
  return kind === 'box' ? { type: kind, size: [first, second, third] } : { type: kind, radius: second, length: first };
}

function readPosition(constraint: Field, context: GoalContext): ForeignConstraint {
  const frame = frameOfPoint(constraint.message('position constraint'), context);
  const place = constraint.at('constraint_region');
  const [region, ...others] = regionShapes(place, context.notes);
  if (others.length > 0)
    throw place
      .at('primitives')
      .error(
        `a region of ${others.length + 1} shapes is not supported for paths`,
        'Give one sphere, box or cylinder: a constraint is one convex region.',
      );
  const pose = within(context.frames.ofGoalHeader(constraint), region.pose);
  return { type: 'region', frame, shape: shapeOf(region), pose };
}

function readOrientation(constraint: Field, context: GoalContext): ForeignConstraint {
  const { link, pose } = context.carrierOf(constraint.message('orientation constraint').at('link_name'));
  const { quat_wxyz, tolerances, isVector } = orientationOf(constraint, context);
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
