import { distanceBetween } from '../../core/math/configuration.ts';
import { type Arc, cubicArc, lineArc, partOf, stateAt } from '../../core/trajectory/retiming/arc.ts';
import { StatePusher } from './pushState.ts';
import type { RepairWorld } from './repairWorld.ts';

/** Longest distance between knots, rad or m (L2), and bounds on their number. */
const KNOT_STEP = 0.04;
const MIN_KNOTS = 16;
const MAX_KNOTS = 200;
/** Maximum number of pushes of one interval. */
const MAX_PUSHES = 60;
/** Metres: clearance beyond the padding that the first push aims at, and its growth with each push. */
const FIRST_MARGIN = 5e-4;
const MARGIN_GROWTH = 1.08;
/** Half the width of a bump, as a multiple of the push; at least a multiple of the distance between knots. */
const WIDTH_PER_PUSH = 3;
const WIDTH_PER_KNOT = 3;

/** One point of an interval at which it may be moved. */
interface Knot {
  /** Index of the arc that begins at or contains the knot, and its time; for the last knot the end of the last arc. */
  readonly arc: number;
  readonly u: number;
  readonly positions: readonly number[];
  /** Velocities just before and just after the knot. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Distance along the interval, rad or m (L2). */
  readonly along: number;
  /** Displacement, and its derivative by `along`. */
  readonly offset: Float64Array;
  readonly slope: Float64Array;
  /** True once a bump has moved the knot. */
  moved: boolean;
  /** Clearance beyond the padding; undefined after a change. */
  clearance: number | undefined;
}

/**
 * Deforms an interval of a curve until it is proved valid: states in collision are pushed along clearance gradients,
 * and the curve about them by smooth bumps. Its ends do not move, and parts that no bump reaches remain the same curve.
 * The times of the curve remain. Undefined if that fails.
 * @param straight keeps all arcs straight lines
 */
export function pushInterval(world: RepairWorld, arcs: readonly Arc[], straight: boolean): Arc[] | undefined {
  const knots = knotsOf(arcs);
  const pusher = new StatePusher(world);
  const proved = new Set<string>();
  let margin = FIRST_MARGIN;
  for (let n = 0; n < MAX_PUSHES; n++, margin *= MARGIN_GROWTH) {
    if (world.interrupt()) return undefined;
    let worst = worstKnot(knots, pusher);
    let q = worst === undefined ? undefined : stateOf(knots[worst]);
    if (worst === undefined) {
      const candidate = deformed(arcs, knots, straight);
      const fault = firstFault(world, candidate, proved);
      if (fault === undefined) return candidate;
      q = Float64Array.from(fault.q);
      worst = nearestKnot(knots, fault.q);
    }
    if (worst <= 0 || worst >= knots.length - 1) return undefined;
    const height = pusher.push(q!, margin)?.map((x, j) => x - q![j]);
    if (height === undefined || !addBump(knots, worst, height)) return undefined;
  }
  return undefined;
}

function knotsOf(arcs: readonly Arc[]): Knot[] {
  const lengths = arcs.map(lengthOf);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const step = Math.max(Math.min(KNOT_STEP, total / MIN_KNOTS), total / MAX_KNOTS);
  const knots: Knot[] = [];
  let along = 0;
  const add = (arc: number, u: number, before: readonly number[]) => {
    const { positions, velocities: after } = stateAt(arcs[arc], u);
    const last = knots.at(-1);
    if (last) along += distanceBetween(last.positions, positions);
    const row = () => new Float64Array(positions.length);
    knots.push({
      arc,
      u,
      positions,
      before,
      after,
      along,
      offset: row(),
      slope: row(),
      moved: false,
      clearance: undefined,
    });
  };
  for (const [k, arc] of arcs.entries()) {
    add(k, 0, arcs[k - 1]?.to.velocities ?? arc.from.velocities);
    const count = Math.max(1, Math.ceil(lengths[k] / step));
    for (let i = 1; i < count; i++) {
      const u = (i / count) * arc.duration;
      add(k, u, stateAt(arc, u).velocities);
    }
  }
  const last = arcs.length - 1;
  add(last, arcs[last].duration, arcs[last].to.velocities);
  return knots;
}

/** Returns the length of the polyline through nine states of an arc. */
function lengthOf(arc: Arc): number {
  let length = 0;
  for (let i = 1; i <= 8; i++)
    length += distanceBetween(
      stateAt(arc, ((i - 1) / 8) * arc.duration).positions,
      stateAt(arc, (i / 8) * arc.duration).positions,
    );
  return length;
}

const stateOf = ({ positions, offset }: Knot) => Float64Array.from(positions, (x, j) => x + offset[j]);

