import { type CertifiedPart, certifiedParts, checkedPairs } from '../../src/core/certificate/convexParts.ts';
import { linkPoses } from '../../src/core/certificate/linkPoses.ts';
import type { Joint, RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { compose, create, relative, type Transform } from '../../src/core/math/transform.ts';
import { norm } from '../../src/core/math/vec3.ts';
import { GjkDistance } from '../../src/core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import type { World } from './worlds.ts';

/** Relative gap of the first distance query: accurate enough to skip samples. */
const QUICK_GAP = 0.05;

/** A sample at which two bodies touch, or come nearer than the padding. */
export interface Touch {
  readonly pair: readonly [string, string];
  /** Along the motion, 0 to 1. */
  readonly t: number;
  readonly distance: number;
}

interface Pair {
  readonly a: CertifiedPart;
  readonly b: CertifiedPart;
  /**
   * Joints that move only one of the two, with how far from its axis a point of that one can get: metres per rad; 1 for
   * slides.
   */
  readonly movers: readonly (readonly [Joint, number])[];
}

/**
 * Checks straight motions at samples by distance queries alone: each query without warm start, kinematics and pairs
 * from the certificate checker, no bounding boxes, no caches, no bounds of the prover. A sample of a pair is skipped
 * only if the distance at an earlier sample exceeds the largest possible motion since then, which does not change the
 * result.
 */
export class PlainSampling {
  private readonly robot: RobotModel;
  private readonly padding: number;
  private readonly pairs: readonly Pair[];
  private readonly solver = new GjkDistance();
  private readonly quickSolver = new GjkDistance({ relativeGap: QUICK_GAP });
  private readonly cache = new PairCache();
  private readonly separation = new Separation();

  constructor({ robot, scene }: World) {
    this.robot = robot;
    this.padding = scene.padding;
    this.pairs = checkedPairs(robot, scene, certifiedParts(robot, scene)).map((ends) => {
      // An obstacle comes second.
      const [a, b] = ends[0].link < 0 ? [ends[1], ends[0]] : ends;
      const [ofA, ofB] = [jointsAbove(robot, a.link), jointsAbove(robot, b.link)];
      const movers = [...reachesOf(a, ofA, ofB), ...reachesOf(b, ofB, ofA)];
      return { a, b, movers };
    });
  }

  /** Returns the first contact found along the line, sampled in equal steps of at most `step` (L2 over the joints). */
  firstTouch(qFrom: Float64Array, qTo: Float64Array, step: number): Touch | undefined {
    const way = qTo.map((x, i) => x - qFrom[i]);
    const count = Math.max(1, Math.ceil(norm2(way) / step));
    const poses = new Map<number, Transform[]>();
    const posesAt = (i: number) => {
      const known = poses.get(i);
      if (known) return known;
      const made = linkPoses(
        this.robot,
        way.map((w, j) => qFrom[j] + (i / count) * w),
      );
      poses.set(i, made);
      return made;
    };
    for (const pair of this.pairs) {
      const travel = pair.movers.reduce((sum, [joint, reach]) => sum + reach * rateOf(joint, way), 0) / count;
      for (let i = 0; i <= count; ) {
        const quick = this.distance(pair, posesAt(i), this.quickSolver);
        const distance = quick > this.padding ? quick : this.distance(pair, posesAt(i), this.solver);
        if (!(distance > this.padding)) return { pair: [pair.a.object, pair.b.object], t: i / count, distance };
        i += Math.max(1, Math.min(count + 1, Math.ceil((distance - this.padding) / travel)));
      }
    }
    return undefined;
  }

  /** Least distance of the parts of two bodies at one configuration. */
  distanceOf(q: Float64Array, [first, second]: readonly [string, string]): number {
    const poses = linkPoses(this.robot, q);
    const own = this.pairs.filter(
      ({ a, b }) => (a.object === first && b.object === second) || (a.object === second && b.object === first),
    );
    return own.reduce(
      (least, pair) => Math.min(least, this.distance(pair, poses, this.solver)),
      Number.POSITIVE_INFINITY,
    );
  }

  /** A lower bound of the distance, as near to it as the solver goes; cold, as for a pair never seen. */
  private distance({ a, b }: Pair, poses: readonly Transform[], solver: GjkDistance): number {
    const { cache, separation } = this;
    cache.hasAxis = false;
    cache.hasWitnesses = false;
    cache.hintA = -1;
    cache.hintB = -1;
    const T_b_a = create();
    relative(T_b_a, poseOf(b, poses), poseOf(a, poses));
    solver.distance(separation, a.shape, T_b_a, b.shape, Number.POSITIVE_INFINITY, cache);
    return separation.distance.lower;
  }
}

function poseOf({ link, T_link_part }: CertifiedPart, poses: readonly Transform[]): Transform {
  if (link < 0) return T_link_part;
  const T_world_part = create();
  compose(T_world_part, poses[link], T_link_part);
  return T_world_part;
}

/** Joints from a link to the base, its own first. */
function jointsAbove({ links, joints }: RobotModel, link: number): Joint[] {
  const found: Joint[] = [];
  for (let at = link; at > 0; at = links[at].parent) found.push(joints[links[at].joint]);
  return found;
}

/** For the joints that move this part and not the other: the length of the chain out to the part's farthest point. */
function reachesOf({ extent }: CertifiedPart, own: readonly Joint[], others: readonly Joint[]): [Joint, number][] {
  const reaches: [Joint, number][] = [];
  let length = extent;
  for (const joint of own.filter((one) => !others.includes(one))) {
    const slides = joint.type === 'prismatic';
    if (joint.variable >= 0) reaches.push([joint, slides ? 1 : length]);
    // A slide never leaves a band of ten metres in these scenes: plain, and more than enough.
    length += norm(Float64Array.of(joint.T_parent_joint[3], joint.T_parent_joint[7], joint.T_parent_joint[11]));
    if (slides) length += 10;
  }
  return reaches;
}

const rateOf = ({ multiplier, variable }: Joint, way: Float64Array) => Math.abs(multiplier * way[variable]);

const norm2 = (v: Float64Array) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
