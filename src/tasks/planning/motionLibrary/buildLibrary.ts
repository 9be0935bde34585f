import { BOX_SIZE, type PosedParts } from '../../../core/collision/model/posedParts.ts';
import type { RobotJointSpace } from '../../../core/collision/validators/robotJointSpace.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { Random } from '../../../core/math/random.ts';
import type { JointSpace, MotionValidator, RoadmapData } from '../../../core/planning/planner.ts';
import { prm } from '../../../core/planning/prm.ts';
import { reachOption } from '../../../core/planning/roadmap.ts';
import type { CollisionObject } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { stillWorld } from '../../world.ts';
import { edgeValidations } from '../edgeValidation.ts';
import { planMotion } from '../planMotion.ts';
import { planningSpace } from '../planningSpace.ts';
import { planDefaults } from '../planOptions.ts';
import { resolveStartAndGoals } from '../startAndGoals.ts';
import { EdgeBoxes } from './edgeBoxes.ts';
import { type MotionLibrary, obstacleHashes, requireLibraryScene, robotHash } from './libraryFile.ts';

/** Options of `buildLibrary`. */
export interface LibraryOptions {
  /** Number of nodes at which building ends. */
  readonly nodes: number;
  /** Maximum number of numbers in boxes and nodes. */
  readonly mostNumbers: number;
  /** Seed of the samples. */
  readonly seed: number;
  /** States of queries besides start and goals of the scene: half of the samples are near lines between them. */
  readonly states: readonly Configuration[];
  /** Ends building, with the nodes so far. */
  readonly isOver: () => boolean;
}

/** rad or m: standard spread of samples about lines between states of queries, relative to the range of a joint. */
const SPREAD = 0.1;

/**
 * Builds a library: a probabilistic roadmap whose edges are certified in the scene, with boxes around the objects over
 * each piece of them. Throws `InputError` if no state is valid.
 */
export function buildLibrary(
  problem: Problem,
  { nodes, mostNumbers, seed, states, isOver }: LibraryOptions,
): MotionLibrary {
  const { scene } = problem;
  requireLibraryScene(scene);
  const robot = createSceneRobot(problem);
  const space = planningSpace(robot, scene.weights);
  return stillWorld(robot, scene).query(scene, planDefaults.checker, undefined, ({ manager, provers }) => {
    const motions = edgeValidations.certified.create(manager, space, planDefaults.step, isOver, { provers });
    const ends = scene.start !== undefined && scene.goals.length > 0 && resolveStartAndGoals(robot, scene, manager);
    const own = ends && !('status' in ends) ? [ends.start, ends.goals[0]] : [];
    const valid = [...own, ...states].map((q) => space.wrap(q)).filter((q) => motions.isStateValid(q));
    if (valid.length === 0)
      throw new InputError(`${scene.name}: no state of the queries is valid`, 'Give the scene a valid start.');
    const near = new QuerySpace(space, valid);
    const samples = { ...near.asSpace(), sample: near.sample.bind(near) };
    const [start] = valid;
    const query = { start, goals: valid.length > 1 ? valid.slice(1) : [start] };
    const options = { points: nodes, reach: reachOption.value };
    const roadmap = new QueryPaths(problem, valid, manager.posed, space, motions).find(nodes / 2, seed, isOver);
    const planning = { space: samples, motions, ...query, roadmap };
    const found = prm.plan(planning, options, new Random(seed, 0), { isSpent: isOver });
    const { points, free } = found.roadmap!;
    const boxes = new EdgeBoxes(manager.posed, space);
    const numbers = points.length * space.dof;
    const kept: (readonly [number, number])[] = [];
    const all: number[][] = [];
    let count = numbers;
    for (const edge of free) {
      const pieces = boxes.compute(Float64Array.from(points[edge[0]]), Float64Array.from(points[edge[1]]));
      count += pieces.length;
      if (count > mostNumbers) break;
      kept.push(edge);
      all.push(pieces);
    }
    return {
      robot: robot.name,
      scene: scene.name,
      joint_names: robot.variables.map(({ name }) => name),
      robot_hash: robotHash(robot, scene),
      obstacles: obstacleHashes(scene),
      objects: boxes.objects,
      points,
      edges: kept,
      boxes: all,
    };
  });
}

/** Edge lengths of boxes that block known paths, m, and their number for each query and node. */
const BLOCKER = { least: 0.05, most: 0.3 };
const ROUNDS_PER_NODE = 1;
/** Iterations of each search: paths among blockers that take longer are few. */
const ITERATIONS = 500;

/**
 * Short paths of queries: in the scene as it is, then with a box that blocks a known path, so that others are found
 * that are short as well. They need no shortcuts when they are used.
 */
class QueryPaths {
  private readonly points: number[][] = [];
  private readonly free: [number, number][] = [];
  private readonly indices = new Map<string, number>();

