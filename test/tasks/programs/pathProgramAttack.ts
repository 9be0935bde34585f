import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { AnalyticArm } from '../../../src/core/kinematics/analyticArm.ts';
import { poseOfTransform, transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { PathStep } from '../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { gridFollows, type TriedJoint } from '../../core/cartesian/paths/gridLadder.ts';
import { ladderFollows } from '../../core/cartesian/paths/pathLadder.ts';
import { brokenLimit, leavesPath } from '../../core/cartesian/paths/toolPathOracle.ts';
import { inverse, linkPose, type Matrix, motionAt, multiply, OracleWorld } from './programOracle.ts';

/** Robots of random programs: a bundled robot, or the robot of a scene, and where the tool is when the path begins. */
const ROBOTS = {
  ur5e: { robot: 'ur5e', home: [0.2, -1.4, 1.7, -1.8, -1.5, 0.3] },
  arm7: { robot: 'arm7', tip: 'flange', home: [0.2, 0.4, 0.1, -1.7, 0.2, 1.9, 0.3] },
  scara4: { robot: 'scara4', home: [0.3, 1.1, 0.1, 0.4] },
  rail: {
    robot: { urdf: 'toolpaths/rail.urdf', tool: { name: 'ur10e', prefix: '' } },
    home: [-0.4, 1.2, -1.5, 1.6, -1.7, -1.5, 0.1],
    allow: [['carriage', 'base_link_inertia']],
  },
  positioner: {
    robot: { urdf: 'toolpaths/turntable.urdf', mounts: [{ name: 'ur5e', link: 'floor', prefix: '' }] },
    home: [0.4, 0.2, -1.4, 1.7, -1.8, -1.5, 0.3],
    frames: ['world', 'table'],
  },
} as const;

export type ProgramRobot = keyof typeof ROBOTS;
export const programRobots = Object.keys(ROBOTS) as ProgramRobot[];

type Flat = readonly [number, number];

/** Points in a plane, some millimetres apart, from the origin on. */
const SHAPES: Readonly<Record<string, (random: Random, count: number, spacing: number) => Flat[]>> = {
  raster: (random, count, spacing) => {
    const row = 4 + random.below(30);
    return Array.from({ length: count }, (_, k) => {
      const [line, along] = [Math.floor(k / row), k % row];
      return [spacing * (line % 2 === 0 ? along : row - 1 - along), 2 * spacing * line];
    });
  },
  spiral: (random, count, spacing) => {
    const pitch = random.between(1, 4) * spacing;
    return Array.from({ length: count }, (_, k) => {
      const angle = Math.sqrt((4 * Math.PI * k * spacing) / pitch);
      const radius = (pitch * angle) / (2 * Math.PI);
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
  },
  seam: (random, count, spacing) => {
    const [bend, turn] = [random.between(-0.04, 0.04), random.between(-3, 3)];
    const points: [number, number][] = [[0, 0]];
    for (let k = 1; k < count; k++) {
      const angle = turn + bend * k;
      const [x, y] = points[k - 1];
      points.push([x + spacing * Math.cos(angle), y + spacing * Math.sin(angle)]);
    }
    return points;
  },
};

/** Way points on a random surface through where the tool is, its z axis against the outward normal. */
function wayPoints(random: Random, T: Matrix, isUpright: boolean) {
  const names = Object.keys(SHAPES);
  const spacing = random.between(1e-3, 6e-3);
  const flat = SHAPES[names[random.below(names.length)]](random, 40 + random.below(120), spacing);
  const size = () => random.between(-1, 1) * 10 ** random.between(-1, 0.6);
  const [a, b, c] = [size(), size(), size()];
  const turn = random.between(0, 0.01);
  return flat.map(([x, y], k) => {
    const z = a * x * x + b * y * y + c * x * y;
    // rotation of the z axis to the normal, then about it
    const [u, v] = isUpright ? [0, 0] : [2 * b * y + c * x, -(2 * a * x + c * y)];
    const [angle, size] = [Math.atan(Math.hypot(u, v)), Math.hypot(u, v) || 1];
    const tilt = [Math.cos(angle / 2), ...[u, v, 0].map((w) => (w / size) * Math.sin(angle / 2))];
    const spin = [Math.cos((k * turn) / 2), 0, 0, Math.sin((k * turn) / 2)];
    const local = multiply(poseMatrix([x, y, z], tilt), poseMatrix([0, 0, 0], spin));
    return poseOfTransform(Float64Array.from(multiply(T, local)));
  });
}

const poseMatrix = (xyz: readonly number[], quat: readonly number[]): Matrix =>
  Array.from(
    transformOfPose({ xyz: xyz as [number, number, number], quat_wxyz: quat as [number, number, number, number] }),
  );

/** A random program: a move to the first way point of a path on a surface, among boxes. */
async function randomProgram(name: ProgramRobot, seed: number) {
  const random = new Random(seed);
  const { robot, home, ...given } = { frames: ['world'], allow: [], tip: 'tool0', ...ROBOTS[name] };
  const base = {
    format: 'elbowroom-scene/1',
    robot,
    tcp: { link: given.tip, xyz: [0, 0, 0.12] },
    start: [...home],
    allow: given.allow,
    attached: [
      { name: 'torch', type: 'capsule', radius: 0.01, length: 0.08, link: given.tip, pose: { xyz: [0, 0, 0.06] } },
    ],
  };
  const touches = (links: readonly string[]) => ({
    ...base,
    attached: base.attached.map((one) => ({ ...one, touches: links })),
  });
  const [bare] = await load(base);
  const model = createSceneRobot(bare);
  const last = model.links
    .filter(({ parts }) => parts.length > 0)
    .slice(-2)
    .map((link) => link.name);
  const tcp = tcpOf(model, bare.scene.tcp);
  const frame = given.frames[random.below(given.frames.length)];
  const T_world_tcp = toolPose(model, tcp, home);
  const T = frame === 'world' ? T_world_tcp : multiply(inverse(linkPose(model, frame, home)), T_world_tcp);
  const points = wayPoints(random, T, name === 'scara4');
  const near = () => [0, 1, 2].map((i) => T_world_tcp[4 * i + 3] + random.between(-0.35, 0.35));
  const obstacles = Array.from({ length: random.below(4) }, (_, k) => ({
    name: `box_${k}`,
    type: 'box',
    size: [0, 1, 2].map(() => random.between(0.02, 0.2)),
    pose: { xyz: near(), rpy: [random.between(-1, 1), 0, random.between(-2, 2)] },
  }));
  const isFree = random.between(0, 1) < 0.5;
  const path = {
    points: points.map(({ xyz, quat_wxyz }) => ({ xyz: [...xyz], quat_wxyz: [...quat_wxyz] })),
    frame,
    speed: random.between(0.02, 0.3),
    tolerance: { position: 10 ** random.between(-4, -3), angle: random.between(0.003, 0.02) },
    ...(isFree && { free: ['z'], tilt: random.between(0, 0.15) }),
    ...(random.between(0, 1) < 0.3 && { blend: 1e-3 }),
  };
  const steps = [{ move: [...home] }, { path }];
  const [problem] = await load({ ...touches(last), obstacles, steps });
  return { problem, model, tcp, home };
}

const load = (scene: object) => loadProblemsIn(JSON.stringify(scene), 'scenes/path.json');

/** What became of a random program. */
export interface ProgramAttack {
  readonly outcome: 'followed' | 'refused' | 'blocked-start';
  readonly reason?: string;
  /** Faults that independent samples find in a motion that is planned. */
  readonly wrong: readonly string[];
  /** Of a refused path: true if brute force follows it. */
  readonly ladder?: boolean;
}

/**
 * Plans a random program, and samples its motion independently: the path, limits and collisions with all objects. Paths
 * that are refused are tried by brute force over the inverse kinematics solutions at their way points; those of arms
 * without a closed form over continued configurations, with the values of a redundant joint.
 * @param samples per motion; collisions are sampled at an eighth of them
 * @param degrees from one angle of the free axis, or of the redundant joint, to the next; five times as many if both
 *   are free
 */
export async function attackPathProgram(
  name: ProgramRobot,
  seed: number,
  { samples, degrees }: { readonly samples: number; readonly degrees: number },
): Promise<ProgramAttack> {
  const { problem, model, tcp, home } = await randomProgram(name, seed);
  const { scene } = problem;
  const manager = new CollisionManager(new CollisionModel(model, scene));
  const isValid = (q: ArrayLike<number>) => manager.isCollisionFree(Float64Array.from(q));
  if (!isValid(home)) return { outcome: 'blocked-start', wrong: [] };
  const step = scene.steps![1] as PathStep;
  const { trajectory, reason } = planScene(problem, { timeLimit: 120 });
  if (trajectory) {
    const { from, to } = trajectory.segments!.find(({ kind }) => kind === 'path')!;
    const points = trajectory.points.filter(({ time_from_start: t }) => t! >= from && t! <= to);
    const motion: Trajectory = { ...trajectory, points };
    const left = leavesPath(model, tcp, step, motion, samples, 1.01);
    const limit = brokenLimit({ model, tcp }, step, motion, samples);
    const hit = firstCollision(new OracleWorld(model, scene), motion, Math.ceil(samples / 8));
    const wrong = [left === undefined ? undefined : `leaves its path at ${left} s`, limit, hit];
    return { outcome: 'followed', wrong: wrong.filter((one) => one !== undefined) };
  }
  const ladder = followedByLadder({ name, model, tcp, home, step, isValid, degrees });
  return { outcome: 'refused', reason, wrong: [], ladder };
}

function firstCollision(world: OracleWorld, motion: Trajectory, samples: number): string | undefined {
  const [first, last] = [motion.points[0], motion.points.at(-1)!].map(({ time_from_start }) => time_from_start!);
  for (let i = 0; i <= samples; i++) {
    const t = first + (i / samples) * (last - first);
    const pair = world.collision(motionAt(motion, t));
    if (pair !== undefined) return `${pair} collide at ${t} s`;
  }
  return undefined;
}

interface LadderQuery {
  readonly name: ProgramRobot;
  readonly model: Parameters<typeof ladderFollows>[0]['model'];
  readonly tcp: Parameters<typeof ladderFollows>[0]['tcp'];
  readonly home: readonly number[];
  readonly step: PathStep;
  readonly isValid: (q: ArrayLike<number>) => boolean;
  readonly degrees: number;
}

/** Joints of redundant robots whose values brute force tries: one turns a link, or moves along a rail. */
const TRIED: Readonly<Partial<Record<ProgramRobot, number>>> = { arm7: 2, rail: 0, positioner: 0 };
/** Metres from one position of a rail to the next; ratio of the angles if two values are free. */
const RAIL_STEP = 0.02;
const COARSER = 5;

/** Follows a path by brute force from home, where it begins. */
function followedByLadder({ name, model, tcp, home, step, isValid, degrees }: LadderQuery): boolean {
  const robot = { model, tcp, home: Float64Array.from(home), frames: [step.frame] };
  if (AnalyticArm.recognise(model, tcp.link) && step.frame === 'world')
    return ladderFollows(robot, step, [robot.home], isValid, step.isYawFree ? degrees : 360);
  const joint = name === 'positioner' && step.frame === 'world' ? undefined : TRIED[name];
  const angle = (degrees * (step.isYawFree && joint !== undefined ? COARSER : 1) * Math.PI) / 180;
  const tried: TriedJoint | undefined =
    joint === undefined ? undefined : { joint, step: name === 'rail' ? RAIL_STEP : angle };
  return gridFollows(robot, step, isValid, angle, tried);
}
