import type { PosedBodies } from '../collision/posedBodies.ts';
import { create as createTransform, rotate, type Transform, transformPoint } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { GrowthGradient, GrowthGradientSolver } from '../narrowphase/growth/growthGradient.ts';
import { Separation } from '../narrowphase/solver.ts';
import { BodyGradient } from './bodyGradient.ts';
import { DistanceGradientSolver } from './distanceGradient.ts';
import { addJointForces } from './jointForces.ts';
import { PillDerivatives } from './pillDerivatives.ts';
import { PillProximity } from './pillProximity.ts';
import { type Pill, pillOf } from './pills.ts';

/** A number of a pair, and its derivative by q. Filled by `PairGradients`, reused by the caller. */
export class JointGradient {
  value = 0;
  /** Per joint of q: metres (or growth) per radian, or per metre. */
  readonly gradient: Float64Array;
  /** Whether the number has a derivative here; where it has not, `gradient` is finite and belongs to one side of the kink. */
  differentiable = false;

  constructor(dof: number) {
    this.gradient = new Float64Array(dof);
  }
}

/**
 * Numbers of the pairs of a collision model and their gradients by q, at the q last given to `posed.pose`: gradients by the motion of
 * the bodies, taken through the Jacobian. Holds the scratch of one thread of work.
 */
export class PairGradients {
  private readonly distances = new DistanceGradientSolver();
  private readonly growths = new GrowthGradientSolver();
  private readonly separation = new Separation();
  private readonly byBodies = new BodyGradient();
  private readonly byBodiesOfGrowth = new GrowthGradient();
  private readonly proximities = new PillProximity();
  private readonly pillDerivatives = new PillDerivatives();
  private pills: readonly (Pill | undefined)[] | undefined;
  private readonly T_b_a: Transform = createTransform();
  private readonly center: Vec3 = create();
  private readonly force: Vec3 = create();
  private readonly moment: Vec3 = create();

  constructor(readonly posed: PosedBodies) {}

  /** Signed distance of a pair, metres: below zero the depth, negated. */
  signedDistance(out: JointGradient, pair: number): void {
    const { posed, T_b_a, byBodies } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    out.value = this.distances.solve(byBodies, posed.shapes[pairA[pair]], T_b_a, posed.shapes[pairB[pair]]);
    this.chain(out, pair, byBodies);
  }

  /** As `signedDistance`, six times as quick: whether there is a derivative is not looked at, and `differentiable` says only that there is a normal. */
  signedDistanceUnflagged(out: JointGradient, pair: number): void {
    const { posed, T_b_a, byBodies, separation } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    out.value = this.distances.evaluate(
      byBodies,
      separation,
      posed.shapes[pairA[pair]],
      T_b_a,
      posed.shapes[pairB[pair]],
    );
    this.chain(out, pair, byBodies);
  }

  /** Growth distance of a pair; false where there is none: half-spaces, bodies without an inside. */
  growth(out: JointGradient, pair: number): boolean {
    const { posed, T_b_a, byBodiesOfGrowth, separation } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    const [a, b] = [posed.shapes[pairA[pair]], posed.shapes[pairB[pair]]];
    const isKnown = this.growths.solve(byBodiesOfGrowth, separation, a, T_b_a, b);
    out.value = isKnown ? separation.growth.lower : Number.POSITIVE_INFINITY;
    this.chain(out, pair, byBodiesOfGrowth);
    return isKnown;
  }

  /**
   * Proximity of a pair of pills, m²: the squared distance of the cores less the squared sum of the radii. False where one of the two is no
   * pill: neither sphere nor capsule nor flat hull; or if the solver did not converge.
   */
  pillProximity(out: JointGradient, pair: number): boolean {
    const { posed, proximities, pillDerivatives } = this;
    const { pairA, pairB, moving } = posed.model;
    this.pills ??= posed.shapes.map(pillOf);
    const [partA, partB] = [pairA[pair], pairB[pair]];
    const [a, b] = [this.pills[partA], this.pills[partB]];
    out.gradient.fill(0);
    out.differentiable = false;
    out.value = Number.POSITIVE_INFINITY;
    if (!a || !b) return false;
    proximities.solve(a, posed.T_world_part[partA], b, posed.T_world_part[partB]);
    if (proximities.contact === 'undecided') return false;
    pillDerivatives.solve(proximities);
    out.value = proximities.value;
    out.differentiable = pillDerivatives.proximityIsSmooth;
    this.push(out.gradient, partA, proximities.a.frame, pillDerivatives.a);
    if (partB < moving.length) this.push(out.gradient, partB, proximities.b.frame, pillDerivatives.b);
    return true;
  }

  /** Derivatives by the velocity of a point and by the angular velocity of its body, all in the world, to derivatives by q. */
  private push(gradient: Float64Array, part: number, point: Vec3, six: Float64Array): void {
    const { posed, force, moment } = this;
    for (let k = 0; k < 3; k++) {
      force[k] = six[k];
      moment[k] = six[3 + k];
    }
    addJointForces(gradient, posed.state, posed.model.moving[part].link, point, force, moment);
  }

  /** From derivatives by the motion of two bodies, in the frame of B, to derivatives by q. */
  private chain(out: JointGradient, pair: number, { a, b, differentiable }: BodyGradient | GrowthGradient): void {
    const { pairA, pairB, moving } = this.posed.model;
    const frame = this.posed.T_world_part[pairB[pair]];
    out.gradient.fill(0);
    out.differentiable = differentiable;
    this.pull(out.gradient, pairA[pair], frame, a);
    if (pairB[pair] < moving.length) this.pull(out.gradient, pairB[pair], frame, b);
  }

  private pull(gradient: Float64Array, part: number, T_world_b: Transform, six: Float64Array): void {
    const { posed, center, force, moment } = this;
    for (let k = 0; k < 3; k++) {
      force[k] = six[k];
      moment[k] = six[3 + k];
    }
    rotate(force, T_world_b, force);
    rotate(moment, T_world_b, moment);
    transformPoint(center, posed.T_world_part[part], posed.shapes[part].center);
    addJointForces(gradient, posed.state, posed.model.moving[part].link, center, force, moment);
  }
}
