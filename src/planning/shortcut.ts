import type { Configuration } from '../math/configuration.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import type { Random } from '../math/random.ts';
import { LazyPath, type LazyVerdict } from './lazy/lazyPath.ts';
import { metricOf, unwrappedPath, withinHalfTurn } from './metric.ts';
import type { JointSpace, MotionValidator } from './planner.ts';

/** Effort of shortcutting, in counts instead of seconds, so that equal seeds give equal paths. */
export interface ShortcutOptions {
  /** Limit of the number of shortcuts that are checked. */
  readonly attempts: number;
  /** Number of consecutive failures after which shortcutting ends. */
  readonly failures: number;
  /** Shortcuts that shorten the path by less than this share of its length are not checked. */
  readonly leastGain: number;
  /** Number of random candidates per checked shortcut; the one with the greatest gain per checked length is checked. */
  readonly choices: number;
}

/**
 * Most of the gain at little cost: on the MotionBenchMaker suites, paths are 3 % (UR5) and 1 % (Panda) longer in the
 * median than the reference paths, with an eighth of the edge checks of `thoroughShortcuts`.
 */
export const shortcutDefaults: ShortcutOptions = { attempts: 300, failures: 5, leastGain: 0.01, choices: 6 };

/** For the final path: the median is another 4 to 6 % shorter, the longest paths 20 %. */
export const thoroughShortcuts: ShortcutOptions = { attempts: 300, failures: 30, leastGain: 0.003, choices: 2 };

/** Share of partial shortcuts, which straighten a subset of the joints. */
const PARTIAL = 0.5;

/**
 * Returns a shorter valid path with the same ends. First removes waypoints; then replaces subpaths between two random
 * points by straight edges, in all joints [GeraertsOvermars07 §3] or in a subset of them (partial shortcuts, ibid. §4:
 * a joint that cannot be straightened does not prevent the others); then removes waypoints again. If the validator has
 * an approximate check, only the edges that are left in the end are certified. Never longer than the given path.
 * @param interrupt ends shortcutting; the path is then as short as it has become
 */
export function shortcutPath(
  path: readonly Configuration[],
  space: JointSpace,
  motions: MotionValidator,
  random: Random,
  given: Partial<ShortcutOptions> = {},
  interrupt: Interrupt = never,
): Configuration[] {
  const lazy = new LazyPath(path, space, motions);
  lazy.removeStates(interrupt);
  certifyShortcuts(lazy, space, random, { ...shortcutDefaults, ...given }, interrupt);
  return [...lazy.states];
}

/**
 * Shortcuts a path and certifies it. While shortcuts have to be undone, others are tried, up to the limit of attempts.
 */
export function certifyShortcuts(
  path: LazyPath,
  space: JointSpace,
  random: Random,
  options: ShortcutOptions,
  interrupt: Interrupt = never,
): LazyVerdict {
  let { attempts } = options;
  for (;;) {
    attempts -= applyShortcuts(path, space, random, { ...options, attempts }, interrupt);
    const { undone } = path;
    const verdict = path.certify();
    if (verdict !== 'certified' || path.undone === undone || attempts <= 0) return verdict;
  }
}

/** Shortcuts a path, which is not certified, and removes states; returns the number of attempts. */
export function applyShortcuts(
  path: LazyPath,
  space: JointSpace,
  random: Random,
  options: ShortcutOptions,
  interrupt: Interrupt = never,
): number {
  const { attempts, failures } = options;
  let isShorter = false;
  let attempt = 0;
  for (let failed = 0; attempt < attempts && failed < failures && path.states.length > 2; attempt++) {
    if (path.invalid >= 0 || interrupt()) break;
    const isApplied = tryShortcut(path, space, random, options);
    failed = isApplied ? 0 : failed + 1;
    isShorter ||= isApplied;
  }
  if (isShorter) path.removeStates(interrupt);
  return attempt;
}

/** Sum of the distances between consecutive waypoints. */
export function pathLength(path: readonly Configuration[], space: JointSpace): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) length += space.distance(path[i - 1], path[i]);
  return length;
}

