import type { Configuration } from '../math/configuration.ts';
import { compose, create, rotateBack, type Transform } from '../math/transform.ts';
import { PI, sinCos } from '../math/trigonometry.ts';
import { forwardKinematics, jacobian, RobotState } from './forwardKinematics.ts';
import { NormalEquations } from './normalEquations.ts';
import { isWithinAxes, type PoseTolerance, poseError } from './pose.ts';
import type { RobotModel } from './robotModel.ts';

/** Initial damping, relative to the largest diagonal entry of Jᵀ J: larger values take smaller first steps. */
const FIRST_DAMPING = 1e-3;
/** Minimum damping, relative likewise: keeps the matrix positive definite for singular or redundant arms. */
const MIN_DAMPING = 1e-12;
/** Squared error at which the descent has converged (rad², positions divided by the size of the arm): 1e-14 rad. */
const CONVERGED = 1e-28;
/** The descent ends after this many consecutive steps that reduce the cost by less than this share. */
const STALLED = 1e-3;
const STALLED_STEPS = 5;
/** Maximum number of attempts per step, with increasing damping. */
const MAX_TRIES = 12;

/** Bounds of the joints in a descent. */
export interface Box {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

/**
 * Moves a frame of one link to a pose by damped least squares: Δq = (Jᵀ J + μ I)⁻¹ Jᵀ e [Wampler86], where μ is adapted
 * to the gain ratio of each step [Madsen04 §3.2]. Joints at a limit that the step would exceed are kept fixed. One per
 * thread.
 */
export class PoseDescent {
  /** Errors of the last q: metres, radians; the angle without the components about free axes. */
  positionError = 0;
  angleError = 0;
  /** Rotation vector from the target to the frame at the last q, in the axes of the target. */
  private readonly rotation = new Float64Array(3);
  /** Components of the rotation beyond the slack of each axis; unused if the slack is one angle. */
  private readonly excess = new Float64Array(3);
  private readonly T_world_frame = create();
  private readonly origin = new Float64Array(3);
  private readonly state: RobotState;
  private readonly jacobian: Float64Array;
  private readonly error = new Float64Array(6);
  /** Jᵀ e. */
  private readonly gradient: Float64Array;
  private readonly equations: NormalEquations;
  private readonly qNext: Float64Array;

  /**
   * @param size metres; a position error of this size weighs as much as one radian
   * @param T_link_frame the frame that is moved to the pose
   */
  constructor(
    private readonly model: RobotModel,
    private readonly link: number,
    private readonly size: number,
    private readonly T_link_frame: Transform = create(),
  ) {
    const { dof } = model;
    this.state = new RobotState(model);
    this.jacobian = new Float64Array(6 * dof);
    this.gradient = new Float64Array(dof);
    this.equations = new NormalEquations(dof);
    this.qNext = new Float64Array(dof);
  }

  /**
   * Moves q in place, within the box, until the link is at the target or the descent stalls.
   * @param slack errors up to this size do not count
   * @returns the squared weighted residual
   */
  descend(q: Configuration, T_target: Transform, box: Box, slack: PoseTolerance, iterations: number): number {
    const { model, equations, qNext, gradient } = this;
    const { step } = equations;
    let cost = this.costAt(q, T_target, slack);
    let damping = -1;
    let growth = 2;
    let stalled = 0;
    for (let i = 0; i < iterations && cost > CONVERGED && stalled < STALLED_STEPS; i++) {
      const scale = this.linearise(q, T_target, box, slack);
      if (scale === 0) return cost;
      damping = damping < 0 ? FIRST_DAMPING * scale : damping;
      let gained = false;
      for (let tries = 0; tries < MAX_TRIES && !gained; tries++) {
        damping = Math.max(damping, MIN_DAMPING * scale);
        equations.solve(damping);
        let foreseen = 0;
        for (let j = 0; j < model.dof; j++) {
          foreseen += step[j] * (damping * step[j] + gradient[j]);
          qNext[j] = Math.min(Math.max(q[j] + step[j], box.lower[j]), box.upper[j]);
        }
        const next = this.costAt(qNext, T_target, slack);
        gained = next < cost;
        if (gained) {
          stalled = next > (1 - STALLED) * cost ? stalled + 1 : 0;
          const gain = 2 * ((cost - next) / foreseen) - 1;
          damping *= Math.max(1 / 3, 1 - gain * gain * gain);
          growth = 2;
          cost = next;
          q.set(qNext);
        } else {
          damping *= growth;
          growth *= 2;
        }
      }
      if (!gained) break;
    }
    return this.costAt(q, T_target, slack);
  }

  /** Computes the errors at q; returns true if they are within the tolerance. */
  isWithin(q: Configuration, T_target: Transform, tolerance: PoseTolerance): boolean {
    this.costAt(q, T_target, tolerance);
    const { position, angle } = tolerance;
    const isOriented = typeof angle === 'number' ? this.angleError <= angle : isWithinAxes(this.rotation, angle);
    return isOriented && this.positionError <= position;
  }

