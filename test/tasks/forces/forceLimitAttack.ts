import { ConstraintProver } from '../../../src/core/certificate/constraints/constraintProver.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { ForceLimit } from '../../../src/core/scene/constraints.ts';
import type { CheckedScene, Scene } from '../../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { constraintMargins } from '../../../src/tasks/checking/constraintProfile.ts';
import { rateExcessOf } from '../../../src/tasks/checking/rateLimits.ts';
import { randomArm, uniform } from '../../core/dynamics/arm/randomArm.ts';
import { randomMotion, rates } from '../../core/dynamics/arm/randomMotion.ts';
import { createTorqueOracle, type OracleBody, ownBodies } from './torqueOracle.ts';

/** Limits, relative to the greatest sampled value. */
const FACTORS = [0.9, 0.99, 0.9999, 1.0001, 1.003, 1.02, 1.2];
/** Step of the divided difference of the center of mass. */
const STEP = 1e-5;

/** Outcome of one random motion with one limit. */
export interface ForceLimitAttack {
  readonly seed: number;
  readonly type: 'momentum' | 'power';
  /** Limit ÷ greatest sampled value. */
  readonly factor: number;
  readonly isProved: boolean;
  readonly isVerified: boolean;
  /** Reported margin minus that of the samples, relative to the limit. */
  readonly surplus: number;
  /** Heavier loads, other gravity or faster motions that break the limit at a sample, and how many were accepted. */
  readonly changes: number;
  readonly accepted: number;
}

/** Linear momentum by divided differences of the centers of mass. */
export function createMomentumOracle(robot: RobotModel, bodies: readonly OracleBody[]) {
  const state = new RobotState(robot);
  const masses = bodies.map(({ link, properties }) => ({
    link: robot.links.findIndex(({ name }) => name === link),
    ...properties,
  }));
  const momentAt = (q: readonly number[]): number[] => {
    forwardKinematics(state, Float64Array.from(q));
    return [0, 4, 8].map((row) =>
      masses.reduce((sum, { link, mass, center: c }) => {
        const T = state.T_world_link[link];
        return sum + mass * (T[row] * c[0] + T[row + 1] * c[1] + T[row + 2] * c[2] + T[row + 3]);
      }, 0),
    );
  };
  return (q: readonly number[], v: readonly number[]): number => {
    const [after, before] = [STEP, -STEP].map((h) => momentAt(q.map((x, j) => x + h * v[j])));
    return Math.hypot(...after.map((x, i) => x - before[i])) / (2 * STEP);
  };
}

/** Attacks a limit of momentum or power: a random arm and mount, a motion and a payload. @param rate per second */
export function attackForceLimit(seed: number, type: 'momentum' | 'power', rate: number): ForceLimitAttack {
  const random = uniform(7919 * seed + (type === 'power' ? 1 : 0));
  const arm = randomArm(seed);
  const motion = randomMotion(arm, random);
  const link = arm.links.at(-1)!.name;
  const payload = { mass: 5 * random(), center: [0.1, -0.1, 0.1] as const, inertia: [0.02, 0.02, 0.015, 0, 0, 0] };
  const gravity = [[0, 0, -9.81] as const, [9.81, 0, 0] as const, [0, 0, 9.81] as const][seed % 3];
  const scene: CheckedScene = {
    obstacles: [],
    attached: [],
    allow: [],
    padding: 0,
    gravity,
    ...(random() < 0.7 && { payload }),
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
  };
  const valuesOf = (of: RobotModel, one: CheckedScene, pace: number) => {
    const bodies = [...ownBodies(of), ...(one.payload ? [{ link, properties: one.payload }] : [])];
    const torques = createTorqueOracle(of, bodies, one.gravity!);
    const momentum = createMomentumOracle(of, bodies);
    return (t: number, side: number) => {
      const { q, v, a } = rates(motion, t, side);
      const fast = v.map((x) => pace * x);
      if (type === 'momentum') return momentum(q, fast);
      const drives = torques(
        q,
        fast,
        a.map((x) => pace * pace * x),
      );
      return Math.abs(drives.reduce((sum, torque, k) => sum + torque * fast[k], 0));
    };
  };
  const { points } = motion;
  const end = points.at(-1)!.time_from_start!;
  const most = (value: (t: number, side: number) => number) => {
    const count = Math.ceil(end * rate);
    let greatest = 0;
    for (let i = 0; i <= count; i++) greatest = Math.max(greatest, value((i / count) * end, (i / count) * end));
    for (const { time_from_start: t } of points.slice(0, -1)) greatest = Math.max(greatest, value(t!, t! + 1e-9));
    return greatest;
  };
  const factor = FACTORS[Math.floor(FACTORS.length * random())];
  const greatest = most(valuesOf(arm, scene, 1));
  const constraint: ForceLimit<'momentum'> | ForceLimit<'power'> = { type, most: factor * greatest };
  const limited = { ...scene, constraints: [constraint] } as unknown as Scene;
  const [{ least }] = constraintMargins(arm, limited, motion, [{ from: 0, to: end, scene: limited }]);
  const surplus = (least!() - (constraint.most - greatest)) / constraint.most;
  const checked = (one: CheckedScene, of = motion) =>
    rateExcessOf(arm, constraint, one)(new TrajectoryCurve(of)) === undefined;
  const verified = (one: CheckedScene, of = motion) =>
    new ConstraintProver(arm, motionPieces(of), true, one).problems([constraint], 0, of.points.at(-1)!.time_from_start!)
      .length === 0;
  const [isProved, isVerified] = [checked(scene), verified(scene)];
  let [changes, accepted] = [0, 0];
  const tryChange = (one: CheckedScene, pace = 1) => {
    if (!(most(valuesOf(arm, one, pace)) > constraint.most * (1 + 2e-6))) return;
    const faster = {
      ...motion,
      points: points.map((point) => ({
        ...point,
        time_from_start: point.time_from_start! / pace,
        velocities: point.velocities!.map((v) => pace * v),
        ...(point.accelerations && { accelerations: point.accelerations.map((a) => pace * pace * a) }),
      })),
    };
    changes++;
    if (checked(one, faster) || verified(one, faster)) accepted++;
  };
  tryChange({ ...scene, payload: { ...payload, mass: payload.mass + 1 + 2 * random() } });
  tryChange({ ...scene, gravity: [1, -2, 9] });
  tryChange(scene, 1 + 0.1 * random());
  return { seed, type, factor, isProved, isVerified, surplus, changes, accepted };
}
