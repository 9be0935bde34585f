import { parseArgs } from 'node:util';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { binaryFormats, contentOf, readTrajectory, writers } from '../../src/formats/trajectories/index.ts';
import type { MotionSetting } from '../../src/formats/trajectories/trajectoryFormat.ts';
import { programOf } from './files.ts';
import { playJointTrajectory } from './jointTrajectoryController.ts';
import { foreignMessage, plannedMotion, withOddAccelerations } from './motions.ts';

/** rad: how far the executed curve may be from the proved one. */
const TOLERANCE = 1e-6;
const SAMPLES = 400;

const allFormats = { ...writers, ...binaryFormats };

/** Plays random motions in all formats; prints the greatest differences, and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const random = new Random(seed);
  const formats = Object.keys(allFormats);
  const worst = new Map<string, { motions: number; apart: number; fromPlan: number }>();
  let failed = 0;
  for (let i = 0; i < count; i++) {
    const kind = i % 4 === 3 ? 'foreign' : formats[random.below(formats.length)];
    const { name, apart, fromPlan } =
      kind === 'foreign' ? await playForeign(random) : await playWritten(kind, random, i);
    const sum = worst.get(name) ?? { motions: 0, apart: 0, fromPlan: 0 };
    worst.set(name, {
      motions: sum.motions + 1,
      apart: Math.max(sum.apart, apart),
      fromPlan: Math.max(sum.fromPlan, fromPlan),
    });
    if (apart <= TOLERANCE) continue;
    failed++;
    console.error(`${name}: ${apart} rad apart: --seed ${seed} --count ${i + 1}`);
  }
  console.log('format, controller: motions, greatest distance from the proved curve, from the planned one (rad)');
  for (const [name, { motions, apart, fromPlan }] of [...worst].sort())
    console.log(`${name}: ${motions}, ${apart.toExponential(2)}, ${fromPlan.toExponential(2)}`);
  console.log(`${count} motions, ${failed} farther apart than ${TOLERANCE} rad`);
  return failed > 0 ? 1 : 0;
}

interface Played {
  readonly name: string;
  readonly apart: number;
  readonly fromPlan: number;
}

/** A message of others, read by the project and played by the controller. */
async function playForeign(random: Random): Promise<Played> {
  const text = foreignMessage(random);
  const proved = await readTrajectory(text, 'message.yaml');
  const { message } = await programOf('ros-yaml', text, proved.jointNames);
  const apart = distanceApart(proved, (t) => playJointTrajectory(message, t));
  return { name: 'message of others, jtc', apart, fromPlan: 0 };
}

/** A motion of the project, written in a format, read back as `check` reads it, and played. */
async function playWritten(format: string, random: Random, i: number): Promise<Played> {
  const planned = plannedMotion(random);
  const given = format !== 'urscript' && i % 5 === 0 ? withOddAccelerations(planned, random) : planned;
  const { jointNames } = planned;
  const content = await contentOf(allFormats[format], given, settingOf(jointNames));
  const proved = await readTrajectory(content, `motion${allFormats[format].ending}`, jointNames);
  const { controller, message } = await programOf(format, content, jointNames);
  const apart = distanceApart(proved, (t) => playJointTrajectory(message, t));
  // A script is slowed down to whole cycles, so that only its points can be laid beside the plan, not its times.
  const fromPlan = controller === 'servoj' ? 0 : distanceApart(planned, (t) => playJointTrajectory(message, t));
  return { name: `${format}, ${controller}`, apart, fromPlan };
}

/** Greatest difference of any joint between a curve and what is played, at even and at uneven times. */
function distanceApart(trajectory: Trajectory, play: (t: number) => number[]): number {
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  let apart = 0;
  for (let i = 0; i <= SAMPLES; i++) {
    const t = curve.start + ((curve.end - curve.start) * i) / SAMPLES;
    curve.position(q, t);
    for (const [j, x] of play(t).entries()) apart = Math.max(apart, Math.abs(x - q[j]));
  }
  return Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
}

/** A robot with these joints in an empty scene, for the format that describes them. */
function settingOf(jointNames: readonly string[]): MotionSetting {
  const origin = { xyz: [0, 0, 0.1], quat_wxyz: [1, 0, 0, 0] } as const;
  const shape = { type: 'sphere', radius: 0.02 } as const;
  const collisions = [{ shape, pose: origin, triangles: 0, source: 0 }];
  const links = ['base', ...jointNames.map((name) => `${name}_link`)].map((name) => ({ name, collisions }));
  const joints = jointNames.map((name, j) => {
    const [parent, child] = [links[j].name, links[j + 1].name];
    return { name, type: 'continuous', parent, child, axis: [0, 0, 1], origin } as const;
  });
  const empty = { name: 'chain', root: 'base', links, joints, allowed: [], states: {}, groups: {}, warnings: [] };
  const robot = { urdf: '', packages: {}, fixed: {}, limits: {}, pose: origin, parts: 'hull' } as const;
  const nothing = { robot, goals: [], equivalent: false, obstacles: [], attached: [], allow: [] };
  return { robot: createRobotModel(empty), scene: { name: 'empty', padding: 0, ...nothing } };
}
