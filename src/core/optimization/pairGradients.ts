import type { PosedParts } from '../collision/model/posedParts.ts';
import type { RobotState } from '../kinematics/forwardKinematics.ts';
import { create as createTransform, rotate, type Transform, transformPoint } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { GrowthGradient } from '../narrowphase/growth/gradientOfGrowth.ts';
import { GrowthGradientSolver } from '../narrowphase/growth/growthGradient.ts';
import { Separation } from '../narrowphase/solver.ts';
import { BodyGradient } from './bodyGradient.ts';
import { DistanceGradientSolver } from './distanceGradient.ts';
import { PillDerivatives } from './pillDerivatives.ts';
import { PillProximity } from './pillProximity.ts';
import { type Pill, pillOf } from './pills.ts';

/** A scalar of a pair and its gradient by q. Filled by `PairGradients`, owned and reused by the caller. */
export class JointGradient {
  /** The scalar: metres, or a growth distance. */
  value = 0;
  /** Per joint of q: metres (or growth distance) per radian, or per metre. */
  readonly gradient: Float64Array;
  /** True if the scalar is differentiable here; otherwise `gradient` is a finite one-sided derivative. */
  differentiable = false;

  constructor(dof: number) {
    this.gradient = new Float64Array(dof);
  }
}

/**
 * Computes scalars of the pairs of a collision model and their gradients by q, at the q last passed to `posed.pose`:
 * gradients by the motion of the links, mapped by the transposed Jacobian. Contains scratch memory; one instance per
 * thread.
 */
export class PairGradients {
  private readonly distances = new DistanceGradientSolver();
  private readonly growths = new GrowthGradientSolver();
  private readonly separation = new Separation();
  private readonly bodyGradient = new BodyGradient();
  private readonly growthGradient = new GrowthGradient();
  private readonly proximities = new PillProximity();
  private readonly pillDerivatives = new PillDerivatives();
  private pills: readonly (Pill | undefined)[] | undefined;
  private readonly T_b_a: Transform = createTransform();
  private readonly center: Vec3 = create();
  private readonly force: Vec3 = create();
  private readonly moment: Vec3 = create();

  constructor(
    /** Posed parts of the pairs; the caller poses them. */
    readonly posed: PosedParts,
  ) {}

  /** Computes the signed distance of a pair, metres: if negative, minus the penetration depth. */
  signedDistance(out: JointGradient, pair: number): void {
    const { posed, T_b_a, bodyGradient } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    out.value = this.distances.solve(bodyGradient, posed.shapes[pairA[pair]], T_b_a, posed.shapes[pairB[pair]]);
    this.applyChainRule(out, pair, bodyGradient);
  }

  /**
   * Like `signedDistance`, six times as fast: differentiability is not tested, and `differentiable` is true if there is
   * a normal.
   */
  signedDistanceUnchecked(out: JointGradient, pair: number): void {
    const { posed, T_b_a, bodyGradient, separation } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    out.value = this.distances.evaluate(
      bodyGradient,
      separation,
      posed.shapes[pairA[pair]],
      T_b_a,
      posed.shapes[pairB[pair]],
    );
    this.applyChainRule(out, pair, bodyGradient);
  }

  /** Computes the growth distance of a pair; returns false if it is undefined: half-spaces, shapes without interior. */
  growth(out: JointGradient, pair: number): boolean {
    const { posed, T_b_a, growthGradient, separation } = this;
    const { pairA, pairB } = posed.model;
    posed.relativePose(T_b_a, pair);
    const [a, b] = [posed.shapes[pairA[pair]], posed.shapes[pairB[pair]]];
    const isDefined = this.growths.solve(growthGradient, separation, a, T_b_a, b);
    out.value = isDefined ? separation.growth.lower : Number.POSITIVE_INFINITY;
    this.applyChainRule(out, pair, growthGradient);
    return isDefined;
  }

  /**
   * Computes the proximity of a pair of pills, m²: the squared distance of the cores minus the squared sum of the
   * radii. Returns false if one of the two is not a pill (sphere, capsule or flat hull) or if the solver did not
   * converge.
   */
  pillProximity(out: JointGradient, pair: number): boolean {
    const { posed, proximities, pillDerivatives } = this;
    const { pairA, pairB, robotParts } = posed.model;
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
    this.addWorld(out.gradient, partA, proximities.a.frame, pillDerivatives.a);
    if (partB < robotParts.length) this.addWorld(out.gradient, partB, proximities.b.frame, pillDerivatives.b);
    return true;
  }

  /**
   * Adds the derivatives by the velocity of a point and by the angular velocity of its link, in the world frame, to the
   * gradient by q.
   */
  private addWorld(gradient: Float64Array, part: number, point: Vec3, six: Float64Array): void {
    const { posed, force, moment } = this;
    for (let k = 0; k < 3; k++) {
      force[k] = six[k];
      moment[k] = six[3 + k];
    }
    addJointForces(gradient, posed.state, posed.model.robotParts[part].link, point, force, moment);
  }

  /** Converts derivatives by the motion of two bodies, in the frame of B, to the gradient by q. */
  private applyChainRule(
    out: JointGradient,
    pair: number,
    { a, b, differentiable }: BodyGradient | GrowthGradient,
  ): void {
    const { pairA, pairB, robotParts } = this.posed.model;
    const frame = this.posed.T_world_part[pairB[pair]];
    out.gradient.fill(0);
    out.differentiable = differentiable;
    this.addLocal(out.gradient, pairA[pair], frame, a);
    if (pairB[pair] < robotParts.length) this.addLocal(out.gradient, pairB[pair], frame, b);
  }

  private addLocal(gradient: Float64Array, part: number, T_world_b: Transform, six: Float64Array): void {
    const { posed, center, force, moment } = this;
    for (let k = 0; k < 3; k++) {
      force[k] = six[k];
      moment[k] = six[3 + k];
    }
    rotate(force, T_world_b, force);
    rotate(moment, T_world_b, moment);
    transformPoint(center, posed.T_world_part[part], posed.shapes[part].center);
    addJointForces(gradient, posed.state, posed.model.robotParts[part].link, center, force, moment);
  }
}

/**
 * Adds to `out` the joint forces of a force at `point` (world, metres) and a moment that act on a link: Jᵀ (force,
 * moment) at the q of the last `forwardKinematics`. With the derivatives of a scalar by the velocity of a point and by
 * the angular velocity of its body as force and moment, this is the chain rule: `out` is incremented by the derivative
 * of the scalar by q. Entry i of `out` is joint i of q; mimic joints contribute to the joint that they follow.
 */
function addJointForces(
  out: Float64Array,
  state: RobotState,
  link: number,
  point: Vec3,
  force: Vec3,
  moment: Vec3,
): void {
  const { links, joints } = state.model;
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable < 0) continue;
    const T = state.T_world_link[l]; // motion of the joint leaves its own axis unchanged
    const { axis } = joint;
    const zx = T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2];
    const zy = T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2];
    const zz = T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2];
    let along = 0;
    if (joint.type === 'prismatic') along = zx * force[0] + zy * force[1] + zz * force[2];
    else {
      // z · ((p − o) × f + m)
      const x = point[0] - T[3];
      const y = point[1] - T[7];
      const z = point[2] - T[11];
      along =
        zx * (y * force[2] - z * force[1] + moment[0]) +
        zy * (z * force[0] - x * force[2] + moment[1]) +
        zz * (x * force[1] - y * force[0] + moment[2]);
    }
    out[joint.variable] += joint.multiplier * along;
  }
}
