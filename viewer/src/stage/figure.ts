import type { CollisionObject, Transform } from 'elbowroom';
import {
  BufferGeometry,
  type Color,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  Quaternion,
  type Vector3,
} from 'three';
import { bodyGeometry } from './bodyGeometry.ts';

type Pose = CollisionObject['pose'];
/** A convex part, and where it is in the object; `balls`: its points are the centers of spheres. */
interface Part {
  readonly shape: CollisionObject['parts'][number]['shape'];
  readonly at?: Pose | undefined;
  readonly balls?: boolean | undefined;
}

/** Minimum angle between two faces whose edge is drawn, degrees. */
const SHARP = 25;
/** Vertical field of view of the camera, degrees. */
export const FIELD_OF_VIEW = 40;
/** Opacity of a transparent object. */
const FADED = 0.3;

/** Creates the material of faces. @param opacity 1: opaque */
export function faceMaterial(color: Color, opacity: number): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color: color.clone(),
    roughness: 0.7,
    metalness: 0.05,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity === 1,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}

/** Creates the material of the edges of faces with this colour. */
export function edgeMaterial(color: Color): LineBasicMaterial {
  return new LineBasicMaterial({ color: color.clone().multiplyScalar(0.55), transparent: true, opacity: 0.6 });
}

/** Object on the stage: its convex parts in one group, in one colour that shows its collision state. */
export class Figure extends Group {
  private readonly material: MeshStandardMaterial;
  private readonly edges: LineBasicMaterial;
  private readonly ownColor: Color;
  /** False for an object that is not in the scene yet. */
  isThere = true;
  private isFaded = false;
  private isPainted = false;

  constructor(
    name: string,
    parts: readonly Part[],
    color: Color,
    /** 1: opaque; below: transparent, without edges. */
    private readonly ownOpacity = 1,
  ) {
    super();
    this.name = name;
    this.ownColor = color.clone();
    this.material = faceMaterial(color, ownOpacity);
    this.edges = edgeMaterial(color);
    const cloud = parts.length > 0 && parts.every(({ balls }) => balls) ? spheres(parts, this.edges.color) : undefined;
    if (cloud) this.add(cloud);
    for (const { shape, at } of cloud ? [] : parts) {
      const geometry = bodyGeometry(shape);
      const mesh = new Mesh(geometry, this.material);
      if (at) place(mesh, at);
      this.add(mesh);
      if (ownOpacity === 1) mesh.add(new LineSegments(new EdgesGeometry(geometry, SHARP), this.edges));
    }
    for (const part of this.children) part.traverse(fix);
  }

  /** Changes its own colour. */
  recolor(color: Color): void {
    if (this.ownColor.equals(color)) return;
    this.ownColor.copy(color);
    this.paint(undefined);
  }

  /** Returns whether it is opaque and of this colour, without a sign of a collision. */
  isPlain(color: Color): boolean {
    const isMesh = this.children[0] instanceof Mesh;
    return isMesh && !this.isPainted && !this.isFaded && this.ownOpacity === 1 && this.ownColor.equals(color);
  }

  /** Draws its parts, or leaves that to a merged geometry. */
  drawItself(isDrawn: boolean): void {
    for (const part of this.children) part.visible = isDrawn;
  }

  /** Sets the colour; undefined restores its own. */
  paint(color: Color | undefined): void {
    this.isPainted = color !== undefined;
    const shown = color ?? this.ownColor;
    this.material.color.copy(shown);
    this.material.emissive.copy(shown).multiplyScalar(color ? 0.35 : 0);
    this.edges.color.copy(shown).multiplyScalar(0.55);
    const [part] = this.children;
    if (part instanceof Points) (part.material as PointsMaterial).color.copy(color ?? this.edges.color);
  }

  /** Makes the object transparent, or restores its own opacity. */
  fade(faded: boolean): void {
    const { material } = this;
    if (faded === this.isFaded) return;
    this.isFaded = faded;
    material.opacity = faded ? Math.min(FADED, this.ownOpacity) : this.ownOpacity;
    material.transparent = material.opacity < 1;
    material.depthWrite = material.opacity === 1;
    material.needsUpdate = true;
  }

  /** Computes the centre of its first part in the world. */
  middle(out: Vector3): Vector3 {
    const part = this.children[0];
    if (!(part instanceof Mesh || part instanceof Points)) return this.getWorldPosition(out);
    part.geometry.computeBoundingSphere();
    return out.copy(part.geometry.boundingSphere!.center).applyMatrix4(part.matrixWorld);
  }

  release(): void {
    this.traverse((part) => {
      if (part instanceof Mesh || part instanceof LineSegments || part instanceof Points)
        (part.geometry as BufferGeometry).dispose();
      if (part instanceof Points) (part.material as PointsMaterial).dispose();
    });
    this.material.dispose();
    this.edges.dispose();
  }
}

/**
 * Draws the spheres of a point cloud as points of their size: the hulls of its groups would take a minute to draw, and
 * are not what is in the scene.
 */
function spheres(parts: readonly Part[], color: Color): Points {
  const points = parts.flatMap(({ shape }) => shape['points'] as readonly (readonly number[])[]);
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points.flat(), 3));
  const diameter = 2 * Number(parts[0].shape['margin']);
  const size = diameter / Math.tan((FIELD_OF_VIEW * Math.PI) / 360); // three.js scales points as for 90 degrees
  return new Points(geometry, new PointsMaterial({ color: color.clone(), size }));
}

/** Computes the matrix of an object once: it does not move in the frame of its parent. */
function fix(object: Object3D): void {
  object.updateMatrix();
  object.matrixAutoUpdate = false;
}

/** Sets the pose of an object in its parent's frame. */
export function place(object: Group | Mesh, { xyz, quat_wxyz: [w, x, y, z] }: Pose): void {
  object.position.set(...xyz);
  object.quaternion.copy(new Quaternion(x, y, z, w));
}

/** Converts a row-major 3 × 4 transform to a matrix of three.js. */
export function setMatrix(out: Matrix4, T: Transform): void {
  out.set(T[0], T[1], T[2], T[3], T[4], T[5], T[6], T[7], T[8], T[9], T[10], T[11], 0, 0, 0, 1);
}
