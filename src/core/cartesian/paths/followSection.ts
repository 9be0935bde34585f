import type { Configuration } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import { continued, type FollowedLeg, jointBeyondLimits, knotAt } from '../followLeg.ts';
import type { PathTolerance } from '../legProver.ts';
import type { ToolTracker } from '../toolTracker.ts';
import type { PathSection } from './smoothPath.ts';

/** Metres: distance of the first knot next to a sharp corner; further ones are at twice the distance each. */
const FIRST_KNOT = 1e-3;
/** Metres: steps that are smaller end the path. */
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
  const { leg, size } = section;
  const first = knotAt(tracker, leg, 0, Float64Array.from(start), avoidsLimits);
  if (!first) return { knots: [], fault: { kind: 'singular' } };
  const knots = [first];
  let knot = first;
  let step = 1;
  for (const target of targetsOf(section)) {
    while (knot.s < target) {
      if (interrupt()) return { knots, fault: { kind: 'interrupted' } };
      const s = knot.s + step >= target ? target : knot.s + step;
      const next = continued(tracker, leg, knot, s, tolerance);
      const joint = next && jointBeyondLimits(tracker, next.q);
      if (next && joint === undefined) {
        step = 2 * Math.max(step, s - knot.s);
        knots.push(next);
        knot = next;
        continue;
      }
      step = 0.5 * (s - knot.s);
      if (step * size >= MIN_STEP) continue;
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
