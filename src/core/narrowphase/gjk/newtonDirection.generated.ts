// Expanded from ../kernels/newtonDirection.ts by `node scripts/kernels.mjs`: edit it there.
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
    const { vertices, directionA, directionB, axesB, curvature } = this;
    const nX = this.n[0],
      nY = this.n[1],
      nZ = this.n[2];
    const wX = this.w[0],
      wY = this.w[1],
      wZ = this.w[2];
    const gap = -(nX * wX + nY * wY + nZ * wZ);
    directionA[0] = nX * T[0] + nY * T[4] + nZ * T[8];
    directionA[1] = nX * T[1] + nY * T[5] + nZ * T[9];
    directionA[2] = nX * T[2] + nY * T[6] + nZ * T[10];
    directionB[0] = -nX;
    directionB[1] = -nY;
    directionB[2] = -nZ;
    let isConstrained = false;
    let dv = 0;
    for (let i = 0; i < 3 * count && !isConstrained; i += 3) {
      const eX = vertices[i] - wX,
        eY = vertices[i + 1] - wY,
        eZ = vertices[i + 2] - wZ;
      const along = nX * eX + nY * eY + nZ * eZ;
      const xX = eX - along * nX,
        xY = eY - along * nY,
        xZ = eZ - along * nZ;
      const across = xX * xX + xY * xY + xZ * xZ;
      if (!(across > MIN_ACROSS * (across + along * along))) continue;
      const length = Math.sqrt(across);
      axesB[3] = xX / length;
      axesB[4] = xY / length;
      axesB[5] = xZ / length;
      this.computeCurvature(a, T, b);
      isConstrained = -2 * along * curvature[2] < STRAIGHT * across;
      dv = -along / length;
    }
    if (!isConstrained) {
      setTangent(axesB, this.n);
      this.computeCurvature(a, T, b);
    }
    const gu = axesB[0] * wX + axesB[1] * wY + axesB[2] * wZ;
    const uu = curvature[0] + gap;
    const uv = curvature[1];
    let du: number;
    if (isConstrained) du = -(gu + uv * dv) / uu;
    else {
      const gv = axesB[3] * wX + axesB[4] * wY + axesB[5] * wZ;
      const vv = curvature[2] + gap;
      const determinant = uu * vv - uv * uv;
      du = (uv * gv - vv * gu) / determinant;
      dv = (uv * gu - uu * gv) / determinant;
    }
    const nextX = nX + du * axesB[0] + dv * axesB[3],
      nextY = nY + du * axesB[1] + dv * axesB[4],
      nextZ = nZ + du * axesB[2] + dv * axesB[5];
    const length = Math.sqrt(nextX * nextX + nextY * nextY + nextZ * nextZ);
    this.n[0] = nextX / length;
    this.n[1] = nextY / length;
    this.n[2] = nextZ / length;
  }

  /** Completes u = v × n and computes the second derivatives along u and v. */
  private computeCurvature(a: ConvexShape, T: Transform, b: ConvexShape): void {
    const { axesA, axesB, curvature } = this;
    const vX = axesB[3],
      vY = axesB[4],
      vZ = axesB[5];
    axesB[0] = vY * this.n[2] - vZ * this.n[1];
    axesB[1] = vZ * this.n[0] - vX * this.n[2];
    axesB[2] = vX * this.n[1] - vY * this.n[0];
    for (let i = 0; i < 6; i += 3) {
      const xX = axesB[i],
        xY = axesB[i + 1],
        xZ = axesB[i + 2];
      axesA[i] = xX * T[0] + xY * T[4] + xZ * T[8];
      axesA[i + 1] = xX * T[1] + xY * T[5] + xZ * T[9];
      axesA[i + 2] = xX * T[2] + xY * T[6] + xZ * T[10];
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
