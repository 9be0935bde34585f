import type { Configuration } from '../math/configuration.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import type { Random } from '../math/random.ts';
import { LazyPath, type LazyVerdict } from './lazy/lazyPath.ts';
import { ShortcutCandidates } from './lazy/shortcutCandidates.ts';
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
  const candidates = new ShortcutCandidates(path, space);
  let isShorter = false;
  let attempt = 0;
  for (let failed = 0; attempt < attempts && failed < failures && path.states.length > 2; attempt++) {
    if (path.invalid >= 0 || interrupt()) break;
    const isApplied = tryShortcut(path, space, candidates, random, options);
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
  candidates: ShortcutCandidates,
  random: Random,
  { leastGain, choices }: ShortcutOptions,
): boolean {
  const shortcut = candidates.bestOf(choices, leastGain * path.length, random);
  if (!shortcut) return false;
  const { from, to, gain } = shortcut;
  const states = shortcut.takeStates();
  const straighter = alongCurves(states, space);
  if (!straighter) return false;
  if (straighter !== states) {
    const longest = pathLength(states, space) + gain - leastGain * path.length;
    if (pathLength(straighter, space) > longest) return false;
  }
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
