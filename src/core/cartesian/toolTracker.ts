import { jacobian, poseMovingLinks, RobotState } from '../kinematics/forwardKinematics.ts';
import { poseError } from '../kinematics/pose.ts';
import { movingJoints } from '../kinematics/reach.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { solveCholesky } from '../math/cholesky.ts';
import type { Configuration } from '../math/configuration.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import { LimitAvoidance } from './limitAvoidance.ts';

/** Relative to the largest diagonal entry of the normal matrix: keeps it positive definite for redundant arms. */
const DAMPING = 1e-13;
/** Pose error (metres, radians) at which a correction has converged. */
const CONVERGED = 1e-12;
/** Pose error of a converged correction that rounding no longer reduces. */
const ACCEPTED = 1e-9;
const MAX_CORRECTIONS = 8;
/** Maximum number of times that the rates of a tangent are refined. */
const MAX_REFINEMENTS = 4;
/** Size that a Newton step must not exceed, rad or m: a larger one is a jump to another IK branch. */
const MAX_STEP = 0.5;

/** Poses of the links that joints move, at the last q. Trackers of several frames share one; one per thread. */
export class PosedLinks {
  readonly state: RobotState;
  /** Number of changes of q so far. */
  changes = 0;
  private readonly q: Configuration;

  constructor(model: RobotModel) {
    this.state = new RobotState(model);
    this.q = new Float64Array(model.dof).fill(Number.NaN);
  }

  /** Poses the links at q. Returns the number of changes. */
  pose(q: Configuration): number {
    if (areEqual(this.q, q)) return this.changes;
    poseMovingLinks(this.state, q);
    this.q.set(q);
    return ++this.changes;
  }
}

/**
 * Newton's method for the pose of a tool frame, from a configuration nearby: solutions stay on one IK branch. Steps and
 * tangents of redundant arms have least norm. One per thread.
 */
export class ToolTracker {
  /** Pose of the tool frame at the q of the last `pose`, `correct` or `tangent`. */
  readonly T_world_tcp = create();
  /** Number of joints that move the tool frame. */
  readonly joints: number;
  /** True if a pose leaves the arm a self-motion. */
  readonly isRedundant: boolean;
  /** True if steps are solved for with the six rows of the Jacobian, otherwise with its columns. */
  private readonly isWide: boolean;
  /** The change of the links that `T_world_tcp` belongs to, and whether J does, too. */
  private change = -1;
  private isLinearised = false;
  private readonly J: Float64Array;
  private readonly order: number;
  private readonly normal: Float64Array;
  private readonly factor: Float64Array;
  private readonly right: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly step: Float64Array;
  private readonly point = new Float64Array(3);
  private readonly avoidance: LimitAvoidance;
  private readonly inverseWeights: Float64Array;

  /**
   * @param isRedundant undefined: true if more than six joints move the tool frame
   * @param inverseWeights of the joints in the norm of steps and tangents; undefined: 1
   * @param links of the model; those of other trackers, too
   */
  constructor(
    readonly model: RobotModel,
    readonly frame: LinkFrame,
    isRedundant?: boolean,
    inverseWeights?: Float64Array,
    private readonly links = new PosedLinks(model),
  ) {
    const { dof } = model;
    this.J = new Float64Array(6 * dof);
    this.joints = new Set(movingJoints(model, frame.link).map(({ variable }) => variable)).size;
    this.isRedundant = isRedundant ?? this.joints > 6;
    this.isWide = dof > 6 || this.isRedundant;
    this.order = this.isWide ? 6 : dof;
    this.normal = new Float64Array(this.order * this.order);
    this.factor = new Float64Array(this.order * this.order);
    this.right = new Float64Array(this.order);
    this.step = new Float64Array(dof);
    this.avoidance = new LimitAvoidance(model, frame.link);
    this.inverseWeights = inverseWeights ?? new Float64Array(dof).fill(1);
  }

