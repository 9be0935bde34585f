import type { Pose } from '../../kinematics/robotModel.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';
import type { UrdfTree } from './urdfTree.ts';

/** A URDF that has been read and checked; its meshes are not loaded yet. */
export interface Urdf {
  readonly file: string;
  readonly name: string;
  /** Which elements of its links are the collision geometry. */
  readonly geometry: LinkGeometry;
  /** Addresses of collision meshes, as written, without duplicates, each with the first place that refers to it. */
  readonly meshes: readonly MeshAddress[];
  /**
   * The links as written.
   */
  readonly links: readonly LinkDraft[];
  /**
   * The joints as written.
   */
  readonly tree: UrdfTree;
  readonly warnings: readonly string[];
}

/** A reference to a mesh: `package://NAME/…`, a relative path or a `file://` address. */
export interface MeshAddress {
  readonly address: string;
  readonly line: number;
  readonly link: string;
}

/** A link as written in the file: primitives are shapes, meshes are addresses. */
export interface LinkDraft {
  readonly name: string;
  readonly mass?: number;
  readonly collisions: readonly CollisionDraft[];
}

/** One `<collision>`: a shape, or a mesh to be loaded. */
export interface CollisionDraft {
  readonly line: number;
  readonly pose: Pose;
  readonly shape?: ShapeSpec;
  readonly mesh?: { readonly address: string; readonly scale: readonly [number, number, number] };
}

/** Which elements of a link are its collision geometry: `<collision>`, or `<visual>`. */
export type LinkGeometry = 'collision' | 'visual';
