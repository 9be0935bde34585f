import { IkBranch } from '../../kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { setRotationFromQuaternion } from '../../math/quaternion.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { cos, PI, sin } from '../../math/trigonometry.ts';
import { create as createVec3, cross, norm } from '../../math/vec3.ts';
import type { ProgramMove } from '../../scene/moves/moveProgram.ts';
import { arcLeg, type CartesianLeg, lineLeg, reachWithin } from '../cartesianLeg.ts';
import { CornerSet, JointSet, LegSet, type MoveSet, ORIGIN, walk } from './moveSet.ts';

/** A part of a program: a move between its blends, or a blend at its end. */
export interface ProgramPart {
  /** Index of the move. */
  readonly move: number;
  readonly isBlend: boolean;
  /** Undefined if the states cannot be bounded; `reason` states why. */
  readonly set: MoveSet | undefined;
  readonly reason?: string | undefined;
  /** State at the parameters (0, 0). */
  readonly q: Configuration;
  /**
   * Greatest rates of the parameters under trapezoidal profiles, 1/s, one each; undefined: they are not known. Turns of
   * lines below 1e-6 rad are not counted.
   */
  readonly rates?: readonly number[] | undefined;
}

/** A move with its ends. */
interface Placed {
  readonly move: ProgramMove;
  readonly from: Configuration;
  readonly to: Configuration;
  /** Undefined: straight in joint space. */
  readonly leg: CartesianLeg | undefined;
  readonly branch: IkBranch | undefined;
  /** Share of the move that belongs to the blend at its end. */
  share: number;
}

/** Fraction of a joint move: resolution of the search for the beginning of a blend. */
const SHARE_STEP = 1e-4;
/** Number of pieces of a line that is compared with its chord in joint space. */
const CHORD_PIECES = 32;

/** Sets of states of the moves of programs of one robot. One per thread. */
export class ProgramSets {
  private readonly branches: { frame: LinkFrame; branch: IkBranch | undefined }[] = [];

  constructor(readonly model: RobotModel) {}

  /**
   * Returns the state at the end of a move from a state; undefined if it cannot be followed.
   */
  endOf(from: Configuration, move: ProgramMove): Configuration | undefined {
    return this.placed(from, move)?.to;
  }

  /** Returns the parts of a program that begins at a state. Every move can be followed, as `endOf` returned. */
  parts(start: Configuration, moves: readonly ProgramMove[]): ProgramPart[] {
    let q = start;
    const placed = moves.map((move, i) => {
      const one = this.placed(q, move)!;
      q = one.to;
      const isBlended = move.radius > 0 && i + 1 < moves.length;
      return { ...one, share: isBlended ? this.shareWithin(one, move.radius, true) : 0 };
    });
    return placed.flatMap((one, move) => {
      const before = placed[move - 1];
      const begin = before && before.share > 0 ? this.beginOf(one, before.move.radius) : 0;
      const next = placed[move + 1];
      const rest = this.lineOf(one, move, begin, 1 - one.share);
      if (!(one.share > 0) || next === undefined) return [rest];
      const after = this.shareWithin(next, one.move.radius, false);
      return [rest, this.blendOf(one, next, move, begin, after)];
    });
  }

  /** Returns the share of a move that belongs to the blend before it; 1 if its region overlaps that of the next one. */
  private beginOf(one: Placed, radius: number): number {
    const isOverlapped = one.share > 0 && this.isWithin(one, radius + one.move.radius);
    return isOverlapped ? 1 : this.shareWithin(one, radius, false);
  }

  /** Returns true if the ends of a move are within a distance, however long its way is. */
  private isWithin({ from, to, branch }: Placed, distance: number): boolean {
    if (branch === undefined) return true;
    const [begin, end] = [create(), create()];
    branch.pose(begin, from);
    branch.pose(end, to);
    return norm(Float64Array.from([3, 7, 11], (k) => end[k] - begin[k])) < distance;
  }

  private branchOf(frame: LinkFrame): IkBranch | undefined {
    const known = this.branches.find((one) => one.frame === frame);
    if (known) return known.branch;
    const branch = IkBranch.of(this.model, frame);
    this.branches.push({ frame, branch });
    return branch;
  }

  private placed(from: Configuration, move: ProgramMove): Placed | undefined {
    const branch = this.branchOf(move.frame);
    if (move.joints) return { move, from, to: move.joints, leg: undefined, branch, share: 0 };
    if (branch === undefined) return undefined;
    const begin = create();
    branch.pose(begin, from);
    const leg = legOf(begin, move);
    if (leg === undefined) return undefined;
    const set = new LegSet(branch, leg, move.isTangential === true, 0, 1);
    const to = walk(set, from, ORIGIN, set.end);
    return to && { move, from, to, leg, branch, share: 0 };
  }

