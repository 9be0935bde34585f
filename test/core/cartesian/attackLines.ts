import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { StepRules } from '../../../src/core/scene/program.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { motionAt } from '../../tasks/programs/programOracle.ts';
import { pathFault, randomLine, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';
import { LineSearch } from './lineSearch.ts';
import { LineWorld } from './lineWorld.ts';

const TOLERANCE = { position: 1e-4, angle: 0.1 * (Math.PI / 180) };
/** States of a motion at which collisions are searched. */
const SAMPLES = 200;
/**
 * Seconds of processor time for a program, so that other processes do not matter; most of those that take longer have
 * no free motion to the start of the line.
 */
const TIME_LIMIT = 3;

/** Returns a clock of processor time, milliseconds, that is read at every 32nd call: reading it takes time. */
function processorClock(): () => number {
  let calls = 0;
  let elapsed = 0;
  return () => {
    if (calls++ % 32 === 0) {
      const { user, system } = process.cpuUsage();
      elapsed = (user + system) / 1000;
    }
    return elapsed;
  };
}

/** Counts of random lines among obstacles by result, and the lines that are wrong or missed. */
export interface AttackTally {
  readonly robot: string;
  lines: number;
  proved: number;
  /** By reason, without numbers and names of obstacles. */
  readonly refused: Record<string, number>;
  /** Refused lines that some branch carries out, but to the start of which no free motion was found. */
  unreached: number;
  /** Refused lines that the brute-force search carries out, those among them. */
  readonly missed: string[];
  /** Proved lines in which an independent program finds a fault. */
  readonly wrong: string[];
}

/**
 * Plans programs of a free motion to the start of a random line, and the line, among random obstacles; an independent
 * program samples each result, and searches each refused line for a joint path at steps of a millimetre.
 * @param most branches of the search: solutions of the start of the line
 */
export async function attackLines(
  robot: string,
  link: string,
  count: number,
  seed: number,
  most = 200,
): Promise<AttackTally> {
  const description = await loadRobot(robot);
  const model = createRobotModel(description);
  const at = linkNamed(model, link);
  const chain = new ChainOracle(model, at, TOOL);
  const tracker = new ToolTracker(model, { link: at, T_link_frame: TOOL });
  const tally: AttackTally = { robot, lines: 0, proved: 0, unreached: 0, refused: {}, missed: [], wrong: [] };
  for (let i = 0; tally.lines < count; i++) {
    const random = new Random(seed, i);
    const { q, leg } = randomLine(tracker, random);
    const obstacles = randomObstacles(leg, random);
    const world = new LineWorld(chain, description, obstacles);
    if (world.collision(q)) continue;
    const name = `${robot} seed ${seed} line ${i}`;
    const scene = sceneOf(robot, link, q, leg, obstacles);
    const options = { timeLimit: TIME_LIMIT };
    const { trajectory, reason, status } = planProgram({ scene, robot: description, model }, options, {
      clock: processorClock(),
    });
    if (status === 'start-in-collision') {
      // The independent program does not decide contacts that are less than 0.1 mm deep.
      const depth = Number(/ overlap by ([\d.]+) mm/.exec(reason)?.[1] ?? Number.POSITIVE_INFINITY);
      if (!(depth < 0.1)) tally.wrong.push(`${name}: ${reason}`);
      continue;
    }
    tally.lines++;
    if (trajectory) {
      tally.proved++;
      const { from, to } = trajectory.segments![1];
      const fault =
        pathFault(model, { link: at, T_link_frame: TOOL }, leg, trajectory, [from, to]) ??
        collisionFault(world, (t) => motionAt(trajectory, t), trajectory.points.at(-1)!.time_from_start!);
      if (fault !== undefined) tally.wrong.push(`${name}: ${fault}`);
    } else {
      const kind = reason.replace(/-?[\d.]+/g, '#').replace(/obstacle_#|joint#|\w+_(link|joint|inertia)/g, '*');
      tally.refused[kind] = (tally.refused[kind] ?? 0) + 1;
      if (/reaches 100 % but/.test(reason)) tally.unreached++;
      // Without a free motion to its start, the line is not tried.
      const found = reason.startsWith('step 0')
        ? undefined
        : new LineSearch(chain, world).search(leg, new Random(seed, i + 1e6), most);
      if (found) tally.missed.push(`${name}: ${reason}; feasible from [${Array.from(found).join(', ')}]`);
    }
  }
  return tally;
}

const IDENTITY = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;

export function sceneOf(
  robot: string,
  link: string,
  q: Float64Array,
  leg: CartesianLeg,
  obstacles: readonly Obstacle[],
): Scene {
  const rules: StepRules = { speed: 1, acceleration: 1, blend: 0, tolerance: TOLERANCE, constraints: [] };
  const pose = poseOfTransform(leg.start);
  const goal = { kind: 'pose', pose: { ...pose, tolerance: { position: 1e-4, angle: 1e-3 } } };
  const end = poseOfTransform(leg.end);
  return {
    name: 'line',
    robot: { urdf: robot, packages: {}, fixed: {}, limits: {}, pose: IDENTITY, parts: 'hull' },
    start: Array.from(q),
    goals: [],
    equivalent: false,
    obstacles,
    attached: [],
    allow: [],
    padding: 0,
    tcp: { link, pose: poseOfTransform(TOOL) },
    steps: [
      { kind: 'move', index: 0, ...rules, goals: [goal] },
      { kind: 'line', index: 1, ...rules, targets: [{ kind: 'to', ...end }] },
    ],
  } as Scene;
}

/** Up to five boxes, balls and cylinders about the line. */
export function randomObstacles(leg: CartesianLeg, random: Random): Obstacle[] {
  const count = Math.floor(random.between(0, 6));
  return Array.from({ length: count }, (_, i) => {
    const s = random.next();
    const size = () => random.between(0.03, 0.3);
    const xyz = [3, 7, 11].map((k) => leg.start[k] + s * (leg.end[k] - leg.start[k]) + random.between(-0.5, 0.5));
    const quat = [0, 1, 2, 3].map(() => random.between(-1, 1));
    const length = Math.hypot(...quat);
    const kind = Math.floor(random.between(0, 3));
    const shape =
      kind === 0
        ? { type: 'box', size: [size(), size(), size()] }
        : kind === 1
          ? { type: 'sphere', radius: size() / 2 }
          : { type: 'cylinder', radius: size() / 2, length: size() };
    return { name: `obstacle_${i}`, parts: [{ shape }], pose: { xyz, quat_wxyz: quat.map((x) => x / length) } };
  }) as unknown as Obstacle[];
}

function collisionFault(world: LineWorld, at: (t: number) => number[], end: number): string | undefined {
  for (let i = 0; i <= SAMPLES; i++) {
    const pair = world.collision(at((i / SAMPLES) * end));
    if (pair !== undefined) return `${pair} collide at ${(i / SAMPLES) * end} s, q [${at((i / SAMPLES) * end)}]`;
  }
  return undefined;
}
