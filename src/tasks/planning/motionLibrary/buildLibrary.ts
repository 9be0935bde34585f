import type { RobotJointSpace } from '../../../core/collision/validators/robotJointSpace.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { Random } from '../../../core/math/random.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';
import { prm } from '../../../core/planning/prm.ts';
import { reachOption } from '../../../core/planning/roadmap.ts';
import { InputError } from '../../../errors.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { stillWorld } from '../../world.ts';
import { edgeValidations } from '../edgeValidation.ts';
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
    const found = prm.plan({ space: samples, motions, ...query }, options, new Random(seed, 0), { isSpent: isOver });
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
