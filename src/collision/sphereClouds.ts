import { create, type Transform } from '../math/transform.ts';
import {
  type Checker,
  COLLIDING,
  type DepthSolver,
  type DistanceSolver,
  PairCache,
  SEPARATED,
  Separation,
} from '../narrowphase/solver.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/**
 * Answers about parts that are only the balls about their points (BodyPart.balls): ball by ball, those that are out of reach of the other
 * body's box left out. Asked where the hull around the balls does not settle it. `T_b_a` is the pose of A seen from the part; the answers
 * are in its frame.
 */
export class BallGroups {
  private readonly balls = new Map<number, ConvexShape>();
  private readonly T_p_a: Transform = create();
  private readonly cache = new PairCache();
  private readonly separation = new Separation();

  constructor(
    private readonly distanceSolver: DistanceSolver,
    private readonly checker?: Checker,
    private readonly depthSolver?: DepthSolver,
  ) {}

  /** True unless every ball is proved apart from A by more than `padding`. */
  collides(a: ConvexShape, T_b_a: Transform, group: ConvexShape, padding: number): boolean {
    const { T_p_a, cache, separation } = this;
    const ball = this.ballOf(group);
    for (let i = 0; i < group.vertices.length; i += 3) {
      if (!this.reaches(a, T_b_a, group, i, padding)) continue;
      const verdict = this.checker!.check(a, T_p_a, ball, padding, cache);
      if (verdict === SEPARATED) continue;
      if (verdict === COLLIDING) return true;
      cache.clear();
      this.distanceSolver.distance(separation, a, T_p_a, ball, Number.POSITIVE_INFINITY, cache);
      if (!(separation.status === 'separated' && separation.distance.lower > padding)) return true;
    }
    return false;
  }

  /** Distance to the nearest ball, or at least `stopAt`; fills `out`. */
  distance(out: Separation, a: ConvexShape, T_b_a: Transform, group: ConvexShape, stopAt: number): void {
    const { T_p_a, cache, separation } = this;
    const ball = this.ballOf(group);
    cache.clear(); // warm from ball to ball, cold from query to query: the result depends on the pose alone
    let lower = stopAt;
    let upper = Number.POSITIVE_INFINITY;
    let nearest = -1;
    for (let i = 0; i < group.vertices.length; i += 3) {
      const most = Math.min(upper, stopAt);
      if (!this.reaches(a, T_b_a, group, i, most)) continue;
      this.distanceSolver.distance(separation, a, T_p_a, ball, most, cache);
      lower = Math.min(lower, separation.distance.lower);
      if (separation.distance.upper >= upper) continue;
      upper = separation.distance.upper;
      nearest = i;
    }
    out.hasNormal = false;
    out.hasWitnesses = false;
    if (nearest >= 0) this.solveBall(out, a, T_b_a, group, nearest, stopAt);
    out.distance.lower = Math.min(lower, upper);
    out.distance.upper = upper;
  }

  /** Depth of the deepest ball: less than what it takes to part A from all of them; fills `out`. */
  depth(out: Separation, a: ConvexShape, T_b_a: Transform, group: ConvexShape): void {
    const { T_p_a } = this;
    const ball = this.ballOf(group);
    let deepest = -1;
    let most = -1;
    for (let i = 0; i < group.vertices.length; i += 3) {
      if (!this.reaches(a, T_b_a, group, i, 0)) continue;
      this.depthSolver!.depth(out, a, T_p_a, ball);
      if (!(out.depth.upper > most)) continue;
      most = out.depth.upper;
      deepest = i;
    }
    if (deepest < 0) return;
    this.reaches(a, T_b_a, group, deepest, 0);
    this.depthSolver!.depth(out, a, T_p_a, ball);
    shift(out, group, deepest);
  }

  private solveBall(out: Separation, a: ConvexShape, T_b_a: Transform, group: ConvexShape, i: number, stopAt: number) {
    this.reaches(a, T_b_a, group, i, Number.POSITIVE_INFINITY);
    this.distanceSolver.distance(out, a, this.T_p_a, this.ballOf(group), stopAt, this.cache);
    shift(out, group, i);
  }

  /** Seen from the point at offset i, A's pose, and whether A's own box comes within `reach` of its ball. Not-a-number reaches all. */
  private reaches(a: ConvexShape, T_b_a: Transform, group: ConvexShape, i: number, reach: number): boolean {
    const { T_p_a } = this;
    const { vertices, margin } = group;
    for (let k = 0; k < 12; k++) T_p_a[k] = T_b_a[k];
    const x = T_b_a[3] - vertices[i],
      y = T_b_a[7] - vertices[i + 1],
      z = T_b_a[11] - vertices[i + 2];
    T_p_a[3] = x;
    T_p_a[7] = y;
    T_p_a[11] = z;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const own = -(T_b_a[k] * x + T_b_a[4 + k] * y + T_b_a[8 + k] * z); // the point in the frame of A
      const gap = Math.max(a.bounds[k] - own, own - a.bounds[k + 3], 0);
      square += gap * gap;
    }
    const limit = (reach + margin) * (1 + ROUNDING);
    return !(square > limit * limit);
  }

  private ballOf({ margin }: ConvexShape): ConvexShape {
    let ball = this.balls.get(margin);
    if (ball === undefined) {
      ball = createShape({ type: 'sphere', radius: margin });
      this.balls.set(margin, ball);
    }
    return ball;
  }
}

/** Relative: a look at a ball too many costs nothing, one too few would. */
const ROUNDING = 1e-9;

/** From the frame of a ball to that of its group. */
function shift({ witnessA, witnessB }: Separation, { vertices }: ConvexShape, i: number): void {
  for (let k = 0; k < 3; k++) {
    witnessA[k] += vertices[i + k];
    witnessB[k] += vertices[i + k];
  }
}
