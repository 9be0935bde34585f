import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { ownTimeAt } from '../../../src/core/planning/coordination/schedule.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { coordinateRobots } from '../../../src/tasks/coordination/coordinate.ts';
import { planTogether } from '../../../src/tasks/coordination/planTogether.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { planAmongMoving } from '../../../src/tasks/spaceTime/planAmongMoving.ts';
import { arm, armSpheres, boxDistance, hermite, inFrame, minimumOver, poseAt } from './oracle.ts';
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

/** Places of the second arm, which reaches the middle of the first one's workspace. */
type Vec = [number, number, number];

/** Two arms that are planned together, as `coordinate --replan` does, among boxes at rest; then their schedule. */
export function attackTogether(seed: number, rate = 500): Attack {
  const random = new Random(seed);
  const padding = randomPadding(random);
  const bases: readonly { readonly xyz: Vec; readonly yaw: number }[] = [
    { xyz: [0, 0, 0], yaw: 0 },
    {
      xyz: [random.between(0.6, 1.7), random.between(-0.5, 0.5), random.between(-0.2, 0.2)],
      yaw: random.between(2, 4),
    },
  ];
  const boxes = Array.from({ length: random.below(3) }, (_, i) => ({
    name: `box${i}`,
    size: [random.between(0.02, 0.3), random.between(0.02, 0.3), random.between(0.02, 0.3)],
    pose: {
      xyz: [random.between(-0.5, 2), random.between(-1, 1), random.between(-0.6, 0.6)] as Vec,
      quat_wxyz: [1, random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)] as const,
    },
  }));
  const robots = bases.map(({ xyz, yaw }, i) => {
    const pose = { xyz, quat_wxyz: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)] as const };
    const points = [state(random), state(random)].map((positions, k) => ({
      time_from_start: 2 * k,
      positions: positions.map((x) => 0.6 * x),
      velocities: [0, 0, 0],
    }));
    const model = createRobotModel(description, { pose, limits: slow });
    return {
      name: ['left', 'right'][i],
      prefix: ['', 'right/'][i],
      model,
      trajectory: { jointNames, points, interpolation: 'cubic' } as Trajectory,
    };
  });
  const empty = sceneOf({ boxes: [], others: [] });
  const scene: Scene = {
    ...empty,
    padding,
    obstacles: boxes.map(({ name, size, pose }) => ({ name, pose, parts: [{ shape: { type: 'box', size } }] })),
  };
  const { plan, trajectories } = planTogether(robots, scene, { seed, iterations: 400 });
  if (trajectories === undefined) return { status: plan.status, least: undefined, trouble: [] };
  const trouble = trajectories.flatMap((one, i) =>
    faultsOf(one, robots[i].trajectory.points[0].positions, robots[i].trajectory.points.at(-1)!.positions),
  );
  const at = (q: readonly (readonly number[])[]) => {
    const spheres = bases.map(({ xyz, yaw }, i) => armSpheres(q[i], [...xyz], yaw));
    let gap = Number.POSITIVE_INFINITY;
    for (const a of spheres[0])
      for (const b of spheres[1])
        gap = Math.min(gap, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) - 2 * arm.radius);
    for (const { size, pose } of boxes)
      for (const p of spheres.flat())
        gap = Math.min(gap, boxDistance(inFrame(p, poseAt({ times: [0], poses: [pose] }, 0)), size) - arm.radius);
    return gap;
  };
  let least = Number.POSITIVE_INFINITY;
  const end = trajectories[0].points.at(-1)!.time_from_start!;
  for (let k = 0; k <= Math.ceil(end * rate); k++) {
    const t = (k / Math.ceil(end * rate)) * end;
    least = Math.min(least, at(trajectories.map((one) => hermite(one, t))));
  }
  const planned = robots.map((robot, i) => ({ ...robot, trajectory: trajectories[i] }));
  const { schedules, makespan = 0 } = coordinateRobots(planned, scene, { undecided: 0.02, cells: 4000 });
  if (schedules)
    for (let k = 0; k <= Math.ceil(makespan * rate); k++) {
      const own = schedules.map((one) => ownTimeAt(one, k / rate));
      least = Math.min(least, at(trajectories.map((one, i) => hermite(one, own[i]))));
    }
  return { status: schedules ? 'solved' : 'no schedule', least: least - padding, trouble };
}

/** The attacks by name. */
export const attacks = { plan: attackPlan, program: attackProgram, together: attackTogether } as const;

/** Metres: rounding of the oracle and of the checker. */
export const ROUNDING = 1e-9;
