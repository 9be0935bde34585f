import { type Arc, partOf, withMutable } from '../../core/trajectory/retiming/arc.ts';
import { pushInterval } from './pushInterval.ts';
import type { RepairWorld } from './repairWorld.ts';
import { type SearchEffort, searchDetour, shortenedLines } from './searchDetour.ts';
import { describeStateFault } from './stateFault.ts';

/** Bisection steps that locate the valid part of an arc before or after a collision. */
const HALVINGS = 5;
/** Fraction of the valid part at the beginning or end of an arc that is kept unchanged. */
const SLACK = 0.5;
/** Iteration limits of the searches near the interval, farther away, and of the last one. */
const NEAR_ITERATIONS = 400;
const WIDE_ITERATIONS = 2000;
const LAST_ITERATIONS = 20_000;

/** Options of `repairGeometry`. */
export interface GeometryOptions {
  /** Keeps straight lines straight: a path without times. */
  readonly straight: boolean;
  /** Seed of random numbers. */
  readonly seed: number;
}

/** Curve with valid geometry, or the reason why there is none. */
export type GeometryRepair =
  | { readonly arcs: Arc[]; readonly pushed: number; readonly searched: number }
  | { readonly reason: string };

/**
 * Replaces the arcs that are not proved valid (collisions, limits of positions, constraints), and parts of their
 * neighbors where needed; all other arcs remain. Each interval is pushed along clearance gradients; if that fails, a
 * detour is searched.
 * @param isValid for each arc: true if it is proved valid
 */
export function repairGeometry(
  world: RepairWorld,
  given: readonly Arc[],
  isValid: readonly boolean[],
  options: GeometryOptions,
): GeometryRepair {
  const isMutable = (k: number) => [k - 1, k, k + 1].some((i) => isValid[i] === false);
  const intervals = intervalsOf(isValid);
  const arcs: Arc[] = [];
  let [pushed, searched] = [0, 0];
  let next = 0; // index of the first given arc that is not in `arcs`
  for (const [i, { first, last }] of intervals.entries()) {
    const from = Math.max(next, first - 1);
    // A single arc between two intervals belongs to the first one.
    for (; next < from; next++) arcs.push(given[next]);
    const to = Math.min(given.length - 1, last + 1, (intervals[i + 1]?.first ?? given.length) - 1);
    const window = given.slice(from, to + 1).map((arc, k) => withMutable(arc, isMutable(from + k)));
    const found = repairInterval(world, window, first - from, last - from, { ...options, stream: i });
    if (found === undefined) return { reason: reasonOf(world, window, first - from, last - from) };
    if (found.how === 'pushed') pushed++;
    else searched++;
    arcs.push(...found.arcs);
    next = to + 1;
  }
  return { arcs: [...arcs, ...given.slice(next)], pushed, searched };
}

/** Returns the ranges of consecutive arcs that are not valid. */
function intervalsOf(isValid: readonly boolean[]): { first: number; last: number }[] {
  const intervals: { first: number; last: number }[] = [];
  for (const [k, valid] of isValid.entries()) {
    if (valid) continue;
    const previous = intervals.at(-1);
    if (previous?.last === k - 1) previous.last = k;
    else intervals.push({ first: k, last: k });
  }
  return intervals;
}

interface RepairedInterval {
  readonly arcs: readonly Arc[];
  readonly how: 'pushed' | 'searched';
}

/** Repairs the arcs `first` to `last` of a window. All arcs of the window may change, but not its ends. */
function repairInterval(
  world: RepairWorld,
  window: readonly Arc[],
  first: number,
  last: number,
  { straight, seed, stream }: GeometryOptions & { readonly stream: number },
): RepairedInterval | undefined {
  const pushed = pushInterval(world, window, straight);
  if (pushed) return { arcs: straight ? withShorterDetours(world, pushed, seed) : pushed, how: 'pushed' };
  const bad = window.slice(first, last + 1);
  const [before, after] = [window.slice(0, first), window.slice(last + 1)];
  const near = nearestAnchors(world, bad);
  const whole = { head: before, middle: bad, tail: after };
  const nearest = { head: [...before, ...near.head], middle: near.middle, tail: [...near.tail, ...after] };
  const searches: readonly (Division & Pick<SearchEffort, 'iterations' | 'wide'>)[] = [
    { ...nearest, iterations: NEAR_ITERATIONS, wide: false },
    { ...whole, iterations: NEAR_ITERATIONS, wide: false },
    { ...nearest, iterations: WIDE_ITERATIONS, wide: true },
    { ...whole, iterations: WIDE_ITERATIONS, wide: true },
    { head: [], middle: window, tail: [], iterations: LAST_ITERATIONS, wide: true },
  ];
  for (const [i, { head, middle, tail, ...effort }] of searches.entries()) {
    const found = searchDetour(world, middle, { ...effort, seed, stream: searches.length * stream + i });
    if (found) return { arcs: [...head, ...found, ...tail], how: 'searched' };
  }
  return undefined;
}

/** Arcs before, within and after the part that is replaced. */
interface Division {
  readonly head: readonly Arc[];
  readonly middle: readonly Arc[];
  readonly tail: readonly Arc[];
}

/** Replaces each run of new lines by a shorter path between its ends. */
function withShorterDetours(world: RepairWorld, arcs: readonly Arc[], seed: number): Arc[] {
  const out: Arc[] = [];
  for (let k = 0; k < arcs.length; ) {
    let end = k;
    while (end < arcs.length && arcs[end].given === undefined) end++;
    if (end > k) out.push(...shortenedLines(world, arcs.slice(k, end), seed));
    else out.push(arcs[end++]);
    k = end;
  }
  return out;
}

/** Divides arcs that are not valid: parts at both ends that are proved valid, and the middle. */
function nearestAnchors(world: RepairWorld, bad: readonly Arc[]): Division {
  const last = bad.length - 1;
  const head = validShare(world, (share) => partOf(bad[0], 0, share * bad[0].duration));
  const tail = validShare(world, (share) => partOf(bad[last], (1 - share) * bad[last].duration, bad[last].duration));
  const [u0, u1] = [SLACK * head * bad[0].duration, (1 - SLACK * tail) * bad[last].duration];
  const middle = [...bad];
  if (u1 < bad[last].duration) middle[last] = partOf(middle[last], 0, u1);
  if (u0 > 0) middle[0] = partOf(middle[0], u0, middle[0].duration);
  return {
    head: u0 > 0 ? [partOf(bad[0], 0, u0)] : [],
    middle,
    tail: u1 < bad[last].duration ? [partOf(bad[last], u1, bad[last].duration)] : [],
  };
}

/** Returns the greatest share of an arc that is found valid by bisection. */
function validShare(world: RepairWorld, part: (share: number) => Arc): number {
  let [valid, step] = [0, 0.5];
  for (let n = 0; n < HALVINGS; n++, step /= 2) if (world.isValid(part(valid + step))) valid += step;
  return valid;
}

function reasonOf(world: RepairWorld, window: readonly Arc[], first: number, last: number): string {
  for (const [end, q] of [
    ['start', window[0].from.positions],
    ['end', window[window.length - 1].to.positions],
  ] as const) {
    const fault = describeStateFault(world, Float64Array.from(q));
    if (fault !== undefined) return `the ${end} of a motion is kept, and it is not valid: ${fault}`;
  }
  const span = { from: window[first].given!.from, to: window[last].given!.to };
  const cut = world.interrupt() ? ' within the time limit' : '';
  return `no valid motion is found${cut} in place of ${span.from} to ${span.to}`;
}
