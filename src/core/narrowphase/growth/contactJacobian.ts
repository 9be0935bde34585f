import type { Point2 } from '../../math/planarHull.ts';
import { addScaled, create, cross, dot, scale, tangentsOf, type Vec3 } from '../../math/vec3.ts';
import { distanceFromBoundary, type PlanarSet } from './contactPatch.ts';
import { ContactSide, type GrowthContact } from './contactSide.ts';
import type { GrowthGradient } from './gradientOfGrowth.ts';

/** Distance of the contact from the boundary of a face, relative to the smaller outer radius, that counts as none. */
const ON_BOUNDARY = 1e-6;
/** Smallest pivot, relative to the largest entry, of a system that is not singular. */
const SINGULAR = 1e-9;
const MOTIONS = 12;

/**
 * Jacobians of the solution of a growth distance, in the frame of B: three rows of twelve numbers, the derivatives by
 * the velocity of the centre of A, its angular velocity, and those of B.
 */
export class ContactJacobian {
  /** Unit normal from A to B, per metre and per radian. */
  readonly normal = new Float64Array(3 * MOTIONS);
  /** Witness point on A, metres per metre and per radian: as in `Separation`, the common point in collision. */
  readonly witnessA = new Float64Array(3 * MOTIONS);
  /** Witness point on B, likewise. */
  readonly witnessB = new Float64Array(3 * MOTIONS);
}

/** Why a solution has no Jacobian. */
export type NoJacobian = 'unknown shape' | 'boundary of a face' | 'singular';

/**
 * Computes the Jacobians by the implicit function theorem. With the normal n and the points p of the shapes, relative
 * to their centres c, the contact is c_A + σ p_A = c_B + σ p_B, and a point moves with its shape, with the curvature
 * G = ∇²h of the support function, and within its support set, which a change of the normal must keep:
 *
 *     dp = ω × p + G (dn − ω × n) + E s,      Eᵀ (dn − ω × n) = 0,
 *
 * E a basis of the support set. These are as many equations as unknowns, tangential dn and s of both shapes. Requires
 * that the growth distance is differentiable. There are none where the contact is on the boundary of a face or an edge,
 * which it leaves in one direction only.
 */
export function contactJacobian(
  contact: GrowthContact,
  gradient: GrowthGradient,
  isSeparated: boolean,
): ContactJacobian | NoJacobian {
  const { a, T_b_a, b, normal: n, pointA, pointB } = contact;
  const [u, v] = tangentsOf(n);
  const sideA = new ContactSide(a, T_b_a, n, pointA);
  const inward = n.map((x) => -x);
  const sideB = new ContactSide(b, undefined, inward, pointB);
  const [faceA, faceB] = [sideA.face(u, v), sideB.face(u, v)];
  if (faceA === undefined || faceB === undefined) return 'unknown shape';
  const boundary = ON_BOUNDARY * Math.min(a.outerRadius, b.outerRadius);
  if ([faceA, faceB].some((face) => distanceFromBoundary(face, [0, 0]) <= boundary)) return 'boundary of a face';
  const system = new ContactSystem(contact, [sideA, sideB], [u, v], [basisOf(faceA), basisOf(faceB)]);
  if (!system.isRegular) return 'singular';
  const out = new ContactJacobian();
  for (let column = 0; column < MOTIONS; column++) {
    const slope = column < 6 ? gradient.a[column] : gradient.b[column - 6];
    system.solve(column, slope);
    for (let k = 0; k < 3; k++) {
      const at = k * MOTIONS + column;
      out.normal[at] = system.normalChange[k];
      // In collision the witness is the common point c + σ p.
      const [ownA, ownB] = isSeparated
        ? [system.pointChangeA[k], system.pointChangeB[k]]
        : [
            slope * pointA[k] + contact.growth * system.pointChangeA[k],
            slope * pointB[k] + contact.growth * system.pointChangeB[k],
          ];
      out.witnessA[at] = ownA + (column === k ? 1 : 0);
      out.witnessB[at] = ownB + (column === 6 + k ? 1 : 0);
    }
  }
  return out;
}

/** Returns orthogonal unit vectors that span a support set. */
function basisOf({ kind, ring }: PlanarSet): readonly Point2[] {
  if (kind !== 'hull' || ring.length > 2) {
    return [
      [1, 0],
      [0, 1],
    ];
  }
  if (ring.length === 1) return [];
  const [x, y] = [ring[1][0] - ring[0][0], ring[1][1] - ring[0][1]];
  const length = Math.sqrt(x * x + y * y);
  return [[x / length, y / length]];
}

/** The linear system: unknowns are dn in the tangents u and v, then s of A and of B, relative to a unit of length. */
class ContactSystem {
  /** Inverse of the system; undefined if it is singular. */
  private readonly inverse: readonly (readonly number[])[] | undefined;
  /** Bases of the support sets. */
  private readonly edgesA: readonly Vec3[];
  private readonly edgesB: readonly Vec3[];
  /** G u and G v of both shapes. */
  private readonly curvedA: readonly Vec3[];
  private readonly curvedB: readonly Vec3[];
  /** Unit of length, metres. */
  private readonly unit: number;

  /** Results of `solve`: changes of the normal, and of the points relative to the centres. */
  readonly normalChange = create();
  readonly pointChangeA = create();
  readonly pointChangeB = create();