/** Applies the best of `choices` random shortcuts; returns false if it is invalid or saves less than `leastGain`. */
function tryShortcut(
  path: LazyPath,
  space: JointSpace,
  random: Random,
  { leastGain, choices }: ShortcutOptions,
): boolean {
  const { length } = path;
  let best: Shortcut | undefined;
  for (let i = 0; i < choices; i++) {
    const shortcut = randomShortcut(path, space, random);
    if (shortcut && shortcut.gain >= leastGain * length && !(best && best.worth >= shortcut.worth)) best = shortcut;
  }
  if (!best) return false;
  const { from, to } = best;
  const straighter = alongCurves(best.straighter, space);
  if (
    !straighter ||
    pathLength(straighter, space) > pathLength(best.straighter, space) + best.gain - leastGain * length
  )
    return false;
  for (let i = 1; i < straighter.length; i++)
    if (!path.isEdgeValid(straighter[i - 1], straighter[i], i === straighter.length - 1)) return false;
  path.replace(from, to, straighter); // the remaining pieces of the two cut edges are parts of valid edges
  return true;
}

/**
 * Replaces each edge by the straight edges of its curve on the path constraints; returns the path itself if there are
 * none. States inside the path are projected first. Undefined if an edge has no curve.
 */
export function alongCurves(
  path: readonly Configuration[],
  { constraints }: JointSpace,
): readonly Configuration[] | undefined {
  if (!constraints) return path;
  const out = path.slice(0, 1);
  for (const [i, given] of path.entries()) {
    if (i === 0) continue;
    const q = i < path.length - 1 ? given.slice() : given;
    if (i < path.length - 1 && !constraints.project(q)) return undefined;
    const curve = constraints.curve(out[out.length - 1], q);
    if (!curve) return undefined;
    out.push(...curve.slice(1));
  }
  return out;
}

/** Replacement of a subpath. */
interface Shortcut {
  /** Indices of the segments on which the subpath begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly straighter: readonly Configuration[];
  /** Length saved. */
  readonly gain: number;
  /** Gain per length that has to be checked. */
  readonly worth: number;
}

/** Constant cost of an edge check, as a length in the metric of the space. */
const CHECK_COST = 0.3;

/** Random shortcut between two points on different segments. */
function randomShortcut(path: LazyPath, space: JointSpace, random: Random): Shortcut | undefined {
  const { states, steps, length } = path;
  const one = random.next() * length;
  const two = random.next() * length;
  const joints = randomJoints(space.dof, random);
  const from = pointAt(path, space, Math.min(one, two));
  const to = pointAt(path, space, Math.max(one, two));
  if (from.segment === to.segment) return undefined;
  const subpath = [from.q, ...states.slice(from.segment + 1, to.segment + 1), to.q];
  let before = space.distance(from.q, states[from.segment + 1]);
  for (let i = from.segment + 1; i < to.segment; i++) before += steps[i];
  before += space.distance(states[to.segment], to.q);
  const straighter = joints ? straightenJoints(subpath, space, joints, before) : [from.q, to.q];
  const left = pathLength(straighter, space);
  const gain = before - left;
  return { from: from.segment, to: to.segment, straighter, gain, worth: gain / (left + CHECK_COST) };
}

/** Selects the joints to straighten: one, or each with probability 1/2; undefined for all. */
function randomJoints(dof: number, random: Random): boolean[] | undefined {
  if (random.next() >= PARTIAL) return undefined;
  const single = random.next() < 0.5 ? random.below(dof) : -1;
  const joints: boolean[] = [];
  for (let joint = 0; joint < dof; joint++) joints.push(single < 0 ? random.next() < 0.5 : joint === single);
  return joints;
}

/** The subpath with the selected joints interpolated linearly over its length. */
function straightenJoints(
  subpath: readonly Configuration[],
  space: JointSpace,
  joints: readonly boolean[],
  length: number,
): Configuration[] {
  const { halfTurns } = metricOf(space);
  const unwrapped = unwrappedPath(subpath, space);
  const first = subpath[0];
  const last = unwrapped[unwrapped.length - 1];
  let along = 0;
  return subpath.map((q, i) => {
    if (i === 0 || i === subpath.length - 1) return q;
    along += space.distance(subpath[i - 1], q);
    return q.map((value, joint) => {
      if (!joints[joint]) return value;
      return withinHalfTurn(first[joint] + (along / length) * (last[joint] - first[joint]), halfTurns[joint]);
    });
  });
}

/** The point of the path at arc length `along`, and the index of its segment. */
function pointAt({ states, steps }: LazyPath, space: JointSpace, along: number): { segment: number; q: Configuration } {
  let rest = along;
  let segment = 0;
  for (; !(rest <= steps[segment]) && segment < steps.length - 1; segment++) rest -= steps[segment];
  const step = steps[segment];
  const q = new Float64Array(space.dof);
  space.interpolate(q, states[segment], states[segment + 1], step > 0 ? Math.min(1, rest / step) : 0);
  return { segment, q };
}
