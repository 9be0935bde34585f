import { create, type Transform } from '../../src/core/math/transform.ts';
import type { BenchBody } from '../narrowphase/bodies.ts';
import { importPeer } from './npm.ts';
import { type Peer, type PeerQuery, quaternionOf } from './peer.ts';

/** The parts of the package that are used here. */
interface Jolt {
  readonly JoltSettings: new () => object;
  readonly JoltInterface: new (settings: object) => object;
  readonly ObjectLayerPairFilterTable: new (layers: number) => object & { EnableCollision(a: number, b: number): void };
  readonly BroadPhaseLayerInterfaceTable: new (
    layers: number,
    broad: number,
  ) => object & { MapObjectToBroadPhaseLayer(layer: number, broad: object): void };
  readonly BroadPhaseLayer: new (layer: number) => object;
  readonly ObjectVsBroadPhaseLayerFilterTable: new (a: object, n: number, b: object, m: number) => object;
  readonly Vec3: new (x: number, y: number, z: number) => object;
  readonly RVec3: new (x: number, y: number, z: number) => object;
  readonly Quat: new (x: number, y: number, z: number, w: number) => object;
  readonly BoxShape: new (half: object, convexRadius: number) => JoltShape;
  readonly ConvexHullShapeSettings: new () => {
    mMaxConvexRadius: number;
    mPoints: { push_back(p: object): void };
    Create(): { IsValid(): boolean; Get(): JoltShape };
  };
  readonly TransformedShape: new () => {
    mShape: JoltShape;
    SetWorldTransform(p: object, q: object, scale: object): void;
    GetCenterOfMassTransform(): object;
    CollideShape(
      shape: JoltShape,
      scale: object,
      T: object,
      settings: object,
      base: object,
      collector: object,
      filter: object,
    ): void;
  };
  readonly CollideShapeSettings: new () => object;
  readonly CollideShapeAnyHitCollisionCollector: new () => { HadHit(): boolean; Reset(): void };
  readonly ShapeFilter: new () => object;
}
interface JoltShape {
  AddRef(): void;
}

export async function joltPeer(): Promise<Peer | undefined> {
  const found = await importPeer<() => Promise<Jolt>>('jolt-physics', 'jolt-physics/wasm-compat');
  return found && new JoltPeer(await found.module(), found.version);
}

/**
 * `TransformedShape.CollideShape` with a collector that leaves at the first hit: the nearest that Jolt has to a Boolean
 * question, in single precision. It needs its whole world to be set up once, although nothing here is in it.
 */
class JoltPeer implements Peer {
  readonly name: string;
  private readonly shapes = new Map<BenchBody, JoltShape | undefined>();
  private readonly settings: object;
  private readonly filter: object;
  private readonly one: object;
  private readonly base: object;
  private readonly collector: { HadHit(): boolean; Reset(): void };

  constructor(
    private readonly jolt: Jolt,
    version: string,
  ) {
    this.name = `Jolt ${version}`;
    startWorld(jolt);
    this.settings = new jolt.CollideShapeSettings();
    this.filter = new jolt.ShapeFilter();
    this.one = new jolt.Vec3(1, 1, 1);
    this.base = new jolt.RVec3(0, 0, 0);
    this.collector = new jolt.CollideShapeAnyHitCollisionCollector();
  }

  prepare(a: BenchBody, T_b_a: Transform, b: BenchBody): PeerQuery | undefined {
    const { settings, filter, one, base, collector } = this;
    const [shapeA, shapeB] = [this.shapeOf(a), this.shapeOf(b)];
    if (shapeA === undefined || shapeB === undefined) return undefined;
    const bodyA = this.place(shapeA, T_b_a);
    const bodyB = this.place(shapeB, create());
    const T = bodyA.GetCenterOfMassTransform(); // one object for all answers: taken anew for each query
    return {
      collides: () => {
        collector.Reset();
        bodyB.CollideShape(
          shapeA,
          one,
          T === undefined ? T : bodyA.GetCenterOfMassTransform(),
          settings,
          base,
          collector,
          filter,
        );
        return collector.HadHit();
      },
    };
  }

  private place(shape: JoltShape, T: Transform) {
    const { jolt, one } = this;
    const body = new jolt.TransformedShape();
    body.mShape = shape;
    const [x, y, z, w] = quaternionOf(T);
    body.SetWorldTransform(new jolt.RVec3(T[3], T[7], T[11]), new jolt.Quat(x, y, z, w), one);
    return body;
  }

  private shapeOf(body: BenchBody): JoltShape | undefined {
    if (!this.shapes.has(body)) this.shapes.set(body, this.describe(body));
    return this.shapes.get(body);
  }

  private describe({ spec }: BenchBody): JoltShape | undefined {
    const { jolt } = this;
    if (spec.type === 'box') {
      const [x, y, z] = spec['size'] as number[];
      const box = new jolt.BoxShape(new jolt.Vec3(x / 2, y / 2, z / 2), 0);
      box.AddRef();
      return box;
    }
    if (spec.type !== 'convex') return undefined;
    const settings = new jolt.ConvexHullShapeSettings();
    settings.mMaxConvexRadius = 0;
    for (const [x, y, z] of spec['points'] as number[][]) settings.mPoints.push_back(new jolt.Vec3(x, y, z));
    const made = settings.Create();
    if (!made.IsValid()) return undefined; // more corners than it can hold
    const shape = made.Get();
    shape.AddRef();
    return shape;
  }
}

function startWorld(jolt: Jolt): void {
  const layers = new jolt.ObjectLayerPairFilterTable(1);
  layers.EnableCollision(0, 0);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
  broad.MapObjectToBroadPhaseLayer(0, new jolt.BroadPhaseLayer(0));
  const settings = Object.assign(new jolt.JoltSettings(), {
    mObjectLayerPairFilter: layers,
    mBroadPhaseLayerInterface: broad,
    mObjectVsBroadPhaseLayerFilter: new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, layers, 1),
  });
  new jolt.JoltInterface(settings);
}
