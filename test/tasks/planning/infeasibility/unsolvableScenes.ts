import { linkPoses } from '../../../../src/core/certificate/linkPoses.ts';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { linkFrameOf } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../../src/core/math/configuration.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { composed } from '../../../../src/core/math/transform.ts';
import { cos, PI, sin } from '../../../../src/core/math/trigonometry.ts';
import type { CollisionObject, Scene } from '../../../../src/core/scene/scene.ts';
import { resolveStartAndGoals } from '../../../../src/tasks/planning/startAndGoals.ts';
import { stillWorld } from '../../../../src/tasks/world.ts';

/** A scene without a motion from its start to its goal, as far as is known. */
export interface UnsolvableScene {
  readonly seed: number;
  readonly kind: 'blocked' | 'enclosed';
  readonly scene: Scene;
}

/** Start of a UR5e: upper arm up, forearm forwards. */
const START = [0, -PI / 2, PI / 2, -PI / 2, -PI / 2, 0];
const TOLERANCE = { position: 1e-3, angle: 1e-2 };
/** rad: the goal of an enclosed scene is turned by up to this from the middle between its two posts. */
const GAP = 0.6;

/**
 * Yields random scenes of a UR5e on a floor. Blocked: boxes beside a goal pose, so that all closed-form solutions of
 * the inverse kinematics are in collision. Enclosed: two posts next to the base, between which the goal is, a state or
 * the pose of one; start and goal states are valid, the posts stand in the ring that shoulder and upper arm turn
 * through, and no motion that turns the first joint alone passes. Neither kind is made with the prover.
 * @param base scene with the robot
 */
export function* unsolvableScenes(robot: RobotModel, base: Scene, count: number): Generator<UnsolvableScene> {
  for (let seed = 1, made = 0; made < count; seed++) {
    const kind = made % 2 === 0 ? 'blocked' : 'enclosed';
    const scene = unsolvableScene(robot, base, kind, seed);
    if (scene === undefined) continue;
    made++;
    yield { seed, kind, scene };
  }
}

/** The scene of a seed; undefined if a motion of it is known, or its start or goal has another fault. */
export function unsolvableScene(
  robot: RobotModel,
  base: Scene,
  kind: UnsolvableScene['kind'],
  seed: number,
): Scene | undefined {
  const random = new Random(seed);
  return kind === 'blocked' ? blockedScene(robot, base, random) : enclosedScene(robot, base, random);
}

function blockedScene(robot: RobotModel, base: Scene, random: Random): Scene | undefined {
  const q = Float64Array.from(robot.variables, () => random.between(-PI, PI));
  const pose = poseAt(robot, base, q);
  if (pose.xyz[2] < 0.15) return undefined;
  const boxes = Array.from({ length: 1 + random.below(3) }, (_, i) =>
    box(
      `box_${i}`,
      [0, 1, 2].map(() => random.between(0.1, 0.4)),
      pose.xyz.map((x) => x + random.between(-0.2, 0.2)),
    ),
  );
  const scene: Scene = {
    ...base,
    obstacles: [...base.obstacles, ...boxes],
    start: START,
    goals: [{ kind: 'pose', pose: { ...pose, tolerance: TOLERANCE } }],
  };
  const ends = endsOf(robot, scene);
  // An end of the start at fault, or a pose out of reach or limits, is another kind of problem.
  return ends !== undefined && 'status' in ends && ends.status === 'goal-in-collision' ? scene : undefined;
}

function enclosedScene(robot: RobotModel, base: Scene, random: Random): Scene | undefined {
  const middle = random.between(-PI, PI);
  const start = [middle + PI + random.between(-1, 1), ...START.slice(1).map((x) => x + random.between(-0.4, 0.4))];
  const goal = [middle + random.between(-GAP, GAP), ...START.slice(1).map((x) => x + random.between(-0.4, 0.4))];
  const posts = [-1, 1].map((side) => {
    const angle = middle + side * random.between(1.1, 1.4);
    const away = random.between(0.13, 0.2);
    const height = random.between(0.3, 0.9);
    const size = [random.between(0.03, 0.08), random.between(0.03, 0.08), height];
    return box(side < 0 ? 'post_right' : 'post_left', size, [away * cos(angle), away * sin(angle), height / 2]);
  });
  const scene = { ...base, obstacles: [...base.obstacles, ...posts], start };
  const goals: Scene['goals'] =
    random.below(2) === 0
      ? [{ kind: 'joints', joints: goal }]
      : [{ kind: 'pose', pose: { ...poseAt(robot, base, Float64Array.from(goal)), tolerance: TOLERANCE } }];
  const withGoal = { ...scene, goals };
  const ends = endsOf(robot, withGoal);
  if (ends === undefined || 'status' in ends) return undefined;
  const { manager } = stillWorld(robot, withGoal);
  const turned = (by: number) => Float64Array.from(start, (x, i) => (i === 0 ? x + by : x));
  const isBlocked = (side: number) =>
    Array.from({ length: 200 }, (_, k) => turned((side * k * 2 * PI) / 200)).some((q) => !manager.isCollisionFree(q));
  return isBlocked(1) && isBlocked(-1) ? withGoal : undefined;
}

/** Returns the valid states of the goals that the closed form finds. */
export function validGoals(robot: RobotModel, scene: Scene): readonly Configuration[] {
  const ends = endsOf(robot, scene);
  return ends === undefined || 'status' in ends ? [] : ends.goals;
}

function endsOf(robot: RobotModel, scene: Scene) {
  const { manager } = stillWorld(robot, scene);
  return resolveStartAndGoals(robot, scene, manager, () => false);
}

function poseAt(robot: RobotModel, { tcp }: Scene, q: Float64Array): Pose {
  const { link, T_link_frame } = linkFrameOf(robot, undefined, tcp);
  return poseOfTransform(composed(linkPoses(robot, q)[link], T_link_frame));
}

const box = (name: string, size: readonly number[], xyz: readonly number[]): CollisionObject =>
  ({
    name,
    pose: { xyz, quat_wxyz: [1, 0, 0, 0] },
    parts: [{ shape: { type: 'box', size } }],
  }) as unknown as CollisionObject;
