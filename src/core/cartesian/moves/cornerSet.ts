import type { IkBranch, PoseChart } from '../../kinematics/branches/ikBranch.ts';
import { setRotationFromQuaternion } from '../../math/quaternion.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { create as createVec3, cross, difference, dot, norm, plusScaled, type Vec3 } from '../../math/vec3.ts';
import { boxOver, type Cell, PoseSet, TURNED } from './moveSet.ts';

/** Triangle of 0, u and v: a ((1 − b) u + b v) at the parameters a, b of [0, 1]. */
export interface Triangle {
  readonly u: Vec3;
  readonly v: Vec3;
}

/**
 * Rounded corner: origins in the triangle of the corner and the two points where the blend begins and ends, moved by
 * shares of `bulges`, one per arc: from the middle of its chord to its own. An arc of at most half a turn is above its
 * chord by such shares, so that the set contains the convex hull of both moves. Orientations are those of Rodrigues
 * vectors (tan(θ/2) times the axis) from that at the corner, in a triangle. The shortest rotations are straight lines
 * of these vectors, so that the triangle of all turns of two moves contains all interpolations between their
 * orientations. The parameters are those of both triangles.
 */
export class CornerSet extends PoseSet {
  readonly root: Cell;
  readonly origin: readonly number[];
  private readonly isTurned: boolean;

  constructor(
    branch: IkBranch,
    private readonly corner: Transform,
    private readonly places: Triangle,
    private readonly turns: Triangle,
    private readonly bulges: readonly Vec3[],
  ) {
    super(branch);
    this.isTurned = norm(turns.u) + norm(turns.v) > TURNED;
    this.root = boxOver(Array.from({ length: this.isTurned ? 4 : 2 }, () => [0, 1]));
    this.origin = this.isTurned ? [0, 0.5, 0, 0.5] : [0, 0.5];
  }

  protected chart({ at, half }: Cell): PoseChart {
    const { corner, places, turns, bulges, isTurned } = this;
    const place = spanOf(places, at, half);
    const turn = isTurned ? spanOf(turns, at.slice(2), half.slice(2)) : undefined;
    const center = turn ? turned(corner, turn.middle) : Float64Array.from(corner);
    for (const [i, k] of [3, 7, 11].entries())
      center[k] = bulges.reduce((sum, bulge) => sum + 0.5 * bulge[i], corner[k] + place.middle[i]);
    const { vectors, angle } = turn ? rotationsOf(turn) : { vectors: [], angle: 2 * TURNED };
    const moved = (one: Vec3) => Float64Array.of(...one, 0, 0, 0);
    const angular = vectors.map((one) => Float64Array.of(0, 0, 0, ...one));
    const halves = bulges.map((bulge) => moved(bulge.map((value) => 0.5 * value)));
    return { center, twists: [...place.generators.map(moved), ...angular, ...halves], position: 0, angle };
  }
}

/** A cell of a triangle: the sums of its middle and shares of ±generators. */
interface Span {
  readonly middle: Vec3;
  readonly generators: readonly Vec3[];
}

function spanOf({ u, v }: Triangle, [a, b]: readonly number[], [ha, hb]: readonly number[]): Span {
  const across = difference(v, u);
  const ray = plusScaled(u, across, b);
  return {
    middle: ray.map((value) => a * value),
    generators: [ray.map((value) => ha * value), across.map((value) => (a + ha) * hb * value)],
  };
}

/** Returns a frame turned about its origin by the rotation of a Rodrigues vector in the world. */
function turned(T: Transform, [x, y, z]: Vec3): Transform {
  const turn = create();
  setRotationFromQuaternion(turn, [1, x, y, z]);
  const out = create();
  compose(out, turn, T);
  return out;
}

/**
 * Returns the rotation vectors of the generators of a cell of Rodrigues vectors ρ + δ about its middle ρ, and the angle
 * by which the rotations of the cell differ from their sums. The rotation from ρ to ρ + δ has the Rodrigues vector
 *   r = (δ + ρ × δ) / (D + δ·ρ),  D = 1 + |ρ|²,  |δ + ρ × δ| <= |δ| √D
 * With m >= |δ|, its rotation vector 2 atan |r| r/|r| differs from 2 (δ + ρ × δ) / D by at most
 * 2 m² |ρ| / (√D (D − m |ρ|)) + 2 |r|³ / 3.
 */
function rotationsOf({ middle, generators }: Span): { vectors: Vec3[]; angle: number } {
  const D = 1 + dot(middle, middle);
  const vectors = generators.map((one) => {
    const out = createVec3();
    cross(out, middle, one);
    return out.map((value, k) => (2 * (one[k] + value)) / D);
  });
  const size = norm(middle);
  const m = generators.reduce((sum, one) => sum + norm(one), 0);
  if (!(m * size < D)) return { vectors, angle: Number.POSITIVE_INFINITY };
  const [root, left] = [Math.sqrt(D), D - m * size];
  const most = (m * root) / left;
  const angle = (2 * m * m * size) / (root * left) + (2 * most * most * most) / 3;
  return { vectors, angle: angle * (1 + 1e-9) };
}
