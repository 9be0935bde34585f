import type { Configuration } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import { continued, type FollowedLeg, isCubicOnLeg, jointBeyondLimits, knotAt, knotBetween } from '../followLeg.ts';
import type { LegKnot } from '../legKnot.ts';
import type { PathTolerance } from '../pathTolerance.ts';
import { guidesOf } from '../searchedLeg.ts';
import type { ToolTracker } from '../toolTracker.ts';
import type { PathSection } from './smoothPath.ts';

/** Metres: distance of the first knot next to a sharp corner; further ones are at twice the distance each. */
const FIRST_KNOT = 1e-3;
/** Metres: smaller steps end the search, and no step leaves a smaller remainder. */
const MIN_STEP = 1e-6;

/**
 * Computes the joint path along a section by continuation, as `followLeg`: knots at its marks, next to sharp corners,
 * where the motion is slow, at distances that double, and more where the cubics between knots deviate.
 */
export function followSection(
  tracker: ToolTracker,
  start: Configuration,
  section: PathSection,
  tolerance: PathTolerance,
  interrupt: Interrupt,
  avoidsLimits: boolean,
): FollowedLeg {
  const { leg } = section;
  const first = knotAt(tracker, leg, 0, Float64Array.from(start), avoidsLimits);
  if (!first) return { knots: [], fault: { kind: 'singular' } };
  return placed(tracker, section, first, interrupt, (from, s) => continued(tracker, leg, from, s, tolerance));
}

/**
 * Computes the joint path along a section next to configurations at equal fractions of it, with knots as
 * `followSection`.
 */
export function guidedSection(
  tracker: ToolTracker,
  section: PathSection,
  configurations: readonly Configuration[],
  tolerance: PathTolerance,
  interrupt: Interrupt,
): FollowedLeg {
  const { leg } = section;
  const guides = guidesOf(tracker, leg, configurations);
  if (!guides) return { knots: [], fault: { kind: 'singular' } };
  const last = guides.length - 2;
  return placed(tracker, section, guides[0], interrupt, (from, s) => {
    const k = Math.min(last, Math.floor(s * (last + 1)));
    const next = s === 1 ? guides[last + 1] : knotBetween(tracker, leg, guides[k], guides[k + 1], s);
    return next && isCubicOnLeg(tracker, leg, from, next, tolerance) ? next : undefined;
  });
}

/** Places knots along a section: each one is computed from the one before. */
function placed(
  tracker: ToolTracker,
  section: PathSection,
  first: LegKnot,
  interrupt: Interrupt,
  next: (from: LegKnot, s: number) => LegKnot | undefined,
): FollowedLeg {
  const knots = [first];
  let knot = first;
  let step = 1;
  for (const target of targetsOf(section)) {
    while (knot.s < target) {
      if (interrupt()) return { knots, fault: { kind: 'interrupted' } };
      const s = knot.s + step + MIN_STEP / section.size >= target ? target : knot.s + step;
      const reached = next(knot, s);
      const joint = reached && jointBeyondLimits(tracker, reached.q);
      if (reached && joint === undefined) {
        step = 2 * Math.max(step, s - knot.s);
        knots.push(reached);
        knot = reached;
        continue;
      }
      step = 0.5 * (s - knot.s);
      if (step * section.size >= MIN_STEP) continue;
      return { knots, fault: joint === undefined ? { kind: 'singular' } : { kind: 'joint-limit', joint } };
    }
  }
  return { knots, fault: undefined };
}

/** Returns the parameters at which knots are placed, in increasing order. */
function targetsOf({ marks, sharp, speeds, size }: PathSection): number[] {
  const targets: number[] = [];
  const isNeeded = (k: number) => sharp.has(k) || speeds[k] !== speeds[k - 1];
  for (let k = 0; k + 1 < marks.length; ) {
    const from = k++;
    while (!isNeeded(k)) k++;
    const [start, end] = [marks[from], marks[k]];
    const [isFirst, isLast] = [sharp.has(from), sharp.has(k)];
    const reach = ((isFirst && isLast ? 0.5 : 1) * (end - start) * size) / FIRST_KNOT;
    const after: number[] = [];
    for (let d = 1; 1.5 * d < reach; d *= 2) after.push((d * FIRST_KNOT) / size);
    if (isFirst) targets.push(...after.map((d) => start + d));
    if (isLast) targets.push(...after.reverse().map((d) => end - d));
    targets.push(end);
  }
  return targets;
}