  constructor(
    private readonly problem: Problem,
    private readonly states: readonly Configuration[],
    private readonly posed: PosedParts,
    private readonly space: RobotJointSpace,
    private readonly motions: MotionValidator,
  ) {}

  /** Returns the paths as a roadmap of about `nodes` nodes. */
  find(nodes: number, seed: number, isOver: () => boolean): RoadmapData {
    const { states, points, free, space } = this;
    const random = new Random(seed, 1);
    const paths: (readonly Configuration[])[] = [];
    for (let round = 0; round < ROUNDS_PER_NODE * nodes && points.length < nodes && !isOver(); round++) {
      const [from, to] = round === 0 ? [0, 1] : [random.below(states.length), random.below(states.length)];
      if (from === to || to >= states.length) continue;
      const known = paths.filter((path) => path[0] === states[from] && path.at(-1) === states[to]);
      const blocked = known.length > 0 ? [this.blocker(known[random.below(known.length)], random)] : [];
      const path = this.plan(states[from], states[to], blocked, round + 1);
      if (path === undefined) continue;
      paths.push(path);
      for (let i = 1; i < path.length; i++) free.push([this.indexOf(path[i - 1]), this.indexOf(path[i])]);
    }
    return { dof: space.dof, points, free, unchecked: [] };
  }

  /** Plans between two states of queries; returns undefined without a path that is certified in the scene. */
  private plan(start: Configuration, goal: Configuration, blocked: readonly CollisionObject[], seed: number) {
    const { problem, space, motions } = this;
    const { scene } = problem;
    const goals = [{ kind: 'joints', joints: Array.from(goal) }] as const;
    const own = { ...scene, start: Array.from(start), goals, obstacles: [...scene.obstacles, ...blocked] };
    const options = { seed, timing: false, iterations: ITERATIONS };
    const found = planMotion({ ...problem, scene: own }, options).trajectory?.points;
    if (!found) return undefined;
    const path = found.map(({ positions }, i) =>
      i === 0 ? start : i === found.length - 1 ? goal : space.wrap(Float64Array.from(positions)),
    );
    return path.every((q, i) => i === 0 || motions.isMotionValid(path[i - 1], q)) ? path : undefined;
  }

  /** Returns a box about the middle of a part of the robot in a state of a path. */
  private blocker(path: readonly Configuration[], random: Random): CollisionObject {
    const { space, posed, problem } = this;
    const q = new Float64Array(space.dof);
    const i = 1 + random.below(path.length - 1);
    space.interpolate(q, path[i - 1], path[i], random.between(0.1, 0.9));
    posed.pose(q);
    const at = BOX_SIZE * random.below(posed.model.robotParts.length);
    const middle = [0, 1, 2].map((k) => 0.5 * (posed.boxes[at + k] + posed.boxes[at + k + 3]));
    const size = [0, 1, 2].map(() => random.between(BLOCKER.least, BLOCKER.most));
    const names = problem.scene.obstacles.map(({ name }) => name);
    return {
      name: names.reduce((name, other) => (name === other ? `${name}_` : name), `blocker_${names.length}`),
      pose: { xyz: middle as [number, number, number], quat_wxyz: [1, 0, 0, 0] },
      parts: [{ shape: { type: 'box', size: size as [number, number, number] } }],
    };
  }

  private indexOf(q: Configuration): number {
    const key = q.join();
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    this.indices.set(key, this.points.length);
    return this.points.push(Array.from(q)) - 1;
  }
}

/** Half of its samples are uniform, the others near a straight line between two states of queries. */
class QuerySpace {
  private isUniform = false;
  private readonly q: Configuration;

  constructor(
    private readonly space: RobotJointSpace,
    private readonly states: readonly Configuration[],
  ) {
    this.q = new Float64Array(space.dof);
  }

  asSpace(): Omit<JointSpace, 'sample'> {
    const { dof, lower, upper, weights, halfTurns } = this.space;
    return {
      dof,
      lower,
      upper,
      weights,
      halfTurns,
      distance: (a, b) => this.space.distance(a, b),
      interpolate: (out, a, b, t) => this.space.interpolate(out, a, b, t),
    };
  }

  sample(out: Configuration, random: Random): void {
    const { space, states, q } = this;
    this.isUniform = !this.isUniform;
    space.sample(out, random);
    if (this.isUniform) return;
    const [from, to] = [states[random.below(states.length)], states[random.below(states.length)]];
    space.interpolate(q, from, to, random.between(0, 1));
    for (let i = 0; i < space.dof; i++) {
      const range = space.upper[i] - space.lower[i];
      const value = q[i] + SPREAD * range * (random.between(-1, 1) + random.between(-1, 1));
      out[i] = Math.min(space.upper[i], Math.max(space.lower[i], value));
    }
  }
}
