import type { MassProperties, Pose } from '../../core/kinematics/robotModel.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import type { XmlElement } from '../text/xmlDocument.ts';
import type { RobotPlaces } from './sourceLocations.ts';
import type { UrdfTree } from './urdfTree.ts';

/** A URDF that has been read and checked; its meshes are not loaded yet. */
export interface Urdf {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Name of the robot. */
  readonly name: string;
  /** Which elements of its links are the collision geometry. */
  readonly geometry: LinkGeometry;
  /** Addresses of collision meshes, as written, without duplicates, each with the first place that refers to it. */
  readonly meshes: readonly MeshAddress[];
  /** The links as written. */
  readonly links: readonly LinkDraft[];
  /** The joints as written. */
  readonly tree: UrdfTree;
  /**
   * The elements of the URDF, for its visual geometry and the lines of diagnostics; absent if the file has another
   * format.
   * @internal
   */
  readonly document?: XmlElement;
  /** Folders of the packages that the file names, other than in addresses of meshes; meshes in them may be read. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Warnings about the text: `FILE:LINE: PLACE: what`. */
  readonly warnings: readonly string[];
  /** Disabled collision pairs that the file itself states, with the reason: those of MJCF. */
  readonly allowed?: readonly (readonly [string, string, string])[];
  /** Pairs of links that are checked even if they are adjacent: in MJCF, those of `checkedPairs`. */
  readonly checked?: readonly (readonly [string, string])[];
  /** Named states that the file itself states: joint → value. */
  readonly states?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Hash of the calibration whose origins the joints have; absent: none was given. */
  readonly calibration?: string;
  /**
   * Lines of links and joints; undefined for URDF, in whose elements `robotPlaces` finds them.
   * @internal
   */
  readonly places?: RobotPlaces;
}

/** A reference to a mesh: `package://NAME/…`, a relative path or a `file://` address. */
export interface MeshAddress {
  /** The address as written. */
  readonly address: string;
  /** File of the first reference, if it is not that of the robot. */
  readonly file?: string;
  /** Line of the first reference, from 1. */
  readonly line: number;
  /** Link of the first reference. */
  readonly link: string;
}

/** A link as written in the file: primitives are shapes, meshes are addresses. */
export interface LinkDraft {
  /** Name of the link. */
  readonly name: string;
  /** Mass in kg, if stated. */
  readonly mass?: number;
  /** Mass properties in the frame of the link, if all are stated. */
  readonly inertial?: MassProperties;
  /** Collision geometry in the order of the file. */
  readonly collisions: readonly CollisionDraft[];
}

/** One `<collision>`: a shape, or a mesh to be loaded. */
export interface CollisionDraft {
  /** File of the element, if it is not that of the robot. */
  readonly file?: string;
  /** Line of the element, from 1. */
  readonly line: number;
  /** Pose in the frame of the link. */
  readonly pose: Pose;
  /** The primitive; undefined for a mesh. */
  readonly shape?: ShapeSpec;
  /** Address and scale factors of the mesh; undefined for a primitive. */
  readonly mesh?: { readonly address: string; readonly scale: readonly [number, number, number] };
}

/** Which elements of a link are its collision geometry: `<collision>`, or `<visual>`. */
export type LinkGeometry = 'collision' | 'visual';
