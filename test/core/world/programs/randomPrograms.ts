import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { Random } from '../../../../src/core/math/random.ts';
import type { ObstacleMotion, OtherRobot } from '../../../../src/core/scene/movingScene.ts';
import type { Step } from '../../../../src/core/scene/program.ts';
import type { Obstacle, Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { armDescription } from '../oracle.ts';

export const description = armDescription();
export const reference = {
  packages: {},
  fixed: {},
  limits: {},
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  parts: 'hull',
} as const;
export const robot = createRobotModel(description, reference);
export const jointNames = robot.variables.map(({ name }) => name);

type Vec = [number, number, number];

/** An obstacle that moves. */
export const moving = (name: string, shape: Obstacle['parts'][number]['shape'], motion: ObstacleMotion): Obstacle => ({
  name,
  parts: [{ shape }],
  pose: motion.poses[0],
  motion,
});

export const at = (...xyz: Vec) => ({ xyz, quat_wxyz: [1, 0, 0, 0] as const });

const place = (random: Random, reach = 0.9): Vec => [0, 1, 2].map(() => random.between(-reach, reach)) as Vec;

/** Motion along a few points, which may begin before 0; it ends at `rest` at the latest. */
function randomMotion(random: Random, rest: number): ObstacleMotion {
  const times = [random.between(-1, 0.5 * rest)];
  const count = 1 + random.below(4);
  while (times.length < count) times.push(times.at(-1)! + (rest - times.at(-1)!) * random.between(0.1, 1));
  const turned = () => [random.between(0.2, 1), random.between(-1, 1), random.between(-1, 1), 0.3] as const;
  return { times, poses: times.map(() => ({ xyz: place(random), quat_wxyz: turned() })) };
}

function randomRobot(random: Random): OtherRobot {
  const yaw = random.between(-3, 3);
  const pose = {
    xyz: [random.between(-1.2, 1.2), random.between(0.7, 1.3), random.between(-0.4, 0.4)],
    quat_wxyz: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)],
  } as const;
  const q = () => jointNames.map(() => random.between(-2, 2));
  const rest = jointNames.map(() => 0);
  const trajectory: Trajectory = {
    jointNames,
    interpolation: 'cubic',
    points: [0, random.between(0.5, 3)].map((t) => ({ time_from_start: t, positions: q(), velocities: rest })),
  };
  const motion = random.below(3) === 0 ? { q: q() } : { trajectory };
  return { name: 'other', description, robot: { ...reference, pose }, startTime: random.between(-0.5, 1), ...motion };
}

const rules = {
  speed: 1,
  acceleration: 1,
  blend: 0,
  tolerance: { position: 1e-4, angle: 1e-3 },
  constraints: [],
} as const;

/** A free motion to joint values. */
export const move = (index: number, joints: number[]): Step => ({
  kind: 'move',
  index,
  goals: [{ kind: 'joints', joints }],
  ...rules,
});

/** A program of moves and waits that carries the ball "part" for a while, with a scene in which several things move. */
export function randomProgram(random: Random, rest: number): Scene {
  const q = () => jointNames.map(() => random.between(-2.5, 2.5));
  const steps: Step[] = [];
  const add = (make: (index: number) => Step) => steps.push(make(steps.length));
  const go = () => {
    if (random.below(4) > 0) add((index) => move(index, q()));
    if (random.below(3) === 0) add((index) => ({ kind: 'wait', index, duration: random.between(0.1, 0.6) }));
  };
  go();
  add((index) => move(index, q()));
  add((index) => ({ kind: 'attach', index, object: 'part', link: `link${random.below(3)}`, touches: [] }));
  add((index) => ({ kind: 'set', index, values: { on: true } }));
  go();
  add((index) => move(index, q()));
  if (random.below(3) > 0) add((index) => ({ kind: 'detach', index, object: 'part' }));
  go();
  const sizes = () => [random.between(0.02, 0.3), random.between(0.02, 0.4), random.between(0.02, 0.3)];
  const boxes = Array.from({ length: 1 + random.below(2) }, (_, i) =>
    moving(`box${i}`, { type: 'box', size: sizes() }, randomMotion(random, random.between(1, 6))),
  );
  const part = moving('part', { type: 'sphere', radius: random.between(0.01, 0.08) }, randomMotion(random, rest));
  return {
    name: 'moving-program',
    robot: reference,
    start: q(),
    goals: [],
    equivalent: false,
    obstacles: [...boxes, part],
    ...(random.below(3) === 0 ? { robots: [randomRobot(random)] } : {}),
    attached: [],
    allow: [],
    padding: 0,
    steps,
  };
}