  private lineOf({ move, from, to, leg, branch }: Placed, index: number, begin: number, end: number): ProgramPart {
    const part = { move: index, isBlend: false, q: from };
    if (!(begin <= end)) return { ...part, set: undefined, reason: 'the blends at its ends overlap' };
    if (leg) {
      const set = new LegSet(branch!, leg, move.isTangential === true, begin, end);
      return { ...part, set, ...(set.root.hy === 0 && { rates: [rateOf(move, leg.length)] }) };
    }
    const along = to.map((value, j) => value - from[j]);
    const set = new JointSet(from, along, undefined, undefined, begin, end);
    return { ...part, set, rates: [rateOf(move, longestOf({ from, to }))] };
  }

  private blendOf(one: Placed, next: Placed, index: number, begin: number, after: number): ProgramPart {
    const part = { move: index, isBlend: true, q: one.to };
    const isLong = (share: number, placed: Placed) => share >= 1 && !isStill(placed);
    if (one.share + begin > 1 || isLong(one.share, one) || isLong(after, next))
      return { ...part, set: undefined, reason: 'the blend radius exceeds a move beside it' };
    if (one.leg && next.leg) return { ...part, set: cornerOf(one, next, after) };
    if (!one.leg && !next.leg && !areAlike(one, next))
      return { ...part, set: undefined, reason: 'the speeds before and after the blend are very different' };
    const [u, v] = [this.chord(one, one.share, true), this.chord(next, after, false)];
    if (u === undefined || v === undefined)
      return { ...part, set: undefined, reason: 'the states of the line beside its blend are not bounded' };
    const error = u.error.map((value, j) => Math.max(value, v.error[j]));
    const set = new JointSet(one.to, u.along, v.along, error);
    if (one.leg || next.leg) return { ...part, set };
    const rates = [rateOf(one.move, longestOf(one)) / one.share, rateOf(next.move, longestOf(next)) / after];
    return { ...part, set, rates };
  }

  /** Returns the joint vector from an end of a move to where its blend begins, and how far the move is from it. */
  private chord({ from, to, leg, branch, move }: Placed, share: number, isEnd: boolean) {
    if (leg === undefined) {
      const sign = isEnd ? -share : share;
      return { along: to.map((value, j) => sign * (value - from[j])), error: new Float64Array(from.length) };
    }
    const set = new LegSet(branch!, leg, move.isTangential === true, 0, 1);
    if (set.root.hy > 0) return undefined;
    const at = (k: number) => ({ ...ORIGIN, x: isEnd ? 1 - share * (k / CHORD_PIECES) : share * (k / CHORD_PIECES) });
    const corner = isEnd ? to : from;
    const far = walk(set, corner, at(0), at(CHORD_PIECES));
    if (far === undefined) return undefined;
    const along = far.map((value, j) => value - corner[j]);
    const error = new Float64Array(from.length);
    let q: Configuration | undefined = corner;
    for (let k = 0; k < CHORD_PIECES; k++) {
      const middle = { ...at(k + 0.5), hx: (0.5 * share) / CHORD_PIECES };
      q = walk(set, q, at(Math.max(0, k - 0.5)), middle);
      const cell = q && set.enclose(middle, q);
      if (q === undefined || cell === undefined) return undefined;
      for (const [j, value] of cell.q.entries()) {
        const onChord = corner[j] + ((k + 0.5) / CHORD_PIECES) * along[j];
        const slope = Math.abs(cell.generators[0][j]) + Math.abs((0.5 * along[j]) / CHORD_PIECES);
        error[j] = Math.max(error[j], Math.abs(value - onChord) + slope + cell.error[j]);
      }
    }
    return { along, error };
  }

  /**
   * Returns the share of a move from one of its ends outside of which the tool is beyond a distance from that end:
   * exactly for lines and arcs, at least that share for joint moves; 1 if both ends are within the distance.
   */
  private shareWithin(one: Placed, radius: number, isEnd: boolean): number {
    const { from, to, leg, branch } = one;
    if (branch === undefined || this.isWithin(one, radius)) return 1;
    if (leg) return reachWithin(leg, radius);
    const [near, far] = isEnd ? [to, from] : [from, to];
    const speed = branch.speedBound(near.map((value, j) => far[j] - value));
    const T = create();
    const center = create();
    branch.pose(center, near);
    for (let t = 1; t > 0; ) {
      branch.pose(
        T,
        near.map((value, j) => value + t * (far[j] - value)),
      );
      const distance = Math.sqrt((T[3] - center[3]) ** 2 + (T[7] - center[7]) ** 2 + (T[11] - center[11]) ** 2);
      if (!(distance > radius + speed * SHARE_STEP)) return t;
      t -= (distance - radius) / speed;
    }
    return SHARE_STEP;
  }
}

