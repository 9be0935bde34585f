import type { RobotJointSpace } from '../../../core/collision/validators/robotJointSpace.ts';
import type { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { withinHalfTurn } from '../../../core/planning/metric.ts';
import { AddedMotions } from '../addedMotions.ts';
import type { CountingMotions } from '../edgeValidation.ts';
import { ConstrainedCurves } from './constrainedCurves.ts';
import { StraightEdges } from './straightEdges.ts';

/**
 * Restricts a space to the constraints: samples and extension steps are projected onto them. Returns the curves on the
 * constraints that replace straight edges.
 */
export function constrainSpace(space: RobotJointSpace, set: ConstraintSet): ConstrainedCurves {
  set.narrow(space.lower, space.upper);
  const { halfTurns = space.lower.map(() => Number.POSITIVE_INFINITY) } = space;
  const bounds = {
    lower: space.lower.map((value, j) => (value > -halfTurns[j] ? value : Number.NEGATIVE_INFINITY)),
    upper: space.upper.map((value, j) => (value < halfTurns[j] ? value : Number.POSITIVE_INFINITY)),
  };
  const project = (q: Configuration) => {
    if (!set.project(q, bounds)) return false;
    for (let j = 0; j < q.length; j++) q[j] = withinHalfTurn(q[j], halfTurns[j]);
    return true;
  };
  const curves = new ConstrainedCurves(space, new StraightEdges(space, set), project);
  space.constraints = {
    project,
    makeTangent: (direction, q) => set.makeTangent(direction, q),
    curve: (qFrom, qTo, most) => curves.curve(qFrom, qTo, most),
  };
  return curves;
}

/**
 * Restricts a space to the constraints, and returns what adds them to the validation of its edges. Roomy constraints
 * are kept like obstacles: edges that leave them are not valid. The space is projected onto others.
 */
export function constrainEdges(
  space: RobotJointSpace,
  set: ConstraintSet,
): (inner: CountingMotions) => CountingMotions {
  if (!set.isRoomy) {
    const curves = constrainSpace(space, set);
    return (inner) => new ConstrainedMotions(inner, set, curves);
  }
  set.narrow(space.lower, space.upper);
  const edges = new StraightEdges(space, set);
  return (inner) => new RoomyMotions(inner, set, edges);
}

/** Edge validation of straight edges that also excludes what violates the constraints. */
class RoomyMotions extends AddedMotions {
  isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration, isFine?: boolean, endIsValid?: boolean) => boolean;

  constructor(
    inner: CountingMotions,
    private readonly set: ConstraintSet,
    private readonly edges: StraightEdges,
  ) {
    super(inner);
    if (inner.isMotionLikelyValid)
      this.isMotionLikelyValid = (qFrom, qTo, isFine, endIsValid) =>
        inner.isMotionLikelyValid!(qFrom, qTo, isFine, endIsValid) && edges.satisfy(qFrom, qTo, 'sampled');
  }

  isStateValid(q: Configuration): boolean {
    return this.set.isSatisfied(q) && this.inner.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean, isLikely?: boolean): boolean {
    return this.edges.satisfy(qFrom, qTo, 'proved') && this.inner.isMotionValid(qFrom, qTo, endIsValid, isLikely);
  }
}

/**
 * Edge validation of curves on the constraints of a space (see `constrainSpace`): proves the constraints on each
 * straight edge, then checks its collisions. The approximate check bisects curves less often, so that its states are
 * near those of the proof.
 */
class ConstrainedMotions extends AddedMotions {
  isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration, isFine?: boolean) => boolean;

  constructor(
    inner: CountingMotions,
    private readonly set: ConstraintSet,
    private readonly curves: ConstrainedCurves,
  ) {
    super(inner);
    if (inner.isMotionLikelyValid)
      this.isMotionLikelyValid = (qFrom, qTo, isFine) => this.isLikelyValid(qFrom, qTo, isFine);
  }

  isStateValid(q: Configuration): boolean {
    return this.set.isSatisfied(q) && this.inner.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    const { curves, inner } = this;
    const edges = curves.trace(qFrom, qTo, 'proved');
    if (edges === 0) return false;
    // States cost less than proofs.
    for (let i = 1; edges > 1 && i < edges; i++) if (!inner.isStateValid(curves.point(i))) return false;
    for (let i = 1; i <= edges; i++)
      if (!inner.isMotionValid(curves.point(i - 1), curves.point(i), endIsValid || i < edges)) return false;
    return true;
  }

  private isLikelyValid(qFrom: Configuration, qTo: Configuration, isFine?: boolean): boolean {
    const { curves, inner } = this;
    const edges = curves.trace(qFrom, qTo, 'sampled');
    for (let i = 1; i <= edges; i++)
      if (!inner.isMotionLikelyValid!(curves.point(i - 1), curves.point(i), isFine)) return false;
    return edges > 0;
  }
}
