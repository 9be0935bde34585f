import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { metricOf, unwrappedPath, withinHalfTurn } from './metric.ts';
import type { JointSpace, MotionValidator } from './planner.ts';

/** How hard to look for shortcuts. Counts, not seconds: equal seeds give equal paths. */
export interface ShortcutOptions {
  /** Shortcuts tried at most. */
  readonly attempts: number;
  /** Shortcuts that fail, one after the other, before it is given up. */
  readonly failures: number;
  /** Share of the path's length that a shortcut must save to be worth its check. */
  readonly leastGain: number;
  /** Random shortcuts drawn for each one tried: that which saves most for what there is to check. */
  readonly choices: number;
}

/**
 * What most of the gain costs little for: on the suites of MotionBenchMaker, paths 3 % (UR5) and 1 % (Panda) longer in the median than those
 * their authors keep for reference, at an eighth of the motions that thorough shortcuts take.
 */
export const shortcutDefaults: ShortcutOptions = { attempts: 300, failures: 5, leastGain: 0.01, choices: 6 };

/** For the one path that is kept: another 4 to 6 % off the median, a fifth off the longest. */
export const thoroughShortcuts: ShortcutOptions = { attempts: 300, failures: 30, leastGain: 0.003, choices: 2 };

/** Share of the shortcuts that straighten some of the joints only. */
const PARTIAL = 0.5;

/**
 * A shorter valid path with the same ends. First whole corners are cut off; then stretches between two random places of the path are made
 * straight where that is free, in all joints [GeraertsOvermars07 §3] or in some of them while the others keep to their way (ibid. §4: one
 * hindered joint then does not hold up the others); then whole corners again. Never longer than the path given.
 */
export function shortcutPath(
  path: readonly Configuration[],
  space: JointSpace,
  motions: MotionValidator,
  random: Random,
  given: Partial<ShortcutOptions> = {},
): Configuration[] {
  const options = { ...shortcutDefaults, ...given };
  const { attempts, failures } = options;
  const corners = dropCorners(path, motions);
  let best = corners;
  let failed = 0;
  for (let attempt = 0; attempt < attempts && failed < failures && best.length > 2; attempt++) {
    const shorter = straightenStretch(best, space, motions, random, options);
    failed = shorter ? 0 : failed + 1;
    if (shorter) best = shorter;
  }
  return best === corners ? best : dropCorners(best, motions);
}

/** Sum of the distances from point to point. */
export function pathLength(path: readonly Configuration[], space: JointSpace): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) length += space.distance(path[i - 1], path[i]);
  return length;
}

/** From each point on to the farthest later one that a straight valid motion leads to. */
function dropCorners(path: readonly Configuration[], motions: MotionValidator): Configuration[] {
  const kept = path.slice(0, 1);
  for (let i = 0; i < path.length - 1; ) {
    let next = path.length - 1;
    while (next > i + 1 && !motions.isMotionValid(path[i], path[next], true)) next--;
    kept.push(path[next]);
    i = next;
  }
  return kept;
}

/** The best of some random shortcuts taken; undefined if that is blocked or none of them saves enough. */
function straightenStretch(
  path: readonly Configuration[],
  space: JointSpace,
  motions: MotionValidator,
  random: Random,
  { leastGain, choices }: ShortcutOptions,
): Configuration[] | undefined {
  const length = pathLength(path, space);
  let best: Shortcut | undefined;
  for (let i = 0; i < choices; i++) {
    const shortcut = randomShortcut(path, space, random, length);
    if (shortcut && shortcut.gain >= leastGain * length && !(best && best.worth >= shortcut.worth)) best = shortcut;
  }
  if (!best) return undefined;
  const { from, to, straighter } = best;
  for (let i = 1; i < straighter.length; i++)
    if (!motions.isMotionValid(straighter[i - 1], straighter[i], i === straighter.length - 1)) return undefined;
  // The pieces left over of the two cut segments lie on motions known to be valid.
  return [...path.slice(0, from + 1), ...straighter, ...path.slice(to + 1)];
}

/** A stretch between two places of a path, made straighter. */
interface Shortcut {
  /** The segments that the two places are on. */
  readonly from: number;
  readonly to: number;
  readonly straighter: readonly Configuration[];
  /** Length that it saves. */
  readonly gain: number;
  /** The gain for the length that has to be checked. */
  readonly worth: number;
}

/** In the metric of the space: what a check costs besides its length. */
const CHECK = 0.3;

/** Between two random places on different segments of a path of the given length. */
function randomShortcut(
  path: readonly Configuration[],
  space: JointSpace,
  random: Random,
  length: number,
): Shortcut | undefined {
  const one = random.next() * length;
  const two = random.next() * length;
  const joints = randomJoints(space.dof, random);
  const from = placeAt(path, space, Math.min(one, two));
  const to = placeAt(path, space, Math.max(one, two));
  if (from.segment === to.segment) return undefined;
  const stretch = [from.q, ...path.slice(from.segment + 1, to.segment + 1), to.q];
  const straighter = joints ? straightenJoints(stretch, space, joints) : [from.q, to.q];
  const left = pathLength(straighter, space);
  const gain = pathLength(stretch, space) - left;
  return { from: from.segment, to: to.segment, straighter, gain, worth: gain / (left + CHECK) };
}

/** Which joints to straighten: one, or each with an even chance; undefined for all. */
function randomJoints(dof: number, random: Random): boolean[] | undefined {
  if (random.next() >= PARTIAL) return undefined;
  const single = random.next() < 0.5 ? random.below(dof) : -1;
  return Array.from({ length: dof }, (_, joint) => (single < 0 ? random.next() < 0.5 : joint === single));
}

/** The stretch with the chosen joints moving evenly, along its length, from their first value to their last. */
function straightenJoints(
  stretch: readonly Configuration[],
  space: JointSpace,
  joints: readonly boolean[],
): Configuration[] {
  const { halfTurns } = metricOf(space);
  const unwrapped = unwrappedPath(stretch, space);
  const first = stretch[0];
  const last = unwrapped[unwrapped.length - 1];
  const length = pathLength(stretch, space);
  let along = 0;
  return stretch.map((q, i) => {
    if (i === 0 || i === stretch.length - 1) return q;
    along += space.distance(stretch[i - 1], q);
    return q.map((value, joint) => {
      if (!joints[joint]) return value;
      return withinHalfTurn(first[joint] + (along / length) * (last[joint] - first[joint]), halfTurns[joint]);
    });
  });
}

/** The point of the path that lies `along` from its start, and the segment it is on. */
function placeAt(
  path: readonly Configuration[],
  space: JointSpace,
  along: number,
): { segment: number; q: Configuration } {
  let rest = along;
  for (let segment = 0; ; segment++) {
    const step = space.distance(path[segment], path[segment + 1]);
    if (rest <= step || segment === path.length - 2) {
      const q = new Float64Array(space.dof);
      space.interpolate(q, path[segment], path[segment + 1], step > 0 ? Math.min(1, rest / step) : 0);
      return { segment, q };
    }
    rest -= step;
  }
}
