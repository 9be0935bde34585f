import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../../src/core/collision/validators/sampledMotionValidator.ts';
import type { JointSpace, MotionValidator } from '../../src/core/planning/planner.ts';
import { type BenchScene, type Edge, randomEdges } from './samples.ts';

export interface EdgeRow {
  readonly [column: string]: string | number;
  readonly scene: string;
  readonly rad: number;
}

const EDGES = 150;
const ROUNDS = 9;
const STEP = 0.02;

/** Motions proved free against motions sampled 0.02 rad apart, microseconds an edge; round by round in turn. */
export function edgeRow({ name, robot, scene }: BenchScene, length: number): EdgeRow {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const space = new RobotJointSpace(robot);
  const certified = new CertifiedMotionValidator(manager, space);
  const sampled = new SampledMotionValidator(manager, space, STEP);
  const sequential = new SequentialMotions(manager, space);
  const edges = randomEdges(manager, EDGES, length, 4);
  const verdicts = edges.map(([from, to]) => certified.isMotionValid(from, to));
  const unresolved = certified.counters.unresolved;
  const hidden = edges.filter(([from, to], i) => !verdicts[i] && sampled.isMotionValid(from, to)).length;
  const free = edges.filter((_, i) => verdicts[i]);
  const hit = edges.filter((_, i) => !verdicts[i]);
  const [certifiedFree, sampledFree] = times(free, [certified, sampled]);
  const [certifiedHit, sampledHit, sequentialHit] = times(hit, [certified, sampled, sequential]);
  const before = { intervals: certified.prover.intervals, states: manager.counters.states };
  for (const [from, to] of free) certified.isMotionValid(from, to);
  const poses = certified.prover.intervals - before.intervals + manager.counters.states - before.states;
  return {
    scene: name,
    rad: length,
    'free %': (100 * free.length) / edges.length,
    'certified, free µs': certifiedFree,
    'sampled, free µs': sampledFree,
    'free: certified / sampled': certifiedFree / sampledFree,
    'FK per free edge': poses / Math.max(1, free.length),
    'certified, hit µs': certifiedHit,
    'sampled, hit µs': sampledHit,
    'sequential, hit µs': sequentialHit,
    'hit: certified / sequential': certifiedHit / sequentialHit,
    'sampling misses': hidden - unresolved,
    unresolved,
  };
}

function times(edges: readonly Edge[], validators: readonly MotionValidator[]): number[] {
  const least = validators.map(() => Number.POSITIVE_INFINITY);
  if (edges.length === 0) return least.map(() => Number.NaN);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [v, validator] of validators.entries()) {
      const before = performance.now();
      for (const [from, to] of edges) validator.isMotionValid(from, to);
      least[v] = Math.min(least[v], ((performance.now() - before) * 1e3) / edges.length);
    }
  }
  return least;
}

/** Samples from the start to the end, as planners elsewhere do. */
class SequentialMotions implements MotionValidator {
  private readonly q: Float64Array;

  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
  ) {
    this.q = new Float64Array(space.dof);
  }

  isStateValid(q: Float64Array): boolean {
    return this.manager.isCollisionFree(q);
  }

  isMotionValid(qFrom: Float64Array, qTo: Float64Array): boolean {
    const { manager, space, q } = this;
    const pieces = Math.ceil(space.distance(qFrom, qTo) / STEP);
    for (let i = 1; i <= pieces; i++) {
      space.interpolate(q, qFrom, qTo, i / pieces);
      if (!manager.isCollisionFree(q)) return false;
    }
    return true;
  }
}