  /** Computes the error at q; returns its squared weighted part beyond the slack. */
  private costAt(q: Configuration, T_target: Transform, slack: PoseTolerance): number {
    const { error, state, link, size, T_world_frame, rotation } = this;
    forwardKinematics(state, q);
    compose(T_world_frame, state.T_world_link[link], this.T_link_frame);
    poseError(error, T_world_frame, T_target);
    const [x, y, z, wx, wy, wz] = error;
    this.positionError = Math.sqrt(x * x + y * y + z * z);
    // R_targetᵀ R = exp(r) with R_target = exp(w) R: r = −R_targetᵀ w
    rotation.set([-wx, -wy, -wz]);
    rotateBack(rotation, T_target, rotation);
    const position = shareBeyond(this.positionError, slack.position) / size;
    for (let i = 0; i < 3; i++) error[i] *= position;
    if (typeof slack.angle === 'number') {
      this.angleError = Math.sqrt(wx * wx + wy * wy + wz * wz);
      const angle = shareBeyond(this.angleError, slack.angle);
      for (let i = 3; i < 6; i++) error[i] *= angle;
    } else this.setExcess(slack.angle);
    let cost = 0;
    for (let i = 0; i < 6; i++) cost += error[i] * error[i];
    return cost;
  }

  /** Computes the angular error per axis: minus the excess of each component of the rotation vector. */
  private setExcess(slack: readonly [number, number, number]): void {
    const { error, rotation, excess } = this;
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const isFree = slack[i] >= PI;
      if (!isFree) sum += rotation[i] * rotation[i];
      excess[i] = isFree ? 0 : rotation[i] * shareBeyond(Math.abs(rotation[i]), slack[i]);
      error[3 + i] = -excess[i];
    }
    this.angleError = Math.sqrt(sum);
  }

  /**
   * Sets up the normal equations at the q of the last `costAt`; returns the largest diagonal entry of Jᵀ J, 0 if no
   * joint can reduce the error.
   */
  private linearise(q: Configuration, T_target: Transform, { lower, upper }: Box, slack: PoseTolerance): number {
    const { model, state, link, error, gradient, size, jacobian: J, T_world_frame: T, origin } = this;
    const { dof } = model;
    origin.set([T[3], T[7], T[11]]);
    jacobian(J, state, link, origin);
    // Components within the slack are free to change, so their rows must not restrict the step.
    const isPositionReached = this.positionError <= slack.position;
    for (let k = 0; k < 3 * dof; k++) J[k] = isPositionReached ? 0 : J[k] / size;
    if (typeof slack.angle !== 'number') this.setAxisRows(T_target);
    else if (this.angleError <= slack.angle) J.fill(0, 3 * dof);
    for (let j = 0; j < dof; j++) {
      let sum = 0;
      for (let row = 0; row < 6; row++) sum += J[row * dof + j] * error[row];
      const stopped = (sum > 0 && q[j] >= upper[j]) || (sum < 0 && q[j] <= lower[j]);
      if (stopped) for (let row = 0; row < 6; row++) J[row * dof + j] = 0;
      gradient[j] = stopped ? 0 : sum;
    }
    return this.equations.set(J, gradient, error);
  }

  /**
   * Replaces the angular rows of the Jacobian by the derivatives of the rotation vector r in the axes of the target: dr
   * = (I − ½ [r]× + c [r]×²) R_targetᵀ ω with c = 1/θ² − cot(θ/2)/(2θ), θ = ‖r‖. Rows of axes within their slack are 0.
   */
  private setAxisRows(T_target: Transform): void {
    const { jacobian: J, model, rotation, excess } = this;
    const { dof } = model;
    const [x, y, z] = rotation;
    const c = turnCoefficient(x * x + y * y + z * z);
    for (let j = 0; j < dof; j++) {
      const rows = [3 * dof + j, 4 * dof + j, 5 * dof + j];
      column.set([J[rows[0]], J[rows[1]], J[rows[2]]]);
      rotateBack(column, T_target, column);
      const [a, b, d] = column;
      const [ux, uy, uz] = [y * d - z * b, z * a - x * d, x * b - y * a]; // r × ω
      const [vx, vy, vz] = [y * uz - z * uy, z * ux - x * uz, x * uy - y * ux]; // r × (r × ω)
      J[rows[0]] = excess[0] === 0 ? 0 : a - 0.5 * ux + c * vx;
      J[rows[1]] = excess[1] === 0 ? 0 : b - 0.5 * uy + c * vy;
      J[rows[2]] = excess[2] === 0 ? 0 : d - 0.5 * uz + c * vz;
    }
  }
}

const column = new Float64Array(3);

/** rad²: below this squared angle, 1/θ² − cot(θ/2)/(2θ) is 1/12 up to rounding. */
const SMALL_ANGLE = 1e-6;

/** 1/θ² − cot(θ/2)/(2θ) for θ² in [0, π²]. */
function turnCoefficient(squared: number): number {
  if (squared < SMALL_ANGLE) return 1 / 12;
  const angle = Math.sqrt(squared);
  sinCos(halfAngle, angle / 2);
  return 1 / squared - halfAngle[1] / (2 * angle * halfAngle[0]);
}

const halfAngle = new Float64Array(2);

/** Share of a length that exceeds `slack`. */
const shareBeyond = (length: number, slack: number) => (length > slack ? 1 - slack / length : 0);
