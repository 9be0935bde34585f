import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { torqueProblems } from '../../../src/core/certificate/torques/verifyTorques.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { CheckedScene } from '../../../src/core/scene/scene.ts';
import { certifiedTorques, createTorqueCheck } from '../../../src/tasks/forces/torqueCheck.ts';
import { randomArm, uniform } from '../../core/dynamics/arm/randomArm.ts';
import { randomMotion, rates } from '../../core/dynamics/arm/randomMotion.ts';
import { createTorqueOracle, ownBodies } from './torqueOracle.ts';

/** Limits, relative to the greatest sampled torque of each joint. */
const FACTORS = [0.9, 0.99, 0.9999, 1.0001, 1.003, 1.02, 1.05, 1.5];

/** Outcome of one random motion. */
export interface TorqueAttack {
  readonly seed: number;
  /** Limit ÷ greatest sampled torque, of each joint. */
  readonly factor: number;
  readonly samples: number;
  readonly isProved: boolean;
  /** `verify` proves the certificate of a proved motion. */
  readonly isVerified: boolean;
  /** Changes of certificate or scene that make a span false at a sample, and how many of these were not refused. */
  readonly changes: number;
  readonly accepted: number;
}

/** Attacks the proof of torques: a random arm and mount, a motion, a payload and limits. @param rate per second */
export function attackTorques(seed: number, rate: number): TorqueAttack {
  const random = uniform(7919 * seed);
  const arm = randomArm(seed);
  const motion = randomMotion(arm, random);
  const link = arm.links.at(-1)!.name;
  const size = 0.01 + 0.02 * random();
  const payload = {
    mass: 5 * random(),
    center: [0.1 * random(), -0.1, 0.1] as const,
    inertia: [size, size, 0.015, 0, 0, 0],
  };
  const scene: CheckedScene = {
    obstacles: [],
    attached: [],
    allow: [],
    padding: 0,
    torque: { scale: 1 },
    gravity: [[0, 0, -9.81] as const, [9.81, 0, 0] as const, [0, 0, 9.81] as const][seed % 3],
    ...(random() < 0.7 && { payload }),
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
  };
  const end = motion.points.at(-1)!.time_from_start!;
  const count = Math.ceil(end * rate);
  const oracle = oracleOf(arm, scene);
  const torquesAt = (torques: typeof oracle, t: number) => {
    const { q, v, a } = rates(motion, t, t);
    return torques(q, v, a);
  };
  const most = new Array<number>(arm.dof).fill(0);
  for (let i = 0; i <= count; i++)
    for (const [k, torque] of torquesAt(oracle, (i / count) * end).entries())
      most[k] = Math.max(most[k], Math.abs(torque));
  const factor = FACTORS[Math.floor(FACTORS.length * random())];
  const robot = { ...arm, variables: arm.variables.map((one, k) => ({ ...one, effort: factor * most[k] })) };
  const isProved = createTorqueCheck(robot, scene)!(motion).faults.length === 0;
  const outcome = { seed, factor, samples: count + 1, isProved, isVerified: false, changes: 0, accepted: 0 };
  const found = isProved ? certifiedTorques(robot, scene, motion, 0, end, () => false)?.torques : undefined;
  if (found === undefined) return outcome;
  const problems = (torques: typeof found, one = scene, of: RobotModel = robot) =>
    torqueProblems(torques, of, one, motionPieces(motion), 0, end, true);
  if (problems(found).length > 0) return outcome;
  let [changes, accepted] = [0, 0];
  const tryChange = (torques: typeof found, one = scene, of: RobotModel = robot) => {
    const changed = oracleOf(of, one);
    const isFalse = torques.some(({ joint, spans }) => {
      const k = robot.variables.findIndex(({ name }) => name === joint);
      return spans.some(([from, to, lower, upper]) =>
        [0.01, 0.3, 0.5, 0.7, 0.99].some((share) => {
          const torque = torquesAt(changed, from + share * (to - from))[k];
          return torque > upper + 1e-7 * most[k] || torque < lower - 1e-7 * most[k];
        }),
      );
    });
    if (!isFalse) return;
    changes++;
    if (problems(torques, one, of).length === 0) accepted++;
  };
  const joint = Math.floor(found.length * random());
  for (const bound of [2, 3] as const) {
    const spans = found[joint].spans.map((span) => [...span] as [number, number, number, number]);
    const span = spans[Math.floor(spans.length * random())];
    span[bound] += (bound === 2 ? 1 : -1) * random() * (span[3] - span[2]);
    tryChange(found.map((one, k) => (k === joint ? { ...one, spans } : one)));
  }
  tryChange(found, { ...scene, payload: { ...payload, mass: payload.mass + 1 + 2 * random() } });
  tryChange(found, { ...scene, gravity: [1, -2, 9] });
  const links = arm.description.links.map((one) =>
    one.inertial ? { ...one, inertial: { ...one.inertial, mass: 1.5 * one.inertial.mass } } : one,
  );
  tryChange(found, scene, { ...robot, description: { ...arm.description, links } });
  // the center of the payload, and inertias of payload and links, each still that of a body
  const shift = 0.1 + 0.2 * random();
  tryChange(found, { ...scene, payload: { ...payload, center: [0.1, -0.1, 0.1 + shift] } });
  tryChange(found, { ...scene, payload: { ...payload, inertia: payload.inertia.map((x) => x + 0.5) as never } });
  const turned = arm.description.links.map((one) => {
    if (one.inertial === undefined) return one;
    const [xx, yy, zz, xy, xz, yz] = one.inertial.inertia;
    return { ...one, inertial: { ...one.inertial, inertia: [xx + 0.3, yy, zz + 0.3, xy, xz, yz] as const } };
  });
  tryChange(found, scene, { ...robot, description: { ...arm.description, links: turned } });
  return { ...outcome, isVerified: true, changes, accepted };
}

function oracleOf(robot: RobotModel, { payload, tcp, gravity }: CheckedScene) {
  const loads = payload ? [{ link: tcp!.link!, properties: payload }] : [];
  return createTorqueOracle(robot, [...ownBodies(robot), ...loads], gravity!);
}