/** Returns the index of the knot deepest in collision; undefined if all are proved valid. */
function worstKnot(knots: readonly Knot[], pusher: StatePusher): number | undefined {
  let worst: number | undefined;
  for (const [k, knot] of knots.entries()) {
    knot.clearance ??= pusher.clearance(stateOf(knot), FIRST_MARGIN);
    if (!(knot.clearance > 0) && (worst === undefined || knot.clearance < knots[worst].clearance!)) worst = k;
  }
  return worst;
}

function nearestKnot(knots: readonly Knot[], q: ArrayLike<number>): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (const [k, knot] of knots.entries()) {
    const distance = distanceBetween(stateOf(knot), q);
    if (distance < least) [nearest, least] = [k, distance];
  }
  return nearest;
}

/** Returns the state of the first fault of the curve; undefined if it is proved valid. */
function firstFault(world: RepairWorld, arcs: readonly Arc[], proved: Set<string>) {
  for (const arc of arcs) {
    const key = JSON.stringify([arc.duration, arc.from, arc.to]);
    if (proved.has(key)) continue;
    const time = world.newFaultTime(arc);
    if (time !== undefined) return { q: stateAt(arc, time).positions };
    proved.add(key);
  }
  return undefined;
}

/** Moves the knots about a knot by a bump (1 − z²)² of the given height; returns false if there is no width for it. */
function addBump(knots: readonly Knot[], center: number, height: Float64Array): boolean {
  const { along } = knots[center];
  const [first, last] = [knots[0].along, knots[knots.length - 1].along];
  const step = (last - first) / (knots.length - 1);
  const [left, right] = invalidExtent(knots, center);
  const reach = Math.max(
    WIDTH_PER_PUSH * distanceBetween(height, new Float64Array(height.length)),
    WIDTH_PER_KNOT * step,
  );
  const [before, after] = [Math.min(along - first, left + reach), Math.min(last - along, right + reach)];
  if (!(before > 0 && after > 0)) return false;
  for (const knot of knots) {
    const width = knot.along < along ? before : after;
    const z = (knot.along - along) / width;
    if (!(Math.abs(z) < 1)) continue;
    const bump = (1 - z * z) ** 2;
    const slope = (-4 * z * (1 - z * z)) / width;
    for (let j = 0; j < height.length; j++) {
      knot.offset[j] += bump * height[j];
      knot.slope[j] += slope * height[j];
    }
    knot.moved = true;
    knot.clearance = undefined;
  }
  return true;
}

/** Returns the lengths, in both directions, of the run of invalid knots around knot `center`. */
function invalidExtent(knots: readonly Knot[], center: number): [number, number] {
  const isBad = (k: number) => knots[k] !== undefined && knots[k].clearance !== undefined && !(knots[k].clearance! > 0);
  let [left, right] = [center, center];
  while (isBad(left - 1)) left--;
  while (isBad(right + 1)) right++;
  return [knots[center].along - knots[left].along, knots[right].along - knots[center].along];
}

/** Returns the arcs with the displacements of the knots. */
function deformed(arcs: readonly Arc[], knots: readonly Knot[], straight: boolean): Arc[] {
  const out: Arc[] = [];
  for (let k = 0; k + 1 < knots.length; ) {
    const knot = knots[k];
    const arc = arcs[knot.arc];
    const endOf = (next: Knot) => (next.arc === knot.arc ? next.u : arc.duration);
    if (!knot.moved && !knots[k + 1].moved) {
      let end = k + 1;
      while (end + 1 < knots.length && knots[end].arc === knot.arc && endOf(knots[end]) < arc.duration) {
        if (knots[end + 1].moved) break;
        end++;
      }
      out.push(partOf(arc, knot.u, endOf(knots[end])));
      k = end;
      continue;
    }
    const next = knots[k + 1];
    const duration = endOf(next) - knot.u;
    const [from, to] = [endState(knot, knot.after), endState(next, next.before)];
    out.push(
      straight
        ? lineArc(from.positions, to.positions, duration, { mutable: true })
        : cubicArc(from, to, duration, { mutable: true }),
    );
    k++;
  }
  return out;
}

/** Returns the displaced state of a knot with a velocity of the given curve there. */
function endState({ positions, offset, slope, moved }: Knot, velocities: readonly number[]) {
  if (!moved) return { positions, velocities, accelerations: [] };
  const speed = distanceBetween(velocities, new Float64Array(velocities.length));
  return {
    positions: positions.map((x, j) => x + offset[j]),
    velocities: velocities.map((v, j) => v + speed * slope[j]),
    accelerations: [],
  };
}
