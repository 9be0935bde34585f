import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { MassProperties, RobotModel } from '../../../src/core/kinematics/robotModel.ts';

type Vec = readonly [number, number, number];

const plus = (...all: readonly Vec[]): Vec =>
  all.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0] as Vec);
const times = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const turned = (T: Float64Array, [x, y, z]: readonly number[]): Vec => [
  T[0] * x + T[1] * y + T[2] * z,
  T[4] * x + T[5] * y + T[6] * z,
  T[8] * x + T[9] * y + T[10] * z,
];
const back = (T: Float64Array, [x, y, z]: readonly number[]): Vec => [
  T[0] * x + T[4] * y + T[8] * z,
  T[1] * x + T[5] * y + T[9] * z,
  T[2] * x + T[6] * y + T[10] * z,
];

/** A body on a link: an inertial of the description, or a load. */
export interface OracleBody {
  readonly link: string;
  readonly properties: MassProperties;
}

/** The bodies of a robot without loads. */
export const ownBodies = ({ description: { links } }: RobotModel): OracleBody[] =>
  links.flatMap(({ name, inertial }) => (inertial ? [{ link: name, properties: inertial }] : []));

/**
 * Torques by d'Alembert's principle: the sum over all bodies of the work that inertial forces do at a unit speed of
 * each joint, link by link in world axes.
 */
export function createTorqueOracle(robot: RobotModel, bodies: readonly OracleBody[], gravity: Vec) {
  const state = new RobotState(robot);
  const masses = bodies.map(({ link, properties }) => ({
    link: robot.links.findIndex(({ name }) => name === link),
    ...properties,
  }));
  return (q: readonly number[], v: readonly number[], a: readonly number[]): number[] => {
    forwardKinematics(state, Float64Array.from(q));
    const T = state.T_world_link;
    const placeOf = (link: number): Vec => [T[link][3], T[link][7], T[link][11]];
    const rest = { w: [0, 0, 0] as Vec, alpha: [0, 0, 0] as Vec, acc: [0, 0, 0] as Vec, axis: [0, 0, 0] as Vec };
    const frames = robot.links.map(() => rest);
    const out = new Array<number>(robot.dof).fill(0);
    for (const { parent, child, variable, multiplier, type, axis: own, drive = {} } of robot.joints) {
      const up = frames[parent];
      const axis = turned(T[child], Array.from(own));
      const [rate, push] = variable < 0 ? [0, 0] : [multiplier * v[variable], multiplier * a[variable]];
      const r = plus(placeOf(child), times(placeOf(parent), -1));
      const acc = plus(up.acc, cross(up.alpha, r), cross(up.w, cross(up.w, r)));
      frames[child] =
        type === 'prismatic'
          ? { ...up, axis, acc: plus(acc, times(axis, push), times(cross(up.w, axis), 2 * rate)) }
          : {
              axis,
              w: plus(up.w, times(axis, rate)),
              alpha: plus(up.alpha, times(axis, push), times(cross(up.w, axis), rate)),
              acc,
            };
      if (variable < 0) continue;
      const { armature = 0, damping = 0, friction = 0 } = drive;
      out[variable] +=
        multiplier * (armature * push + damping * rate) + Math.abs(multiplier) * friction * Math.sign(v[variable]);
    }
    for (const {
      link,
      mass,
      center,
      inertia: [xx, yy, zz, xy, xz, yz],
    } of masses) {
      const { w, alpha, acc } = frames[link];
      const inertia = (x: Vec): Vec => {
        const [i, j, k] = back(T[link], x);
        return turned(T[link], [xx * i + xy * j + xz * k, xy * i + yy * j + yz * k, xz * i + yz * j + zz * k]);
      };
      const c = turned(T[link], center);
      const force = times(plus(acc, cross(alpha, c), cross(w, cross(w, c)), times(gravity, -1)), mass);
      const moment = plus(inertia(alpha), cross(w, inertia(w)));
      const at = plus(placeOf(link), c);
      for (let one = link; one > 0; one = robot.links[one].parent) {
        const { variable, multiplier, type } = robot.joints[robot.links[one].joint];
        if (variable < 0) continue;
        const { axis } = frames[one];
        const lever = plus(at, times(placeOf(one), -1));
        out[variable] += multiplier * dot(axis, type === 'prismatic' ? force : plus(moment, cross(lever, force)));
      }
    }
    return out;
  };
}