  /** Computes `T_world_tcp` at q. */
  pose(q: Configuration): Transform {
    const { links, frame, T_world_tcp } = this;
    const change = links.pose(q);
    if (change === this.change) return T_world_tcp;
    this.change = change;
    this.isLinearised = false;
    const { state } = links;
    const { link, T_anchor_link } = state.anchors[frame.link];
    const T_world_link = state.T_world_link[frame.link];
    if (link !== frame.link) compose(T_world_link, state.T_world_link[link], T_anchor_link);
    compose(T_world_tcp, T_world_link, frame.T_link_frame);
    return T_world_tcp;
  }

  /**
   * Computes the twist of the tool frame for joint rates: linear velocity of its origin (m/s), angular velocity
   * (rad/s), world frame.
   */
  twist(out: Float64Array, q: Configuration, rates: ArrayLike<number>): void {
    this.linearise(q);
    this.multiply(out, rates);
  }

  /** Computes Jᵀ w: the joint gradient of a function whose derivative with respect to the twist is w. */
  transposed(out: Float64Array, q: Configuration, w: Float64Array): void {
    this.linearise(q);
    const { dof } = this.model;
    for (let j = 0; j < dof; j++) {
      let sum = 0;
      for (let row = 0; row < 6; row++) sum += this.J[row * dof + j] * w[row];
      out[j] = sum;
    }
  }

  /** Poses of the links that a joint moves, and of the link of the frame, in the world at the q of the last call. */
  get linkPoses(): readonly Transform[] {
    return this.links.state.T_world_link;
  }

  /**
   * Moves q in place until the tool frame is at the target, to 1e-9 m and rad. Returns false if that fails: the target
   * is out of reach from this IK branch, or the arm is singular; the values of q are then unspecified. Joint limits
   * are ignored.
   */
  correct(q: Configuration, T_target: Transform): boolean {
    const { error, step } = this;
    let before = Number.POSITIVE_INFINITY;
    for (let i = 0; i < MAX_CORRECTIONS; i++) {
      this.linearise(q);
      poseError(error, this.T_world_tcp, T_target);
      const size = maxMagnitude(error);
      if (size <= CONVERGED || (size <= ACCEPTED && size > 0.5 * before)) return true;
      before = size;
      this.solve(step, error);
      if (!(maxMagnitude(step) <= MAX_STEP)) return false;
      for (let j = 0; j < q.length; j++) q[j] += step[j];
    }
    poseError(error, this.pose(q), T_target);
    return maxMagnitude(error) <= ACCEPTED;
  }

  /**
   * Computes the joint rates of least norm that move the tool frame by a twist (linear, angular; world frame). Returns
   * the residual, the largest component of the twist minus J · rates: nonzero where the arm cannot produce the twist.
   * @param accepted next to a singularity, where the damping is noticeable, the rates are refined up to this residual
   */
  tangent(out: Float64Array, q: Configuration, twist: Float64Array, accepted: number): number {
    this.linearise(q);
    this.solve(out, twist);
    return this.refineRates(out, twist, accepted, this.inverseWeights);
  }

  /**
   * As `tangent`, with joint rates that keep the joints of a redundant arm from their limits: those of least weighted
   * distance from the preferred ones (`LimitAvoidance`). Equal to `tangent` if no joint is near a limit.
   * @param speed of the tool frame that preferred rates are proportional to
   */
  avoidingTangent(out: Float64Array, q: Configuration, twist: Float64Array, accepted: number, speed: number): number {
    const { error, step, avoidance } = this;
    const isNear = avoidance.update(q, speed);
    if (!isNear) return this.tangent(out, q, twist, accepted);
    this.linearise(q);
    out.set(avoidance.preferred);
    this.missedTwist(out, twist);
    this.solve(step, error, avoidance.inverseWeights);
    for (let j = 0; j < out.length; j++) out[j] += step[j];
    return this.refineRates(out, twist, accepted, avoidance.inverseWeights);
  }

  /**
   * Changes joint rates as little as possible (L2) such that they move the tool frame by a twist. Returns the largest
   * component that they miss, as `tangent`.
   */
  completeTangent(rates: Float64Array, q: Configuration, twist: Float64Array, accepted: number): number {
    this.linearise(q);
    return this.refineRates(rates, twist, accepted, this.inverseWeights);
  }