  // Scratch of `solve`.
  private readonly angularA = create();
  private readonly angularB = create();
  private readonly turnedA = create();
  private readonly turnedB = create();
  private readonly change = create();
  private readonly right = create();

  constructor(
    private readonly contact: GrowthContact,
    sides: readonly [ContactSide, ContactSide],
    private readonly tangents: readonly [Vec3, Vec3],
    bases: readonly [readonly Point2[], readonly Point2[]],
  ) {
    const [u, v] = tangents;
    const inSpace = ([x, y]: Point2): Vec3 => u.map((component, k) => x * component + y * v[k]);
    this.edgesA = bases[0].map(inSpace);
    this.edgesB = bases[1].map(inSpace);
    this.unit = Math.min(contact.a.outerRadius, contact.b.outerRadius);
    const curved = sides.map((side) => tangents.map((e) => side.pointChange(e)));
    const isKnown = curved.flat().every((x) => x !== undefined);
    [this.curvedA, this.curvedB] = curved.map((list) => list.map((x) => x ?? create()));
    const { edgesA, edgesB, curvedA, curvedB, unit } = this;
    const rows = [
      ...tangents.map((e) => [
        ...curvedA.map((x, i) => (dot(e, x) + dot(e, curvedB[i])) / unit),
        ...edgesA.map((edge) => dot(e, edge)),
        ...edgesB.map((edge) => -dot(e, edge)),
      ]),
      ...[...edgesA, ...edgesB].map((edge) => [
        ...tangents.map((e) => dot(e, edge)),
        ...[...edgesA, ...edgesB].map(() => 0),
      ]),
    ];
    this.inverse = isKnown ? inverseOf(rows) : undefined;
  }

  /** Whether the system has one solution. */
  get isRegular(): boolean {
    return this.inverse !== undefined;
  }

  /** Computes the changes for a unit velocity: columns 0 to 5 move A, 6 to 11 move B. `slope`: derivative of σ. */
  solve(column: number, slope: number): void {
    const { contact, tangents, edgesA, edgesB, unit, normalChange, pointChangeA, pointChangeB } = this;
    const { angularA, angularB, turnedA, turnedB, change, right } = this;
    const { normal: n, pointA, pointB, growth } = contact;
    angularA.fill(0);
    angularB.fill(0);
    right.fill(0);
    const k = column % 3;
    if (column % 6 >= 3) (column < 6 ? angularA : angularB)[k] = 1;
    else right[k] = (column < 6 ? -1 : 1) / growth; // velocity of the centre of B relative to that of A
    cross(turnedA, angularA, n);
    cross(turnedB, angularB, n);
    cross(pointChangeA, angularA, pointA);
    cross(pointChangeB, angularB, pointB);
    for (let i = 0; i < 3; i++)
      right[i] += pointChangeB[i] - pointChangeA[i] + (slope * (pointB[i] - pointA[i])) / growth;
    this.addCurved(right, this.curvedA, turnedA);
    this.addCurved(right, this.curvedB, turnedB);
    const sides: number[] = [];
    for (const e of tangents) sides.push(dot(e, right) / unit);
    for (const edge of edgesA) sides.push(dot(edge, turnedA));
    for (const edge of edgesB) sides.push(dot(edge, turnedB));
    const x = this.inverse!.map((row) => row.reduce((sum, entry, i) => sum + entry * sides[i], 0));
    scale(normalChange, tangents[0], x[0]);
    addScaled(normalChange, normalChange, tangents[1], x[1]);
    addScaled(change, normalChange, turnedA, -1);
    this.addCurved(pointChangeA, this.curvedA, change);
    for (let i = 0; i < edgesA.length; i++) addScaled(pointChangeA, pointChangeA, edgesA[i], unit * x[2 + i]);
    addScaled(change, turnedB, normalChange, -1); // the outer normal of B is −n
    this.addCurved(pointChangeB, this.curvedB, change);
    for (let i = 0; i < edgesB.length; i++)
      addScaled(pointChangeB, pointChangeB, edgesB[i], unit * x[2 + edgesA.length + i]);
  }

  /** out ← out + G x for a tangential x; G of one shape. */
  private addCurved(out: Vec3, curved: readonly Vec3[], x: Vec3): void {
    addScaled(out, out, curved[0], dot(this.tangents[0], x));
    addScaled(out, out, curved[1], dot(this.tangents[1], x));
  }
}

/** Returns the inverse of a matrix by Gaussian elimination with pivoting; undefined if it is singular. */
function inverseOf(rows: readonly (readonly number[])[]): readonly (readonly number[])[] | undefined {
  const { length } = rows;
  const system = rows.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  const largest = Math.max(...rows.flat().map(Math.abs));
  for (let column = 0; column < length; column++) {
    let pivot = column;
    for (let i = column + 1; i < length; i++)
      if (Math.abs(system[i][column]) > Math.abs(system[pivot][column])) pivot = i;
    const chosen = system[pivot];
    if (!(Math.abs(chosen[column]) > SINGULAR * largest)) return undefined;
    system[pivot] = system[column];
    system[column] = chosen;
    for (let i = 0; i < length; i++) {
      if (i === column) continue;
      const factor = system[i][column] / chosen[column];
      for (let j = column; j < 2 * length; j++) system[i][j] -= factor * chosen[j];
    }
  }
  return system.map((row, i) => row.slice(length).map((x) => x / row[i]));
}