/** Ratio of rates up to which joint moves are alike: the manual warns of very different ones. */
const ALIKE = 2;

function areAlike(one: Placed, next: Placed): boolean {
  const isNear = (a: number, b: number) => a <= ALIKE * b && b <= ALIKE * a;
  const [a, b] = [one.move, next.move];
  if (a.time > 0 && b.time > 0) return isNear(longestOf(one) * b.time, longestOf(next) * a.time);
  return !(a.time > 0 || b.time > 0) && isNear(a.speed, b.speed) && isNear(a.acceleration, b.acceleration);
}

/**
 * Returns the greatest share of a move per second: that of its speed, or the peak of the triangular profile that takes
 * its time.
 */
const rateOf = ({ speed, time }: ProgramMove, length: number) =>
  length > 0 ? (time > 0 ? 2 / time : speed / length) : 0;

/** Returns the distance of the leading axis, rad. */
const longestOf = ({ from, to }: Pick<Placed, 'from' | 'to'>) =>
  Math.max(...from.map((value, j) => Math.abs(to[j] - value)));

/** rad, m: moves that are shorter are none. */
const STILL = 1e-9;

const isStill = ({ from, to }: Placed) => from.every((value, j) => Math.abs(to[j] - value) <= STILL);

function cornerOf(one: Placed, next: Placed, after: number): MoveSet {
  const corner = create();
  one.leg!.poseAt(corner, 1);
  if (one.move.isTangential) one.branch!.pose(corner, one.to);
  const [before, behind] = [create(), create()];
  one.leg!.poseAt(before, 1 - one.share);
  next.leg!.poseAt(behind, after);
  const to = (T: Transform) => Float64Array.of(T[3] - corner[3], T[7] - corner[7], T[11] - corner[11]);
  const bulge = (leg: CartesianLeg, share: number) => (leg.curvature * share * share) / 8;
  const position = Math.max(bulge(one.leg!, one.share), bulge(next.leg!, after));
  const angle = Math.max(one.leg!.angle, next.leg!.angle);
  return new CornerSet(one.branch!, corner, to(before), to(behind), position, angle);
}

/**
 * rad: rotations that are nearer to a half turn have two shortest ways, between which rounding errors and the
 * calibration of the arm decide.
 */
const HALF_TURN = 1e-3;
/** Ratio of the distances of the points of a circle below which rounding errors determine its plane and center. */
const NEAR = 0.01;

/** Returns the leg of a move from a pose; undefined if its points do not determine the way it goes. */
export function legOf(begin: Transform, { pose, via, isTangential }: ProgramMove): CartesianLeg | undefined {
  if (via !== undefined && !areApart(begin, via, pose!)) return undefined;
  const leg = via === undefined ? lineLeg(begin, pose!) : arcLeg(begin, via, pose!);
  if (leg && isTangential) return tangentialArc(leg);
  return leg && leg.angle <= PI - HALF_TURN ? leg : undefined;
}

function areApart(begin: Transform, via: ArrayLike<number>, end: Transform): boolean {
  const points = [[begin[3], begin[7], begin[11]], Array.from(via), [end[3], end[7], end[11]]];
  const sides = points.map((p, i) => norm(Float64Array.from(p, (x, k) => x - points[(i + 1) % 3][k])));
  return Math.min(...sides) >= NEAR * Math.max(...sides);
}

/** Returns an arc along which the orientation is kept relative to the tangent. */
function tangentialArc(arc: CartesianLeg): CartesianLeg {
  const [first, later] = [new Float64Array(6), new Float64Array(6)];
  arc.twistAt(first, 0);
  arc.twistAt(later, 0.25);
  const normal = createVec3();
  cross(normal, first.subarray(0, 3), later.subarray(0, 3));
  const length = norm(normal);
  const total = arc.curvature / arc.length;
  const axis = normal.map((value) => value / length);
  const turn = create();
  const poseAt = (out: Transform, s: number) => {
    arc.poseAt(out, s);
    const origin = [out[3], out[7], out[11]];
    const half = sin(0.5 * total * s);
    setRotationFromQuaternion(turn, [cos(0.5 * total * s), half * axis[0], half * axis[1], half * axis[2]]);
    compose(out, turn, arc.start);
    for (const [i, k] of [3, 7, 11].entries()) out[k] = origin[i];
  };
  const end = create();
  poseAt(end, 1);
  return {
    ...arc,
    end,
    angle: total,
    poseAt,
    twistAt(out, s) {
      arc.twistAt(out, s);
      for (let k = 0; k < 3; k++) out[3 + k] = total * axis[k];
    },
  };
}
