import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { copy, create, dot, scale, sub } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { COLLIDING, PairCache, type Separation } from '../solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../supportAlong.generated.ts';

// Scratch of the function below. Support functions may use it in a query of their own: it is written after their call.
const n = create();
const d = create();
const point = create();
const centers = create();
const gapCache = new PairCache();

/**
 * Computes the growth distance of a pair with a half-space in closed form. Only the plane normal n, from A to B, can
 * separate: σ = n·(cB − cA) / (hA(n) + hB(−n)), h relative to the centres; 0 if the centre of the other shape is inside
 * the half-space. Two half-spaces, and pairs with hA + hB = 0, have no growth distance: only the status is written.
 */
export function growthOfHalfspace(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  gapCache.hasAxis = false;
  const verdict = checkHalfspace(a, T_b_a, b, 0, gapCache);
  out.status = verdict === COLLIDING ? 'colliding' : 'separated';
  out.iterations = 1;
  if (isHalfspace(a) && isHalfspace(b)) return;

  let support: number;
  if (isHalfspace(a)) {
    rotate(n, T_b_a, a.size);
    scale(d, n, -1);
    supportWithMargin(point, b, d, 0);
    rotate(n, T_b_a, a.size);
    scale(d, n, -1);
    sub(point, point, b.center);
    support = a.innerRadius + dot(d, point);
  } else {
    scale(n, b.size, -1);
    posedSupportWithMargin(point, a, T_b_a, n, 0);
    scale(n, b.size, -1);
    transformPoint(d, T_b_a, a.center);
    sub(point, point, d);
    support = b.innerRadius + dot(n, point);
  }
  transformPoint(centers, T_b_a, a.center);
  sub(centers, b.center, centers);
  if (!(support > 0) || a.innerRadius < 0 || b.innerRadius < 0) return;
  const growth = Math.max(0, dot(n, centers) / support);
  out.growth.lower = growth;
  out.growth.upper = growth;
  out.hasNormal = true;
  copy(out.normal, n);
}
