/** Motions of the set of a program of moves: lines, arcs and corner curves at any progress; no project code. */
import type { Random } from '../../../../src/core/math/random.ts';
import {
  add,
  dist,
  mix,
  mulTransposed,
  type OracleArm,
  type Pose,
  rotationVector,
  slerp,
  turnedBy,
} from './movesOracle.ts';

export interface Target {
  readonly kind: 'movej' | 'movel' | 'movep' | 'pose' | 'movec';
  readonly q?: readonly number[];
  readonly pose?: Pose;
  readonly via?: readonly number[];
  /** Of `movec`: the orientation is fixed relative to the tangent (`mode=1`). */
  readonly isTangential?: boolean;
  readonly radius: number;
}

/** A leg between blends: `at(s, turn)` the pose at the fractions of position and orientation, or joint positions. */
export interface Leg {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly at?: (s: number, turn: number) => Pose;
  /** Length of the line or arc. */
  readonly travel?: number;
}

/** An arm with its tool center point. */
export interface Tool {
  readonly arm: OracleArm;
  readonly tcp: readonly number[];
}

/** Steps by which the oracle follows a leg to its end. */
const FOLLOWED = 60;

/**
 * Returns the legs of a program from a state; undefined if the oracle cannot follow it. `taken` are the joint positions
 * of the targets of `movej` to poses.
 */
export function legsOf(
  tool: Tool,
  start: readonly number[],
  targets: readonly Target[],
  taken: readonly (ArrayLike<number> | undefined)[],
): Leg[] | undefined {
  const { arm, tcp } = tool;
  const legs: Leg[] = [];
  let from = [...start];
  for (const [i, target] of targets.entries()) {
    const joints = target.kind === 'movej' ? target.q! : target.kind === 'pose' ? Array.from(taken[i]!) : undefined;
    const way = joints ? {} : wayOf(arm.toolPose(from, tcp), target);
    if (way === undefined) return undefined;
    const { at } = way as ReturnType<typeof wayOf> & object;
    let to: number[] | undefined = joints ? [...joints] : from;
    for (let k = 1; k <= FOLLOWED && to && at; k++) to = arm.solve(to, at(k / FOLLOWED, k / FOLLOWED), tcp);
    if (to === undefined) return undefined;
    if (target.pose && dist(arm.toolPose(to, tcp).p, target.pose.p) > 1e-8) throw new Error('the oracle is wrong');
    legs.push({ from, to, ...way });
    from = to;
  }
  return legs;
}

/** Returns the poses of a line or an arc, and its length. */
function wayOf(begin: Pose, { pose, via, isTangential }: Target): Pick<Leg, 'at' | 'travel'> | undefined {
  const whole = rotationVector(mulTransposed(pose!.R, begin.R));
  const turn = (s: number) => turnedBy(begin.R, whole, s);
  if (!via) return { at: (s, k) => ({ p: mix(begin.p, pose!.p, s), R: turn(k) }), travel: dist(begin.p, pose!.p) };
  const circle = circleOf(begin.p, via, pose!.p);
  if (!circle) return undefined;
  const { place, axis, swept, radius } = circle;
  const fixed = (s: number) => turnedBy(begin.R, axis, swept * s);
  return { at: (s, k) => ({ p: place(s), R: isTangential ? fixed(s) : turn(k) }), travel: radius * swept };
}

function circleOf(a: readonly number[], b: readonly number[], c: readonly number[]) {
  const [u, v] = [add(b, a, -1), add(c, a, -1)];
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((s, n, i) => s + n * y[i], 0);
  const [uu, vv, uv] = [dot(u, u), dot(v, v), dot(u, v)];
  const det = 2 * (uu * vv - uv * uv);
  if (det < 1e-7) return undefined;
  const [s, t] = [(vv * (uu - uv)) / det, (uu * (vv - uv)) / det];
  const center = add(add(a, u, s), v, t);
  const e1 = add(a, center, -1);
  const w = add(b, center, -1);
  const raw = add(w, e1, -dot(w, e1) / dot(e1, e1));
  let e2 = raw.map((x) => (x * Math.hypot(...e1)) / Math.hypot(...raw));
  const angleOf = (p: readonly number[]) =>
    (Math.atan2(dot(add(p, center, -1), e2), dot(add(p, center, -1), e1)) + 2 * Math.PI) % (2 * Math.PI);
  let swept = angleOf(c);
  if (angleOf(b) > swept) {
    swept = 2 * Math.PI - swept;
    e2 = e2.map((x) => -x);
  }
  const radius = Math.hypot(...e1);
  const normal = [e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2], e1[0] * e2[1] - e1[1] * e2[0]];
  return {
    place: (x: number) => add(add(center, e1, Math.cos(swept * x)), e2, Math.sin(swept * x)),
    axis: normal.map((x) => x / Math.hypot(...normal)),
    swept,
    radius,
  };
}

