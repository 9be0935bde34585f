import type { Configuration } from '../math/configuration.ts';
import type { Transform } from '../math/transform.ts';
import { acos, atan2, cos, PI, sin, wrapAngle } from '../math/trigonometry.ts';
import { forwardKinematics, RobotState } from './forwardKinematics.ts';
import { movingJoints } from './reach.ts';
import type { Joint, RobotModel } from './robotModel.ts';

type Triple = readonly [number, number, number];

/** Absolute, rad and m: tolerance for parallel and intersecting axes; solutions are refined numerically. */
const ALIGNED = 1e-6;
/** Likewise of calibrated arms, whose solutions are those of an arm nearby. */
const NEARLY_ALIGNED = 0.02;
/** Sine below which two axes count as parallel, so that they span no plane. */
const SPANNING = 0.1;
/**
 * Relative: an equation A cos θ + B sin θ = c that fails by less counts as solvable (stretched arm); of an arm nearby,
 * whose lengths differ.
 */
const [JUST_SOLVABLE, NEARLY_SOLVABLE] = [1e-7, 0.05];
/** 1 - cos of half the least distance of two starts of an arm nearby, which is 0.15 rad. */
const NEARLY_DOUBLE = 0.003;
/** Sine below which the fourth and the sixth axis count as parallel: the last angle is then free. */
const SINGULAR = 1e-7;
/** Number of values tried for a free angle, evenly spaced from that of `near`. */
const FREE_VALUES = 4;

/**
 * Closed-form inverse kinematics of arms built like the Universal Robots: six revolute joints, axes 2 to 4 parallel,
 * axes 5 and 6 intersecting; up to eight solutions [Hawkins13]. Independent of link lengths and frame conventions: only
 * the joint axes at the zero position are used, and the angles are solutions of Paden–Kahan subproblems [Murray94
 * §3.3.2].
 */
export class AnalyticArm {
  private constructor(
    private readonly chain: readonly Joint[],
    private readonly axes: readonly Triple[],
    /** A point on each of axes 1 to 4; the intersection of axes 5 and 6. */
    private readonly points: readonly Triple[],
    /** Pose of the link at the zero position, world frame. */
    private readonly T_home: Transform,
    /**
     * True if all solutions are found; false for an arm that is built like that up to the deviations of a calibration:
     * its solutions are starts of a refinement, and some may be missing.
     */
    readonly isExact: boolean,
  ) {}

  /** Returns the solver for the chain from the root to this link; undefined if the arm has another structure. */
  static recognise(model: RobotModel, link: number): AnalyticArm | undefined {
    return AnalyticArm.within(ALIGNED, model, link) ?? AnalyticArm.within(NEARLY_ALIGNED, model, link);
  }

  private static within(aligned: number, model: RobotModel, link: number): AnalyticArm | undefined {
    const chain = movingJoints(model, link);
    if (chain.length !== 6 || new Set(chain.map((joint) => joint.variable)).size !== 6) return undefined;
    if (chain.some(({ type, multiplier }) => type === 'prismatic' || Math.abs(multiplier) !== 1)) return undefined;
    const qHome = new Float64Array(model.dof);
    for (const { variable, multiplier, offset } of chain) qHome[variable] = -multiplier * offset;
    const state = new RobotState(model);
    forwardKinematics(state, qHome);
    const axes = chain.map(({ child, axis: [x, y, z] }) => turned(state.T_world_link[child], [x, y, z]));
    const points = chain.map(({ child }) => translationOf(state.T_world_link[child]));
    const [w1, w2, w3, w4, w5, w6] = axes;
    const parallel = norm(cross(w2, w3)) < aligned && norm(cross(w2, w4)) < aligned;
    const spanning = [cross(w1, w2), cross(w2, w5), cross(w5, w6)].every((normal) => norm(normal) > SPANNING);
    if (!parallel || !spanning) return undefined;
    const wrist = crossing(points[4], w5, points[5], w6, aligned);
    if (wrist === undefined) return undefined;
    points[4] = wrist;
    points[5] = wrist;
    return new AnalyticArm(chain, axes, points, state.T_world_link[link].slice(), aligned === ALIGNED);
  }

