import type { Transform } from '../../src/core/math/transform.ts';
import type { BenchBody } from '../narrowphase/bodies.ts';

/** One pair at one pose, made ready outside the clock: whatever the peer can hold on to, it holds. */
export interface PeerQuery {
  collides(): boolean;
  /** Metres, 0 or below when they meet; undefined where the peer has no such question. */
  distance?(): number;
}

/** Another library behind one face. */
export interface Peer {
  /** Name and version. */
  readonly name: string;
  /** Undefined where it does not know such a body. */
  prepare(a: BenchBody, T_b_a: Transform, b: BenchBody): PeerQuery | undefined;
}

/** x, y, z, w of the rotation of T. */
export function quaternionOf(T: Transform): [number, number, number, number] {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = T;
  const w = Math.sqrt(Math.max(0, 1 + xx + yy + zz)) / 2;
  const x = Math.sqrt(Math.max(0, 1 + xx - yy - zz)) / 2;
  const y = Math.sqrt(Math.max(0, 1 - xx + yy - zz)) / 2;
  const z = Math.sqrt(Math.max(0, 1 - xx - yy + zz)) / 2;
  return [zy < yz ? -x : x, xz < zx ? -y : y, yx < xy ? -z : z, w];
}

/** As T, but of a body whose long axis is y where ours is z. */
export function fromYAxis(T: Transform): Transform {
  const out = Float64Array.from(T);
  for (let row = 0; row < 12; row += 4) {
    out[row + 1] = T[row + 2]; // their y is our z
    out[row + 2] = -T[row + 1];
  }
  return out;
}

/** The points of a `convex` spec, x, y, z each. */
export function pointsOf({ spec }: BenchBody): Float32Array {
  return Float32Array.from((spec['points'] as number[][]).flat());
}
