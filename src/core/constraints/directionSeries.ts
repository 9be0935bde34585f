import { RobotState } from '../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import { compose, create, rotate } from '../math/transform.ts';
import { sinCos } from '../math/trigonometry.ts';
import { type Vec3, create as vec3 } from '../math/vec3.ts';
import { deviationOf, parallelGroups } from './directionBounds.ts';

/** Number of coefficients: of degree 3. */
const TERMS = 4;
/** Numbers per joint: rotation K0 + sin q · K1 + cos q · K2 into the frame of the joint before, and its axis. */
const JOINT_SIZE = 30;
/** Unit roundoff of doubles; roundings of the polynomial per joint, and of bounds: relative, with a large reserve. */
const UNIT = 2 ** -53;
const JOINT_ROUNDING = 128 * UNIT;
const BOUND_ROUNDING = 1e-12;

/**
 * Taylor polynomial of a direction fixed to a link, along a straight motion in joint space:
 *   a(x) = c₀ + c₁ x + c₂ x² + c₃ x³ + r(x), ‖r(x)‖ <= S₄ x⁴ / 24 for |x| <= 1
 * with x = 0 in the middle of an interval and ±1 at its ends. The direction is rotated joint by joint from the link to
 * the base, u ← exp(w x [z]) u with the axis z of the joint and w the angle it turns by in half the interval. Bounds on
 * the derivatives follow from the same product, with d the sine of the angle between z and u:
 *   Sₙ ← Sₙ + Σ_{0<i<n} C(n, i) wⁱ Sₙ₋ᵢ + wⁿ d
 * Consecutive joints with parallel axes turn u as one joint, by the sum of their angles; with ε the deviation of their
 * axes and m the sum of the magnitudes of their angles, the n-th derivative of their product differs from that of one
 * joint by at most Dₙ = ε (n + m) mⁿ (all factors are rotations), so that Sₙ grows by Σᵢ C(n, i) Dᵢ Sₙ₋ᵢ, S₀ = 1.
 *
 * The coefficients are sums of products of the single angles, which may be much larger than the derivatives if joints
 * turn in opposite directions: with M the sum of the magnitudes of all angles, rounding errors are bounded relative to
 * 1 + M + M²/2 + M³/6.
 */
export class DirectionSeries {
  /** Output of `compute`: c₀ to c₃, in the frame of the root. */
  readonly coefficients = new Float64Array(3 * TERMS);
  /** Output of `compute`: the direction differs from the polynomial by at most `remainder` x⁴ + `rounding`. */
  remainder = 0;
  rounding = 0;
  /** The direction in the frame of the last joint. */
  private readonly direction: Vec3 = vec3();
  // By joint, from the link to the base.
  private readonly constants: Float64Array;
  private readonly variables: Int32Array;
  private readonly factors: Float64Array;
  /** Sign of the axis relative to the first one of its group; 0 of prismatic joints. */
  private readonly signs: Int8Array;
  /** Number of joints of a group, at its first joint; 0 elsewhere. */
  private readonly sizes: Int32Array;
  private readonly sinAndCos = new Float64Array(2);
  /** Scratch: bounds S₁ to S₄. */
  private readonly bounds = new Float64Array(4);

  /** @param axis direction in the frame, a unit vector */
  constructor(model: RobotModel, frame: LinkFrame, axis: Vec3) {
    const state = new RobotState(model);
    const { link, T_anchor_link } = state.anchors[frame.link];
    const T = create();
    compose(T, T_anchor_link, frame.T_link_frame);
    rotate(this.direction, T, axis);
    const chain: number[] = [];
    for (let j = state.links.indexOf(link); j >= 0; j = state.links.indexOf(state.parents[j])) chain.push(j);
    this.variables = Int32Array.from(chain, (j) => state.variables[j]);
    this.factors = Float64Array.from(chain.flatMap((j) => [state.factors[2 * j], state.factors[2 * j + 1]]));
    this.constants = new Float64Array(JOINT_SIZE * chain.length);
    this.signs = new Int8Array(chain.length);
    this.sizes = new Int32Array(chain.length);
    const groups = parallelGroups(model, frame.link);
    for (const [i, j] of chain.entries()) {
      const joint = model.joints[model.links[state.links[j]].joint];
      const size = state.constants.length / state.links.length;
      this.constants.set(state.constants.subarray(size * j, size * j + 27), JOINT_SIZE * i);
      this.constants.set(joint.axis, JOINT_SIZE * i + 27);
      for (const group of groups) {
        const member = group.find((one) => one.joint === joint);
        if (!member) continue;
        this.signs[i] = member.sign;
        this.sizes[i] = group[0] === member ? group.length : 0;
      }
    }
  }

  /**
   * Computes the polynomial.
   * @param q the state in the middle of the interval
   * @param rates velocities of the joints, rad or m per unit of t, constant over the interval
   * @param half half of the length of the interval, in units of t
   */
  compute(q: Configuration, rates: Float64Array, half: number): void {
    const { coefficients: c, variables, factors, signs, sizes, bounds, sinAndCos, direction } = this;
    c.fill(0);
    for (let i = 0; i < 3; i++) c[i] = direction[i];
    bounds.fill(0);
    let net = 0;
    let most = 0;
    let sine = 0;
    let members = 0;
    let gross = 0;
    let error = JOINT_ROUNDING;
    for (let i = 0, o = 0; i < variables.length; i++, o += JOINT_SIZE) {
      if (signs[i] === 0) {
        this.turn(o, 0, 0);
        continue;
      }
      const w = half * factors[2 * i] * rates[variables[i]];
      if (sizes[i] > 0) {
        this.widen(net, most, sine, members);
        net = 0;
        most = 0;
        sine = this.sineAt(o) + error;
        members = sizes[i];
      }
      net += signs[i] * w;
      most += Math.abs(w);
      gross += Math.abs(w);
      if (w !== 0) this.expand(o, w);
      const angle = factors[2 * i] * q[variables[i]];
      error += JOINT_ROUNDING + 2 * UNIT * (Math.abs(angle) + Math.abs(factors[2 * i + 1]));
      sinCos(sinAndCos, angle + factors[2 * i + 1]);
      this.turn(o, sinAndCos[0], sinAndCos[1]);
    }
    this.widen(net, most, sine, members);
    this.remainder = (bounds[3] / 24) * (1 + BOUND_ROUNDING);
    this.rounding = error * (1 + gross * (1 + gross * (1 / 2 + gross / 6)));
  }

