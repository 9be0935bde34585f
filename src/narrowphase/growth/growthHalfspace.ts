import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { copy, create, dot, scale, sub } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { COLLIDING, PairCache, type Separation } from '../solver.ts';
import { posedSupportWithMargin, bodySupport } from '../supportAlong.ts';

// Scratch of the function below, which calls nothing but support functions.
const n = create();
const d = create();
const point = create();
const between = create();
const verdicts = new PairCache();

/**
 * Growth distance where one body is a half-space: with the normal n from A to B, the only one that can part them,
 * σ = n·(cB − cA) / (hA(n) + hB(−n)), h about the centres, in closed form; 0 where the centre of one is already in the growing other.
 * Two half-spaces, and bodies whose sum of h is 0, have none: only the status is told.
 */
export function growthOfHalfspace(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  verdicts.hasAxis = false;
  const verdict = checkHalfspace(a, T_b_a, b, 0, verdicts);
  out.status = verdict === COLLIDING ? 'colliding' : 'separated';
  out.iterations = 1;
  if (isHalfspace(a) && isHalfspace(b)) return;

  transformPoint(between, T_b_a, a.center);
  sub(between, b.center, between);
  let reach: number;
  if (isHalfspace(a)) {
    rotate(n, T_b_a, a.size);
    scale(d, n, -1);
    bodySupport(point, b, d, 0);
    sub(point, point, b.center);
    reach = a.innerRadius + dot(d, point);
  } else {
    scale(n, b.size, -1);
    posedSupportWithMargin(point, a, T_b_a, n, 0);
    transformPoint(d, T_b_a, a.center);
    sub(point, point, d);
    reach = b.innerRadius + dot(n, point);
  }
  if (!(reach > 0) || a.innerRadius < 0 || b.innerRadius < 0) return;
  const growth = Math.max(0, dot(n, between) / reach);
  out.growth.lower = growth;
  out.growth.upper = growth;
  out.hasNormal = true;
  copy(out.normal, n);
}