/** A part of a motion: the state at a fraction of it, found from a state nearby; undefined if that fails. */
export type Piece = (x: number, near: readonly number[]) => readonly number[] | undefined;

/** Returns one motion of the set as its parts, in order; undefined if the oracle cannot follow it. */
export function member(
  tool: Tool,
  legs: readonly Leg[],
  targets: readonly Target[],
  random: Random,
): Piece[] | undefined {
  const { arm, tcp } = tool;
  const out: Piece[] = [];
  let [begin, turned] = [0, 0];
  for (const [i, leg] of legs.entries()) {
    const next = legs[i + 1];
    const { radius } = targets[i];
    const share = next && radius > 0 ? shareOf(tool, leg, radius, true) * shareWithin(random) : 0;
    const progress = progressOf(random, begin, 1 - share, turned);
    const { at } = leg;
    const first = begin;
    out.push(
      at
        ? (x, near) => arm.solve(near, at(...progress(x)), tcp)
        : (x) => mix(leg.from, leg.to, first + (1 - share - first) * x),
    );
    begin = turned = 0;
    if (!(share > 0)) continue;
    begin = shareOf(tool, next, radius, false) * shareWithin(random);
    turned = random.below(2) * random.between(0, 1);
    const blend =
      at && next.at
        ? poseBlend(tool, random, leg, progress(1), next, [begin, turned])
        : jointBlend(tool, random, leg, at ? progress(1) : [1 - share, 0], next, [begin, turned]);
    if (blend === undefined) return undefined;
    out.push(blend);
  }
  return out;
}

/** Share of a blend that is used: often all of it. */
const shareWithin = (random: Random) => (random.below(3) === 0 ? 1 : random.between(0.3, 1));

/** Poses of a blend of two lines or arcs: of a curve in the triangle, or along both to the corner. */
function poseBlend(
  { arm, tcp }: Tool,
  random: Random,
  leg: Leg,
  [from, turnedFrom]: readonly number[],
  next: Leg,
  [to, turnedTo]: readonly number[],
): Piece {
  const [a, b, c] = [leg.at!(from, turnedFrom), leg.at!(1, 1), next.at!(to, turnedTo)];
  const around = (x: number) => (x < 0.5 ? leg.at!(mix([from], [1], 2 * x)[0], 1).p : next.at!(to * (2 * x - 1), 0).p);
  const curve = random.below(5) === 0 ? around : curveOf(random, a.p, b.p, c.p);
  const turn = turnOf(random, a.R, b.R, c.R);
  const turned = [(x: number) => x, early, late][random.below(3)];
  return (x, near) => arm.solve(near, { p: curve(x), R: turn(turned(x)) }, tcp);
}

/** States of a blend beside a joint move: a curve in the triangle, or the sum of both moves, each at its progress. */
function jointBlend(
  tool: Tool,
  random: Random,
  leg: Leg,
  [from, turnedFrom]: readonly number[],
  next: Leg,
  [to, turnedTo]: readonly number[],
): Piece | undefined {
  const corner = leg.to;
  const last = leg.at ? stateAlong(tool, corner, leg.at, [1, 1], [from, turnedFrom]) : mix(leg.from, corner, from);
  const far = next.at ? stateAlong(tool, corner, next.at, [0, 0], [to, turnedTo]) : mix(next.from, next.to, to);
  if (last === undefined || far === undefined) return undefined;
  if (random.below(2) === 0) return curveOf(random, last, corner, far);
  // With the first move late and the second one early, their sum passes the corner of all sums that is farthest away.
  const [f, g] = random.below(3) === 0 ? [late, early] : [powerOf(random), powerOf(random)];
  const before = along(tool, leg, last, [from, turnedFrom], [1, 1]);
  const after = along(tool, next, corner, [0, 0], [to, turnedTo]);
  return (x) => {
    const [one, other] = [before(f(x)), after(g(x))];
    return one && other && one.map((value, j) => value + other[j] - corner[j]);
  };
}

/** States of a leg between two of its places, position and orientation, followed from the first one. */
function along(
  tool: Tool,
  { at, from, to }: Leg,
  first: readonly number[],
  a: readonly number[],
  b: readonly number[],
) {
  let near: readonly number[] | undefined = first;
  return (x: number): readonly number[] | undefined => {
    if (at === undefined) return mix(from, to, a[0] + x * (b[0] - a[0]));
    const [s, turn] = mix(a, b, x);
    near = near && tool.arm.solve(near, at(s, turn), tool.tcp);
    return near;
  };
}

