import type { Configuration } from '../../math/configuration.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { forwardKinematics, jacobian, RobotState } from '../forwardKinematics.ts';
import { poseError } from '../pose.ts';
import { movingJoints } from '../reach.ts';
import type { RobotModel } from '../robotModel.ts';
import type { LinkFrame } from '../toolCenterPoint.ts';
import { JacobianBend, normOf } from './jacobianBend.ts';

/**
 * Poses about a pose C, as far as they matter to inverse kinematics: those that the twists reach (Σ cₖ times twist k,
 * |cₖ| <= 1: metres, then the rotation vector, radians, world frame), and all within `position` and `angle` of one of
 * these.
 */
export interface PoseChart {
  readonly center: Transform;
  readonly twists: readonly Float64Array[];
  /** Metres. */
  readonly position: number;
  /** Radians. */
  readonly angle: number;
}

/** States about q: q + Σ cₖ times generator k + e with |cₖ| <= 1, |eⱼ| <= errorⱼ. */
export interface StateCell {
  readonly q: Configuration;
  readonly generators: readonly Float64Array[];
  readonly error: Float64Array;
  /**
   * Greatest |q' − Σ dₖ times generator k| of each joint at a state of the cell, |dₖ| <= 1, where q' is the joint rate
   * at which the frame moves with the twist Σ dₖ times twist k; absent: not known.
   */
  readonly rateError?: Float64Array;
}

/** States with known rates. */
export type RatedCell = StateCell & Required<Pick<StateCell, 'rateError'>>;

/** Returns the greatest |q − q₀| of each joint in a cell about q₀. */
export const boxOf = ({ generators, error }: Pick<StateCell, 'generators' | 'error'>): Float64Array =>
  error.map((value, j) => generators.reduce((sum, generator) => sum + Math.abs(generator[j]), value));

/** Encloses a cell by one with a single generator, its longest: the others are part of the error. */
export function alongLongest({ q, generators, error }: StateCell): StateCell {
  const length = (generator: Float64Array) => generator.reduce((sum, value) => sum + Math.abs(value), 0);
  const longest = generators.reduce((most, one) => (length(one) > length(most) ? one : most));
  const others = generators.filter((one) => one !== longest);
  return { q, generators: [longest], error: boxOf({ generators: others, error }) };
}

const ORDER = 6;
/** m, rad: rounding of poses, which is added to every chart. */
const ROUNDING = 1e-11;
/** Pose error (m, rad) that Newton's method must reach, and its maximum number of steps. */
const CONVERGED = 1e-10;
const NEWTON_STEPS = 12;
/** rad: rotations of a chart that are larger are not enclosed. */
const MAX_ANGLE = 1;
/** Rounding of the inverse Jacobian, relative to the product of its size and that of the Jacobian. */
const INVERSE_ROUNDING = 1e-13;
/** Relative to the Jacobian: pivots that are smaller are taken as singular. */
const SINGULAR = 1e-9;

/** Pose of the frame at a state, the inverse Y of its Jacobian, and bounds on the change of the Jacobian. */
interface KnownState {
  readonly T: Transform;
  readonly Y: Float64Array;
  readonly bend: JacobianBend;
}

/**
 * Encloses one branch of the inverse kinematics of an arm of six turning joints: the states that q' = J(q)⁻¹ ξ reaches
 * along the motion from one pose to another with the constant twist ξ. They are in a box about q₀ in which J stays
 * regular, from bounds on the change of Y J (`JacobianBend`), Y ≈ J(q₀)⁻¹.
 * One per thread.
 */
export class IkBranch {
  private readonly state: RobotState;
  private readonly variables: readonly number[];
  /** Maximum distance of the origin of the frame from each axis, metres. */
  private readonly levers: readonly number[];
  private readonly J: Float64Array;
  /** Jacobian of the joints that move the frame. */
  private readonly square = new Float64Array(ORDER * ORDER);
  private readonly error = new Float64Array(ORDER);
  private readonly T = create();
  /** Of the states of cells, by their arrays, which callers do not write to. */
  private readonly known = new WeakMap<Configuration, KnownState | undefined>();

