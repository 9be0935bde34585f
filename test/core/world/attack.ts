import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { planAmongMoving } from '../../../src/tasks/spaceTime/planAmongMoving.ts';
import { minimumOver } from './oracle.ts';
import { sampledProgram } from './programs/carryingOracle.ts';
import { randomProgram } from './programs/randomPrograms.ts';
import { description, jointNames, randomScene, sceneOf } from './randomScenes.ts';

/**
 * Attacks on what is planned among moving objects: random scenes with and without padding, whose trajectories are
 * sampled by the oracle, which shares no code with the project.
 */

/** Outcome of one attack. */
export interface Attack {
  readonly status: string;
  /** Distance, less the padding, at the nearest sample: metres. Undefined if nothing was planned. */
  readonly least: number | undefined;
  /** Everything else that is wrong: limits, ends, events. */
  readonly trouble: readonly string[];
}

const slow = Object.fromEntries(description.joints.map(({ name }) => [name, { velocity: 2, acceleration: 8 }]));
const LIMITS = { velocity: 2, acceleration: 8 };

const state = (random: Random) => jointNames.map(() => random.between(-2.2, 2.2));

/** A padding of at most 6 cm, 0 half of the time. */
export const randomPadding = (random: Random) => (random.below(2) === 0 ? 0 : 10 ** random.between(-4, -1.2));

/** Returns where a trajectory exceeds the limits, or does not lead from one state to another and rest there. */
function faultsOf({ points }: Trajectory, start: readonly number[], goal: readonly number[]): string[] {
  const faults: string[] = [];
  const ends = [points[0], points.at(-1)!];
  for (const [i, wanted] of [start, goal].entries()) {
    if (ends[i].positions.some((x, j) => x !== wanted[j])) faults.push(`end ${i} is elsewhere`);
    if (ends[i].velocities!.some((v) => v !== 0)) faults.push(`end ${i} moves`);
  }
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const T = b.time_from_start! - a.time_from_start!;
    if (!(T > 0)) faults.push(`time of point ${k}`);
    for (const [j, x] of a.positions.entries()) {
      const [mean, v, w] = [(b.positions[j] - x) / T, a.velocities![j], b.velocities![j]];
      const bends = [(6 * mean - 4 * v - 2 * w) / T, (2 * v + 4 * w - 6 * mean) / T];
      if (Math.max(...bends.map(Math.abs)) > LIMITS.acceleration * (1 + 1e-6)) faults.push(`acceleration, point ${k}`);
      const speeds = [v, w, 1.5 * mean - 0.25 * (v + w)];
      if (Math.max(...speeds.map(Math.abs)) > LIMITS.velocity * (1 + 1e-6)) faults.push(`velocity, point ${k}`);
    }
  }
  return faults;
}

/** `plan` among moving boxes and another arm. */
export function attackPlan(seed: number, samples = 60): Attack {
  const random = new Random(seed);
  const given = randomScene(random);
  const padding = randomPadding(random);
  const [start, goal] = [state(random), state(random)];
  const empty = sceneOf(given);
  const scene: Scene = {
    ...empty,
    robot: { ...empty.robot, limits: slow },
    padding,
    start,
    goals: [{ kind: 'joints', joints: goal }],
  };
  const { status, trajectory } = planAmongMoving({ scene, robot: description }, { seed, iterations: 300 });
  if (trajectory === undefined) return { status, least: undefined, trouble: [] };
  const ends = [
    trajectory.points.at(-1)!.time_from_start!,
    ...given.boxes.map(({ motion }) => motion.times.at(-1)!),
    ...given.others.map((one) => (one.trajectory?.points.at(-1)?.time_from_start ?? 0) + one.startTime),
  ];
  const least = minimumOver(given, trajectory, Math.max(...ends), samples) - padding;
  return { status, least, trouble: faultsOf(trajectory, start, goal) };
}

/** `plan` of a program among objects that move, one of which it carries. */
export function attackProgram(seed: number, rate = 200): Attack {
  const random = new Random(seed);
  const drawn = randomProgram(random, random.between(0, 3));
  const padding = randomPadding(random);
  const scene: Scene = { ...drawn, robot: { ...drawn.robot, limits: slow }, padding };
  const { status, trajectory } = planScene({ scene, robot: description }, { seed, iterations: 300 });
  if (trajectory === undefined) return { status, least: undefined, trouble: [] };
  const { least, trouble } = sampledProgram(scene, trajectory, rate);
  return { status, least: least - padding, trouble };
}

/** The attacks by name. */
export const attacks = { plan: attackPlan, program: attackProgram } as const;

/** Metres: rounding of the oracle and of the checker. */
export const ROUNDING = 1e-9;
