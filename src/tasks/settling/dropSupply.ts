import type { BodyWorld } from '../../core/dynamics/bodyWorld.ts';
import { type BodyPart, bodyIntegrals, RigidBody } from '../../core/dynamics/rigidBody.ts';
import type { BodySupply } from '../../core/dynamics/settle.ts';
import type { VolumeIntegrals } from '../../core/hulls/massProperties.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import { Random } from '../../core/math/random.ts';
import { create as createTransform, rotate, type Transform, transformPoint } from '../../core/math/transform.ts';
import { cos, sin, TWO_PI } from '../../core/math/trigonometry.ts';
import { create } from '../../core/math/vec3.ts';
import { checkers } from '../../core/narrowphase/index.ts';
import { PairCache, SEPARATED } from '../../core/narrowphase/solver.ts';
import type { Drop, DropShape } from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';
import { transformOfPart } from './fixedParts.ts';

/** Number of random poses tried for one object before it has to wait until others have fallen. */
const TRIES = 50;
/** Radius of the probe that decides whether a point is in the region, relative to its size. */
const PROBE = 1e-9;

/**
 * Creates the objects of a `drop`: centers of mass uniform in the region, orientations uniform over all rotations,
 * without overlaps. An object without a free pose waits until others have fallen.
 */
export class DropSupply implements BodySupply {
  private readonly random: Random;
  private readonly kinds: readonly {
    readonly kind: DropShape;
    readonly parts: BodyPart[];
    readonly own: VolumeIntegrals;
  }[];
  private readonly region;
  private readonly T_world_region: Transform;
  private readonly checker = checkers['growth-distance'].create();
  private created = 0;

  constructor(
    private readonly drop: Drop,
    seed: number,
  ) {
    this.random = new Random(seed);
    this.kinds = drop.shapes.map((kind) => {
      const parts = kind.parts.map((part) => ({ shape: createShape(part.shape), at: transformOfPart(part) }));
      return { kind, parts, own: bodyIntegrals(parts) };
    });
    this.region = createShape(drop.from.shape);
    this.T_world_region = transformOfPose(drop.from.pose);
  }

  get left(): number {
    return this.drop.count - this.created;
  }

  /** Half of the smallest extent of the smallest body, metres. */
  get size(): number {
    const { kinds } = this;
    return Math.min(...kinds.map(({ kind, parts, own }) => new RigidBody(parts, kind.free, own).size));
  }

  add(world: BodyWorld): boolean {
    const { kind, parts, own } = this.kinds[this.created % this.kinds.length];
    const body = new RigidBody(parts, kind.free, own);
    for (let k = 0; k < TRIES; k++) {
      this.placeAtRandom(body, own.center);
      world.add(body);
      world.findContacts(0, 0);
      if (!world.active.some(({ a, b }) => a.body === body || b.body === body)) {
        this.created++;
        return true;
      }
      world.removeLast();
    }
    return false;
  }

  private placeAtRandom(body: RigidBody, center: readonly [number, number, number]): void {
    const quat_wxyz = this.randomRotation();
    const offset = Float64Array.from(center);
    rotate(offset, transformOfPose({ xyz: [0, 0, 0], quat_wxyz }), offset);
    const [x, y, z] = this.randomPoint();
    body.setPose({ xyz: [x - offset[0], y - offset[1], z - offset[2]], quat_wxyz });
  }

  /** Uniform over all rotations [Shoemake92]. */
  private randomRotation(): [number, number, number, number] {
    const u = this.random.next();
    const [s, t] = [TWO_PI * this.random.next(), TWO_PI * this.random.next()];
    const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
    return [b * cos(t), a * sin(s), a * cos(s), b * sin(t)];
  }

  /** A point in the region, in the world: from its bounding box, until one is in the shape. */
  private randomPoint(): Float64Array {
    const { region, random, T_world_region, checker } = this;
    const { bounds } = region;
    const probe = createShape({ type: 'sphere', radius: PROBE * region.outerRadius });
    const T_region_probe = createTransform();
    const p = create();
    for (;;) {
      for (let k = 0; k < 3; k++) {
        p[k] = random.between(bounds[k], bounds[k + 3]);
        T_region_probe[4 * k + 3] = p[k];
      }
      if (checker.check(probe, T_region_probe, region, 0, new PairCache()) === SEPARATED) continue;
      transformPoint(p, T_world_region, p);
      return p;
    }
  }
}