  private constructor(
    readonly model: RobotModel,
    readonly frame: LinkFrame,
  ) {
    this.state = new RobotState(model);
    this.J = new Float64Array(ORDER * model.dof);
    this.variables = movingJoints(model, frame.link).map(({ variable }) => variable);
    this.levers = leversOf(model, frame);
  }

  /** Returns the branches of a frame; undefined unless six turning joints of their own move it. */
  static of(model: RobotModel, frame: LinkFrame): IkBranch | undefined {
    const chain = movingJoints(model, frame.link);
    const isArm =
      chain.length === ORDER &&
      new Set(chain.map(({ variable }) => variable)).size === ORDER &&
      chain.every(({ type, multiplier }) => type !== 'prismatic' && Math.abs(multiplier) === 1);
    return isArm ? new IkBranch(model, frame) : undefined;
  }

  /** Computes the pose of the frame at q. */
  pose(out: Transform, q: Configuration): void {
    const { state, frame } = this;
    forwardKinematics(state, q);
    compose(out, state.T_world_link[frame.link], frame.T_link_frame);
  }

  /** Returns a bound on the speed of the frame's origin for a constant rate of the joints, metres per unit. */
  speedBound(rates: ArrayLike<number>): number {
    return this.variables.reduce((sum, variable, i) => sum + Math.abs(rates[variable]) * this.levers[i], 0);
  }

  /** Encloses the states of the branch through q, whose pose is about the center of the chart; undefined: it fails. */
  enclose(q: Configuration, chart: PoseChart): StateCell | undefined {
    return this.bounded(q, chart)?.cell;
  }

  private bounded(q: Configuration, { center, twists, position, angle }: PoseChart) {
    const { error, variables, levers } = this;
    const known = this.knownAt(q);
    if (known === undefined) return undefined;
    const { Y, T, bend } = known;
    poseError(error, T, center);
    const offset = normOf(error, 0) + position + ROUNDING * (1 + levers[0]);
    const turn = twists.reduce((sum, twist) => sum + normOf(twist, 3), 0);
    const tilt = normOf(error, 3) + angle + ROUNDING;
    if (!(turn + tilt <= MAX_ANGLE)) return undefined;
    // The rotation vector of two rotations in sequence differs from their sum by at most their product.
    const twisted = tilt + turn * tilt;
    const steps = twists.map((twist) => variables.map((_, i) => dotRow(Y, i, twist)));
    const moved = steps.reduce((sum, step) => step.reduce((most, value) => most + Math.abs(value), sum), 0);
    const slack = Array.from(bend.linear, (lin, i) => {
      const ang = bend.angular[i];
      return (lin * offset + ang * twisted) * (1 + 1e-9) + INVERSE_ROUNDING * (lin * levers[0] + ang) * moved + 1e-15;
    });
    const within = bend.bounds(steps, slack);
    if (within === undefined) return undefined;
    const ofJoints = (values: readonly number[]) => spread(q.length, variables, values);
    const [most, rateError] = [ofJoints(within.error), ofJoints(within.rateError)];
    return { bend, cell: { q, generators: steps.map(ofJoints), error: most, rateError } };
  }

  /** Returns pose and inverse Jacobian at q, computed once per array; undefined if the Jacobian is singular. */
  private knownAt(q: Configuration): KnownState | undefined {
    const { known, square, levers } = this;
    const found = known.get(q);
    if (found !== undefined || known.has(q)) return found;
    const Y = this.inverseAt(q);
    const one = Y && { Y, T: Float64Array.from(this.T), bend: new JacobianBend(square, Y, levers) };
    known.set(q, one);
    return one;
  }

