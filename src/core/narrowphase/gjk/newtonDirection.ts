import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { addSupportCurvature } from '../supportCurvature.ts';

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
    const { n, w, vertices, directionA, directionB, axesB, curvature } = this;
    const nx = n[0],
      ny = n[1],
      nz = n[2];
    const wx = w[0],
      wy = w[1],
      wz = w[2];
    const gap = -(nx * wx + ny * wy + nz * wz);
    directionA[0] = T[0] * nx + T[4] * ny + T[8] * nz;
    directionA[1] = T[1] * nx + T[5] * ny + T[9] * nz;
    directionA[2] = T[2] * nx + T[6] * ny + T[10] * nz;
    directionB[0] = -nx;
    directionB[1] = -ny;
    directionB[2] = -nz;
    let isConstrained = false;
    let dv = 0;
    for (let i = 0; i < 3 * count && !isConstrained; i += 3) {
      const ex = vertices[i] - wx,
        ey = vertices[i + 1] - wy,
        ez = vertices[i + 2] - wz;
      const along = nx * ex + ny * ey + nz * ez;
      const x = ex - along * nx,
        y = ey - along * ny,
        z = ez - along * nz;
      const across = x * x + y * y + z * z;
      if (!(across > MIN_ACROSS * (across + along * along))) continue;
      const length = Math.sqrt(across);
      axesB[3] = x / length;
      axesB[4] = y / length;
      axesB[5] = z / length;
      this.computeCurvature(a, T, b);
      isConstrained = -2 * along * curvature[2] < STRAIGHT * across;
      dv = -along / length;
    }
    if (!isConstrained) {
      setTangent(axesB, n);
      this.computeCurvature(a, T, b);
    }
    const gu = axesB[0] * wx + axesB[1] * wy + axesB[2] * wz;
    const uu = curvature[0] + gap,
      uv = curvature[1];
    let du: number;
    if (isConstrained) du = -(gu + uv * dv) / uu;
    else {
      const gv = axesB[3] * wx + axesB[4] * wy + axesB[5] * wz;
      const vv = curvature[2] + gap;
      const determinant = uu * vv - uv * uv;
      du = (uv * gv - vv * gu) / determinant;
      dv = (uv * gu - uu * gv) / determinant;
    }
    const x = nx + du * axesB[0] + dv * axesB[3],
      y = ny + du * axesB[1] + dv * axesB[4],
      z = nz + du * axesB[2] + dv * axesB[5];
    const length = Math.sqrt(x * x + y * y + z * z);
    n[0] = x / length;
    n[1] = y / length;
    n[2] = z / length;
  }

  /** Completes u = v × n and computes the second derivatives along u and v. */
  private computeCurvature(a: ConvexShape, T: Transform, b: ConvexShape): void {
    const { n, axesA, axesB, curvature } = this;
    const vx = axesB[3],
      vy = axesB[4],
      vz = axesB[5];
    axesB[0] = vy * n[2] - vz * n[1];
    axesB[1] = vz * n[0] - vx * n[2];
    axesB[2] = vx * n[1] - vy * n[0];
    for (let i = 0; i < 6; i += 3) {
      const x = axesB[i],
        y = axesB[i + 1],
        z = axesB[i + 2];
      axesA[i] = T[0] * x + T[4] * y + T[8] * z;
      axesA[i + 1] = T[1] * x + T[5] * y + T[9] * z;
      axesA[i + 2] = T[2] * x + T[6] * y + T[10] * z;
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
