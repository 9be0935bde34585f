import type { Transform } from '../../src/core/math/transform.ts';
import { create, isIdentity } from '../../src/core/math/transform.ts';
import type { BenchBody } from '../narrowphase/bodies.ts';
import { importPeer } from './npm.ts';
import { fromYAxis, type Peer, type PeerQuery, pointsOf, quaternionOf } from './peer.ts';

/** The parts of the package that are used here: its raw shapes; the public ones are built anew for each query. */
export interface Rapier {
  init(): Promise<void>;
  readonly Ball: new (radius: number) => Shape;
  readonly Cuboid: new (x: number, y: number, z: number) => Shape;
  readonly Capsule: new (halfHeight: number, radius: number) => Shape;
  readonly Cylinder: new (halfHeight: number, radius: number) => Shape;
  readonly Cone: new (halfHeight: number, radius: number) => Shape;
  readonly ConvexPolyhedron: new (vertices: Float32Array, indices: null) => Shape;
  readonly VectorOps: { intoRaw(v: { x: number; y: number; z: number }): RawVector };
  readonly RotationOps: { intoRaw(q: { x: number; y: number; z: number; w: number }): RawRotation };
  readonly World: new (gravity: { x: number; y: number; z: number }) => RapierWorld;
  readonly RigidBodyDesc: { dynamic(): RapierDesc; fixed(): RapierDesc };
  readonly ColliderDesc: {
    convexHull(points: Float32Array): RapierDesc | null;
    cuboid(x: number, y: number, z: number): RapierDesc;
    ball(radius: number): RapierDesc;
  };
}

interface Shape {
  intoRaw(): RawShape | undefined;
}
type RawVector = { readonly brand: 'vector' };
type RawRotation = { readonly brand: 'rotation' };
interface RawShape {
  intersectsShape(p: RawVector, q: RawRotation, other: RawShape, op: RawVector, oq: RawRotation): boolean;
  contactShape(
    p: RawVector,
    q: RawRotation,
    other: RawShape,
    op: RawVector,
    oq: RawRotation,
    prediction: number,
  ): RawContact | undefined;
}
interface RawContact {
  /** Distance, point and point, normal and normal: 13 numbers. */
  getComponents(out: Float32Array): void;
  free(): void;
}
/** Description of a body or of a collider; each has the methods of its own. */
export interface RapierDesc {
  setTranslation(x: number, y: number, z: number): RapierDesc;
  setRotation(q: Quaternion): RapierDesc;
  setLinvel(x: number, y: number, z: number): RapierDesc;
  setAngvel(v: Vector): RapierDesc;
  setCanSleep(can: boolean): RapierDesc;
  setDensity(density: number): RapierDesc;
  setFriction(friction: number): RapierDesc;
  setRestitution(restitution: number): RapierDesc;
}
export interface RapierWorld {
  timestep: number;
  readonly integrationParameters: { lengthUnit: number };
  createRigidBody(desc: RapierDesc): RapierBody;
  createCollider(desc: RapierDesc, body?: RapierBody): unknown;
  step(): void;
  free(): void;
}
export interface RapierBody {
  translation(): Vector;
  rotation(): Quaternion;
  linvel(): Vector;
  angvel(): Vector;
}
interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Quaternion extends Vector {
  readonly w: number;
}

/** Contacts farther apart than this are no contacts to Rapier; the bodies here are a metre in size. */
const PREDICTION = 100;

/** The package, ready for use; undefined where it is not installed. */
export async function loadRapier(): Promise<{ rapier: Rapier; version: string } | undefined> {
  const found = await importPeer<Rapier>('@dimforge/rapier3d-compat');
  if (found === undefined) return undefined;
  const warn = console.warn;
  console.warn = () => {}; // it warns of its own way to be initialised
  await found.module.init();
  console.warn = warn;
  return { rapier: found.module, version: found.version };
}

export async function rapierPeer(): Promise<Peer | undefined> {
  const found = await loadRapier();
  return found && new RapierPeer(found.rapier, found.version);
}

/** Raw shapes and raw poses are held; a query is one call into WebAssembly, in single precision. */
class RapierPeer implements Peer {
  readonly name: string;
  private readonly shapes = new Map<BenchBody, RawShape | undefined>();
  private readonly contact = new Float32Array(13);

  constructor(
    private readonly rapier: Rapier,
    version: string,
  ) {
    this.name = `Rapier ${version}`;
  }

  prepare(a: BenchBody, T_b_a: Transform, b: BenchBody): PeerQuery | undefined {
    const rawA = this.shapeOf(a);
    const rawB = this.shapeOf(b);
    if (rawA === undefined || rawB === undefined) return undefined;
    const [pA, qA] = this.poseOf(a, T_b_a);
    const [pB, qB] = this.poseOf(b, create());
    return {
      collides: () => rawA.intersectsShape(pA, qA, rawB, pB, qB),
      distance: () => {
        const contact = rawA.contactShape(pA, qA, rawB, pB, qB, PREDICTION);
        if (contact === undefined) return Number.NaN;
        contact.getComponents(this.contact);
        contact.free();
        return this.contact[0];
      },
    };
  }

  private poseOf(body: BenchBody, T: Transform): [RawVector, RawRotation] {
    const turned = ['capsule', 'cylinder', 'cone'].includes(body.spec.type) ? fromYAxis(T) : T;
    const [x, y, z, w] = isIdentity(turned) ? [0, 0, 0, 1] : quaternionOf(turned);
    return [
      this.rapier.VectorOps.intoRaw({ x: T[3], y: T[7], z: T[11] }),
      this.rapier.RotationOps.intoRaw({ x, y, z, w }),
    ];
  }

  private shapeOf(body: BenchBody): RawShape | undefined {
    if (!this.shapes.has(body)) this.shapes.set(body, this.describe(body)?.intoRaw());
    return this.shapes.get(body);
  }

  private describe(body: BenchBody): Shape | undefined {
    const { rapier } = this;
    const { type, radius, length, size } = body.spec as unknown as Record<string, number> & {
      type: string;
      size: number[];
    };
    switch (type) {
      case 'box':
        return new rapier.Cuboid(size[0] / 2, size[1] / 2, size[2] / 2);
      case 'sphere':
        return new rapier.Ball(radius);
      case 'capsule':
        return new rapier.Capsule(length / 2, radius);
      case 'cylinder':
        return new rapier.Cylinder(length / 2, radius);
      case 'cone':
        return new rapier.Cone(length / 2, radius);
      case 'convex':
        return new rapier.ConvexPolyhedron(pointsOf(body), null);
      default:
        return undefined;
    }
  }
}
