import { create, type Vec3 } from '../../math/vec3.ts';
import type { PosedParts } from '../model/posedParts.ts';

/** A direction, and how far a part extends along it. Mutable: passed instead of numbers. */
export interface PartHeight {
  /** Input: a direction in the world, of any length. */
  readonly direction_world: Vec3;
  /** Input: the point c of the world from which the height is measured. */
  readonly origin: Vec3;
  /** Output: max d·(p − c) over the points p of the part, d the direction. */
  height: number;
  /** Output: the vertex of the part that attains it, in the frame of the part, without the shape's margin. */
  readonly vertex: Vec3;
}

export const createPartHeight = (): PartHeight => ({
  direction_world: create(),
  origin: create(),
  height: 0,
  vertex: create(),
});

/** Support function of posed robot parts. */
export class PartHeights {
  /** Warm starts of the support functions of the parts. */
  private readonly hints: Int32Array;
  private readonly direction: Vec3 = create();

  constructor(private readonly posed: PosedParts) {
    this.hints = new Int32Array(posed.model.robotParts.length).fill(-1);
  }

  /** Computes height and vertex of a robot part. */
  compute(out: PartHeight, part: number): void {
    const { posed, direction } = this;
    const { direction_world, origin, vertex } = out;
    const T = posed.T_world_part[part];
    const shape = posed.shapes[part];
    const dx = direction_world[0];
    const dy = direction_world[1];
    const dz = direction_world[2];
    direction[0] = T[0] * dx + T[4] * dy + T[8] * dz;
    direction[1] = T[1] * dx + T[5] * dy + T[9] * dz;
    direction[2] = T[2] * dx + T[6] * dy + T[10] * dz;
    this.hints[part] = shape.support(vertex, shape, direction, this.hints[part]);
    const coreHeight = vertex[0] * direction[0] + vertex[1] * direction[1] + vertex[2] * direction[2];
    const x = T[3] - origin[0];
    const y = T[7] - origin[1];
    const z = T[11] - origin[2];
    out.height = coreHeight + dx * x + dy * y + dz * z + shape.margin * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}
