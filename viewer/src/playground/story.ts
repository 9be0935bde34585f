import type { PairResult, TracedStep } from 'elbowroom/collision';
import { radiiOf, type State, spaceOf } from './model.ts';

/** Returns the text of the result of a pair. */
export function answerOf({ status, growth, distance, depth }: PairResult, what: string): string {
  if (what === 'depth') return `${status}${depth === undefined ? '' : `: depth ${depth.toFixed(6)} m`}`;
  const bounds = what === 'growth' ? growth : distance;
  if (bounds?.upper === undefined) return status;
  const value = bounds.upper.toFixed(6);
  return `${status}: ${what === 'growth' ? `growth distance ${value}` : `distance ${value} m`}`;
}

function figure(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(4);
}

/** Explains a step in words. */
export function storyOf(
  state: State,
  step: TracedStep | undefined,
  what: string,
  isLast: boolean,
  status: string,
): string {
  const [line, triangle] = spaceOf(state) === 2 ? ['line', 'segment'] : ['plane', 'triangle'];
  if (step === undefined) {
    if (what === 'depth') return 'The expanding polytope measures how deep shapes overlap: drag one into the other.';
    return 'No iteration was needed: the bodies of this pair are decided in closed form.';
  }
  const { lower, upper, simplex } = step;
  const end = isLast ? ' The bounds agree, or a proof is found: this is the last point.' : ' The next step uses w.';
  if (what === 'growth') {
    return (
      `The ray from 0 towards cB − cA passes the ${triangle} inside A ⊖ B, ` +
      `so the shapes touch at a scale of at most ${figure(upper)}. ` +
      `The support ${line}s so far prove that they do not touch below ${figure(lower)}.${end}`
    );
  }
  if (what === 'depth') {
    return (
      `The polytope inside A ⊖ B contains 0, and its nearest face is ${figure(lower)} m away: no shorter move ` +
      `separates the shapes. To move B past the best support plane so far takes ${figure(upper)} m.${end}`
    );
  }
  if (what === 'collide') {
    const portal = simplex.length < 4 ? 'The first portal is being built' : 'It leaves A ⊖ B behind the portal';
    const isInside = isLast && status === 'colliding';
    const rest = isInside ? '. With w the portal lies beyond 0, so the shapes collide.' : `.${end}`;
    const proof = (lower ?? -1) > 0 ? `, and 0 is: the shapes are at least ${figure(lower)} m apart.` : rest;
    return (
      `The ray leads from the interior point cA − cB through 0. ${portal}. ` +
      `Nothing of A ⊖ B is beyond the support plane through w${proof}`
    );
  }
  const known =
    simplex.length === 0
      ? 'No point of A ⊖ B is known yet'
      : `The nearest known point is ${figure(upper)} m from 0${radiiOf(state) > 0 ? ', less the radii' : ''}`;
  const least = lower === null ? null : Math.max(0, lower);
  return (
    `${known}. The arrow is the search direction, in which w is farthest. ` +
    `The support ${line}s so far prove a distance of at least ${figure(least)} m.${end}`
  );
}
