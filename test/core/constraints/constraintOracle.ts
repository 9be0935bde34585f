import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { PathConstraint } from '../../../src/core/scene/constraints.ts';

/** Forward kinematics and constraint functions with quaternions and `Math`: shares no code with the project. */
type Quat = readonly [number, number, number, number];
type Triple = readonly [number, number, number];

export interface OraclePose {
  readonly p: Triple;
  readonly r: Quat;
}

const times = ([a, b, c, d]: Quat, [e, f, g, h]: Quat): Quat => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
];
const inverse = ([w, x, y, z]: Quat): Quat => [w, -x, -y, -z];
const unit = (q: Quat): Quat => q.map((value) => value / Math.hypot(...q)) as unknown as Quat;

export function turned(q: Quat, [x, y, z]: Triple): Triple {
  const [, a, b, c] = times(times(q, [0, x, y, z]), inverse(q));
  return [a, b, c];
}

export const poseOf = ({ xyz, quat_wxyz }: Pose): OraclePose => ({ p: xyz, r: unit(quat_wxyz) });

export function chained(one: OraclePose, other: OraclePose): OraclePose {
  const moved = turned(one.r, other.p);
  return { p: [one.p[0] + moved[0], one.p[1] + moved[1], one.p[2] + moved[2]], r: times(one.r, other.r) };
}

/** Returns the pose of a link; `values`: position by name of each joint that moves independently. */
export function linkPose(robot: RobotDescription, values: ReadonlyMap<string, number>, link: string): OraclePose {
  const joint = robot.joints.find(({ child }) => child === link);
  if (!joint) return { p: [0, 0, 0], r: [1, 0, 0, 0] };
  const parent = chained(linkPose(robot, values, joint.parent), poseOf(joint.origin));
  if (joint.type === 'fixed') return parent;
  const { mimic } = joint;
  const value = mimic ? mimic.multiplier * values.get(mimic.joint)! + mimic.offset : values.get(joint.name)!;
  const [x, y, z] = joint.axis;
  if (joint.type === 'prismatic') return chained(parent, { p: [value * x, value * y, value * z], r: [1, 0, 0, 0] });
  const sine = Math.sin(value / 2);
  return chained(parent, { p: [0, 0, 0], r: [Math.cos(value / 2), sine * x, sine * y, sine * z] });
}

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Returns by how much a pose violates a constraint: radians or metres; negative inside. */
export function oracleExcess(given: PathConstraint, { p, r }: OraclePose): number {
  if (given.type === 'tilt') {
    const a = turned(r, given.axis);
    return Math.atan2(Math.hypot(...cross(a, given.towards)), dot(a, given.towards)) - given.within;
  }
  if (given.type === 'orientation') {
    const wanted = unit(given.quat_wxyz);
    const [w, ...v] = times(inverse(wanted), r);
    const sine = Math.hypot(...v);
    const angle = 2 * Math.atan2(sine, Math.abs(w));
    const factor = sine > 1e-12 ? angle / sine : 2;
    return Math.max(...v.map((value, i) => Math.abs(factor * value) - given.within[i]));
  }
  if (given.type !== 'region') throw new Error(given.type);
  const frame = poseOf(given.pose);
  const [x, y, z] = turned(inverse(frame.r), [p[0] - frame.p[0], p[1] - frame.p[1], p[2] - frame.p[2]]);
  const shape = given.shape as unknown as {
    type: string;
    size: Triple;
    radius: number;
    length: number;
    normal: Triple;
  };
  if (shape.type === 'box') return Math.max(...[x, y, z].map((value, i) => Math.abs(value) - shape.size[i] / 2));
  if (shape.type === 'halfspace') return dot(shape.normal, [x, y, z]) / Math.hypot(...shape.normal);
  if (shape.type === 'sphere') return Math.hypot(x, y, z) - shape.radius;
  const beyond = Math.abs(z) - shape.length / 2;
  if (shape.type === 'cylinder') return Math.max(Math.hypot(x, y) - shape.radius, beyond);
  return Math.hypot(x, y, Math.max(0, beyond)) - shape.radius;
}
