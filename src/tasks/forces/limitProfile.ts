import { massFaults } from '../../core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { constraintLabel, type RateConstraint } from '../../core/scene/constraints.ts';
import { isMotionStep, type StepRules, tcpSpeedLimit } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { derivativeAt } from '../../core/trajectory/polynomial.ts';
import { inJointOrder, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { SceneInterval } from '../checking/constraintProfile.ts';
import { scaledLimits } from '../programs/stepMotion.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { partsOf, timelineOf } from '../timeline.ts';
import { limitedRate } from '../timing/speedLimits.ts';
import { World } from '../world.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';

/** An interval in which a motion uses one limit more than all others. */
export interface ActiveLimit {
  /** `velocity`, `acceleration`, `jerk`, `torque`, `tcp_speed` or the name of a constraint. */
  readonly limit: string;
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
}

/** What a motion uses of its limits over time, sampled: it proves nothing. */
export interface LimitProfile {
  /** Intervals in which 98 % or more of a limit are used, in the order of time. */
  readonly active: readonly ActiveLimit[];
  /** If the scene limits torques: by joint with a limit, times and torque ÷ limit. */
  readonly torques: readonly { readonly label: string; readonly points: readonly (readonly [number, number])[] }[];
  /** Times and power of the drives, W; empty if the inertias of the robot are not known. */
  readonly power: readonly (readonly [number, number])[];
}

/** Share of a limit from which on it counts as active: time parameterizations leave up to 1 % unused. */
const ACTIVE = 0.98;
/** Rules of motions that belong to no step. */
const NO_RULES: Rules = { speed: 1, acceleration: 1, constraints: [] };

/**
 * Samples what a motion uses of its limits. Throws `InputError` for invalid constraints.
 * @param parts scenes with what the robot carries, which together cover the motion
 */
export function limitProfile(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  parts: readonly SceneInterval[],
  samples = 1000,
): LimitProfile {
  const names = robot.variables.map(({ name }) => name);
  const trajectory = inJointOrder(given, names);
  const curve = new TrajectoryCurve(trajectory);
  const active: ActiveLimit[] = [];
  const torques = names.map((label) => ({ label, points: [] as [number, number][] }));
  const power: [number, number][] = [];
  if (!isTimed(trajectory)) return { active, torques: [], power };
  const whole = [{ from: curve.start, to: curve.end, step: -1 }];
  for (const { step, from: first, to: last } of trajectory.segments ?? whole)
    for (const part of parts) {
      const [from, to] = [Math.max(first, part.from), Math.min(last, part.to)];
      if (!(to > from)) continue;
      const usesAt = usesOf(robot, part.scene, rulesOf(scene, step), curve);
      const count = Math.max(1, Math.ceil((samples * (to - from)) / (curve.end - curve.start)));
      for (let i = 0; i < count; i++) {
        const [begin, end] = [from + ((to - from) * i) / count, from + ((to - from) * (i + 1)) / count];
        const middle = 0.5 * (begin + end);
        const { ratios, torque, watts } = usesAt(middle);
        for (const [k, ratio] of torque.entries()) torques[k].points.push([middle, ratio]);
        if (watts !== undefined) power.push([middle, watts]);
        const [limit, ratio] = ratios.reduce((a, b) => (b[1] > a[1] ? b : a));
        if (!(ratio >= ACTIVE)) continue;
        const before = active.at(-1);
        if (before?.limit === limit && before.to === begin) active[active.length - 1] = { ...before, to: end };
        else active.push({ limit, from: begin, to: end });
      }
    }
  const limited = torques.filter(({ points }) => points.some(([, ratio]) => ratio !== 0));
  return { active, torques: limited, power };
}

/** Returns for how long a motion with times uses each limit, seconds, as `plan --stats` prints it. */
export function activeLimits(
  { scene, model }: { readonly scene: Scene; readonly model: RobotModel },
  trajectory: Trajectory,
): { readonly active_limits?: Readonly<Record<string, number>> } {
  if (!isTimed(trajectory)) return {};
  const curve = new TrajectoryCurve(trajectory);
  const whole = [{ from: curve.start, to: curve.end, scene }];
  const parts = trajectory.segments ? partsOf(timelineOf(new World(model, scene), trajectory, curve)) : whole;
  const { active } = limitProfile(model, scene, trajectory, parts);
  const times: Record<string, number> = {};
  for (const { limit, from, to } of active) times[limit] = (times[limit] ?? 0) + to - from;
  const rounded = Object.entries(times).map(([limit, time]) => [limit, Number(time.toFixed(6))]);
  return { active_limits: Object.fromEntries(rounded) };
}

type Rules = Pick<StepRules, 'speed' | 'acceleration' | 'constraints' | 'tcpSpeed'>;

function rulesOf({ steps = [] }: Scene, index: number): Rules {
  const step = steps.find((one) => one.index === index);
  return step && isMotionStep(step) ? step : NO_RULES;
}

/** Returns the function that computes what a motion uses of the limits at a time. */
function usesOf(robot: RobotModel, scene: Scene, rules: Rules, curve: TrajectoryCurve) {
  const { velocity, acceleration, jerk } = scaledLimits(motionLimitsOf(robot, scene), rules);
  const tcpSpeed = tcpSpeedLimit(scene, rules);
  const stated: RateConstraint[] =
    tcpSpeed < Number.POSITIVE_INFINITY ? [{ type: 'speed', name: 'tcp_speed', most: tcpSpeed }] : [];
  const rates = [...stated, ...(scene.constraints ?? []), ...rules.constraints].flatMap((one) =>
    one.type === 'speed' || one.type === 'momentum' || one.type === 'power'
      ? [{ label: constraintLabel(one), rate: limitedRate(robot, one, scene), most: one.most }]
      : [],
  );
  const dynamics = massFaults(robot).length === 0 ? new InverseDynamics(sceneArm(robot, scene)) : undefined;
  const limits = scene.torque && torqueLimits(robot, scene.torque);
  const [q, v, a, j, torques] = Array.from({ length: 5 }, () => new Float64Array(robot.dof));
  return (time: number) => {
    const piece = curve.pieceAt(time);
    const u = curve.timeInPiece(piece, time);
    for (const [order, row] of [q, v, a, j].entries())
      for (let k = 0; k < row.length; k++)
        row[k] = derivativeAt(curve.polynomials, curve.polynomialIndex(piece, k), order, u);
    dynamics?.torques(torques, q, v, a);
    const most = (row: Float64Array, limit: ArrayLike<number>) =>
      row.reduce((greatest, value, k) => Math.max(greatest, Math.abs(value) / limit[k]), 0);
    const ratios: [string, number][] = [
      ['velocity', most(v, velocity)],
      ['acceleration', most(a, acceleration)],
      ['jerk', most(j, jerk)],
      ['torque', limits ? most(torques, limits) : 0],
      ...rates.map(({ label, rate, most: limit }): [string, number] => [label, rate.at(q, v, a) / limit]),
    ];
    const watts = dynamics && torques.reduce((sum, torque, k) => sum + torque * v[k], 0);
    return { ratios, torque: limits ? Array.from(torques, (value, k) => value / limits[k]) : [], watts };
  };
}