  /**
   * Returns all configurations of the pose, angles in [−π, π), without regard to limits. Joints of other branches and
   * angles that are free at a singular pose are taken from `near`. Near singular poses accurate only to about the
   * square root of machine epsilon: refine them.
   */
  solutions(T_world_link: Transform, near: Configuration): Configuration[] {
    const nearAngles = this.chain.map(({ variable, multiplier, offset }) => multiplier * near[variable] + offset);
    const found: Configuration[] = [];
    // G = T T_home⁻¹ = e1 e2 e3 e4 e5 e6, each the rotation about an axis at the zero position
    const G = motionBetween(this.T_home, T_world_link);
    for (const t1 of this.firstAngles(G, nearAngles[0])) {
      const G1 = undoTurn(G, this.axes[0], this.points[0], t1);
      for (const t5 of this.fifthAngles(G1)) {
        for (const t6 of this.sixthAngles(G1, t5, nearAngles[5])) {
          for (const [t2, t3, t4] of this.middleAngles(G1, t5, t6, nearAngles[1])) {
            found.push(this.configuration([t1, t2, t3, t4, t5, t6], near));
          }
        }
      }
    }
    return found;
  }

  private configuration(angles: readonly number[], near: Configuration): Configuration {
    const q = near.slice();
    for (const [i, { variable, multiplier, offset }] of this.chain.entries()) {
      q[variable] = wrapAngle(multiplier * (angles[i] - offset));
    }
    return q;
  }

  /** Rotations 2 to 4 move nothing along their axis n, and rotations 5 and 6 keep the wrist P: n · e1⁻¹ G P = n · P. */
  private firstAngles(G: Motion, near: number): number[] {
    const [w1, n] = this.axes;
    const v = minus(moved(G, this.points[4]), this.points[0]);
    const height = dot(n, minus(this.points[4], this.points[0]));
    const along = dot(w1, n);
    const across = minus(n, scaled(w1, along));
    const angles = anglesOf(dot(across, v), dot(cross(w1, n), v), height - along * dot(w1, v), this.isExact);
    return angles ?? spread(near);
  }

  /** n · (R1 ω6) = n · Rot(ω5, θ5) ω6 */
  private fifthAngles({ R }: Motion): number[] {
    const [, n, , , w5, w6] = this.axes;
    const along = dot(w5, w6);
    const across = minus(w6, scaled(w5, along));
    return (
      anglesOf(dot(n, across), dot(n, cross(w5, w6)), dot(n, times(R, w6)) - dot(n, w5) * along, this.isExact) ?? []
    );
  }

  /** Rot(ω5, −θ5) n = Rot(ω6, θ6) R1ᵀ n */
  private sixthAngles({ R }: Motion, t5: number, near: number): number[] {
    const [, n, , , w5, w6] = this.axes;
    const angle = angleAbout(w6, timesTransposed(R, n), rotated(n, w5, -t5));
    return angle === undefined ? spread(near) : [angle];
  }

  /** The remaining joints are a planar arm with links l1, l2 that must reach d with a total rotation of φ. */
  private middleAngles(G1: Motion, t5: number, t6: number, near: number): Triple[] {
    const [, n, w3, w4, w5, w6] = this.axes;
    const [, p2, p3, p4, p5, p6] = this.points;
    const G4 = undoTurnBehind(undoTurnBehind(G1, w6, p6, t6), w5, p5, t5);
    const flat = (v: Triple) => minus(v, scaled(n, dot(n, v)));
    const l1 = flat(minus(p3, p2));
    const l2 = flat(minus(p4, p3));
    const d = flat(minus(moved(G4, p4), p2));
    const square = dot(d, d) - dot(l1, l1) - dot(l2, l2);
    const elbows = anglesOf(dot(l1, l2), dot(l1, cross(n, l2)), square / 2, this.isExact) ?? [];
    const phi = angleAbout(n, w5, times(G4.R, w5)) ?? 0;
    return elbows.map((elbow) => {
      const reach = plus(l1, rotated(l2, n, elbow));
      const lift = angleAbout(n, reach, d) ?? near;
      return [lift, elbow * sign(w3, n), (phi - lift - elbow) * sign(w4, n)];
    });
  }
}

/** x → R x + t, R row-major. */
interface Motion {
  readonly R: readonly [Triple, Triple, Triple];
  readonly t: Triple;
}

/**
 * Both solutions θ in (−2π, 2π) of A cos θ + B sin θ = c; empty if there is none, undefined if every θ is a solution.
 */
function anglesOf(A: number, B: number, c: number, isExact: boolean): number[] | undefined {
  const r = Math.sqrt(A * A + B * B);
  if (r < SINGULAR) return Math.abs(c) < SINGULAR ? undefined : [];
  if (Math.abs(c) > r * (1 + (isExact ? JUST_SOLVABLE : NEARLY_SOLVABLE))) return [];
  const middle = atan2(B, A);
  // Of an arm nearby, starts on both sides of a double solution.
  const most = isExact ? 1 : 1 - NEARLY_DOUBLE;
  const half = acos(Math.min(most, Math.max(-most, c / r)));
  return half === 0 ? [middle] : [middle + half, middle - half];
}

