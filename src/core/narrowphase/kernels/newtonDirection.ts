import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { addSupportCurvature } from '../supportCurvature.ts';
import { add, combined, cross, dot, load, neg, over, scaled, store, sub } from './notation.ts';

/**
 * Largest height of the support plane above a vertex, relative to its height above the curved surface at the same
 * place, at which the surface between them is treated as straight.
 */
const STRAIGHT = 0.5;
/** Smallest squared component of an edge across n, relative to its squared length, that is used. */
const MIN_ACROSS = 0.5;

/**
 * Newton's method for the direction of the minimum distance. The gap along a unit vector n is −h(n), h the support
 * function of A ⊖ B, with the gradient w, its support point; on the unit sphere the Hessian of h is H + gap I, H the
 * second derivatives. Where the surface is straight from w to a vertex of the simplex (the generator of a cylinder, an
 * edge of a polytope), h has a kink: then the step leads to the directions orthogonal to that edge. Directions only
 * order the work: bounds are proved by the support points that they lead to.
 */
export class NewtonDirection {
  /** Input: unit direction; output: the next one. In the frame of B, from A to B. */
  readonly n: Vec3 = create();
  /** Input: support point of A ⊖ B against n, in the frame of B. */
  readonly w: Vec3 = create();
  /** Input: vertices of the simplex, x, y, z each. */
  readonly vertices = new Float64Array(9);
  /** Input: support point of each shape, in its own frame. */
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  /** Unit direction of each support point, likewise. */
  private readonly directionA: Vec3 = create();
  private readonly directionB: Vec3 = create();
  /** Orthonormal tangents u and v, in the frame of each shape. */
  private readonly axesA = new Float64Array(6);
  private readonly axesB = new Float64Array(6);
  /** Second derivatives of h: uu, uv, vv. */
  private readonly curvature = new Float64Array(3);

  /** Overwrites n by the next direction, for a positive gap along n; `count` is the number of vertices. */
  step(a: ConvexShape, T: Transform, b: ConvexShape, count: number): void {
    const { vertices, directionA, directionB, axesB, curvature } = this;
    const n = load(this.n);
    const w = load(this.w);
    const gap = -dot(n, w);
    store(directionA, 0, combined(n, load(T, 0), load(T, 4), load(T, 8)));
    store(directionB, 0, neg(n));
    let isConstrained = false;
    let dv = 0;
    for (let i = 0; i < 3 * count && !isConstrained; i += 3) {
      const e = sub(load(vertices, i), w);
      const along = dot(n, e);
      const x = sub(e, scaled(along, n));
      const across = dot(x, x);
      if (!(across > MIN_ACROSS * (across + along * along))) continue;
      const length = Math.sqrt(across);
      store(axesB, 3, over(x, length));
      this.computeCurvature(a, T, b);
      isConstrained = -2 * along * curvature[2] < STRAIGHT * across;
      dv = -along / length;
    }
    if (!isConstrained) {
      setTangent(axesB, this.n);
      this.computeCurvature(a, T, b);
    }
    const gu = dot(load(axesB), w);
    const uu = curvature[0] + gap;
    const uv = curvature[1];
    let du: number;
    if (isConstrained) du = -(gu + uv * dv) / uu;
    else {
      const gv = dot(load(axesB, 3), w);
      const vv = curvature[2] + gap;
      const determinant = uu * vv - uv * uv;
      du = (uv * gv - vv * gu) / determinant;
      dv = (uv * gu - uu * gv) / determinant;
    }
    const next = add(add(n, scaled(du, load(axesB))), scaled(dv, load(axesB, 3)));
    const length = Math.sqrt(dot(next, next));
    store(this.n, 0, over(next, length));
  }

  /** Completes u = v × n and computes the second derivatives along u and v. */
  private computeCurvature(a: ConvexShape, T: Transform, b: ConvexShape): void {
    const { axesA, axesB, curvature } = this;
    const v = load(axesB, 3);
    store(axesB, 0, cross(v, load(this.n)));
    for (let i = 0; i < 6; i += 3) {
      const x = load(axesB, i);
      store(axesA, i, combined(x, load(T, 0), load(T, 4), load(T, 8)));
    }
    curvature[0] = 0;
    curvature[1] = 0;
    curvature[2] = 0;
    addSupportCurvature(curvature, a, this.directionA, this.pointA, axesA);
    addSupportCurvature(curvature, b, this.directionB, this.pointB, axesB);
  }
}

/** Sets the tangent v: the coordinate axis that is farthest from n, less its component along n. */
function setTangent(axes: Float64Array, n: Vec3): void {
  const x = Math.abs(n[0]),
    y = Math.abs(n[1]),
    z = Math.abs(n[2]);
  const k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  const s = 1 / Math.sqrt(1 - n[k] * n[k]);
  for (let i = 0; i < 3; i++) axes[3 + i] = -s * n[k] * n[i];
  axes[3 + k] += s;
}
