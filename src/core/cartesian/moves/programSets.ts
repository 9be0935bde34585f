import { IkBranch } from '../../kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { create, type Transform } from '../../math/transform.ts';
import { cos, sin } from '../../math/trigonometry.ts';
import { norm, type Vec3 } from '../../math/vec3.ts';
import type { ProgramMove } from '../../scene/moves/moveProgram.ts';
import { type CartesianLeg, reachWithin } from '../cartesianLeg.ts';
import { CornerSet } from './cornerSet.ts';
import { legOf } from './moveLeg.ts';
import { JointSet, LegSet, MixedSet, type MoveSet, walk } from './moveSet.ts';

/** A part of a program: a move between its blends, or a blend at its end. */
export interface ProgramPart {
  /** Index of the move. */
  readonly move: number;
  readonly isBlend: boolean;
  /** Undefined if the states cannot be bounded; `reason` states why. */
  readonly set: MoveSet | undefined;
  readonly reason?: string | undefined;
  /** State at the origin of the set. */
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

const WAITS = 'the program waits within a blend, and where the arm is then is not known';
const isWaiting = ({ move, share }: Placed) => move.waits === true && share > 0;

/** Sets of states of the moves of programs of one robot. One per thread. */
export class ProgramSets {
  private readonly branches: { frame: LinkFrame; branch: IkBranch | undefined }[] = [];

  constructor(readonly model: RobotModel) {}

  /** Returns the state at the end of a move from a state; undefined if it cannot be followed. */
  endOf(from: Configuration, move: ProgramMove): Configuration | undefined {
    return this.placed(from, move)?.to;
  }

  /** Returns the length of a move from a state, rad of the leading axis or m, and the turn of the tool, rad. */
  travelOf(from: Configuration, move: ProgramMove): { readonly length: number; readonly angle: number } {
    const placed = this.placed(from, move)!;
    return placed.leg ?? { length: longestOf(placed), angle: 0 };
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
      const parts = this.partsOf(placed, one, move);
      const isAfterWait = move > 0 && isWaiting(placed[move - 1]);
      return parts.map((part) => {
        const isOpen = isAfterWait || (part.isBlend && isWaiting(one));
        return isOpen ? { ...part, set: undefined, rates: undefined, reason: WAITS } : part;
      });
    });
  }

  /** Returns the part of a move between its blends, and the blend at its end. */
  private partsOf(placed: readonly Placed[], one: Placed, move: number): ProgramPart[] {
    const before = placed[move - 1];
    const begin = before && before.share > 0 ? this.beginOf(one, before.move.radius) : 0;
    const next = placed[move + 1];
    const rest = this.lineOf(one, move, begin, 1 - one.share);
    if (!(one.share > 0) || next === undefined) return [rest];
    const after = this.shareWithin(next, one.move.radius, false);
    return [rest, this.blendOf(one, next, move, begin, after)];
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
    const placed = { move, from, to: from, leg, branch, share: 0 };
    const set = legSetOf(placed, 0, 1);
    const ends = set.origin.map(() => 1);
    const to = walk(set, from, set.origin, ends);
    return to && { ...placed, to };
  }

  private lineOf(one: Placed, index: number, begin: number, end: number): ProgramPart {
    const { move, from, leg } = one;
    const part = { move: index, isBlend: false, q: from };
    if (!(begin <= end)) return { ...part, set: undefined, reason: 'the blends at its ends overlap' };
    if (leg) {
      const set = legSetOf(one, begin, end);
      return { ...part, set, ...(set.origin.length === 1 && { rates: [rateOf(move, leg.length)] }) };
    }
    const set = new JointSet(from, [vectorOf(one, 1)], begin, end);
    return { ...part, set, rates: [rateOf(move, longestOf(one))] };
  }

  private blendOf(one: Placed, next: Placed, index: number, begin: number, after: number): ProgramPart {
    const part = { move: index, isBlend: true, q: one.to };
    const open = (reason: string) => ({ ...part, set: undefined, reason });
    const isLong = (share: number, placed: Placed) => share >= 1 && !isStill(placed);
    if (one.share + begin > 1 || isLong(one.share, one) || isLong(after, next))
      return open('the blend radius exceeds a move beside it');
    if (one.leg && next.leg) {
      const set = cornerOf(one, next, after);
      return set ? { ...part, set } : open('the moves beside the blend turn the tool too far');
    }
    const [u, v] = [vectorOf(one, -one.share), vectorOf(next, after)];
    if (one.leg) return { ...part, set: new MixedSet(one.to, v, legSetOf(one, 1 - one.share, 1, 1)) };
    if (next.leg) return { ...part, set: new MixedSet(one.to, u, legSetOf(next, 0, after)) };
    if (!areAlike(one, next)) return open('the speeds before and after the blend are very different');
    const rates = [rateOf(one.move, longestOf(one)) / one.share, rateOf(next.move, longestOf(next)) / after];
    return { ...part, set: new JointSet(one.to, [u, v]), rates };
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

/** Returns a share of the displacement of a joint move. */
const vectorOf = ({ from, to }: Placed, share: number) => to.map((value, j) => share * (value - from[j]));

const legSetOf = ({ branch, leg, move }: Placed, from: number, to: number, origin?: number) =>
  new LegSet(branch!, leg!, move.isTangential === true, from, to, origin);

/** rad: the sum of the turns of the moves beside a blend, above which it is not enclosed; at most half a turn. */
const MAX_TURNS = 3;

/** Returns the states of the blend of two lines or arcs; undefined if they turn the tool too far. */
function cornerOf(one: Placed, next: Placed, after: number): MoveSet | undefined {
  const corner = create();
  one.leg!.poseAt(corner, 1);
  if (one.move.isTangential) one.branch!.pose(corner, one.to);
  const [before, behind] = [create(), create()];
  one.leg!.poseAt(before, 1 - one.share);
  next.leg!.poseAt(behind, after);
  const to = (T: Transform) => Float64Array.of(T[3] - corner[3], T[7] - corner[7], T[11] - corner[11]);
  const bulges = [bulgeOf(one.leg!, 1 - one.share, 1), bulgeOf(next.leg!, 0, after)].flat();
  const [u, v] = [turnOf(one, -one.share), turnOf(next, after)];
  if (!(norm(u) + norm(v) <= MAX_TURNS)) return undefined;
  const turns = { u: rodriguesOf(u), v: rodriguesOf(v) };
  return new CornerSet(one.branch!, corner, { u: to(before), v: to(behind) }, turns, bulges);
}

/** Returns the vector from the middle of the chord between two places of an arc to the arc; none of a line. */
function bulgeOf(leg: CartesianLeg, from: number, to: number): Vec3[] {
  if (leg.curvature === 0) return [];
  const [begin, middle, end] = [from, 0.5 * (from + to), to].map((s) => {
    const T = create();
    leg.poseAt(T, s);
    return T;
  });
  return [Float64Array.from([3, 7, 11], (k) => middle[k] - 0.5 * (begin[k] + end[k]))];
}

/** Returns the rotation of the tool from the corner within a blend: of the whole move, or its share if tangential. */
function turnOf({ leg, move }: Placed, share: number): Vec3 {
  const twist = new Float64Array(6);
  leg!.twistAt(twist, 0);
  const factor = move.isTangential ? share : Math.sign(share);
  return twist.subarray(3).map((value) => factor * value);
}

function rodriguesOf(rotation: Vec3): Vec3 {
  const angle = norm(rotation);
  const factor = angle > 0 ? tan(0.5 * angle) / angle : 0;
  return rotation.map((value) => factor * value);
}

const tan = (angle: number) => sin(angle) / cos(angle);