/** Angle about the unit axis w from a to b, both projected along w; undefined if one of them is parallel to w. */
function angleAbout(w: Triple, a: Triple, b: Triple): number | undefined {
  const u = minus(a, scaled(w, dot(w, a)));
  const v = minus(b, scaled(w, dot(w, b)));
  if (norm(u) < SINGULAR || norm(v) < SINGULAR) return undefined;
  return atan2(dot(w, cross(u, v)), dot(u, v));
}

const spread = (near: number) => Array.from({ length: FREE_VALUES }, (_, i) => near + (2 * PI * i) / FREE_VALUES);

/** Midpoint of the shortest segment between two lines that (nearly) intersect. */
function crossing(p: Triple, u: Triple, q: Triple, v: Triple, aligned: number): Triple | undefined {
  const n = cross(u, v);
  const square = dot(n, n);
  const between = minus(q, p);
  if (Math.abs(dot(between, n)) > aligned * Math.sqrt(square)) return undefined;
  const onFirst = plus(p, scaled(u, dot(cross(between, v), n) / square));
  const onSecond = plus(q, scaled(v, dot(cross(between, u), n) / square));
  return scaled(plus(onFirst, onSecond), 0.5);
}

/** G with G · T_from = T_to. */
function motionBetween(T_from: Transform, T_to: Transform): Motion {
  const row = (i: number): Triple => {
    const entry = (j: number) =>
      T_to[4 * i] * T_from[4 * j] + T_to[4 * i + 1] * T_from[4 * j + 1] + T_to[4 * i + 2] * T_from[4 * j + 2];
    return [entry(0), entry(1), entry(2)];
  };
  const R = [row(0), row(1), row(2)] as const;
  return { R, t: minus(translationOf(T_to), times(R, translationOf(T_from))) };
}

/** e⁻¹ G for the rotation e by `angle` about the axis w through p. */
function undoTurn({ R, t }: Motion, w: Triple, p: Triple, angle: number): Motion {
  const columns = [0, 1, 2].map((j) => rotated([R[0][j], R[1][j], R[2][j]], w, -angle));
  const row = (i: number): Triple => [columns[0][i], columns[1][i], columns[2][i]];
  return { R: [row(0), row(1), row(2)], t: plus(p, rotated(minus(t, p), w, -angle)) };
}

/** G e⁻¹: the rows of R are rotated by the angle, because Rᵢ Rot(−θ) = (Rot(θ) Rᵢᵀ)ᵀ. */
function undoTurnBehind({ R, t }: Motion, w: Triple, p: Triple, angle: number): Motion {
  const turnedR = [rotated(R[0], w, angle), rotated(R[1], w, angle), rotated(R[2], w, angle)] as const;
  return { R: turnedR, t: plus(t, minus(times(R, p), times(turnedR, p))) };
}

/** Rodrigues: v cos θ + (w × v) sin θ + w (w · v)(1 − cos θ) */
function rotated(v: Triple, w: Triple, angle: number): Triple {
  const [c, s] = [cos(angle), sin(angle)];
  return plus(plus(scaled(v, c), scaled(cross(w, v), s)), scaled(w, dot(w, v) * (1 - c)));
}

const moved = ({ R, t }: Motion, p: Triple): Triple => plus(times(R, p), t);
const times = (R: Motion['R'], v: Triple): Triple => [dot(R[0], v), dot(R[1], v), dot(R[2], v)];
const timesTransposed = (R: Motion['R'], v: Triple): Triple =>
  plus(plus(scaled(R[0], v[0]), scaled(R[1], v[1])), scaled(R[2], v[2]));
const turned = (T: Transform, [x, y, z]: Triple): Triple => [
  T[0] * x + T[1] * y + T[2] * z,
  T[4] * x + T[5] * y + T[6] * z,
  T[8] * x + T[9] * y + T[10] * z,
];
const translationOf = (T: Transform): Triple => [T[3], T[7], T[11]];
const sign = (a: Triple, b: Triple) => (dot(a, b) < 0 ? -1 : 1);
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a: Triple) => Math.sqrt(dot(a, a));
const scaled = (a: Triple, factor: number): Triple => [factor * a[0], factor * a[1], factor * a[2]];
const plus = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
