import type { CertifiedPart } from '../../../core/certificate/convexParts.ts';
import { compose, create, relative, rotate, type Transform } from '../../../core/math/transform.ts';
import { create as createVec3, type Vec3 } from '../../../core/math/vec3.ts';
import { GjkDistance } from '../../../core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../../core/narrowphase/solver.ts';

/** Directions that separate pairs, as certificates state them. */
export class PairDirections {
  private readonly solver = new GjkDistance();
  private readonly separation = new Separation();
  private readonly cache = new PairCache();

  /** Returns the direction from a to b in the frame of b; undefined if none is found. */
  between(a: CertifiedPart, T_world_a: Transform, b: CertifiedPart, T_world_b: Transform): Vec3 | undefined {
    const { solver, separation, cache } = this;
    const n = createVec3();
    const T_frame_part = create();
    relative(T_frame_part, b.T_link_frame, b.T_link_part);
    if (b.shape.type === 'halfspace') {
      for (let k = 0; k < 3; k++) n[k] = -b.shape.size[k];
      rotate(n, T_frame_part, n);
      return n;
    }
    const [T_a, T_b, T_b_a] = [create(), create(), create()];
    compose(T_a, T_world_a, a.T_link_part);
    compose(T_b, T_world_b, b.T_link_part);
    relative(T_b_a, T_b, T_a);
    cache.clear();
    solver.solve(separation, a.shape, T_b_a, b.shape, cache);
    if (!(separation.distance.lower > 0) || !separation.hasNormal) return undefined;
    rotate(n, T_frame_part, separation.normal);
    return n;
  }
}