  /** Refines joint rates until they miss at most `accepted` of a twist. Returns what they miss. */
  private refineRates(out: Float64Array, twist: Float64Array, accepted: number, inverseWeights: Float64Array): number {
    const { error, step } = this;
    let missed = this.missedTwist(out, twist);
    for (let i = 0; i < MAX_REFINEMENTS && missed > accepted; i++) {
      this.solve(step, error, inverseWeights);
      for (let j = 0; j < out.length; j++) out[j] += step[j];
      missed = this.missedTwist(out, twist);
    }
    return missed;
  }

  /** Projects joint rates at q onto those that do not move the tool frame. */
  projectToSelfMotion(rates: Float64Array, q: Configuration): void {
    const { error, step } = this;
    this.linearise(q);
    this.multiply(error, rates);
    this.solve(step, error);
    for (let j = 0; j < rates.length; j++) rates[j] -= step[j];
  }

  /** Computes the part of a twist that joint rates miss: `error`. Returns its largest component. */
  private missedTwist(rates: Float64Array, twist: Float64Array): number {
    const { error } = this;
    this.multiply(error, rates);
    for (let i = 0; i < 6; i++) error[i] = twist[i] - error[i];
    return maxMagnitude(error);
  }

  private multiply(out: Float64Array, rates: ArrayLike<number>): void {
    const { dof } = this.model;
    for (let row = 0; row < 6; row++) {
      let sum = 0;
      for (let j = 0; j < dof; j++) sum += this.J[row * dof + j] * rates[j];
      out[row] = sum;
    }
  }

  private linearise(q: Configuration): void {
    const { links, frame, J, point } = this;
    const T = this.pose(q);
    if (this.isLinearised) return;
    point[0] = T[3];
    point[1] = T[7];
    point[2] = T[11];
    jacobian(J, links.state, frame.link, point);
    this.isLinearised = true;
  }

  /**
   * Solves J x = e in the sense of least squares and least norm: (JᵀJ) x = Jᵀe; for dof > 6 of least weighted norm:
   * x = W⁻¹Jᵀ (J W⁻¹ Jᵀ)⁻¹ e.
   */
  private solve(x: Float64Array, e: Float64Array, inverseWeights = this.inverseWeights): void {
    const { J, model, order, normal, factor, right, isWide } = this;
    const { dof } = model;
    let most = 0;
    for (let a = 0; a < order; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        if (isWide) for (let j = 0; j < dof; j++) sum += J[a * dof + j] * J[b * dof + j] * inverseWeights[j];
        else for (let row = 0; row < 6; row++) sum += J[row * dof + a] * J[row * dof + b];
        normal[order * a + b] = sum;
      }
      most = Math.max(most, normal[(order + 1) * a]);
      right[a] = isWide ? e[a] : 0;
      if (!isWide) for (let row = 0; row < 6; row++) right[a] += J[row * dof + a] * e[row];
    }
    for (let a = 0; a < order; a++) normal[(order + 1) * a] += DAMPING * most;
    factor.set(normal);
    if (!solveCholesky(factor, right, order)) right.fill(0);
    for (let j = 0; j < dof; j++) {
      let sum = isWide ? 0 : right[j];
      if (isWide) for (let row = 0; row < 6; row++) sum += J[row * dof + j] * right[row];
      x[j] = sum * inverseWeights[j];
    }
  }
}

function areEqual(a: Configuration, b: Configuration): boolean {
  if (a.length !== b.length) return false;
  for (let j = 0; j < a.length; j++) if (a[j] !== b[j]) return false;
  return true;
}

function maxMagnitude(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/** Returns the length of a part of a twist across another one. */
export function across(twist: Float64Array, along: Float64Array, at: number): number {
  let [aa, ab, bb] = [0, 0, 0];
  for (let i = at; i < at + 3; i++) {
    aa += twist[i] * twist[i];
    ab += twist[i] * along[i];
    bb += along[i] * along[i];
  }
  return Math.sqrt(Math.max(0, aa - (bb > 0 ? (ab * ab) / bb : 0)));
}