  /** Multiplies the polynomial by that of exp(w x [z]) = 1 + w x [z] + …, z the axis of a joint. */
  private expand(o: number, w: number): void {
    const { coefficients: c, constants } = this;
    const x = constants[o + 27];
    const y = constants[o + 28];
    const z = constants[o + 29];
    // [z] c₀, [z]² c₀; [z]³ = −[z]
    const ax = y * c[2] - z * c[1];
    const ay = z * c[0] - x * c[2];
    const az = x * c[1] - y * c[0];
    const bx = y * az - z * ay;
    const by = z * ax - x * az;
    const bz = x * ay - y * ax;
    // [z] c₁, [z]² c₁
    const dx = y * c[5] - z * c[4];
    const dy = z * c[3] - x * c[5];
    const dz = x * c[4] - y * c[3];
    const ex = y * dz - z * dy;
    const ey = z * dx - x * dz;
    const ez = x * dy - y * dx;
    // [z] c₂
    const fx = y * c[8] - z * c[7];
    const fy = z * c[6] - x * c[8];
    const fz = x * c[7] - y * c[6];
    const w2 = (w * w) / 2;
    const w3 = (w * w * w) / 6;
    c[9] += w * fx + w2 * ex - w3 * ax;
    c[10] += w * fy + w2 * ey - w3 * ay;
    c[11] += w * fz + w2 * ez - w3 * az;
    c[6] += w * dx + w2 * bx;
    c[7] += w * dy + w2 * by;
    c[8] += w * dz + w2 * bz;
    c[3] += w * ax;
    c[4] += w * ay;
    c[5] += w * az;
  }

  /** Rotates the coefficients into the frame of the joint before: by K0 + s K1 + c K2. */
  private turn(o: number, s: number, c: number): void {
    const { coefficients: v, constants: K } = this;
    const l0 = K[o] + s * K[o + 9] + c * K[o + 18];
    const l1 = K[o + 1] + s * K[o + 10] + c * K[o + 19];
    const l2 = K[o + 2] + s * K[o + 11] + c * K[o + 20];
    const l3 = K[o + 3] + s * K[o + 12] + c * K[o + 21];
    const l4 = K[o + 4] + s * K[o + 13] + c * K[o + 22];
    const l5 = K[o + 5] + s * K[o + 14] + c * K[o + 23];
    const l6 = K[o + 6] + s * K[o + 15] + c * K[o + 24];
    const l7 = K[o + 7] + s * K[o + 16] + c * K[o + 25];
    const l8 = K[o + 8] + s * K[o + 17] + c * K[o + 26];
    for (let i = 0; i < 3 * TERMS; i += 3) {
      const x = v[i];
      const y = v[i + 1];
      const z = v[i + 2];
      v[i] = x * l0 + y * l1 + z * l2;
      v[i + 1] = x * l3 + y * l4 + z * l5;
      v[i + 2] = x * l6 + y * l7 + z * l8;
    }
  }

  /**
   * Returns a bound, over the interval, on the sine of the angle between the direction and the axis of the next joint.
   */
  private sineAt(o: number): number {
    const { coefficients: c, constants, bounds } = this;
    const x = constants[o + 27];
    const y = constants[o + 28];
    const z = constants[o + 29];
    const ax = y * c[2] - z * c[1];
    const ay = z * c[0] - x * c[2];
    const az = x * c[1] - y * c[0];
    return Math.sqrt(ax * ax + ay * ay + az * az) + bounds[0];
  }

  /**
   * Adds the turn of a group of parallel joints to the bounds on the derivatives.
   * @param net sum of their angles, with the signs of their axes
   * @param most sum of the magnitudes of their angles
   * @param sine bound on the sine of the angle to their axis
   * @param members their number
   */
  private widen(net: number, most: number, sine: number, members: number): void {
    const { bounds: s } = this;
    const s1 = s[0];
    const s2 = s[1];
    const s3 = s[2];
    const s4 = s[3];
    const w = Math.min(most, Math.abs(net) + BOUND_ROUNDING * most);
    const d = Math.min(1, sine);
    s[0] += w * d;
    s[1] += w * (2 * s1 + w * d);
    s[2] += w * (3 * s2 + w * (3 * s1 + w * d));
    s[3] += w * (4 * s3 + w * (6 * s2 + w * (4 * s1 + w * d)));
    if (members === 1) return;
    const ε = deviationOf(members);
    const d0 = ε * most;
    const d1 = ε * (1 + most) * most;
    const d2 = ε * (2 + most) * most * most;
    const d3 = ε * (3 + most) * most * most * most;
    const d4 = ε * (4 + most) * most * most * most * most;
    s[0] += d1 + d0 * s1;
    s[1] += d2 + 2 * d1 * s1 + d0 * s2;
    s[2] += d3 + 3 * (d2 * s1 + d1 * s2) + d0 * s3;
    s[3] += d4 + 4 * (d3 * s1 + d1 * s3) + 6 * d2 * s2 + d0 * s4;
  }
}
