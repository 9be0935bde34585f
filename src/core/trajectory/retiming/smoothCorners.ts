import { POLYNOMIAL_SIZE, positionAt } from '../polynomial.ts';
import { type Arc, cubicArc, partOf, stateAt, velocityJump } from './arc.ts';

/** Greatest share of an arc that is replaced at one of its ends. */
const SHARE = 0.45;
/** Maximum number of halvings of a replaced part, until the motion stops at the corner. */
const MAX_HALVINGS = 12;
/** Seconds: shorter arcs are not made. */
const MIN_DURATION = 1e-4;
/** Fractions of a cubic at which its distance to the corner is measured. */
const SAMPLES = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];

/** Rules of `smoothCorners`. */
export interface CornerRules {
  /** Maximum speed of each joint, to which velocity jumps are relative. */
  readonly velocityLimits: ArrayLike<number>;
  /** Greatest distance (rad, m, in each joint) of a new arc to arcs that are not mutable. */
  readonly tolerance: number;
  /** Returns true if an arc is proved valid: collisions, constraints and joint limits. */
  readonly isValid: (arc: Arc) => boolean;
}

/**
 * Replaces velocity jumps between arcs by cubics from a point before the corner to a point after it, so that the motion
 * need not stop there. Each is halved until it is valid and near enough; a corner without such a cubic remains.
 */
export function smoothCorners(arcs: readonly Arc[], rules: CornerRules): Arc[] {
  const smooth: Arc[] = [arcs[0]];
  for (let k = 1; k < arcs.length; k++) {
    const before = smooth[smooth.length - 1];
    const after = arcs[k];
    if (!velocityJump(before.to.velocities, after.from.velocities, rules.velocityLimits)) {
      smooth.push(after);
      continue;
    }
    // A cubic at the corner before has taken its share of `before` already.
    const reach = Math.min(SHARE * arcs[k - 1].duration, before.duration - MIN_DURATION);
    smooth.splice(-1, 1, ...(cornerOf(before, after, reach, rules) ?? [before, after]));
  }
  return smooth;
}

/** Returns the arcs about one corner: what is left of both, and the cubic between them. */
function cornerOf(before: Arc, after: Arc, reach: number, rules: CornerRules): Arc[] | undefined {
  let share = 1;
  for (let n = 0; n < MAX_HALVINGS; n++, share /= 2) {
    let [entry, exit] = [Math.max(0, share * reach), share * SHARE * after.duration];
    if (before.mutable !== after.mutable) {
      if (before.mutable) exit = 0;
      else entry = 0;
    } else {
      // Equal times on both sides make the cubic a parabola between two lines.
      [entry, exit] = [Math.min(entry, exit), Math.min(entry, exit)];
    }
    if (!(entry + exit >= MIN_DURATION)) return undefined;
    const u = before.duration - entry;
    const isMutable = before.mutable || after.mutable;
    const arc = cubicArc(stateAt(before, u), stateAt(after, exit), entry + exit, { mutable: isMutable });
    if (!isMutable && !(distanceToCorner(arc, before, after, entry, exit) <= rules.tolerance)) continue;
    if (!rules.isValid(arc)) continue;
    return [...(u > 0 ? [partOf(before, 0, u)] : []), arc, partOf(after, exit, after.duration)];
  }
  return undefined;
}

/** Returns the distance between the cubic and the arcs that it replaces: each of its states, and the corner. */
function distanceToCorner(arc: Arc, before: Arc, after: Arc, entry: number, exit: number): number {
  let most = 0;
  const at = (one: Arc, u: number, j: number) => positionAt(one.polynomials, j * POLYNOMIAL_SIZE, u);
  for (let j = 0; j < arc.from.positions.length; j++) {
    for (const share of SAMPLES) {
      const u = share * (entry + exit);
      const given = u < entry ? at(before, before.duration - entry + u, j) : at(after, u - entry, j);
      most = Math.max(most, Math.abs(at(arc, u, j) - given));
    }
    most = Math.max(most, Math.abs(at(arc, entry, j) - after.from.positions[j]));
  }
  return most;
}