  /**
   * Returns the state of the branch through q at the center of another chart, which is within `chart`, whose center is
   * the pose of q; undefined if that is not proved.
   */
  continued(q: Configuration, chart: PoseChart, next: Transform): Configuration | undefined {
    const around = this.bounded(q, chart);
    if (around === undefined) return undefined;
    const box = boxOf(around.cell);
    const isUnique = around.bend.isRegular(
      this.variables.map((variable) => box[variable]),
      true,
    );
    const found = isUnique ? this.newton(q, next) : undefined;
    const at = found && this.enclose(found, { center: next, twists: [], position: 0, angle: 0 });
    if (at === undefined) return undefined;
    return q.every((value, j) => Math.abs(at.q[j] - value) + at.error[j] <= box[j]) ? at.q : undefined;
  }

  /** Solves for a pose by Newton's method, from a state nearby; undefined if it does not converge. */
  newton(q: Configuration, target: Transform): Configuration | undefined {
    const { error, variables } = this;
    const found = Float64Array.from(q);
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const Y = this.inverseAt(found);
      poseError(error, this.T, target);
      if (normOf(error, 0) <= CONVERGED && normOf(error, 3) <= CONVERGED) return found;
      if (Y === undefined) return undefined;
      for (const [i, variable] of variables.entries()) found[variable] += dotRow(Y, i, error);
    }
    return undefined;
  }

  /** Poses the arm at q: computes `T` and `square`, and returns the inverse Jacobian, undefined if singular. */
  private inverseAt(q: Configuration): Float64Array | undefined {
    const { state, frame, T, J, variables, model, square } = this;
    this.pose(T, q);
    jacobian(J, state, frame.link, [T[3], T[7], T[11]] as unknown as Float64Array);
    for (let i = 0; i < ORDER; i++)
      for (let k = 0; k < ORDER; k++) square[ORDER * i + k] = J[model.dof * i + variables[k]];
    return inverted(Float64Array.from(square));
  }
}

/** Returns, base first, the greatest distance of the frame's origin from each axis over all states. */
function leversOf({ links, joints }: RobotModel, { link, T_link_frame }: LinkFrame): number[] {
  const levers: number[] = [];
  let length = lengthOf(T_link_frame);
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable >= 0) levers.unshift(length);
    length += lengthOf(joint.T_parent_joint);
  }
  return levers;
}

const lengthOf = (T: Transform) => Math.sqrt(T[3] * T[3] + T[7] * T[7] + T[11] * T[11]);

function dotRow(Y: Float64Array, row: number, v: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < ORDER; k++) sum += Y[ORDER * row + k] * v[k];
  return sum;
}

function spread(dof: number, variables: readonly number[], values: readonly number[]): Float64Array {
  const out = new Float64Array(dof);
  for (const [i, variable] of variables.entries()) out[variable] = values[i];
  return out;
}

/** Inverts a matrix of order 6 by elimination with pivots; undefined if it is singular. */
function inverted(A: Float64Array): Float64Array | undefined {
  const out = new Float64Array(ORDER * ORDER);
  for (let i = 0; i < ORDER; i++) out[ORDER * i + i] = 1;
  for (let c = 0; c < ORDER; c++) {
    let pivot = c;
    for (let r = c + 1; r < ORDER; r++) if (Math.abs(A[ORDER * r + c]) > Math.abs(A[ORDER * pivot + c])) pivot = r;
    const value = A[ORDER * pivot + c];
    if (!(Math.abs(value) > SINGULAR)) return undefined;
    for (let k = 0; k < ORDER; k++) {
      [A[ORDER * c + k], A[ORDER * pivot + k]] = [A[ORDER * pivot + k], A[ORDER * c + k]];
      [out[ORDER * c + k], out[ORDER * pivot + k]] = [out[ORDER * pivot + k], out[ORDER * c + k]];
    }
    for (let k = 0; k < ORDER; k++) {
      A[ORDER * c + k] /= value;
      out[ORDER * c + k] /= value;
    }
    for (let r = 0; r < ORDER; r++) {
      const factor = A[ORDER * r + c];
      if (r === c || factor === 0) continue;
      for (let k = 0; k < ORDER; k++) {
        A[ORDER * r + k] -= factor * A[ORDER * c + k];
        out[ORDER * r + k] -= factor * out[ORDER * c + k];
      }
    }
  }
  return out;
}