/** The state at a place of a leg, from that at another one; undefined if the oracle cannot follow it. */
function stateAlong(
  { arm, tcp }: Tool,
  q: readonly number[],
  at: NonNullable<Leg['at']>,
  a: readonly number[],
  b: readonly number[],
): number[] | undefined {
  let found: number[] | undefined = [...q];
  for (let k = 1; k <= FOLLOWED && found; k++) {
    const [s, turn] = mix(a, b, k / FOLLOWED);
    found = arm.solve(found, at(s, turn), tcp);
  }
  return found;
}

/** Progress in the second or the first half alone. */
const late = (x: number) => Math.max(0, 2 * x - 1);
const early = (x: number) => Math.min(1, 2 * x);

function powerOf(random: Random): (x: number) => number {
  const power = Math.exp(random.between(-1, 1));
  return (x) => x ** power;
}

/** Progress of position and orientation on a leg: by a power law, or the one after the other. */
function progressOf(random: Random, from: number, to: number, turned: number): (x: number) => [number, number] {
  const power = powerOf(random);
  const family = random.below(4);
  const last = to < 1 ? random.between(turned, 1) : 1;
  const place = (x: number) => from + (to - from) * x;
  const turn = (x: number) => turned + (last - turned) * x;
  if (family === 0) return (x) => [place(late(x)), turn(early(x))];
  if (family === 1) return (x) => [place(early(x)), turn(late(x))];
  return (x) => [place(x), turn(power(x))];
}

/** Orientations within a blend: the rotation from the first to the last, or one that is drawn to that at the corner. */
function turnOf(random: Random, a: Pose['R'], b: Pose['R'], c: Pose['R']): (x: number) => Pose['R'] {
  const power = powerOf(random);
  if (random.below(2) === 0) return (x) => slerp(a, c, power(x));
  return (x) => slerp(slerp(a, b, power(x)), slerp(b, c, power(x)), power(x));
}

/** A curve within the triangle: quadratic or cubic Bezier curve, or polyline, up to the corner or the chord. */
function curveOf(random: Random, a: readonly number[], b: readonly number[], c: readonly number[]) {
  const family = random.below(4);
  const w = random.below(3) === 0 ? random.below(2) : random.between(0, 1);
  const m = mix(mix(a, c, 0.5), b, w);
  if (family === 0) return (s: number) => mix(mix(a, m, s), mix(m, c, s), s);
  if (family === 1) return (s: number) => (s < 0.5 ? mix(a, m, 2 * s) : mix(m, c, 2 * s - 1));
  const [d, e] = [mix(a, b, w), mix(c, b, random.between(0, 1))];
  if (family === 2)
    return (s: number) => mix(mix(mix(a, d, s), mix(d, e, s), s), mix(mix(d, e, s), mix(e, c, s), s), s);
  return (s: number) => mix(mix(a, b, s), mix(b, c, s), s);
}

/** The share of a leg within a distance of one of its ends. */
function shareOf({ arm, tcp }: Tool, leg: Leg, radius: number, isEnd: boolean): number {
  const place = (s: number) => (leg.at ? leg.at(s, s).p : arm.toolPose(mix(leg.from, leg.to, s), tcp).p);
  const corner = place(isEnd ? 1 : 0);
  let [low, high] = [0, 1];
  for (let k = 0; k < 40; k++) {
    const s = 0.5 * (low + high);
    if (dist(place(isEnd ? 1 - s : s), corner) < radius) low = s;
    else high = s;
  }
  return low;
}

/** States of a motion at `steps` + 1 places of each of its parts; undefined if the oracle cannot follow it. */
export function sampledStates(
  pieces: readonly Piece[],
  start: readonly number[],
  steps: number,
): number[][][] | undefined {
  let last = start;
  const out: number[][][] = [];
  for (const piece of pieces) {
    const states: number[][] = [];
    for (let k = 0; k <= steps; k++) {
      const n = states.length;
      // Continued along a parabola, a state is next to the one that is sought.
      const near = n < 3 ? last : last.map((x, j) => 3 * x - 3 * states[n - 2][j] + states[n - 3][j]);
      const q = piece(k / steps, near);
      if (q === undefined || dist(q, last) > 0.5) return undefined;
      states.push([...q]);
      last = q;
    }
    out.push(states);
  }
  return out;
}
